"""A table at work without people: simulated players before a simulated camera."""
