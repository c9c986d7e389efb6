"""The tournament's office: what was noted of the tournament, and the way to note more."""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from kiosk.director.errors import StoreFailed
from kiosk.director.settings import Settings
from kiosk.director.store import Noted, Store, now
from kiosk.director.tournament import Tournament, folded

Change = Callable[[Tournament], Mapping[str, Any]]


class Office:
    """Keeps the tournament as it stands. Safe to use from several threads."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._lock = threading.Lock()
        self.tournament: Tournament = settings.beginning
        self.last = -1  # number of the last note

    def catch_up(self) -> None:
        """Take in what other processes have noted.

        :raises StoreFailed: the database cannot be read.
        """
        with self._lock:
            self._catch_up()

    def note(self, change: Mapping[str, Any] | Change) -> Noted:
        """Note something, or what ``change`` makes of the tournament as it stands.

        :raises BadNote: it cannot be, see ``Tournament.after``; nothing is noted.
        :raises StoreFailed: it could not be stored.
        """
        with self._lock:
            for _ in range(20):
                self._catch_up()
                body = change(self.tournament) if callable(change) else change
                at = now()
                after = self.tournament.after(body, at)
                noted = self._store.note(self.tournament.name, self.last + 1, body, at)
                if noted is not None:
                    self.tournament, self.last = after, noted.number
                    return noted
        raise StoreFailed("others note all the time, nothing was noted; try again")

    def _catch_up(self) -> None:
        new = self._store.notes(self.tournament.name, self.last)
        if new:
            self.tournament = folded(self.tournament, ((one.at, one.body) for one in new))
            self.last = new[-1].number
