"""Learn decks from lessons and scans, adapt them to light and wear, find confusable faces, diagnose the view."""
