"""Who takes part in a tournament, and what is known of each.

A person is known by the name, which is the name on the tables' lists. People are entered in the tournament's file or on
the page; what becomes of them is noted in the store (``Store.notes``) and folded by ``kiosk.director.tournament``.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from kiosk.director.errors import Told

#: Longest name that a list, a screen and a page show whole.
LONGEST = 40


class BadName(Told):
    """A name that cannot be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who takes part, or may fill in."""

    name: str
    substitute: bool = False  # counted at the table, left out of the standing (schaffkopf III 1.3)
    checked_in_ms: int | None = None  # ms since the epoch when they came (schnittchen's fines); None: not here yet
    gone_ms: int | None = None  # ms since the epoch when they left the tournament; None: still in it


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
    """The name without superfluous blanks.

    :raises BadName: it is empty, too long, no text, or one of ``others``.
    """
    text = " ".join(name.split()) if isinstance(name, str) else ""
    if not text:
        raise BadName("no_name", f"name {name!r}: a name is wanted; write each person's name on a line of its own")
    if len(text) > LONGEST:
        raise BadName(
            "long_name", f"name {text!r}: it is longer than {LONGEST} letters; shorten it", name=text, most=LONGEST
        )
    if not text.isprintable():
        raise BadName("no_name", f"name {text!r}: it holds signs that cannot be printed; write it anew")
    same = next((other for other in others if other.casefold() == text.casefold()), None)
    if same is not None:
        raise BadName(
            "same_name",
            f"name {text!r}: {same!r} takes part already; add a first name or a place to tell the two apart",
            name=same,
        )
    return text
