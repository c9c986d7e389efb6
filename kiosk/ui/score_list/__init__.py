"""Show the list as the book writes it."""
