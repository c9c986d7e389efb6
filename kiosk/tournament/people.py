"""Define the people of a tournament and their data.

A person is known by the name, which is the name on the tables' lists. People are entered in the tournament's file or on
the page; what becomes of them is noted in the store (``Store.notes``) and folded by ``kiosk.tournament.roll``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from kiosk.errors import LocalisedError, cut, shorten

#: Longest name that a list, a screen and a page show whole.
LONGEST_NAME = 40

#: Longest name of a club.
LONGEST_CLUB = 60

#: Largest start number: badges have up to nine digits, a page and a label show five.
LARGEST_NUMBER = 99_999


class BadName(LocalisedError):
    """A name that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A participant, or a substitute."""

    name: str
    substitute: bool = False  # counted at the table, left out of the standing (schaffkopf III 1.3)
    checked_in_ms: int | None = None  # ms since the epoch when they came (schnittchen's fines); None: not here yet
    gone_ms: int | None = None  # ms since the epoch when they left the tournament; None: still in it
    number: int | None = None  # start number, on the badge; no two have the same
    club: str = ""
    paid_ms: int | None = None  # ms since the epoch when the entry fee was paid; None: not yet
    paid_again_ms: tuple[int, ...] = ()  # when else: two entries that turned out to be one person had both paid

    @property
    def payments_ms(self) -> tuple[int, ...]:
        """When the entry fee was paid, each time that it was; ms since the epoch."""
        return () if self.paid_ms is None else (self.paid_ms, *self.paid_again_ms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced:
    """A change of person at a table during a round."""

    round: int
    table: int
    seat: int
    left: str  # has not played the round in full
    came: str
    at_ms: int  # ms since the epoch


def clean_name(name: object, others: Iterable[str] = ()) -> str:
    """Remove superfluous blanks from a name.

    :raises BadName: it is empty, too long, no text, or one of ``others``.
    """
    text = " ".join(name.split()) if isinstance(name, str) else ""
    if not text:
        raise BadName(
            "no_name", f"name {shorten(name)}: a name is wanted; write each person's name on a line of its own"
        )
    if len(text) > LONGEST_NAME:
        raise BadName(
            "long_name",
            f"name {shorten(text)}: it is longer than {LONGEST_NAME} letters; shorten it",
            name=cut(text),
            most=LONGEST_NAME,
        )
    if not text.isprintable():
        raise BadName("no_name", f"name {shorten(text)}: it holds signs that cannot be printed; write it anew")
    same = next((other for other in others if other.casefold() == text.casefold()), None)
    if same is not None:
        raise BadName(
            "same_name",
            f"name {shorten(text)}: {same!r} takes part already; add a first name or a place to tell the two apart",
            name=same,
        )
    return text


def clean_title(title: object) -> str:
    """Remove superfluous blanks from the name of a tournament, which stands in addresses.

    :raises BadName: it is no name, or none that an address can hold.
    """
    text = clean_name(title)
    if "/" in text or not text.strip("."):
        raise BadName(
            "odd_title", f"name {shorten(text)}: it stands in addresses, where / means something else; write 2025-26"
        )
    return text


def clean_club(club: object) -> str:
    """Remove superfluous blanks from the name of a club; "": of none.

    :raises BadName: it is too long, or no text that can be printed.
    """
    text = " ".join(club.split()) if isinstance(club, str) else None
    if text is None or len(text) > LONGEST_CLUB or not text.isprintable():
        raise BadName(
            "odd_club",
            f"club {shorten(club)}: a name of at most {LONGEST_CLUB} letters is wanted",
            most=LONGEST_CLUB,
        )
    return text
