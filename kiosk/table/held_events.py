"""Read a list's events as its table holds them: those that the disk did not take too, from whatever thread."""

from collections.abc import Sequence

from kiosk.table.events.codec import encode
from kiosk.table.events.log import Body, Log
from kiosk.table.table import Table


class HeldEvents:
    """A log's events; once there is a table, what it has in memory: a disk that fails keeps nothing from being sent."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._table: Table | None = None

    def follow(self, table: Table) -> None:
        """Read this table's events from now on; it was opened from this log."""
        self._table = table

    def read(self, after: int = -1) -> Sequence[tuple[int, Body]]:
        """Read events with numbers above ``after`` and their numbers, in order."""
        table = self._table
        if table is None:
            return self._log.read(after)
        events = table.events  # it only grows
        return [(number, encode(events[number])) for number in range(after + 1, len(events))]
