"""Feed the open pages: what has changed is described once, written once as JSON, and sent to all that show it."""

import asyncio
import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import orjson

from kiosk.director.key import ListKey
from kiosk.director.pages import shown
from kiosk.director.pages.listed import shown_list
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.hall import Hall
from kiosk.director.web.shared_frames import SharedText, WriteFrame, shared, text_frame
from kiosk.table.status import clock_by_now
from kiosk.tournament.tournament import Tournament

Message = dict[str, Any]

#: Seconds for which a page shows that a table refused an order.
_REFUSAL_S = 600.0

#: Seconds from one message about a round to the next, at least: what changes meanwhile goes together. Shorter than the
#: window of ``tables.event_window``, so that what was taken together there never waits a second time.
_PACE_S = 0.05

#: So many times as long as a message took to be made and written there is none: pages are never most of the work. More
#: than that sums itself up: the longer there is none, the more has changed, and the longer the next one takes.
_REST = 1

#: Seconds between two looks for pages that were sent nothing since: they get a sign of life, and wait twelve for one.
_BEAT_S = 4.0

#: Seconds for which a whole hall that was written counts as new: a hundred pages that come back at once read it once.
_NEW_S = 0.5

#: Seconds for which a card that does not change is sent as it was written: it says when that was.
_KEPT_S = 1.0

#: Seconds for which cards are written before others have their turn.
_TURN_S = 0.002


@dataclass(eq=False, slots=True)
class Viewer:
    """One open page: what it shows, and what it is still to be sent."""

    tournament: str
    round: int
    table: int | None = None
    begun: bool = False  # the whole hall has been sent
    changed: set[ListKey] = field(default_factory=set)  # since the last message to it
    noted: bool = False  # something was noted of the tournament
    quiet: bool = False  # it was sent nothing since the last look
    write: WriteFrame = lambda _: False  # to its socket, at once
    busy: bool = False  # a message to it is being written: nothing may overtake it
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def give(self, changed: Collection[ListKey], frame: bytes) -> None:
        """Give it what others get too about what has changed; a slow page gets all of it later."""
        same = self.begun and not (self.busy or self.changed or self.noted)
        if same and (self.table is None or self.watched not in changed) and self.write(frame):
            self.quiet = False
            return
        self.changed.update(changed)
        self.wake.set()

    @property
    def watched(self) -> ListKey | None:
        """The list of the table that it looks at."""
        return None if self.table is None else ListKey(self.tournament, self.round, self.table)


@dataclass(eq=False, slots=True)
class _Whole:
    """A whole hall as it was written, and what has changed since it was begun."""

    begun: float  # monotonic seconds
    changed: set[ListKey] = field(default_factory=set)
    message: SharedText | None = None


