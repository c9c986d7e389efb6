"""Name parcels: what kinds there are, how large each may be, and how they are refused."""

import re
from dataclasses import dataclass
from typing import Final

from kiosk.errors import LocalisedError, shorten
from kiosk.language.own_words import NAME as LANGUAGE_NAME
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import LARGEST_FILE
from kiosk.rules.composed.file import NAME as NAME_OF_BOOK

#: Kind → bytes that a parcel may have. A deck of 52 faces has 5 MB, all words of a language 0.4 MB.
LARGEST: Final = {
    "deck": 16_000_000,
    "words": 1_000_000,
    "sounds": 8_000_000,
    "settings": 10_000,
    "book": LARGEST_FILE,
}

#: Bytes that any parcel may have.
LARGEST_OF_ALL: Final = max(LARGEST.values())

KINDS: Final = tuple(LARGEST)

#: Kinds of which a table has one for each name; of the others it has one.
_NAMED: Final = ("deck", "words", "book")

_DECK = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

#: Letters that sounds and settings may be named by.
_LONGEST_NAME = 40


class BadParcel(LocalisedError):
    """A parcel that cannot be taken; ``code`` is a text of the subject ``parcels``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parcel:
    """What tables are given, known by its content."""

    kind: str
    name: str
    sha256: str
    size: int  # bytes

    @property
    def slot(self) -> str:
        """What it takes the place of."""
        return slot_of(self.kind, self.name)


def slot_of(kind: str, name: str) -> str:
    """Name the place that a parcel takes at a table: another one for the same place replaces it."""
    return f"{kind}/{name}" if kind in _NAMED else kind


def check_name(kind: str, name: str) -> None:
    """Require a name that is one of this kind: a deck's, a catalogue's and a book's become a file's.

    :raises BadParcel: it is none, or there is no such kind.
    """
    if kind not in LARGEST:
        raise BadParcel("parcel_kind", f"{shorten(kind)}: no kind of parcel; {', '.join(KINDS)} are", kind=kind[:40])
    if kind == "deck":
        right = _DECK.fullmatch(name) is not None
    elif kind == "words":
        right = LANGUAGE_NAME.fullmatch(name) is not None and len(name) <= _LONGEST_NAME
    elif kind == "book":
        right = NAME_OF_BOOK.fullmatch(name) is not None and name not in BOOKS.shipped
    else:
        right = name.strip() != "" and len(name) <= _LONGEST_NAME and name.isprintable()
    if not right:
        raise BadParcel(f"parcel_name_{kind}", f"{shorten(name)}: no name of {kind}", name=name[:80])
