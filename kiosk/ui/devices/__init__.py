"""Teach which keyboard is the scanner and which is the number pad of a seat."""
