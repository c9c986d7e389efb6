"""Every word that people read, in German and English: a module a subject, one look-up.

A code of the protocol or of a screen goes in, its word in the language asked for comes out. Nothing here knows a table,
a book or a screen. A word that is missing is an error in the tests, not a blank on the screen.
"""

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["de", "en"]

#: German is the default; the order is that of the words in each table.
LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")

#: Code → its words, German and English, with the same places to fill in.
Words: TypeAlias = Mapping[str, tuple[str, str]]


def say(words: Words, code: str, language: str = "de", /, **fill: object) -> str:
    """Look a code up and fill in its places.

    :raises KeyError: the table has no such code.
    """
    text = words[code][language == "en"]
    return text.format(**fill) if fill else text


def by_language(words: Words) -> dict[str, dict[str, str]]:
    """Turn a table round: language → code → word."""
    return {language: {code: pair[i] for code, pair in words.items()} for i, language in enumerate(LANGUAGES)}


def decimal_text(value: float, language: str) -> str:
    """Write a number with two decimals, as the language does."""
    return f"{value:.2f}".replace(".", "," if language == "de" else ".")
