"""Look up words of standings, of the day's and the year's ranking, and of lots."""

from kiosk.language import say


def ranking_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the rankings and fill it in."""
    return say("ranking", code, language, **fill)
