"""Define the event log: events are appended, and nothing in it is ever changed; here also as one in memory."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from kiosk.errors import KioskError, shorten

#: An event as the JSON object of its line.
Body = dict[str, Any]

#: No values.
NOTHING: Mapping[str, str] = MappingProxyType({})


class LogError(KioskError):
    """The log cannot be opened, read or written."""


class LogFull(LogError, OSError):
    """The disk is full; events appended before are safe."""


class LogDamaged(LogError):
    """The file is not a sound log."""


class LogHeld(LogError):
    """Another process holds the file."""


class Log(Protocol):
    """The events of one round of one table, numbered from 0 without gaps, with pictures and a small store of values."""

    def append(self, event: Body, kept: Mapping[str, str] = NOTHING) -> int:
        """Append an event, on disk when this returns, and return its number.

        :param kept: values to be kept with it: after a power cut both are there, or neither.
        :raises LogFull: the disk is full; the log is as before and may be tried again.
        :raises LogError: the event cannot be written.
        """

    def add(self, events: Sequence[Body], kept: Mapping[str, str] = NOTHING) -> int:
        """Append several events with what is to be kept, all or nothing, and return the number of the last one.

        :raises LogError: as ``append``.
        """

    def settle(self) -> None:
        """Bring what was appended from the write-ahead log to its place: a bad spot there cannot take it along."""

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        """Read all events with a number greater than ``after``, in order."""

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        """Keep the picture of an event; a second one replaces it."""

    def picture(self, number: int) -> bytes | None:
        """Return the picture of an event, if there is one."""

    def keep(self, key: str, value: str) -> None:
        """Keep a value that is no event (clock, acknowledged number); a second one replaces it."""

    def kept(self, key: str) -> str | None:
        """Return the value kept under ``key``, if there is one."""


class MemoryLog:
    """A log that lasts as long as the process: for demos, replays and tests."""

    def __init__(self) -> None:
        self._bodies: list[str] = []
        self._pictures: dict[int, bytes] = {}
        self._kept: dict[str, str] = {}

    def append(self, event: Body, kept: Mapping[str, str] = NOTHING) -> int:
        return self.add([event], kept)

    def add(self, events: Sequence[Body], kept: Mapping[str, str] = NOTHING) -> int:
        self._bodies += [encoded(event) for event in events]
        self._kept.update(kept)
        return len(self._bodies) - 1

    def settle(self) -> None:
        """Do nothing: there is no disk."""

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        first = max(after + 1, 0)
        return [(number, json.loads(body)) for number, body in enumerate(self._bodies[first:], first)]

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        self._pictures[number] = jpeg

    def picture(self, number: int) -> bytes | None:
        return self._pictures.get(number)

    def keep(self, key: str, value: str) -> None:
        self._kept[key] = value

    def kept(self, key: str) -> str | None:
        return self._kept.get(key)


def encoded(event: Body) -> str:
    """Encode an event as the JSON text that is stored.

    :raises LogError: it cannot be written as JSON.
    """
    try:
        return json.dumps(event, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise LogError(f"{shorten(event)}: the event cannot be written as JSON: {error}") from error