class Feed:
    """The open pages, and what is shown of each list."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._viewers: dict[tuple[str, int], set[Viewer]] = {}
        self._changed: dict[tuple[str, int], set[ListKey]] = {}
        self._working: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._rests: dict[tuple[str, int], float] = {}  # monotonic seconds until when nothing is told of a round
        self._described: dict[ListKey, _Description] = {}
        self._texts: dict[ListKey, tuple[float, bytes]] = {}  # cards as JSON, and when they were written
        self._wholes: dict[tuple[str, int], _Whole] = {}
        self._writing = asyncio.Lock()
        hall.watchers.append(self)

    def open(self, viewer: Viewer) -> None:
        """Send a page the whole hall, and from then on what changes."""
        viewer.begun = False
        self._viewers.setdefault((viewer.tournament, viewer.round), set()).add(viewer)
        if viewer.watched is not None:
            self._hall.copies.first(viewer.watched)
        viewer.wake.set()

    def close(self, viewer: Viewer) -> None:
        """Send a page nothing more of what it showed until now."""
        shown_now = viewer.tournament, viewer.round
        viewers = self._viewers.get(shown_now, set())
        viewers.discard(viewer)
        if not viewers:
            self._viewers.pop(shown_now, None)

    async def beat_forever(self) -> None:
        """Give signs of life to pages that are sent nothing else; only cancelling ends it."""
        while True:
            await asyncio.sleep(_BEAT_S)
            for round_, viewers in self._viewers.items():
                frame = text_frame(orjson.dumps(self._frame(*round_, None)))
                for viewer in viewers:
                    if viewer.quiet:
                        viewer.give((), frame)
                    viewer.quiet = True
            self._wholes.clear()
            self._texts.clear()

    def changed(self, key: ListKey) -> None:
        """Mark this list as changed for the pages."""
        round_ = key.tournament, key.round
        self._texts.pop(key, None)
        if round_ in self._wholes:
            self._wholes[round_].changed.add(key)
        if round_ not in self._viewers:
            return
        self._changed.setdefault(round_, set()).add(key)
        if round_ not in self._working:
            self._working[round_] = asyncio.create_task(self._tell_all(round_))

    def noted(self) -> None:
        """Mark that something was noted of the tournament: the hall may have other tables now."""
        self._wholes.clear()
        self._texts.clear()
        for viewers in self._viewers.values():
            for viewer in viewers:
                viewer.noted, viewer.begun = True, False
                viewer.wake.set()

    async def message(self, viewer: Viewer) -> str | SharedText | None:
        """Write the next message to this page; None if there is nothing to be told."""
        whole, changed, noted = not viewer.begun, viewer.changed, viewer.noted
        if not (whole or changed or noted):
            return None
        viewer.begun, viewer.changed, viewer.noted, viewer.quiet = True, set(), False, False
        if whole:
            return await self._whole(viewer)
        watched = viewer.watched
        sheet = None
        if watched is not None and watched in changed and watched in self._hall.desks:
            known = await self._known(viewer.tournament)
            sheet = await self._hall.threads.folding(_sheet, self._hall.desks[watched].copy, known)
        cards = await self._written(sorted(changed))
        return self._around((viewer.tournament, viewer.round), b"cards", cards, viewer.table, sheet)

    async def _whole(self, viewer: Viewer) -> SharedText:
        """The whole hall, the same for all who open it now; what is the page's own, or newer, follows at once."""
        round_ = viewer.tournament, viewer.round
        async with self._writing:
            whole = self._wholes.get(round_)
            if whole is None or whole.message is None or time.monotonic() - whole.begun > _NEW_S:
                whole = self._wholes[round_] = _Whole(time.monotonic())
                cards = await self._written(self._hall.keys(*round_))
                whole.message = shared(self._around(round_, b"hall", cards, None, None))
        viewer.changed |= whole.changed
        if viewer.watched is not None and viewer.watched in self._hall.desks:
            viewer.changed.add(viewer.watched)
        if viewer.changed:
            viewer.wake.set()
        return whole.message

    def card(self, key: ListKey, known: Tournament | None = None) -> Message:
        """Return the table's card on the hall's page; ``known``: the tournament as noted, by default the one held."""
        hall, now, at = self._hall, time.monotonic(), self._hall.store.now()
        desk, busy = hall.desk(key), hall.busy_with(key)
        return {
            **self._describe(desk, known or hall.office.tournament),
            "connected": hall.devices.there(key.table),
            "device": key.table in hall.devices.admitted,
            "busy": busy and {"tournament": busy.tournament, "round": busy.round},
            "planned": list(hall.planned(key)),
            "mat_seats": hall.devices.mats.get(key.table),
            "since": desk.since,
            "now": at,
            "status": {k: v for k, v in desk.status.items() if k != "clock"},
            "clock": clock_by_now(desk.status.get("clock"), now - desk.status_at),
            "conflict": desk.conflict,
            "rival": shown.rival(desk, hall.devices.there(key.table)),
            "twice": desk.twice,
            "held": shown.held_back(desk.held) if desk.held is not None else None,
            "pending": [{"number": order.number, "at": order.at, "body": order.body} for order in desk.pending],
            "refused": [one for one in desk.refused if at / 1000 - one["at"] / 1000 < _REFUSAL_S],
        }

    async def _known(self, tournament: str) -> Tournament:
        """The tournament as noted, with what was noted of its lists."""
        if tournament == self._hall.tournament:
            return self._hall.office.tournament
        return await self._hall.threads.on_disk(self._hall.office.named, tournament)

    async def _tell_all(self, round_: tuple[str, int]) -> None:
        """Tell all pages of a round what has changed, at an even pace, until nothing does."""
        try:
            while round_ in self._changed:
                if (rest := self._rests.get(round_, 0.0) - time.monotonic()) > 0:
                    await asyncio.sleep(rest)
                changed, begun = self._changed.pop(round_), time.monotonic()
                cards = await self._written(sorted(changed))
                frame = text_frame(self._around(round_, b"cards", cards, None, None))
                self._give_all(self._viewers.get(round_, ()), changed, frame)
                done = time.monotonic()
                self._rests[round_] = done + max(_PACE_S, _REST * (done - begun))
        finally:
            del self._working[round_]

    def _give_all(self, viewers: Iterable[Viewer], changed: Collection[ListKey], frame: bytes) -> None:
        for viewer in viewers:
            viewer.give(changed, frame)

    async def _written(self, keys: Iterable[ListKey]) -> list[bytes]:
        """Cards as JSON; others have their turn in between.

        A thread would not do it sooner: it would only wait for the interpreter, again and again.
        """
        desks = [self._hall.desk(key) for key in keys]
        known = await self._known(desks[0].key.tournament) if desks else None
        written, turn = [], time.monotonic()
        for desk in desks:
            written.append(self._text(desk.key, known))
            if time.monotonic() - turn > _TURN_S:
                await asyncio.sleep(0)
                turn = time.monotonic()
        return written

    def _text(self, key: ListKey, known: Tournament | None) -> bytes:
        """Write a card as JSON, or take it as it was: when a round begins, all change and many pages fall behind."""
        now = time.monotonic()
        at, text = self._texts.get(key, (float("-inf"), b""))
        if now - at > _KEPT_S:
            text = orjson.dumps(self.card(key, known))
            self._texts[key] = now, text
        return text

    def _describe(self, desk: TableDesk, known: Tournament) -> Message:
        """What the list itself says, kept until it grows."""
        copy, noted = desk.copy, _noted_of(desk, known)
        now, kept = _Description(copy, copy.count, copy.folded, noted), self._described.get(desk.key)
        if kept is None or not kept.is_of(now):
            now.card = shown.card(copy, shown_list(known, copy.key, copy.round))
            kept = self._described[desk.key] = now
        return kept.card

    def _frame(self, tournament: str, round_: int, table: int | None) -> Message:
        return {
            "tournament": tournament,
            "round": round_,
            "table": table,
            "noted": self._hall.office.mark,
            "held": self._hall.held_mark,
            "ordered": self._hall.orders.last.get((tournament, round_), 0),
            "now": self._hall.store.now(),
        }

    def _around(
        self,
        round_: tuple[str, int],
        name: bytes,
        cards: list[bytes],
        table: int | None,
        sheet: Message | None,
    ) -> str:
        frame = self._frame(*round_, table)
        if sheet is not None:
            frame["sheet"] = sheet
        rest = orjson.dumps(frame, option=orjson.OPT_NON_STR_KEYS)
        return (b'{"%s":[%s],%s' % (name, b",".join(cards), rest[1:])).decode()


@dataclass(eq=False, slots=True)
class _Description:
    copy: Copy
    events: int  # of the copy, when it was described
    folded: int  # how many of them its round had
    noted: object  # what the direction had noted of the list
    card: Message = field(default_factory=dict)

    def is_of(self, now: "_Description") -> bool:
        """Whether it still holds."""
        same = self.copy is now.copy and self.events == now.events and self.folded == now.folded
        return same and self.noted == now.noted


def _noted_of(desk: TableDesk, known: Tournament) -> object:
    """What beside the table's own events decides how its list counts."""
    notes = known.lists.get((desk.key.round, desk.key.table), ())
    plan = known.plans.get(desk.key.round) if notes and desk.copy.round is None else None
    return notes, plan and plan.seats.get(desk.key.table)


def _sheet(copy: Copy, known: Tournament) -> Message:
    counted = shown_list(known, copy.key, copy.round)
    return shown.sheet(copy, copy.view(counted), counted)
