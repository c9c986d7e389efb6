"""Process the tables' messages over the line and the orders to them; both change the hall's desks."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from kiosk.director.desks import Desks, LineEnd, Message, TableDesk, clock_by_now, shows_otherwise
from kiosk.director.key import ListKey
from kiosk.director.order_store import GivenOrder
from kiosk.director.refusals import Contradiction, StoreFailed
from kiosk.director.store import StreamPosition

log = logging.getLogger(__name__)

#: Orders to all that a table which has carried them out already need not get.
_ONCE = ("release", "time_up")


class Hall(Desks):
    """All tables of the tournament, and their subscribers."""

    # the line

    async def append(self, key: ListKey, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> StreamPosition:
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

    async def line_up(self, key: ListKey, end: LineEnd) -> None:
        """Register a table's open socket; an older one of the same table is closed."""
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
        self.mark_device(key)
        await self.send_orders(key)

    async def line_down(self, key: ListKey, end: LineEnd) -> None:
        """Unregister a table's closed socket."""
        desk = self.desk(key)
        if desk.line is end:
            desk.line, desk.away_since = None, int(time.time() * 1000)
            log.info("%s: away", key)
            self.mark_device(key)
            with contextlib.suppress(StoreFailed):  # only the time of the last word is lost
                await self.on_disk(self.store.heard, key)

    def told(self, key: ListKey, status: Message) -> None:
        """Take the state that the table's device reports."""
        desk, now = self.desk(key), time.monotonic()
        before = {**desk.status, "clock": clock_by_now(desk.status.get("clock"), now - desk.status_at)}
        desk.status, desk.status_at = status, now
        if shows_otherwise(before, status):
            self.mark(key)

    # orders

    async def give(self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any]) -> GivenOrder:
        """Give an order to one table, or to all of the round; it reaches those that are away when they return."""
        order = await self.on_disk(self.store.give, tournament, round_, table, body)
        log.info("order %s to %s: %s", order.number, "all" if table is None else f"table {table}", dict(body))
        keys = self.keys(tournament, round_) if table is None else [ListKey(tournament, round_, table)]
        await asyncio.gather(*(self.send_orders(key) for key in keys))
        for key in keys:
            self.changed(key, orders=True)
        return order

    async def send_orders(self, key: ListKey) -> None:
        """Send orders that the table has not answered and that were not sent over this socket.

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

    async def answered(self, key: ListKey, number: int, refused: str | None) -> None:
        """Take a table's receipt for an order that left no event."""
        await self.on_disk(self.store.answer, key, number, refused)
        self.changed(key, orders=True)

    async def set_aside(self, key: ListKey) -> int:
        """Set the table's list aside so that it may begin anew; the table must ask again."""
        number = await self.on_disk(self.store.set_aside, key)
        log.warning("%s was set aside as list %s", key, number)
        await self._began_anew(key)
        return number

    async def begin_anew(self, tournament: str, round_: int) -> list[ListKey]:
        """Set all lists of the round aside and withdraw its orders."""
        put_by = await self.on_disk(self.store.begin_anew, tournament, round_)
        log.warning("%s, round %s began anew: %s lists were set aside", tournament, round_, len(put_by))
        for key in self.keys(tournament, round_):
            await self._began_anew(key)
        return put_by

    async def _began_anew(self, key: ListKey) -> None:
        desk = self.desk(key)
        desk.conflict, desk.anew = "", True
        self.changed(key, orders=True)
        if desk.line is not None:
            await desk.line.send({"wake": True})

    def _carried_out(self, desk: TableDesk, order: GivenOrder) -> bool:
        name = order.body.get("event")
        return name in _ONCE and desk.copy.has(str(name))
