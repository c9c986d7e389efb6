"""Simulate a card table: cards, mat, light and hands as a camera sees them."""
