"""Feed the open pages: which lists each one shows, what has changed since the last message to it, and its cards."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.pages import shown
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.devices import clock_by_now
from kiosk.director.tables.hall import Hall

Message = dict[str, Any]

#: Seconds for which a page shows that a table refused an order.
_REFUSAL_S = 600.0


@dataclass(eq=False, slots=True)
class Viewer:
    """One open page: what it shows, and what has changed since the last message to it."""

    tournament: str
    round: int
    table: int | None = None
    begun: bool = False  # the whole hall has been sent
    changed: set[ListKey] = field(default_factory=set)
    noted: bool = False  # something was noted of the tournament
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def mark(self, key: ListKey) -> None:
        """Mark a list as changed, if this page shows it."""
        if (key.tournament, key.round) == (self.tournament, self.round):
            self.changed.add(key)
            self.wake.set()


class Feed:
    """The open pages, and what is shown of each list."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.viewers: set[Viewer] = set()
        self._described: dict[ListKey, _Description] = {}
        hall.watchers.append(self)

    def changed(self, key: ListKey) -> None:
        """Mark this list as changed for the pages."""
        for viewer in self.viewers:
            viewer.mark(key)

    def noted(self) -> None:
        """Mark that something was noted of the tournament: the hall may have other tables now."""
        for viewer in self.viewers:
            viewer.noted, viewer.begun = True, False
            viewer.wake.set()

    async def hall(self, viewer: Viewer) -> Message:
        """Describe the whole round that a page looks at."""
        keys = self._hall.keys(viewer.tournament, viewer.round)
        return {"hall": await self._cards(keys), **await self._sheet(viewer)}

    async def changes(self, viewer: Viewer) -> Message:
        """Describe what has changed since the last message to this page."""
        changed, viewer.changed = sorted(viewer.changed), set()
        sheet = await self._sheet(viewer) if viewer.table in {key.table for key in changed} else {}
        return {"cards": await self._cards(changed), **sheet}

    def card(self, key: ListKey) -> Message:
        """Return the table's card on the hall's page."""
        hall, now = self._hall, time.monotonic()
        desk = hall.desk(key)
        return {
            **self._describe([desk])[0],
            "connected": hall.devices.there(key.table),
            "planned": list(hall.planned(key)),
            "mat_seats": hall.devices.mats.get(key.table),
            "since": desk.line.since if desk.line else desk.away_since,
            "status": {k: v for k, v in desk.status.items() if k != "clock"},
            "clock": clock_by_now(desk.status.get("clock"), now - desk.status_at),
            "conflict": desk.conflict,
            "twice": desk.twice,
            "pending": [{"number": order.number, "at": order.at, "body": order.body} for order in desk.pending],
            "refused": [one for one in desk.refused if time.time() - one["at"] / 1000 < _REFUSAL_S],
        }

    async def _cards(self, keys: list[ListKey]) -> list[Message]:
        await self._hall.threads.folding(self._describe, [self._hall.desk(key) for key in keys])
        return [self.card(key) for key in keys]

    def _describe(self, desks: list[TableDesk]) -> list[Message]:
        """What the lists themselves say, kept until they grow."""
        told = []
        for desk in desks:
            copy, kept = desk.copy, self._described.get(desk.key)
            if kept is None or kept.copy is not copy or kept.events != len(copy.events):
                kept = _Description(copy, len(copy.events), shown.card(copy, copy.view()))
                self._described[desk.key] = kept
            told.append(kept.card)
        return told

    async def _sheet(self, viewer: Viewer) -> Message:
        """The table's own page, for a page that looks at it."""
        watched = None if viewer.table is None else ListKey(viewer.tournament, viewer.round, viewer.table)
        desk = None if watched is None else self._hall.desks.get(watched)
        return {} if desk is None else {"sheet": await self._hall.threads.folding(_sheet, desk.copy)}


@dataclass(frozen=True, slots=True)
class _Description:
    copy: Copy
    events: int  # of the copy, when it was described
    card: Message


def _sheet(copy: Copy) -> Message:
    return shown.sheet(copy, copy.view())
