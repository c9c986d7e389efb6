"""Keep the current state of the hall: every table's copy, open lines and open pages.

Lives on the event loop; the store and the fold work in threads. What changes is marked by its key, and one worker
brings the copies up to the store, whoever wrote there: another process of the director would only have to mark the
key here as well (PostgreSQL's LISTEN/NOTIFY).
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from kiosk.director import shown
from kiosk.director.copy import Copy
from kiosk.director.key import ListKey
from kiosk.director.office import Change, Office
from kiosk.director.order_store import GivenOrder
from kiosk.director.refusals import StoreFailed
from kiosk.director.settings import Settings
from kiosk.director.store import Store
from kiosk.tournament.plan import plan_for
from kiosk.tournament.tally import Noted

log = logging.getLogger(__name__)
Value = TypeVar("Value")
Message = dict[str, Any]

#: Seconds after which alarms are looked at though nothing came.
_LOOK_S = 5.0

#: Seconds for which a page shows that a table refused an order.
_REFUSAL_S = 600.0

#: Seconds after which a second device, which tries again every fifteen, counts as gone.
_ALARM_S = 40.0


@dataclass(eq=False, slots=True)
class LineEnd:
    """The director's end of one table's socket."""

    device: str
    send: Callable[[Message], Awaitable[None]]
    replace: Callable[[], Awaitable[None]]  # another socket of this table has come
    since: int  # ms since the epoch
    sent: set[int] = field(default_factory=set)
    plans: bool = False  # it has asked for the plan, and is informed when it changes
    plan: Message | bool | None = False  # the plan sent last; False: none yet
    heard: float = 0.0  # monotonic seconds


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
        if (key.tournament, key.round) == (self.tournament, self.round):
            self.changed.add(key)
            self.wake.set()


@dataclass(eq=False, slots=True)
class TableDesk:
    """The state of one table in one round."""

    key: ListKey
    copy: Copy
    card: Message  # for the hall
    sheet: Message  # for the table's own page
    line: LineEnd | None = None
    away_since: int = 0  # ms since the epoch; 0: never heard
    status: Message = field(default_factory=dict)  # what the table's device reports of itself
    status_at: float = 0.0  # monotonic seconds
    conflict: str = ""
    twice: bool = False  # a second device speaks for this table
    alarmed: float = 0.0  # monotonic seconds when either of them was last seen
    anew: bool = False  # its list was set aside: fold from the start
    pending: list[GivenOrder] = field(default_factory=list)
    refused: list[Message] = field(default_factory=list)
    orders_changed: bool = True  # pending and refused are to be read again
    known: bool = False  # the table was heard of in this round


class Desks:
    """All tables of the tournament as the store has them, and the pages that show them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self.office = Office(store, settings)
        self.desks: dict[ListKey, TableDesk] = {}
        self.viewers: set[Viewer] = set()
        self._dirty: dict[ListKey, None] = {}
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
        """Stop the work and close the remaining connections."""
        if self._worker is not None:
            self._worker.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._worker
        self._fold.shutdown(wait=True, cancel_futures=True)
        self._disk.shutdown(wait=True, cancel_futures=True)

    async def on_disk(self, call: Callable[..., Value], *args: Any) -> Value:
        """Run a call of the store in a thread and return its answer."""
        return await asyncio.get_running_loop().run_in_executor(self._disk, partial(call, *args))

    async def folding(self, call: Callable[..., Value], *args: Any) -> Value:
        """Run work on the copies in turn with the folding."""
        return await asyncio.get_running_loop().run_in_executor(self._fold, partial(call, *args))

    def desk(self, key: ListKey) -> TableDesk:
        """Return the table's desk, made when first needed."""
        if key not in self.desks:
            copy = Copy(key)
            self.desks[key] = TableDesk(key, copy, shown.card(copy, None), shown.sheet(copy, None))
            self.changed(key)
        return self.desks[key]

    def changed(self, key: ListKey, orders: bool = False) -> None:
        """Take in new data of this table from the store; ``orders``: of its orders too."""
        if orders:
            self.desk(key).orders_changed = True
        self._dirty[key] = None
        self._wake.set()

    async def _work(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
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
            if (desk.conflict or desk.twice) and time.monotonic() - desk.alarmed > _ALARM_S:
                desk.conflict, desk.twice = "", False
                self.mark(desk.key)

    def _refresh(self, desk: TableDesk) -> None:
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

    def mark(self, key: ListKey) -> None:
        """Mark this table as changed for the pages."""
        for viewer in self.viewers:
            viewer.mark(key)

    def mark_device(self, key: ListKey) -> None:
        """Mark a device that has come or gone; it may be shown in another round than the one it reports for."""
        for other in self.desks:
            if _same_table(other, key):
                self.mark(other)

    def card(self, key: ListKey) -> Message:
        """Return the table's card on the hall's page."""
        desk, now = self.desk(key), time.monotonic()
        return {
            **desk.card,
            "connected": self._device(key) is not None,
            "planned": list(self.planned(key)),
            "mat_seats": self.mats().get(key.table),
            "since": desk.line.since if desk.line else desk.away_since,
            "status": {k: v for k, v in desk.status.items() if k != "clock"},
            "clock": clock_by_now(desk.status.get("clock"), now - desk.status_at),
            "conflict": desk.conflict,
            "twice": desk.twice,
            "pending": [{"number": order.number, "at": order.at, "body": order.body} for order in desk.pending],
            "refused": [one for one in desk.refused if time.time() - one["at"] / 1000 < _REFUSAL_S],
        }

    def sheet(self, key: ListKey) -> Message:
        """Return the table's own page, without the content of the card."""
        return self.desk(key).sheet

    def keys(self, tournament: str, round_: int) -> list[ListKey]:
        """List the round's tables by number: those with events, and those with planned seats."""
        ours = (key for key in self.desks if (key.tournament, key.round) == (tournament, round_))
        return sorted(key for key in ours if self.desks[key].known or self.planned(key))

    # the tournament

    async def note(self, change: Mapping[str, Any] | Change) -> Noted:
        """Note a fact of the tournament and inform tables and pages. See ``Office.note``."""
        noted = await self.on_disk(self.office.note, change)
        log.info("noted: %s", noted.body)
        await self._noted()
        return noted

    async def begin(self, name: str, keep_people: bool) -> None:
        """Begin another tournament. See ``Office.begin``."""
        await self.on_disk(self.office.begin, name, keep_people)
        log.warning("the tournament %r is held now", name)
        await self._noted()

    async def _look_at_notes(self) -> None:
        """Another process may have noted something."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _LOOK_S
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
                self.desk(ListKey(self.tournament, plan.round, table))

    async def send_plan(self, key: ListKey, end: LineEnd) -> None:
        """Send a table its planned seats if it asks for them."""
        plan = plan_for(self.office.tournament, key.table)
        if end.plans and plan != end.plan:
            end.plan = plan
            await end.send({"plan": plan})

    def planned(self, key: ListKey) -> tuple[str, ...]:
        """Return the planned seats; empty where nobody was planned."""
        plan = self.office.tournament.plans.get(key.round)
        ours = plan is not None and plan.published and key.tournament == self.tournament
        return plan.seats.get(key.table, ()) if plan is not None and ours else ()

    def _device(self, key: ListKey) -> TableDesk | None:
        """The desk over whose socket the table's device speaks now: it may still be in another round."""
        desks = [self.desks[key], *(desk for other, desk in self.desks.items() if _same_table(other, key))]
        return next((desk for desk in desks if desk.line is not None), None)

    def mats(self) -> dict[int, int]:
        """Return the number of places on each table's mat, where its device has reported it."""
        told = {key.table: desk.status.get("seats") for key, desk in self.desks.items() if desk.line is not None}
        return {table: seats for table, seats in told.items() if isinstance(seats, int)}


def _same_table(one: ListKey, other: ListKey) -> bool:
    return one.table == other.table


def clock_by_now(told: Any, age: float) -> Message | None:
    """Return the table's clock extrapolated to now."""
    if not isinstance(told, dict):
        return None
    remaining = told.get("remaining")
    if told.get("running") and isinstance(remaining, int | float):
        return {**told, "remaining": remaining - age}
    return told


def shows_otherwise(before: Message, after: Message) -> bool:
    """Report whether a page would show something else: a clock that only runs on does not count."""
    old, new = before.get("clock") or {}, after.get("clock") or {}
    if abs((old.get("remaining") or 0.0) - (new.get("remaining") or 0.0)) > 1.5:
        return True
    strip = ("remaining", "extra")
    return {k: v for k, v in old.items() if k not in strip} != {k: v for k, v in new.items() if k not in strip} or {
        k: v for k, v in before.items() if k != "clock"
    } != {k: v for k, v in after.items() if k != "clock"}
