"""Define a table's events: their text, the chain over them, and the log that keeps them."""
