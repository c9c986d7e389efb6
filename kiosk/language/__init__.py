"""Every word that people read: a gettext catalogue a language (``de.po``, ``en.po``), one look-up.

A subject and a code of the protocol or of a screen go in (``msgctxt``, ``msgid``), the word in the language asked for
comes out. Nothing here knows a table, a book or a screen. A word that is missing is an error in the tests, not a blank
on the screen.
"""

from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from kiosk.language.catalogue import NO_CODE, Texts, by_subject, read_entries

#: A language by its code.
Language: TypeAlias = str

#: German is the default.
LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")


def say(subject: str, code: str, language: str = "de", /, **fill: object) -> str:
    """Look a text up and fill in its places; of one with a form for the number 1, ``n`` decides.

    :raises KeyError: no catalogue has such a code.
    """
    text = texts(language)[subject][code or NO_CODE]
    if isinstance(text, tuple):
        text = text[fill.get("n") != 1]
    return text.format(**fill) if fill else text


def has(subject: str, code: str) -> bool:
    """Report whether a subject has a text of this code."""
    return (code or NO_CODE) in texts("de")[subject]


def words(*subjects: str, language: str = "de") -> dict[str, str]:
    """List the words of subjects by code."""
    found = texts(language)
    return {code: text for subject in subjects for code, text in found[subject].items() if isinstance(text, str)}


def pair(subject: str, code: str) -> tuple[str, str]:
    """Look a word up in German and English."""
    return say(subject, code, "de"), say(subject, code, "en")


@cache
def texts(language: str) -> Texts:
    """Read all texts of a language, once."""
    return by_subject(read_entries(Path(__file__).with_name(f"{language}.po")))


def languages() -> tuple[str, ...]:
    """List the languages, German first."""
    return LANGUAGES


def next_language(language: str) -> str:
    """Return the language that a key for changing it brings."""
    known = languages()
    return known[(known.index(language) + 1) % len(known)] if language in known else known[0]


def decimal_text(value: float, language: str) -> str:
    """Write a number with two decimals, as the language does."""
    return f"{value:.2f}".replace(".", say("numbers", "decimal", language))
