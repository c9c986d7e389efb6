"""Show the code by which the direction admits this device as a table."""
