"""Compare a list with the roll: who would be added, who is there already, which lines are in doubt.

Nothing counts until it was looked at: what is taken in is what a person saw (``Preview.stamp``), whole, as one note.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, TypeAlias

from kiosk.errors import BadNote
from kiosk.tournament.intake.alike import Alike
from kiosk.tournament.intake.columns import Columns
from kiosk.tournament.intake.entries import Doubt, Entry
from kiosk.tournament.people import LONGEST_NAME, Person
from kiosk.tournament.tournament import Tournament

#: What becomes of a line: somebody new, somebody who is there and of whom it says more, nothing new, in doubt.
Fate: TypeAlias = Literal["new", "more", "same", "doubt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A line of the list beside the roll."""

    entry: Entry  # under the name that it would be taken in by
    fate: Fate
    known: str | None = None  # who of the roll it is
    doubts: tuple[Doubt, ...] = ()
    possible: bool = True  # whether somebody may take it in all the same

    def data(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        one = self.entry
        return {
            "line": one.line,
            "name": one.name,
            "number": one.number,
            "club": one.club,
            "paid": one.paid,
            "substitute": one.substitute,
            "what": self.fate,
            "known": self.known,
            "possible": self.possible,
            "doubts": [asdict(doubt) for doubt in self.doubts],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A list beside the roll."""

    columns: Columns
    lines: tuple[Compared, ...]

    @property
    def stamp(self) -> str:
        """A text that changes with anything that a person saw."""
        seen = repr((self.columns.uses, [one.data() for one in self.lines]))
        return hashlib.sha256(seen.encode()).hexdigest()[:32]


def preview(tournament: Tournament, columns: Columns, entries: Sequence[Entry]) -> Preview:
    """Compare entries with the roll and with each other."""
    comparing = _Comparing(tournament)
    return Preview(columns=columns, lines=tuple(comparing.compared(one) for one in entries))


def register_note(tournament: Tournament, seen: Preview, stamp: object, take: Collection[object]) -> dict[str, Any]:
    """Make the note that takes the list in: what is new or more, and of the doubtful lines those in ``take``.

    :raises BadNote: the roll or the file has changed since it was looked at, or nothing new is in it.
    """
    if stamp != seen.stamp:
        raise BadNote("list_changed", "the list or the roll has changed since it was looked at; look again")
    people = [
        _registered(one, tournament)
        for one in seen.lines
        if one.fate in ("new", "more") or (one.fate == "doubt" and one.possible and one.entry.line in take)
    ]
    people = [one for one in people if len(one) > 1 or one["name"] not in tournament.people]
    if not people:
        raise BadNote("nothing_new", "nothing new is in this list")
    return {"note": "register", "people": people}


def _registered(one: Compared, tournament: Tournament) -> dict[str, Any]:
    """What the note says of a person: of somebody who is there what is new alone."""
    entry, codes = one.entry, {doubt.code for doubt in one.doubts}
    person = tournament.people.get(one.known or "")
    found: dict[str, Any] = {"name": person.name if person is not None else entry.name}
    if entry.number is not None and codes.isdisjoint(("number_taken", "number_twice")):
        found["number"] = entry.number
    if entry.club and (person is None or entry.club.casefold() != person.club.casefold()):
        found["club"] = entry.club
    found |= {key: True for key in ("paid", "substitute") if getattr(entry, key)}
    if person is not None:
        now = {"number": person.number, "paid": person.paid_ms is not None, "substitute": person.substitute}
        found = {key: value for key, value in found.items() if now.get(key) != value}
    return found


class _Comparing:
    """The roll, and the lines before the one that is compared."""

    def __init__(self, tournament: Tournament) -> None:
        people = tournament.people
        self.tournament = tournament
        self.by_name = {name.casefold(): name for name in people}
        self.by_name |= {old.casefold(): now for old, now in tournament.aliases.items() if now in people}
        self.alike = Alike(people)
        self.by_number = {one.number: one.name for one in people.values() if one.number is not None}
        self.lines: dict[str, Entry] = {}  # by name
        self.numbers: dict[int, int] = {}  # start number → line

    def compared(self, entry: Entry) -> Compared:
        """Compare the next line."""
        if not entry.possible:
            return Compared(entry=entry, fate="doubt", doubts=entry.doubts, possible=False)
        person = self._known(entry)
        if person is not None and person.name != self._called(entry.name):  # "Anna Ott (SV)"
            entry = replace(entry, name=person.name)
        doubts = list(entry.doubts)
        earlier = self.lines.get(entry.name.casefold())
        if earlier is not None:
            if _says_less(entry, earlier):
                return Compared(entry=entry, fate="same", known=None, doubts=(Doubt("twice", {"line": earlier.line}),))
            entry, possible = self._apart(entry, doubts, "namesake_line", {"line": earlier.line})
        elif person is not None and entry.club and person.club and entry.club.casefold() != person.club.casefold():
            entry, possible = self._apart(entry, doubts, "namesake", {"name": person.name, "club": person.club})
            person = None
        else:
            possible = True
        if person is None and not doubts:
            alike = self.alike.find(entry.name)
            doubts += [Doubt("alike", {"name": alike})] if alike is not None else []
        doubts += self._number_doubts(entry, person)
        self.lines.setdefault(entry.name.casefold(), entry)
        if entry.number is not None:
            self.numbers.setdefault(entry.number, entry.line)
        return self._with_fate(entry, person, doubts, possible)

    def _with_fate(self, entry: Entry, person: Person | None, doubts: list[Doubt], possible: bool) -> Compared:
        known = None if person is None else person.name
        one = Compared(entry=entry, fate="doubt", known=known, doubts=tuple(doubts), possible=possible)
        if doubts:
            return one
        more = person is None or len(_registered(one, self.tournament)) > 1
        return replace(one, fate="new" if person is None else "more" if more else "same")

    def _called(self, name: str) -> str | None:
        return self.by_name.get(name.casefold())

    def _known(self, entry: Entry) -> Person | None:
        """Who of the roll it is, also somebody who was told from a namesake by the club."""
        found = self._called(_with_club(entry)) if entry.club else None
        found = found or self._called(entry.name)
        return None if found is None else self.tournament.people[found]

    def _apart(self, entry: Entry, doubts: list[Doubt], code: str, values: dict[str, Any]) -> tuple[Entry, bool]:
        """A namesake: told apart by the club, where that will do."""
        other = _with_club(entry)
        free = bool(entry.club) and len(other) <= LONGEST_NAME
        free = free and self._called(other) is None and other.casefold() not in self.lines
        doubts.append(Doubt(code, {**values, "other": other if free else ""}))
        return (replace(entry, name=other), True) if free else (entry, False)

    def _number_doubts(self, entry: Entry, person: Person | None) -> list[Doubt]:
        number = entry.number
        if number is None or (person is not None and person.number == number):
            return []
        other = self.by_number.get(number)
        if other is not None:
            return [Doubt("number_taken", {"number": number, "name": other})]
        if number in self.numbers:
            return [Doubt("number_twice", {"number": number, "line": self.numbers[number]})]
        if person is not None and person.number is not None:
            return [Doubt("other_number", {"number": number, "now": person.number})]
        return []


def _with_club(entry: Entry) -> str:
    return f"{entry.name} ({entry.club})"


def _says_less(entry: Entry, earlier: Entry) -> bool:
    """Whether an entry of the same name says nothing that the earlier line has otherwise."""
    return (
        entry.club.casefold() in ("", earlier.club.casefold())
        and entry.number in (None, earlier.number)
        and entry.paid <= earlier.paid
    )
