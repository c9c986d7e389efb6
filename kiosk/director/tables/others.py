"""Work beside other directors on one PostgreSQL: tell of the tables here, hear of theirs and of what they store."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import sqlalchemy as sa

from kiosk.director.access.access import Access
from kiosk.director.access.acts import TAKEN_OVER
from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.news import News, listen_forever
from kiosk.director.tables.desks import Elsewhere, TableDesk
from kiosk.director.tables.hall import Hall

log = logging.getLogger(__name__)

#: Seconds between two signs of life.
_ALIVE_S = 2.0

#: Seconds of silence after which another director counts as dead, and its tables as away.
_DEAD_S = 7.0

#: Seconds from one message of the tables here to the next, at least: what changes meanwhile goes together.
_PACE_S = 0.1


class Others:
    """The other directors of the same database. Lives on the event loop.

    :param address: where tables reach this one.
    :param put_back: when a backup was put back last, before anything was read here; ms since the epoch.
    :param begin_anew: called when another one has put one back since: nothing that is known here holds any more.
    """

    def __init__(
        self, hall: Hall, access: Access, address: Callable[[], str], put_back: int, begin_anew: Callable[[], None]
    ) -> None:
        self._hall, self._access, self._address = hall, access, address
        self._put_back, self._begin_anew = put_back, begin_anew
        self._seen: dict[str, float] = {}  # other directors → monotonic seconds of their last word
        self._addresses: dict[str, str] = {}
        self._tables: dict[ListKey, None] = {}  # of which the others are to be told
        self._wake = asyncio.Event()
        self._heard: asyncio.Queue[tuple[str, News]] = asyncio.Queue()
        self._waiting: set[asyncio.Future[None]] = set()
        self._hear: Mapping[str, Callable[..., Awaitable[None] | None]] = {
            "alive": self._alive,
            "leaving": self._leaving,
            "who": self._who,
            "table": self._table,
            "twice": self._twice,
            "events": self._events,
            "anew": self._anew,
            "order": self._order,
            "answered": self._answered,
            "held": self._held,
            "notes": self._notes,
            "noted": self._noted,
            "device": self._device,
            "sessions": self._sessions,
            "parcels": self._parcels,
            "restored": self._was_restored,
        }

    @property
    def addresses(self) -> list[str]:
        """Addresses of the other directors that are there, sorted."""
        return sorted(address for address in self._addresses.values() if address)

    async def work_forever(self) -> None:
        """Tell and listen; cancelling ends it, and the others hear of it."""
        self._hall.devices.on_news.add(self._changed)
        try:
            async with asyncio.TaskGroup() as all_:
                url = sa.make_url(self._hall.store.url)
                all_.create_task(listen_forever(url, self._back, lambda *news: self._heard.put_nowait(news)))
                all_.create_task(self._tell_forever())
                all_.create_task(self._hear_forever())
        finally:
            self._hall.devices.on_news.discard(self._changed)
            with contextlib.suppress(StoreFailed):
                self._hall.store.tell([["leaving"]])

    # telling

    def _changed(self, desk: TableDesk) -> None:
        self._tables[desk.key] = None
        self._wake.set()

    async def _tell_forever(self) -> None:
        alive = 0.0
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ALIVE_S):
                    await self._wake.wait()
            self._wake.clear()
            told, self._tables = self._tables, {}
            news: list[News] = [["table", *key.parts, _state(self._hall.desks[key])] for key in told]
            lives = time.monotonic() - alive >= _ALIVE_S * 0.9
            if lives:
                alive = time.monotonic()
                news.append(["alive", self._address()])
                self._bury()
            try:
                if lives:
                    await self._hall.threads.on_disk(self._hall.store.look_at_clock)
                await self._hall.threads.on_disk(self._hall.store.tell, news)
            except StoreFailed as error:
                log.error("%s", error)
                self._tables = told | self._tables
            await asyncio.sleep(_PACE_S)

    def _bury(self) -> None:
        """Take tables of directors that are silent for away."""
        for director, seen in list(self._seen.items()):
            if time.monotonic() - seen > _DEAD_S:
                log.error("the director at %s is silent", self._addresses.get(director) or director)
                self._leaving(director)

    # listening

    def _back(self) -> None:
        """All may have changed: nothing was heard until now."""
        self._heard.put_nowait(("", ["who"]))

    async def _hear_forever(self) -> None:
        own = self._hall.store.own
        while True:
            teller, news = await self._heard.get()
            if teller == own:
                continue
            try:
                if not teller:
                    await self._look_at_all()
                    continue
                if teller not in self._seen:
                    self._who(teller)  # it may not know the tables here
                self._seen[teller] = time.monotonic()
                if kind := self._hear.get(str(news[0])):
                    work = kind(teller, *news[1:])
                    if work is not None:
                        await work
            except StoreFailed as error:
                log.error("%s", error)
            except Exception:  # of another version: the next may be understood
                log.exception("news %s of director %s cannot be taken in", news, teller)

    async def _look_at_all(self) -> None:
        if await self._access.run(self._access.acts.last, TAKEN_OVER) != self._put_back:
            self._was_restored("")
            return
        hall = self._hall
        hall.orders.last |= await hall.threads.on_disk(hall.store.last_orders)
        for key in await hall.threads.on_disk(hall.store.keys):
            hall.desk(key).known = True
            hall.orders_changed(key)
            hall.copies.mark(key)
        self._access.forget_tables()
        self._access.forget_sessions()
        await hall.read_held()
        await hall.catch_up()
        await hall.parcels_changed()
        await hall.threads.on_disk(hall.store.tell, [["who"]])

    def _alive(self, teller: str, address: str) -> None:
        if self._addresses.get(teller) != address:
            log.info("another director is at %s", address or teller)
            self._addresses[teller] = address
            self._name_directors()

    def _leaving(self, teller: str) -> None:
        self._seen.pop(teller, None)
        if self._addresses.pop(teller, None) is not None:
            self._name_directors()
        for desk in list(self._hall.desks):
            self._hall.devices.down_elsewhere(desk, teller)

    def _name_directors(self) -> None:
        self._later(self._hall.name_directors([self._address(), *self.addresses]))

    def _who(self, _teller: str) -> None:
        self._tables |= {desk.key: None for desk in self._hall.desks if desk.line is not None}
        self._wake.set()

    async def _table(
        self, teller: str, tournament: str, round_: int, table: int, state: Mapping[str, Any] | None
    ) -> None:
        devices, key = self._hall.devices, ListKey(tournament, round_, table)
        desk = self._hall.desk(key)
        if state is None:
            devices.down_elsewhere(desk, teller)
            return
        end = Elsewhere(director=teller, device=state["device"], since=state["since"])
        line = desk.line
        if devices.up_elsewhere(desk, end, state["status"]):
            await self._hall.threads.on_disk(self._hall.store.tell, [["twice", *key.parts]])
        if line is not None and desk.line is None:
            self._later(line.replace())

    def _twice(self, _teller: str, *parts: Any) -> None:
        self._hall.devices.twice(self._hall.desk(ListKey(*parts)))

    def _events(self, _teller: str, tournament: str, round_: int, table: int, answered: bool, *grown: Any) -> None:
        desk = self._hall.desk(ListKey(tournament, round_, table))
        desk.known = True
        desk.orders_changed |= answered
        if grown:
            after, chain, events = grown
            self._hall.copies.take(desk.key, after, events, chain)
        else:
            self._hall.copies.mark(desk.key)

    async def _anew(self, _teller: str, *parts: Any) -> None:
        await self._hall.began_anew(self._hall.desk(ListKey(*parts)))

    async def _order(self, _teller: str, tournament: str, round_: int, table: int | None, number: int | None) -> None:
        hall = self._hall
        desks = hall.desks_of(tournament, round_, table)
        order = await hall.threads.on_disk(hall.store.order, tournament, round_, number) if number is not None else None
        if order is not None:
            self._later(hall.orders.deliver(order, (tournament, round_, table), desks))
        else:  # withdrawn
            for desk in desks:
                hall.orders_changed(desk.key)

    def _answered(self, _teller: str, *parts: Any) -> None:
        self._hall.orders_changed(ListKey(*parts))

    async def _held(self, _teller: str, *parts: Any) -> None:
        await self._hall.read_held(ListKey(*parts))

    async def _notes(self, _teller: str) -> None:
        await self._hall.catch_up()

    async def _noted(self, _teller: str, tournament: str) -> None:
        await self._hall.noted_elsewhere(tournament)

    async def _device(self, _teller: str, device: str, table: int | None) -> None:
        self._access.forget_tables()
        await self._hall.close_lines(device, table)

    async def _parcels(self, _teller: str) -> None:
        await self._hall.parcels_changed()

    def _sessions(self, _teller: str) -> None:
        self._access.forget_sessions()

    def _was_restored(self, _teller: str) -> None:
        log.warning("a backup was put back into the database: the service starts anew")
        self._begin_anew()

    def _later(self, work: Awaitable[None]) -> None:
        """Do what waits for a table's socket, which may be a dead one, while other news is taken in."""
        task = asyncio.ensure_future(work)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)


def _state(desk: TableDesk) -> dict[str, Any] | None:
    """What the others are told of a table here; None: it has gone."""
    if desk.line is None:
        return None
    return {"device": desk.line.device, "since": desk.line.since, "status": desk.status}
