"""Make a club's own book of what the engine has: a file of values and names, no program (docs/books.md)."""
