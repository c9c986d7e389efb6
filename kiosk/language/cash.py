"""Look up words of the cash book."""

from kiosk.language import say


def cash_word(code: str, language: str = "de", **fill: object) -> str:
    """Look up a word or sentence of the cash book and fill it in."""
    return say("cash", code, language, **fill)
