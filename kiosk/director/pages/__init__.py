"""Serve the pages of people: what they are sent and which buttons they have."""
