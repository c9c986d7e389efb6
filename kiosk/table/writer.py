"""Write a table's events to its log, in order; events that a full disk refuses wait and are tried again."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from kiosk.table.events.codec import encode
from kiosk.table.events.log import Log, LogError, LogFull
from kiosk.table.events.values import CardSeen, Event

log = logging.getLogger(__name__)

#: How often a full disk is tried again (seconds).
DISK_RETRY_SECONDS = 2.0

#: Pictures of cards that are remembered: those of the game in play and of the one before.
PICTURES_REMEMBERED = 100


@dataclass(slots=True)
class _Waiting:
    """An event that is not on disk yet."""

    number: int
    event: Event
    picture: bytes | None
    kept: dict[str, str] = field(default_factory=dict)  # goes with it, or not at all


class EventWriter:
    """Writes events with the pictures of doubtful cards; remembers the last ones of all."""

    def __init__(self, events: Log, now: float) -> None:
        self._log = events
        self._waiting: list[_Waiting] = []
        self._pictures: dict[
            int, bytes
        ] = {}  # of the last cards; the log has those in doubt alone, which are asked for
        self._retry_at = now
        self.trouble = ""  # a notice's code: why the last event could not be written

    @property
    def waiting(self) -> int:
        """Number of events that are not on disk yet."""
        return len(self._waiting)

    def add(
        self,
        number: int,
        event: Event,
        picture: bytes | None,
        now: float,
        kept: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Write an event, or let it wait.

        :param kept: what is kept with it in one transaction: a clock that it has changed.
        """
        doubtful = isinstance(event, CardSeen) and bool(event.doubt)
        self._waiting.append(_Waiting(number, event, picture if doubtful else None, dict(kept)))
        if picture is not None:
            self._pictures[number] = picture
            if len(self._pictures) > PICTURES_REMEMBERED:
                del self._pictures[min(self._pictures)]
        self._save(now)

    def retry(self, now: float) -> None:
        """Retry waiting events when it is time."""
        if self._waiting and now >= self._retry_at:
            self._save(now)

    def picture(self, number: int) -> bytes | None:
        """Return the JPEG of an event's card, if it is still in memory."""
        if number in self._pictures:
            return self._pictures[number]
        if self._waiting and number >= self._waiting[0].number:
            return self._waiting[number - self._waiting[0].number].picture
        try:
            return self._log.picture(number)
        except LogError:
            return None

    def renew_picture(self, number: int, picture: bytes) -> None:
        """Take a later picture of the card of an event in doubt, which shows more."""
        self._pictures[number] = picture
        if self._waiting and number >= self._waiting[0].number:
            self._waiting[number - self._waiting[0].number].picture = picture
            return
        try:
            self._log.keep_picture(number, picture)
        except LogError as error:
            log.warning("the later picture of event %d is not kept: %s", number, error)

    def keep(self, key: str, value: str) -> None:
        """Keep a value beside the events: behind those that wait; else, where the disk does not take it, it is lost."""
        if self._waiting:
            self._waiting[-1].kept[key] = value
            return
        try:
            self._log.keep(key, value)
        except LogError as error:
            log.warning("%s is not kept: %s", key, error)

    def settle(self) -> None:
        """Have what was written brought to its place on the disk: a game has ended."""
        try:
            self._log.settle()
        except LogError as error:
            log.warning("the log is not settled: %s", error)

    def _save(self, now: float) -> None:
        while self._waiting:
            first = self._waiting[0]
            try:
                stored = self._log.append(encode(first.event), first.kept)
                self.trouble = ""
            except LogError as error:
                if not self.trouble:
                    log.error("%s", error)
                self.trouble = "disk_full" if isinstance(error, LogFull) else "log_failed"
                self._retry_at = now + DISK_RETRY_SECONDS
                return
            del self._waiting[0]
            if first.picture is not None:
                try:
                    self._log.keep_picture(stored, first.picture)
                except LogError as error:
                    log.warning("the picture of event %d is not kept: %s", stored, error)
