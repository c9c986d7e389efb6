"""Speak with the tables: their devices, the copies of their lists, the orders to them."""
