"""Every word that people read: a gettext catalogue a language (``de.po``, ``en.po``), one look-up.

A subject and a code of the protocol or of a screen go in (``msgctxt``, ``msgid``), the word in the language asked for
comes out. A club's own words stand before them (:mod:`kiosk.language.own_words`). Nothing here knows a table, a book or
a screen. A word that is missing is an error in the tests, not a blank on the screen.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from kiosk.language.catalogue import NO_CODE, Texts, shipped

#: A language by its code.
Language: TypeAlias = str

#: Those that come with the program. German is the default.
LANGUAGES: Final[tuple[Language, ...]] = ("de", "en")

#: A club's own words (:func:`put_words`).
_own: Final[dict[str, Texts]] = {}


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


@cache
def texts(language: str) -> Texts:
    """Put all texts of a language together: a club's own before those that come with the program, before the German."""
    above = [shipped(language)] if language in LANGUAGES[1:] else [_own.get("de", {})]
    above.append(_own.get(language, {}))
    return {
        subject: {**found, **{code: text for one in above for code, text in one.get(subject, {}).items()}}
        for subject, found in shipped("de").items()
    }


def put_words(own: Mapping[str, Texts]) -> None:
    """Take a club's own words, language by language, in place of those taken before."""
    _own.clear()
    _own.update(own)
    texts.cache_clear()


def languages() -> tuple[str, ...]:
    """List the languages: German, English, and those that a club has added."""
    return (*LANGUAGES, *sorted(_own.keys() - set(LANGUAGES)))


def next_language(language: str) -> str:
    """Return the language that a key for changing it brings."""
    known = languages()
    return known[(known.index(language) + 1) % len(known)] if language in known else known[0]


def decimal_text(value: float, language: str) -> str:
    """Write a number with two decimals, as the language does."""
    return f"{value:.2f}".replace(".", say("numbers", "decimal", language))
