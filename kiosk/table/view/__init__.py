"""Compute a table's view as one value."""
