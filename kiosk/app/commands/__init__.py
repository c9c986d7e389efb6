"""Implement the commands that print to the terminal, one module per subject."""
