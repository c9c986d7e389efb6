"""Track cards over time: change detection, visibility of the mat, association, label voting."""
