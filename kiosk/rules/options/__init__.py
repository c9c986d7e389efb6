"""Define the options that a tournament's direction may set, and their meanings."""
