"""Show a game of the evening as it was played, with the pictures of its cards."""
