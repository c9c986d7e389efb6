"""Show the camera's picture while a table is set up, and the lesson of a deck."""
