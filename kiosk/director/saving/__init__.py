"""Copies of the database on sticks and other disks, one a minute, and what goes on with one on another machine."""
