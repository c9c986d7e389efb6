"""Look for inputs that break a reader: each has a target, a corpus of small files, and a run by coverage."""
