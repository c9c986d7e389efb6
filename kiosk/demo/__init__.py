"""Simulate a table without people: simulated players before a simulated camera."""
