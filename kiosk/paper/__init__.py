"""Print lists, standings and the cash book as PDF from plain data."""
