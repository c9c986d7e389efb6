"""The hall as it is now: every table's copy, whose line is up, and who is looking.

Lives on the event loop; the store and the fold work in threads. What changes is marked by its key, and one worker
brings the copies up to the store, whoever wrote there: another process of the director would only have to mark the
key here as well (PostgreSQL's LISTEN/NOTIFY).
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from kiosk.director import shown
from kiosk.director.copy import Copy
from kiosk.director.errors import Contradiction, StoreFailed
from kiosk.director.key import Key
from kiosk.director.office import Change, Office
from kiosk.director.plan import plan_for
from kiosk.director.settings import Settings
from kiosk.director.store import Noted, Order, Stand, Store

log = logging.getLogger(__name__)
Value = TypeVar("Value")
Message = dict[str, Any]

#: Seconds after which alarms are looked at though nothing came.
_LOOK = 5.0

#: Seconds for which a page shows that a table refused an order.
_REFUSAL = 600.0

#: Seconds after which a second device, which tries again every fifteen, counts as gone.
_ALARM = 40.0

#: Orders to all that a table which has carried them out already need not get.
_ONCE = ("release", "time_up")


@dataclass(eq=False, slots=True)
class LineEnd:
    """The director's end of one table's socket."""

    device: str
    send: Callable[[Message], Awaitable[None]]
    replace: Callable[[], Awaitable[None]]  # another socket of this table has come
    since: int  # ms since the epoch
    sent: set[int] = field(default_factory=set)
    plans: bool = False  # it has asked for the plan, and is told when it changes
    plan: Message | bool | None = False  # what it was told last; False: nothing yet
    heard: float = 0.0  # monotonic seconds


@dataclass(eq=False, slots=True)
class Viewer:
    """One open page: what it looks at, and what has changed since it was last told."""

    tournament: str
    round: int
    table: int | None = None
    begun: bool = False  # the whole hall has been sent
    changed: set[Key] = field(default_factory=set)
    noted: bool = False  # something was noted of the tournament
    wake: asyncio.Event = field(default_factory=asyncio.Event)

    def mark(self, key: Key) -> None:
        if (key.tournament, key.round) == (self.tournament, self.round):
            self.changed.add(key)
            self.wake.set()


@dataclass(eq=False, slots=True)
class Desk:
    """Everything that is known of one table in one round."""

    key: Key
    copy: Copy
    card: Message  # for the hall
    sheet: Message  # for the table's own page
    line: LineEnd | None = None
    away_since: int = 0  # ms since the epoch; 0: never heard
    status: Message = field(default_factory=dict)  # what the table's device told of itself
    status_at: float = 0.0  # monotonic seconds
    conflict: str = ""
    twice: bool = False  # a second device speaks for this table
    alarmed: float = 0.0  # monotonic seconds when either of them was last seen
    anew: bool = False  # its list was set aside: fold from the start
    pending: list[Order] = field(default_factory=list)
    refused: list[Message] = field(default_factory=list)
    orders_changed: bool = True  # pending and refused are to be read again
    known: bool = False  # the table was heard of in this round


class Hall:
    """All tables of the tournament, and everybody who wants to hear of them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self.office = Office(store, settings)
        self.desks: dict[Key, Desk] = {}
        self.viewers: set[Viewer] = set()
        self._dirty: dict[Key, None] = {}
        self._look_at = 0.0  # monotonic seconds when the notes are looked at again
        self._wake = asyncio.Event()
        self._fold = ThreadPoolExecutor(1, thread_name_prefix="fold")
        self._disk = ThreadPoolExecutor(4, thread_name_prefix="store")
        self._worker: asyncio.Task[None] | None = None

    @property
    def tournament(self) -> str:
        """Name of the tournament that is held now."""
        return self.office.tournament.name

    async def start(self) -> None:
        """Bring every table's copy up to the store, newest round first, and keep it so."""
        await self.on_disk(self.office.catch_up)
        self._seat_tables()
        for key in sorted(await self.on_disk(self.store.keys), key=lambda key: -key.round):
            desk = self.desk(key)
            desk.known, desk.away_since = True, (await self.on_disk(self.store.stand, key)).heard
            self.changed(key)
        self._worker = asyncio.create_task(self._work())

    async def stop(self) -> None:
        """No more work; who is still connected is let go."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
        self._fold.shutdown(wait=True, cancel_futures=True)
        self._disk.shutdown(wait=True, cancel_futures=True)

    async def on_disk(self, call: Callable[..., Value], *args: Any) -> Value:
        """The store's answer, from a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, partial(call, *args))

    async def folding(self, call: Callable[..., Value], *args: Any) -> Value:
        """Work on the copies, one after the other with the folding itself."""
        return await asyncio.get_running_loop().run_in_executor(self._fold, partial(call, *args))

    def desk(self, key: Key) -> Desk:
        """The table's desk, made when it is first heard of."""
        if key not in self.desks:
            copy = Copy(key)
            self.desks[key] = Desk(key, copy, shown.card(copy, None), shown.sheet(copy, None))
            self.changed(key)
        return self.desks[key]

    def changed(self, key: Key, orders: bool = False) -> None:
        """The store has something new of this table; ``orders``: of what it was ordered, too."""
        if orders:
            self.desk(key).orders_changed = True
        self._dirty[key] = None
        self._wake.set()

    async def _work(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK):
                    await self._wake.wait()
            self._wake.clear()
            self._calm_down()
            await self._look_at_notes()
            while self._dirty:
                key = next(iter(self._dirty))
                del self._dirty[key]
                desk = self.desk(key)
                try:
                    await self.folding(self._refresh, desk)
                except StoreFailed as error:
                    log.error("%s: %s", key, error)
                    await asyncio.sleep(1)
                    self.changed(key, orders=True)
                except Exception:  # one table that cannot be shown must not stop the others
                    log.exception("%s cannot be shown", key)
                self.mark(key)

    def _calm_down(self) -> None:
        for desk in self.desks.values():
            if (desk.conflict or desk.twice) and time.monotonic() - desk.alarmed > _ALARM:
                desk.conflict, desk.twice = "", False
                self.mark(desk.key)

    def _refresh(self, desk: Desk) -> None:
        copy, key = desk.copy, desk.key
        if desk.anew or self.store.stand(key).last < len(copy.events) - 1:
            desk.anew, copy = False, Copy(key)
        copy.add(self.store.read(key, len(copy.events) - 1))
        desk.copy = copy
        if desk.orders_changed:
            desk.orders_changed = False
            orders = {order.number: order for order in self.store.orders(key.tournament, key.round)}
            desk.refused = [
                {"number": answer.number, "body": orders[answer.number].body, "why": answer.refused, "at": answer.at}
                for answer in self.store.answers(key)
                if answer.refused and answer.number in orders
            ][-3:]
            desk.pending = self.store.pending(key)
        view = copy.view()
        desk.card = shown.card(copy, view)
        desk.sheet = shown.sheet(copy, view)

    # the page

    def mark(self, key: Key) -> None:
        """What the pages show of this table has changed."""
        for viewer in self.viewers:
            viewer.mark(key)

    def _mark_device(self, key: Key) -> None:
        """A device has come or gone; it may be shown in another round than the one it speaks for."""
        for other in self.desks:
            if _same_table(other, key):
                self.mark(other)

    def card(self, key: Key) -> Message:
        """The table on the hall's page."""
        desk, now = self.desk(key), time.monotonic()
        return {
            **desk.card,
            "connected": self._device(key) is not None,
            "planned": list(self.planned(key)),
            "mat_seats": self.mats().get(key.table),
            "since": desk.line.since if desk.line else desk.away_since,
            "status": {k: v for k, v in desk.status.items() if k != "clock"},
            "clock": _clock(desk.status.get("clock"), now - desk.status_at),
            "conflict": desk.conflict,
            "twice": desk.twice,
            "pending": [{"number": order.number, "at": order.at, "body": order.body} for order in desk.pending],
            "refused": [one for one in desk.refused if time.time() - one["at"] / 1000 < _REFUSAL],
        }

    def sheet(self, key: Key) -> Message:
        """The table's own page, without what the card says."""
        return self.desk(key).sheet

    def keys(self, tournament: str, round_: int) -> list[Key]:
        """The round's tables, by number: those that were heard of, and those at which somebody was seated."""
        ours = (key for key in self.desks if (key.tournament, key.round) == (tournament, round_))
        return sorted(key for key in ours if self.desks[key].known or self.planned(key))

    # the tournament

    async def note(self, change: Mapping[str, Any] | Change) -> Noted:
        """Note something of the tournament; tables and pages hear of it. See ``Office.note``."""
        noted = await self.on_disk(self.office.note, change)
        log.info("noted: %s", noted.body)
        await self._noted()
        return noted

    async def begin(self, name: str, keep_people: bool) -> None:
        """Another tournament is held from now on. See ``Office.begin``."""
        await self.on_disk(self.office.begin, name, keep_people)
        log.warning("the tournament %r is held now", name)
        await self._noted()

    async def _look_at_notes(self) -> None:
        """Another process may have noted something."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK
        before = self.office.mark
        try:
            await self.on_disk(self.office.catch_up)
        except StoreFailed as error:
            log.error("%s", error)
        if self.office.mark != before:
            await self._noted()

    async def _noted(self) -> None:
        self._seat_tables()
        for viewer in self.viewers:
            viewer.noted, viewer.begun = True, False
            viewer.wake.set()
        await asyncio.gather(*(self.send_plan(key, desk.line) for key, desk in self.desks.items() if desk.line))

    def _seat_tables(self) -> None:
        """Every table of a plan that the tables have stands in the hall, whether it was heard of or not."""
        for plan in self.office.tournament.plans.values():
            for table in plan.seats if plan.published else ():
                self.desk(Key(self.tournament, plan.round, table))

    async def send_plan(self, key: Key, end: LineEnd) -> None:
        """Tell a table who sits at it, if it wants to know."""
        plan = plan_for(self.office.tournament, key.table)
        if end.plans and plan != end.plan:
            end.plan = plan
            await end.send({"plan": plan})

    def planned(self, key: Key) -> tuple[str, ...]:
        """Who was seated there; empty where nobody was."""
        plan = self.office.tournament.plans.get(key.round)
        ours = plan is not None and plan.published and key.tournament == self.tournament
        return plan.seats.get(key.table, ()) if plan is not None and ours else ()

    def _device(self, key: Key) -> Desk | None:
        """The desk over whose socket the table's device speaks now: it may still be in another round."""
        desks = [self.desks[key], *(desk for other, desk in self.desks.items() if _same_table(other, key))]
        return next((desk for desk in desks if desk.line is not None), None)

    def mats(self) -> dict[int, int]:
        """Places on the mats, by table; of those whose device has told."""
        told = {key.table: desk.status.get("seats") for key, desk in self.desks.items() if desk.line is not None}
        return {table: seats for table, seats in told.items() if isinstance(seats, int)}

    # the line

    async def append(self, key: Key, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> Stand:
        """Store a table's events; see ``Store.append``."""
        desk = self.desk(key)
        desk.known = True
        try:
            stand = await self.on_disk(self.store.append, key, after, chain, events)
        except Contradiction as error:
            if error.number is not None:
                if desk.conflict != str(error):
                    log.error("%s: %s", key, error)
                desk.conflict, desk.alarmed = str(error), time.monotonic()
                self.mark(key)
            raise
        if desk.line is None:  # a list that is put by later leaves its table in the hall
            desk.away_since = int(time.time() * 1000)
        if events:
            self.changed(key, orders=any("order_number" in event for event in events))
        if after < 0 and stand.last >= 0:  # it has opened its list: now it can carry out what was ordered before
            await self.send_orders(key)
        return stand

    async def line_up(self, key: Key, end: LineEnd) -> None:
        """A table's socket is open; an older one of the same table is closed."""
        desk = self.desk(key)
        old, desk.line, desk.known = desk.line, end, True
        end.heard = time.monotonic()
        if old is not None:
            if old.device != end.device and time.monotonic() - old.heard < 4:
                desk.twice, desk.alarmed = True, time.monotonic()
                log.error("%s: two devices speak for this table; give one of them its own table number", key)
            await old.replace()
        else:
            log.info("%s: connected", key)
        self._mark_device(key)
        await self.send_orders(key)

    async def line_down(self, key: Key, end: LineEnd) -> None:
        """A table's socket is closed."""
        desk = self.desk(key)
        if desk.line is end:
            desk.line, desk.away_since = None, int(time.time() * 1000)
            log.info("%s: away", key)
            self._mark_device(key)
            with contextlib.suppress(StoreFailed):  # only the time of the last word is lost
                await self.on_disk(self.store.heard, key)

    def told(self, key: Key, status: Message) -> None:
        """The table's device says how it is."""
        desk, now = self.desk(key), time.monotonic()
        before = {**desk.status, "clock": _clock(desk.status.get("clock"), now - desk.status_at)}
        desk.status, desk.status_at = status, now
        if _differs(before, status):
            self.mark(key)

    # orders

    async def give(self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any]) -> Order:
        """Give an order to one table, or to all of the round; it reaches those that are away when they return."""
        order = await self.on_disk(self.store.give, tournament, round_, table, body)
        log.info("order %s to %s: %s", order.number, "all" if table is None else f"table {table}", dict(body))
        keys = self.keys(tournament, round_) if table is None else [Key(tournament, round_, table)]
        await asyncio.gather(*(self.send_orders(key) for key in keys))
        for key in keys:
            self.changed(key, orders=True)
        return order

    async def send_orders(self, key: Key) -> None:
        """Send what the table has not answered and was not sent over this socket.

        Before people have sat down a table can carry out calls only; the rest waits for its ``open``.
        """
        desk = self.desk(key)
        pending = await self.on_disk(self.store.pending, key)
        if (await self.on_disk(self.store.stand, key)).last < 0:
            pending = [order for order in pending if "call" in order.body]
        done = [order for order in pending if order.table is None and self._carried_out(desk, order)]
        for order in done:
            await self.answered(key, order.number, None)
        end = desk.line
        new = [order for order in pending if order not in done and end is not None and order.number not in end.sent]
        if end is None or not new:
            return
        end.sent |= {order.number for order in new}
        now = int(time.time() * 1000)
        await end.send(
            {"orders": [{"number": o.number, "age": max(0, now - o.at) / 1000, "body": o.body} for o in new]}
        )

    async def answered(self, key: Key, number: int, refused: str | None) -> None:
        """A table's receipt for an order that left no event."""
        await self.on_disk(self.store.answer, key, number, refused)
        self.changed(key, orders=True)

    async def set_aside(self, key: Key) -> int:
        """Put the table's list by, so that it may begin anew; the table is told to ask again."""
        number = await self.on_disk(self.store.set_aside, key)
        log.warning("%s was set aside as list %s", key, number)
        await self._began_anew(key)
        return number

    async def begin_anew(self, tournament: str, round_: int) -> list[Key]:
        """Put all lists of the round by and withdraw what was ordered in it."""
        put_by = await self.on_disk(self.store.begin_anew, tournament, round_)
        log.warning("%s, round %s began anew: %s lists were set aside", tournament, round_, len(put_by))
        for key in self.keys(tournament, round_):
            await self._began_anew(key)
        return put_by

    async def _began_anew(self, key: Key) -> None:
        desk = self.desk(key)
        desk.conflict, desk.anew = "", True
        self.changed(key, orders=True)
        if desk.line is not None:
            await desk.line.send({"wake": True})

    def _carried_out(self, desk: Desk, order: Order) -> bool:
        name = order.body.get("event")
        return name in _ONCE and desk.copy.has(str(name))


def _same_table(one: Key, other: Key) -> bool:
    return one.table == other.table


def _clock(told: Any, age: float) -> Message | None:
    """The table's clock as it must stand by now."""
    if not isinstance(told, dict):
        return None
    remaining = told.get("remaining")
    if told.get("running") and isinstance(remaining, int | float):
        return {**told, "remaining": remaining - age}
    return told


def _differs(before: Message, after: Message) -> bool:
    """Whether a page would show something else: a clock that just went on does not count."""
    old, new = before.get("clock") or {}, after.get("clock") or {}
    if abs((old.get("remaining") or 0.0) - (new.get("remaining") or 0.0)) > 1.5:
        return True
    strip = ("remaining", "extra")
    return {k: v for k, v in old.items() if k not in strip} != {k: v for k, v in new.items() if k not in strip} or {
        k: v for k, v in before.items() if k != "clock"
    } != {k: v for k, v in after.items() if k != "clock"}
