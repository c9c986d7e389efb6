"""Look up the screen's words by language for its layouts."""

from kiosk.language import by_language
from kiosk.language.screen import SCREEN
from kiosk.language.setup import SETUP

TEXTS = by_language({**SCREEN, **SETUP})
