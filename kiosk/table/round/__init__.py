"""Compute the round as a value from its events."""
