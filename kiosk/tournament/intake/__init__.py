"""Take in lists of people from elsewhere: read a file, tell its columns, compare with the roll before it counts."""
