"""Store decks: a reference picture of each face; check whether pictures are fit to be references."""
