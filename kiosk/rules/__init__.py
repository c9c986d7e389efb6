"""Implement the rule books as pure functions and values: no clock, no disk, no screen, standard library only."""
