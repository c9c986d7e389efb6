"""A table that is not there: cards, mat, light and hands as a camera would see them."""
