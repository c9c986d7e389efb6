"""Define the options that a tournament's direction may set: codes and values, no words."""
