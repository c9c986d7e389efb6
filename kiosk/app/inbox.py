"""Queue what camera, line, scanner, pins, disk and screen deliver, for the one thread that owns the table.

There is one idiom: whoever has something to tell is given ``deliver`` and calls it with a frozen value, from whatever
thread it works in.
"""

import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from hw.clock_display import DisplayMessage
from hw.keyboard_reader import KeyboardMessage
from hw.loudspeaker import LoudspeakerMessage
from hw.scanner import ScannerMessage
from kiosk.app.bringing import ReleaseMessage
from kiosk.app.network_desk import NetworkMessage
from kiosk.app.parcel_desk import ParcelMessage
from kiosk.app.referee_code import CodeChecked
from kiosk.app.stick_desk import SticksSeen, StickTold
from kiosk.sync.enrolling import Enrolling
from kiosk.sync.state import LineMessage
from kiosk.table.table import Table
from kiosk.ui.parts.played_view import GameRead
from kiosk.ui.play.claim_question import RestChecked
from kiosk.ui.requests import ScreenRequest
from vision.messages import VisionMessage


@dataclass(frozen=True, slots=True)
class Asked:
    """A person's request from the screen.

    :param upon: the table that stood there when it was asked (``Kiosk.deliver``).
    """

    request: ScreenRequest
    upon: Table | None = None


@dataclass(frozen=True, slots=True)
class Pressed:
    """The push button was pressed: it calls the referee, or reports that the referee is there."""


@dataclass(frozen=True, slots=True)
class PinsMissing:
    """The pins cannot be used: the table runs without lamps, clock display, buzzer and button; with the reason."""

    why: str


@dataclass(frozen=True, slots=True)
class WordsAtFault:
    """The club's own words have faults, or lack the language that is configured; told to the people."""

    text: str


@dataclass(frozen=True, slots=True)
class FilmKept:
    """A film of the mat with an event of this table was written to disk."""

    table: Table
    event: int
    path: Path


#: What came of work beside the loop.
HelperMessage: TypeAlias = (
    Enrolling | PinsMissing | WordsAtFault | FilmKept | SticksSeen | StickTold | ReleaseMessage | ParcelMessage
)

KioskMessage: TypeAlias = (
    VisionMessage
    | LineMessage
    | ScannerMessage
    | LoudspeakerMessage
    | DisplayMessage
    | KeyboardMessage
    | Asked
    | Pressed
    | CodeChecked
    | RestChecked
    | GameRead
    | HelperMessage
    | NetworkMessage
)
Deliver: TypeAlias = Callable[[KioskMessage], None]
Message = TypeVar("Message")


class Inbox(Generic[Message]):
    """Hold messages in the order in which they were delivered."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Message] = queue.SimpleQueue()

    def deliver(self, message: Message) -> None:
        """Deliver a message, from any thread."""
        self._queue.put(message)

    def empty(self) -> bool:
        """Report whether no message waits."""
        return self._queue.empty()

    def wait(self, seconds: float) -> Message | None:
        """Take the next message, waiting at most the given time; None if none came."""
        try:
            return self._queue.get(timeout=seconds)
        except queue.Empty:
            return None

    def drain(self) -> Iterator[Message]:
        """Take all waiting messages."""
        while True:
            try:
                message = self._queue.get_nowait()
            except queue.Empty:
                return
            yield message
