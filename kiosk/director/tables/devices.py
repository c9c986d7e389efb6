"""Register the tables' devices: whose socket is open, and what each device reports of itself."""

import logging
import time
from collections import deque
from collections.abc import Callable

from kiosk.director.key import ListKey
from kiosk.director.tables.desks import Desks, Elsewhere, Message, TableDesk
from kiosk.director.tables.line_end import LineEnd
from kiosk.table.status import shows_otherwise, with_clock_by_now

log = logging.getLogger(__name__)

#: Seconds after which a second device, which tries again every fifteen, counts as gone.
_ALARM_S = 40.0

#: Seconds since the last word of a socket after which another device may have its table without an alarm: a table that
#: is there speaks every six.
_GONE_S = 7.0

#: Connections of a table that are remembered.
_COMINGS = 100


class Devices:
    """Open sockets and reports by table. Lives on the event loop.

    :param changed: called with each list on whose card something of the device has changed.
    :param now: the milliseconds since the epoch, by the same clock for all directors.
    """

    def __init__(self, desks: Desks, changed: Callable[[ListKey], None], now: Callable[[], int]) -> None:
        self._desks, self._changed, self._now = desks, changed, now
        self.mats: dict[int, int] = {}  # table → places on its mat, where a device is there and has reported it
        self.admitted: frozenset[int] = frozenset()  # tables that have a device, there or not
        self._open: dict[int, dict[ListKey, None]] = {}  # table → the lists its open sockets speak for, the latest last
        #: Called with the desk whose device has come, gone or said something here.
        self.on_news: set[Callable[[TableDesk], None]] = set()
        self._alarmed: dict[ListKey, TableDesk] = {}
        self._comings: dict[int, deque[float]] = {}  # table → monotonic seconds when its device came

    def there(self, table: int) -> bool:
        """Report whether a device speaks for the table now: perhaps still in another round."""
        return bool(self._open.get(table))

    def now_admitted(self, tables: frozenset[int]) -> None:
        """Take in which tables have a device, there or not."""
        before, self.admitted = self.admitted, tables
        for table in before ^ tables:
            self._changed_everywhere(table)

    def comings(self, table: int, within: float) -> int:
        """Count how often the table's device has come to this director within so many seconds; at most a hundred."""
        since = time.monotonic() - within
        return sum(at >= since for at in self._comings.get(table, ()))

    async def up(self, desk: TableDesk, end: LineEnd) -> None:
        """Register an open socket; an older one of the same list is closed."""
        old, desk.line, desk.elsewhere, desk.known = desk.line, end, None, True
        self._opened(desk)
        self._comings.setdefault(desk.key.table, deque(maxlen=_COMINGS)).append(time.monotonic())
        end.heard = time.monotonic()
        if old is not None:
            if old.device != end.device and end.heard - old.heard < _GONE_S:
                self.twice(desk)
            await old.replace()
        else:
            log.info("%s: connected", desk.key)
        self._tell(desk)
        self._changed_everywhere(desk.key.table)

    def down(self, desk: TableDesk, end: LineEnd) -> bool:
        """Unregister a closed socket; False if another one has replaced it already."""
        if desk.line is not end:
            return False
        desk.line, desk.away_since = None, self._now()
        self._closed(desk)
        log.info("%s: away", desk.key)
        self._tell(desk)
        self._changed_everywhere(desk.key.table)
        return True

    def told(self, desk: TableDesk, status: Message) -> None:
        """Take the state that the table's device reports."""
        if self._status(desk, status):
            self._tell(desk)
            self._changed(desk.key)

    def up_elsewhere(self, desk: TableDesk, end: Elsewhere, status: Message) -> bool:
        """Note that another director has the table's socket; whether another device has just spoken for it here."""
        before, line = desk.elsewhere, desk.line
        if line is not None and line.since > end.since:
            return False  # it was there before it came here; the other director hears of that
        two = line is not None and line.device != end.device and time.monotonic() - line.heard < _GONE_S
        if two:
            self.twice(desk)
        desk.line, desk.elsewhere, desk.known = None, end, True
        self._opened(desk)
        if self._status(desk, status):
            self._changed(desk.key)
        if before != end:
            self._changed_everywhere(desk.key.table)
        return two

    def down_elsewhere(self, desk: TableDesk, director: str) -> None:
        """Note that this director has the table's socket no more."""
        if desk.elsewhere is None or desk.elsewhere.director != director:
            return
        desk.elsewhere, desk.away_since = None, self._now()
        self._closed(desk)
        self._changed_everywhere(desk.key.table)

    def twice(self, desk: TableDesk) -> None:
        """Alarm: two devices speak for this table."""
        self._alarm(desk, twice=True)
        log.error("%s: two devices speak for this table; give one of them its own table number", desk.key)
        self._changed(desk.key)

    def _opened(self, desk: TableDesk) -> None:
        lists = self._open.setdefault(desk.key.table, {})
        lists.pop(desk.key, None)
        lists[desk.key] = None
        self._mat(desk.key.table)

    def _closed(self, desk: TableDesk) -> None:
        del self._open[desk.key.table][desk.key]
        self._mat(desk.key.table)

    def _tell(self, desk: TableDesk) -> None:
        for call in tuple(self.on_news):
            call(desk)

    def _status(self, desk: TableDesk, status: Message) -> bool:
        """Keep a status; whether it shows otherwise than the one before."""
        now = time.monotonic()
        before = with_clock_by_now(desk.status, now - desk.status_at)
        desk.status, desk.status_at = status, now
        otherwise = shows_otherwise(before, status)
        if otherwise:
            self._mat(desk.key.table)
        return otherwise

    def conflict(self, desk: TableDesk, text: str) -> None:
        """Note that a device has sent a list that contradicts the stored one."""
        if desk.conflict != text:
            log.error("%s: %s", desk.key, text)
        desk.conflict = text
        self._alarm(desk)
        self._changed(desk.key)

    def calm_down(self) -> None:
        """End alarms whose cause was not seen for a while."""
        for key, desk in list(self._alarmed.items()):
            if time.monotonic() - desk.alarmed > _ALARM_S:
                del self._alarmed[key]
                desk.conflict, desk.twice = "", False
                self._changed(key)

    def _alarm(self, desk: TableDesk, twice: bool = False) -> None:
        desk.twice, desk.alarmed = desk.twice or twice, time.monotonic()
        self._alarmed[desk.key] = desk

    def _changed_everywhere(self, table: int) -> None:
        """A device may be shown in another round than the one it reports for."""
        for desk in self._desks.of_table(table):
            self._changed(desk.key)

    def _mat(self, table: int) -> None:
        told = [self._desks[key].status.get("seats") for key in self._open.get(table, ())]
        seats = next((one for one in reversed(told) if isinstance(one, int)), None)
        if seats is None:
            self.mats.pop(table, None)
        else:
            self.mats[table] = seats
