"""Keep every table's copy up to the store, whoever wrote there."""

import asyncio
import logging
from collections.abc import Callable

from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.desks import Desks, TableDesk

log = logging.getLogger(__name__)


class Copies:
    """Brings the copies of lists that are marked up to the store, one after the other.

    :param refreshed: called on the event loop with each list that was brought up.
    """

    def __init__(self, store: Store, threads: Threads, desks: Desks, refreshed: Callable[[ListKey], None]) -> None:
        self._store, self._threads, self._desks, self._refreshed = store, threads, desks, refreshed
        self._dirty: dict[ListKey, None] = {}
        self._wake = asyncio.Event()

    def mark(self, key: ListKey) -> None:
        """Mark a list of which there is something new in the store."""
        self._dirty[key] = None
        self._wake.set()

    async def work_forever(self) -> None:
        """Refresh what is marked; only cancelling ends it."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._dirty:
                key = next(iter(self._dirty))
                del self._dirty[key]
                await self._bring_up(self._desks[key])

    async def _bring_up(self, desk: TableDesk) -> None:
        try:
            await self._threads.folding(self._refresh, desk)
        except StoreFailed as error:
            log.error("%s: %s", desk.key, error)
            await asyncio.sleep(1)
            desk.orders_changed = True
            self.mark(desk.key)
        except Exception:  # one table that cannot be shown must not stop the others
            log.exception("%s cannot be shown", desk.key)
        self._refreshed(desk.key)

    def _refresh(self, desk: TableDesk) -> None:
        copy, key = desk.copy, desk.key
        if desk.anew or self._store.stand(key).last < len(copy.events) - 1:
            desk.anew, copy = False, Copy(key)
        copy.add(self._store.read(key, len(copy.events) - 1))
        desk.copy = copy
        if desk.orders_changed:
            desk.orders_changed = False
            orders = {order.number: order for order in self._store.orders(key.tournament, key.round)}
            desk.refused = [
                {"number": answer.number, "body": orders[answer.number].body, "why": answer.refused, "at": answer.at}
                for answer in self._store.answers(key)
                if answer.refused and answer.number in orders
            ][-3:]
            desk.pending = self._store.pending(key)
