"""What is printed: lists, standings and the cash book as PDF, made of plain data."""
