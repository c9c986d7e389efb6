"""Keep the tournament's notes and add new ones."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from kiosk.director.refusals import StoreFailed
from kiosk.director.settings import Settings, check_title
from kiosk.director.storage.actor import signed
from kiosk.director.storage.note_store import Following
from kiosk.director.storage.order_store import GivenOrder
from kiosk.director.storage.store import Store
from kiosk.errors import BadNote
from kiosk.tournament.notes import UNDO, Noted, in_force
from kiosk.tournament.overtaken import based
from kiosk.tournament.own_books import with_books
from kiosk.tournament.people import clean_title
from kiosk.tournament.tournament import Tournament, begin, folded


@dataclass(frozen=True, slots=True)
class NoteAndOrders:
    """A note, and the orders to tables that follow from it."""

    note: Mapping[str, Any]
    orders: Sequence[Following] = ()


Change = Callable[[Tournament], Mapping[str, Any] | NoteAndOrders]

#: The note, among those of the tournament that the configuration names, by which another one begins.
BEGIN = "begin"

_TRIES = 20


class Office:
    """Keeps the tournament as it stands. Safe to use from several threads.

    The configuration's ``tournament`` is the first that is held, and the name under which tables find the director.
    Others are begun on the page; the plan sends their names to the tables.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._lock = threading.Lock()
        self._home_last = -1  # number of the last note of the configuration's tournament that was looked at
        self.tournament: Tournament = settings.beginning
        self.last = -1  # number of the last note of the tournament that is held
        self._elsewhere = 0  # notes on tournaments that are over
        self.held = {settings.tournament}  # names of all that are or were held here

    @property
    def mark(self) -> str:
        """A text that changes with each note."""
        return f"{self.last} {self._elsewhere} {self.tournament.name}"

    def catch_up(self) -> None:
        """Take in notes of other processes.

        :raises StoreFailed: the database cannot be read.
        """
        with self._lock:
            self._catch_up()

    def start(self, name: str) -> Tournament:
        """Return a tournament as it was before its first note."""
        return self._settings.beginning if name == self._settings.tournament else begin(name)

    def named(self, name: str) -> Tournament:
        """Return a tournament as it stands, also one that is over."""
        if name == self.tournament.name:
            return self.tournament
        return folded(self.start(name), in_force(self._store.notes(name)))

    def note(self, change: Mapping[str, Any] | Change, name: str | None = None) -> Noted:
        """Add a note, or what ``change`` makes of the tournament's current state.

        :param name: of a tournament that was held before; by default the one that is held.
        :raises BadNote: it cannot be, see ``Tournament.after``, or somebody was faster; nothing is noted.
        :raises StoreFailed: it could not be stored.
        """
        return self.note_and_order(change, name)[0]

    def note_and_order(
        self, change: Mapping[str, Any] | Change, name: str | None = None
    ) -> tuple[Noted, list[GivenOrder]]:
        """Add a note as ``note`` does, and give the orders that follow from it, in one transaction."""
        with self._lock:
            for _ in range(_TRIES):
                self._catch_up()
                held = name is None or name == self.tournament.name
                known, last = (self.tournament, self.last) if held else self._earlier(str(name))
                made = change(known) if callable(change) else change
                made = made if isinstance(made, NoteAndOrders) else NoteAndOrders(made)
                body = with_books(based(known.saved, made.note, partial(self._store.notes, known.name)))
                at = self._store.now()
                after = known.after(signed(body), at, last + 1)
                stored = self._store.note_and_order(known.name, last + 1, body, at, made.orders)
                if stored is not None:
                    noted = stored[0]
                    if held and body.get("note") == UNDO:
                        self._catch_up()
                    elif held:
                        self.tournament, self.last = after, noted.number
                    else:
                        self._elsewhere += 1
                    return stored
        raise StoreFailed(_BUSY)

    def _earlier(self, name: str) -> tuple[Tournament, int]:
        """An earlier tournament and the number of its last note."""
        notes = self._store.notes(name)
        return folded(self.start(name), in_force(notes)), notes[-1].number if notes else -1

    def noted_elsewhere(self) -> None:
        """Take in that another process has noted something of a tournament that is over: ``mark`` changes."""
        with self._lock:
            self._elsewhere += 1

    def begin(self, name: str, keep_people: bool, instead_of: object = None) -> None:
        """Begin another tournament by the same book, or resume an earlier one; all lists stay.

        :param instead_of: name of the tournament that is to end by it; None: whichever is held.
        :raises BadName: a name that cannot be used.
        :raises BadNote: another one is held by now.
        :raises StoreFailed: it could not be stored.
        """
        home = self._settings.tournament
        with self._lock:
            for _ in range(_TRIES):
                self._catch_up()
                before, name = self.tournament, clean_title(name)
                if instead_of is not None and instead_of != before.name:
                    raise BadNote(
                        "begun_meanwhile", f"{before.name!r} was begun meanwhile; look at it first", name=before.name
                    )
                known = name in self.held or name in self._store.tournaments()
                if not known:
                    check_title(name)
                if self._store.note(home, self._home_last + 1, {"note": BEGIN, "name": name}) is None:
                    continue
                self._catch_up()
                for body in () if known else _taken_along(before, keep_people):
                    self._store.note(name, self.last + 1, body)
                    self._catch_up()
                return
        raise StoreFailed(_BUSY)

    def _catch_up(self) -> None:
        for one in self._store.notes(self._settings.tournament, self._home_last):
            self._home_last = one.number
            if one.body.get("note") == BEGIN:
                name = str(one.body["name"])
                self.tournament = self.start(name)
                self.last = -1
                self.held.add(name)
        new = self._store.notes(self.tournament.name, self.last)
        if any(one.body.get("note") == UNDO for one in new):  # what was folded before is not in force any more
            name = self.tournament.name
            new = self._store.notes(name)
            self.tournament = folded(self.start(name), in_force(new))
        elif new:
            self.tournament = folded(self.tournament, new)
        if new:
            self.last = new[-1].number


_BUSY = "others note all the time, nothing was noted; try again"


def _taken_along(before: Tournament, people: bool) -> list[dict[str, Any]]:
    """The notes with which the next tournament begins like the one before."""
    notes: list[dict[str, Any]] = []
    if before.chosen:
        start = before.start.isoformat("minutes") if before.start else ""
        setup = {"note": "setup", "rules": before.rules, "options": dict(before.options), "start": start}
        notes.append(dict(with_books(setup)))
    if people and before.people:
        roll = [
            {"name": one.name, "substitute": one.substitute, "club": one.club, "number": one.number}
            for one in before.people.values()
        ]
        notes.append({"note": "register", "people": roll})
    return notes
