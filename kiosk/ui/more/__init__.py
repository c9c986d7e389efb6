"""Show the menu of rare functions."""
