"""Define the command line, one module per subject; nothing that a command runs is imported before it runs."""
