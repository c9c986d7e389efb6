"""Look up words of the list: headings, notes, checks, signatures."""

from kiosk.language import say
from kiosk.language.games import game_word


def list_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the list and fill it in."""
    return say("scoresheet", code, language, **fill)


def row_word(kind: str, suit: str | None, solo: str | None, language: str = "de") -> str:
    """Name a row's game as on the list: ``Farbsolo Herz (Pflicht)``, ``Damensolo (Lust)``."""
    name = game_word(kind, suit, language=language)
    return f"{name} ({list_word(solo, language)})" if solo in ("duty", "lust") else name
