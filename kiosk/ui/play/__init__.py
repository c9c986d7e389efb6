"""Show the table in play: seats and trick, and the sheets for people's requests."""
