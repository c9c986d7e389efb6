"""Show the rounds that were played at this table before."""
