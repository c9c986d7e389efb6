"""Show the table's hardware to whoever sets it up: what works, what to do about the rest, sound and light."""
