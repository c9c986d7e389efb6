"""Card images: a Debian root that nobody writes to, the program in it, and how a machine starts from it."""
