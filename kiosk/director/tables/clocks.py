"""Keep the clocks that tables tell of, as long as they are not the ones kept already, running on."""

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.clock_store import ToldClock
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.table.status import shows_otherwise

log = logging.getLogger(__name__)

#: Seconds in which clocks are gathered: all tables tell theirs when a round is released, and after a start.
_PACE_S = 0.5

_FLAGS, _SECONDS = ("running", "over", "limited"), ("remaining", "extra", "given", "cut")

#: Seconds that no clock shows: a day of playing time and one of Nachspielzeit, or as much too late.
_MOST_S = 200_000.0


class Clocks:
    """The clocks of the lists, by what their tables report of themselves. Lives on the event loop."""

    def __init__(self, store: Store, threads: Threads) -> None:
        self._store, self._threads = store, threads
        self._known: dict[ListKey, tuple[int, dict[str, Any]]] = {}  # told last: of which list, and where it is at 0
        self._waiting: dict[tuple[ListKey, int], ToldClock] = {}  # to be kept
        self._writing: asyncio.Task[None] | None = None

    def told(self, key: ListKey, status: Mapping[str, Any], now: float) -> None:
        """Take the clock of a status message; it is kept soon, if it is another one than before.

        :param now: seconds, monotonic.
        """
        read = _read(status.get("clock"))
        if read is None:
            return
        of, clock = read
        # one that runs on is the same one
        still = {**clock, "remaining": clock["remaining"] + now} if clock["running"] else clock
        before = self._known.get(key)
        if before is not None and before[0] == of and not shows_otherwise({"clock": before[1]}, {"clock": still}):
            return
        self._known[key] = of, still
        self._waiting[key, of] = ToldClock(key, of, self._store.now(), clock)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())

    async def of_list(self, key: ListKey, first: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the clock of a list by now; None where no table has told it.

        :param first: the event that opened it.
        """
        of = first.get("at")
        if isinstance(of, bool) or not isinstance(of, int | float):
            return None
        await self._keep()
        return await self._threads.on_disk(self._store.clock, key, int(of))

    async def stop(self) -> None:
        """Keep what waits, and end."""
        if self._writing is not None:
            self._writing.cancel()
        with contextlib.suppress(StoreFailed):  # the tables tell it again
            await self._keep()

    async def _write(self) -> None:
        """Write what waits, together, as long as anything does."""
        while self._waiting:
            await asyncio.sleep(_PACE_S)
            try:
                await self._keep()
            except StoreFailed as error:
                log.error("%s", error)

    async def _keep(self) -> None:
        told, self._waiting = self._waiting, {}
        if not told:
            return
        try:
            await self._threads.on_disk(self._store.keep_clocks, list(told.values()))
        except StoreFailed:
            self._waiting = {**told, **self._waiting}
            raise


def _read(clock: object) -> tuple[int, dict[str, Any]] | None:
    """Read of which list a clock is, and the clock; None where it says anything else than a table does."""
    if not isinstance(clock, dict) or type(of := clock.get("of")) is not int or not 0 <= of < 1 << 60:
        return None
    told: dict[str, Any] = {name: clock.get(name) is True for name in _FLAGS}
    for name in _SECONDS:
        seconds = clock.get(name, 0.0)
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not abs(seconds) <= _MOST_S:
            return None
        told[name] = float(seconds)
    return of, told
