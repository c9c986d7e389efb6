"""Encrypt what the director says: an authority of its own, the server's certificate, and who comes without it."""
