"""Know the open sockets of tables, and end those that have fallen silent."""

import asyncio
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager

from kiosk.director.tables.line_end import LineEnd

#: Seconds without a word after which a table counts as away; it speaks every six.
SILENCE_S = 12.0

#: Seconds between two looks. A timer of its own for each table would wake the service ten times as often.
_LOOK_S = 1.0


class OpenLines:
    """All open sockets of tables. Lives on the event loop."""

    def __init__(self) -> None:
        self._ends: set[LineEnd] = set()

    def __len__(self) -> int:
        return len(self._ends)

    @contextmanager
    def open(self, end: LineEnd) -> Iterator[None]:
        """Count a socket among them as long as it is served."""
        self._ends.add(end)
        try:
            yield
        finally:
            self._ends.discard(end)

    async def next_text(self, end: LineEnd, receive: Awaitable[str]) -> str:
        """Wait for the next text that was not heard at once.

        :raises TimeoutError: the table has said nothing for too long.
        """
        try:
            async with asyncio.timeout(None) as end.waits:
                text = await receive
        finally:
            end.waits = None
        end.heard = time.monotonic()
        return text

    async def look_forever(self) -> None:
        """End the wait for tables that say nothing; only cancelling ends it."""
        while True:
            await asyncio.sleep(_LOOK_S)
            self.end_silent(time.monotonic())

    def end_silent(self, now: float) -> None:
        """End the wait for tables that have said nothing for too long; ``now``: monotonic seconds."""
        for end in self._ends:
            if end.waits is not None and now - end.heard > SILENCE_S:
                end.waits.reschedule(0.0)  # which has passed
                end.waits = None
