"""Give orders to the tables, bring them there once, and take their receipts."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.storage.order_store import GivenOrder, Receipt
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.line_end import LineEnd

log = logging.getLogger(__name__)


class Orders:
    """Orders to the tables, kept in the store until they are answered.

    :param changed: called with each list whose orders have changed.
    """

    def __init__(self, store: Store, threads: Threads, changed: Callable[[ListKey], None]) -> None:
        self._store, self._threads, self._changed = store, threads, changed
        #: Number of the last order of each tournament and round, by whichever director: what pages have seen.
        self.last: dict[tuple[str, int], int] = {}
        self._receipts: list[Receipt] = []  # to be stored
        self._writing: asyncio.Future[None] | None = None  # what is about to store them
        self._storing = asyncio.Lock()

    async def give(
        self,
        where: tuple[str, int, int | None],
        desks: Collection[TableDesk],
        body: Mapping[str, Any],
        since: int | None = None,
    ) -> GivenOrder:
        """Give an order to a table, or with None to all of the round; ``desks`` are those that are there now.

        It reaches those that are away when they return. ``since``: see ``OrderStore.give``.
        """
        order = await self._threads.on_disk(self._store.give, *where, body, since)
        log.info("order %s to %s: %s", order.number, "all" if where[2] is None else f"table {where[2]}", dict(body))
        await self.deliver(order, where, desks)
        return order

    async def deliver(
        self, order: GivenOrder, where: tuple[str, int, int | None], desks: Collection[TableDesk]
    ) -> None:
        """Bring an order stored just now, here or by another director, to those of the tables that are here."""
        round_ = where[:2]
        self.last[round_] = max(order.number, self.last.get(round_, 0))
        await asyncio.gather(*(self._send_new(desk, order) for desk in desks))
        for desk in desks:
            self._changed(desk.key)

    async def _send_new(self, desk: TableDesk, order: GivenOrder) -> None:
        """Send an order that was stored just now: nobody has answered it yet, so the store need not be asked."""
        if desk.line is None or order.number in desk.line.sent:
            return  # it is sent when the table comes, or was just now with others
        if ("call" not in order.body and not desk.copy.count) or _carried_out(desk, order):
            await self.send(desk)
        else:
            await self._send(desk.line, [order])

    async def send(self, desk: TableDesk) -> None:
        """Send orders that the table has not answered and that were not sent over this socket.

        Before people have sat down a table can carry out calls only; the rest waits for its ``open``.
        """
        pending = await self._threads.on_disk(self._store.pending, desk.key)
        if pending and (await self._threads.on_disk(self._store.stand, desk.key)).last < 0:
            pending = [order for order in pending if "call" in order.body]
        done = [order for order in pending if order.table is None and _carried_out(desk, order)]
        for order in done:
            await self.answered(desk.key, order.number, None)
        end = desk.line
        new = [order for order in pending if order not in done and end is not None and order.number not in end.sent]
        if end is None or not new:
            return
        await self._send(end, new)

    async def answered(
        self, key: ListKey, number: int, refused: str | None, why: Mapping[str, Any] | None = None
    ) -> None:
        """Take a table's receipt for an order that left no event; ``why`` is what a page words a refusal by."""
        self._receipts.append(Receipt(key, number, refused, why))
        if self._writing is None:
            self._writing = asyncio.ensure_future(self._write_receipts())
        await asyncio.shield(self._writing)
        self._changed(key)

    async def _write_receipts(self) -> None:
        """Store what a hall answers at one moment together: a thousand tables answer one order."""
        await asyncio.sleep(0)
        async with self._storing:  # what comes meanwhile goes with the next ones
            receipts, self._receipts, self._writing = self._receipts, [], None
            await self._threads.on_disk(self._store.answer_all, receipts)

    async def _send(self, end: LineEnd, orders: Sequence[GivenOrder]) -> None:
        end.sent |= {order.number for order in orders}
        now = self._store.now()
        told = [{"number": one.number, "age": max(0, now - one.at) / 1000, "body": one.body} for one in orders]
        await end.send({"orders": told})


def _carried_out(desk: TableDesk, order: GivenOrder) -> bool:
    name, round_ = order.body.get("event"), desk.copy.round
    if name == "time_up":  # one that was taken back, or followed by Nachspielzeit, is to be ended again
        return round_ is not None and round_.time_up
    return name == "release" and desk.copy.has("release")
