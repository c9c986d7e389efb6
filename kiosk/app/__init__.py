"""Build services and commands from tables, screens, cameras, pins and the line to the director."""
