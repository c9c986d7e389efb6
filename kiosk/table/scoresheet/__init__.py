"""Format the Spielliste as data, as text and as CSV."""
