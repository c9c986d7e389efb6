"""Show the seats before a round, with names known before."""
