"""Compute what only a tournament needs: draw, standing, rankings, the cash book."""
