"""Keep what is wished of every draw: fixed seats, who is kept apart, halls."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from kiosk.errors import BadNote, shorten
from kiosk.tournament.draws.wish import Apart

#: The note by which all of them are set.
SEAT_WISHES: Final = "seat_wishes"

#: How the members of a club are kept apart.
NOT, SHOULD, MUST = "", "should", "must"

MOST_GROUPS, MOST_HALLS, MOST_TABLES = 500, 50, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWishes:
    """What is wished of every draw of a tournament. Names are those of the time of the note."""

    apart: tuple[Apart, ...] = ()
    clubs: str = NOT  # members of one club: NOT, SHOULD or MUST be kept apart
    fixed: Mapping[str, tuple[int, int | None]] = field(default_factory=dict)  # name → table, seat or None
    halls: tuple[tuple[str, int], ...] = ()  # name and number of tables, table 1 first
    stay: bool = True  # who has sat in a hall sits there in the next round too


def noted(note: Mapping[str, Any], people: Collection[str]) -> SeatWishes:
    """Read the wishes from their note.

    :param people: who takes part.
    :raises BadNote: a value that cannot be, or somebody who does not take part.
    """
    apart, fixed, halls = note.get("apart", []), note.get("fixed", []), note.get("halls", [])
    clubs = note.get("clubs", NOT)
    if clubs not in (NOT, SHOULD, MUST):
        raise BadNote("malformed", f"clubs {shorten(clubs)}: '', 'should' or 'must' is wanted")
    for name, value, most in (
        ("apart", apart, MOST_GROUPS),
        ("fixed", fixed, MOST_TABLES * 5),
        ("halls", halls, MOST_HALLS),
    ):
        if not isinstance(value, list) or len(value) > most or not all(isinstance(one, Mapping) for one in value):
            raise BadNote("malformed", f"{name} {shorten(value)}: a list of at most {most} is wanted")
    return SeatWishes(
        apart=tuple(_group(one, people) for one in apart),
        clubs=clubs,
        fixed=_fixed(fixed, people),
        halls=tuple((str(one.get("name", "")).strip()[:40], _whole(one.get("tables"), MOST_TABLES)) for one in halls),
        stay=bool(note.get("stay", True)),
    )  # fmt: skip


def _group(said: Mapping[str, Any], people: Collection[str]) -> Apart:
    names = said.get("names")
    if not isinstance(names, list) or len(set(map(str, names))) < 2:
        raise BadNote(
            "apart_two", f"names {shorten(names)}: at least two people are kept apart; write them side by side"
        )
    return Apart(names=tuple(dict.fromkeys(_named(name, people) for name in names)), must=bool(said.get("must")))


def _fixed(said: list[Mapping[str, Any]], people: Collection[str]) -> dict[str, tuple[int, int | None]]:
    found: dict[str, tuple[int, int | None]] = {}
    for one in said:
        name, seat = _named(one.get("name"), people), one.get("seat")
        if name in found:
            raise BadNote("fixed_once", f"{shorten(name)} has two fixed seats; leave one", name=name)
        found[name] = _whole(one.get("table"), MOST_TABLES), None if seat is None else _whole(seat, 5)
    return found


def _named(name: object, people: Collection[str]) -> str:
    if not isinstance(name, str) or name not in people:
        raise BadNote("unknown_person", f"{shorten(name)} does not take part; enter the name first", name=str(name))
    return name


def _whole(value: object, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise BadNote("number", f"{shorten(value)}: a number from 1 to {most} is wanted", low=1, high=most)
    return value
