"""Write lists to USB sticks: notice one that is plugged in, and carry out what people ask for in a thread."""

import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from hw.stick import Stick, StickError, Sticks, write_files
from kiosk.app.desk import Desk
from kiosk.app.jobs import StartJob, in_thread
from kiosk.app.take_away import TakenRound, files_of, folder_of, how_many
from kiosk.errors import KioskError, Refused
from kiosk.table.evenings import RoundKey, kept_rounds
from kiosk.table.events.codec import encode
from kiosk.table.events.log_file import LogFile
from kiosk.table.mending import kept_notes
from kiosk.table.table import Table
from kiosk.ui.earlier.stick_view import StickLine, StickView, WriteToStick
from kiosk.ui.requests import ScreenRequest

log = logging.getLogger(__name__)

#: Seconds between two looks at the kernel's list of disks, and how long sticks are looked at after it has changed:
#: udev needs a moment to say what is on a new one.
LOOK_INTERVAL_S, SETTLING_S = 1.0, 6.0

_BLOCK = "/sys/class/block"


@dataclass(frozen=True, slots=True)
class SticksSeen:
    """Sticks are plugged in, or none any more."""

    sticks: tuple[Stick, ...]


@dataclass(frozen=True, slots=True)
class StickTold:
    """Files are being written to a stick, were written, or could not be."""

    state: str  # of StickView
    done: int = 0
    name: str = ""
    wrong: str = ""


StickMessage = SticksSeen | StickTold


class StickScreen(Protocol):
    """What sticks need of a screen."""

    def stick(self, view: StickView) -> None: ...


def disks() -> frozenset[str]:
    """Names of the disks and partitions that the kernel has."""
    try:
        return frozenset(os.listdir(_BLOCK))
    except OSError:
        return frozenset()


class StickDesk(Desk):
    """Answers the requests about sticks; told of their messages in the loop that owns the table.

    :param deliver: brings messages of its threads to the inbox.
    :param stored: called when lists were written whole.
    :param run: starts a job beside the loop.
    """

    hears = (SticksSeen, StickTold)

    def __init__(
        self,
        sticks: Sticks,
        file: LogFile,
        *,
        deliver: Callable[[StickMessage], None],
        table: Callable[[], Table | None],
        screen: Callable[[], StickScreen | None],
        language: Callable[[], str] = lambda: "de",
        disks: Callable[[], frozenset[str]] = disks,
        stored: Callable[[], None] = lambda: None,
        run: StartJob = in_thread,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sticks, self._file, self._deliver = sticks, file, deliver
        self._table, self._screen, self._language = table, screen, language
        self._disks, self._on_stored, self._run, self._now = disks, stored, run, now
        self._known: frozenset[str] = frozenset()
        self._seen: tuple[Stick, ...] = ()
        self._look_at, self._settled_at = 0.0, 0.0
        self._looking = False
        self._view = StickView()
        self._shown = False

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about sticks; return False if it is none.

        :raises Refused: it is not possible now.
        """
        if not isinstance(request, WriteToStick):
            return False
        if self._view.state in ("writing", "closing"):
            raise Refused("not_now", "", "files are being written to a stick")
        stick = next((one for one in self._seen if one.device == request.device), None)
        if stick is None:
            self._tell(replace(self._view, state="failed", wrong="gone"))
            return True
        rounds, language = self._rounds(request), self._language()
        self._tell(replace(self._view, state="writing", done=0, of=how_many(rounds), name="", wrong=""))
        self._run(lambda: self._write(stick, rounds, language))
        return True

    def beat(self) -> None:
        """Look at the sticks after the kernel's disks have changed."""
        now = self._now()
        if not self._shown:
            self._tell(self._view)  # that this table can write to sticks
        if now < self._look_at:
            return
        self._look_at = now + LOOK_INTERVAL_S
        disks = self._disks()
        if disks != self._known:
            self._known, self._settled_at = disks, now + SETTLING_S
        if now <= self._settled_at and not self._looking:
            self._looking = True
            self._run(self._look)

    def heard(self, message: StickMessage) -> None:
        """Process a message of a thread."""
        match message:
            case SticksSeen(sticks):
                self._looking = False
                if sticks != self._seen:
                    self._seen = sticks
                    self._plugged()
            case StickTold(state, done, name, wrong):
                if state == "done":
                    self._on_stored()
                of = self._view.of
                self._tell(replace(self._view, state=state, done=done, of=of, name=name, wrong=wrong))

    def _plugged(self) -> None:
        """Other sticks than before are plugged in: what was said of the last one is over, unless it is in work."""
        lines = tuple(
            StickLine(device=one.device, name=one.name, gigabytes=round(one.size_bytes / 1e9, 1)) for one in self._seen
        )
        busy = self._view.state in ("writing", "closing")
        stays = busy or len(lines) < len(self._view.sticks)  # it was pulled, as it may be; people still read the end
        self._tell(replace(self._view if stays else StickView(), sticks=lines))

    def _tell(self, view: StickView) -> None:
        self._view = view
        if screen := self._screen():
            self._shown = True
            screen.stick(view)

    def _rounds(self, request: WriteToStick) -> list[TakenRound]:
        """The rounds that are asked for; of the one that is up also what the disk has not taken yet."""
        kept = [one.key for one in kept_rounds(self._file)]
        table = self._table()
        up = kept[-1] if kept and table is not None else None
        key = request.key or up
        if key is None or key not in kept:
            raise Refused("bad_request", "", f"{key}: no such round at this table")
        chosen = [key] if not request.whole else [one for one in kept if one.evening == key.evening]
        return [
            TakenRound(
                one,
                list(map(encode, table.events)) if table is not None and one == up else self._stored(one),
                kept_notes(self._file.log(one.evening, one.table, one.round)),
            )
            for one in sorted(chosen, key=lambda one: (one.table, one.round))
        ]

    def _stored(self, key: RoundKey) -> list[dict[str, object]]:
        return [body for _, body in self._file.log(key.evening, key.table, key.round).read()]

    # --- beside the loop

    def _look(self) -> None:
        try:
            found = self._sticks.look()
        except StickError as error:
            log.error("sticks are not looked for: %s", error)
            found = ()
        self._deliver(SticksSeen(found))

    def _write(self, stick: Stick, rounds: list[TakenRound], language: str) -> None:
        """Write all files; the stick is unmounted whatever happens, as far as it is there."""
        written, wrong = 0, "failed"
        try:
            folder = self._sticks.mount(stick)
            try:
                written = write_files(
                    folder,
                    files_of(rounds, language),
                    lambda number, name: self._deliver(StickTold("writing", number, name.rpartition("/")[2])),
                )
            finally:
                self._deliver(StickTold("closing", written))
                self._sticks.unmount(stick)
            wrong = ""
        except StickError as error:
            wrong = error.code
            if wrong == "read_only" and all(one.device != stick.device for one in self._still_there()):
                wrong = "gone"  # the kernel lets a file system that has gone be read alone
            log.error("%s: %s", stick.device, error)
        except KioskError as error:
            wrong = "list"
            log.error("the files of %s cannot be made: %s", [one.key for one in rounds], error)
        finally:
            where = folder_of(rounds[0].key.evening)
            self._deliver(StickTold("failed" if wrong else "done", written, where, wrong))

    def _still_there(self) -> tuple[Stick, ...]:
        try:
            return self._sticks.look()
        except StickError:
            return ()
