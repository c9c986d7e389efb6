"""Short films of the mat for the referee: asked of the camera's process when there is a doubt or a call, and kept.

The vision process has the last seconds in memory; nothing is on disk unless somebody will have to judge. A doubt is
filmed once it has stood for a moment, so that the hand is off the card and a second look has not settled it.
"""

import logging
import queue
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from kiosk.table.log import Event
from kiosk.table.position import MACHINES
from kiosk.table.recordings import RecordingError, Recordings
from kiosk.table.table import Table
from vision.messages import AskRecording, Recording

log = logging.getLogger(__name__)

#: Seconds from a doubt, or a call, to the end of its film.
AFTER = 1.0


class Recorder:
    """Which moments are kept, and where.

    :param ask: hands a command to the camera's process.
    :param now: seconds; the table's time.
    """

    def __init__(self, recordings: Recordings, ask: Callable[[AskRecording], None], now: Callable[[], float]) -> None:
        self.recordings, self._ask, self._now = recordings, ask, now
        self._table: Table | None = None
        self._tournament = ""
        self._due: dict[int, float] = {}  # event → when its film is asked for
        self._asked: dict[str, tuple[Table, int, str]] = {}
        self._kept: queue.SimpleQueue[tuple[Table, int, Path]] = queue.SimpleQueue()

    def sit(self, table: Table, tournament: str) -> None:
        """This is the table from now on; films of other tournaments go."""
        self._table, self._tournament = table, tournament
        self._due.clear()
        self.recordings.begin(tournament)
        for number, path in self.recordings.of_round(tournament, table.round.table, table.round.round).items():
            table.keep_film(number, path)
        table.listen(lambda number, event: self._heard(table, number, event))

    def call(self) -> None:
        """The referee is called: what has just happened is kept with the last event."""
        if self._table is not None:
            self._due.setdefault(len(self._table.events) - 1, self._now() + AFTER)

    def beat(self) -> None:
        """Ask for what is due, and show what has been kept."""
        now = self._now()
        for number in [number for number, at in self._due.items() if at <= now]:
            del self._due[number]
            if self._table is not None and self._still_wanted(self._table, number):
                name = f"{self._tournament} {self._table.round.round} {number}"
                self._asked[name] = self._table, number, self._tournament
                self._ask(AskRecording(name=name))
        while not self._kept.empty():
            table, number, path = self._kept.get()
            table.keep_film(number, path)

    def take(self, recording: Recording) -> None:
        """The film that was asked for; it is written beside the loop, for a disk may be slow."""
        asked = self._asked.pop(recording.name, None)
        if asked is not None and recording.pictures:
            threading.Thread(target=self._write, args=(*asked, recording), name="recording", daemon=True).start()

    def _write(self, table: Table, number: int, tournament: str, recording: Recording) -> None:
        round = table.round
        try:
            path = self.recordings.keep(tournament, round.table, round.round, number, recording.pictures)
        except RecordingError as error:
            log.warning("%s", error)
            return
        self._kept.put((table, number, path))

    def _heard(self, table: Table, number: int, event: Event) -> None:
        if table is not self._table:
            return
        match event["event"]:
            case "card" if event.get("doubt") and not event.get("down"):
                self._due[number] = self._now() + AFTER
            case "object":
                self._due[number] = self._now()
            case "correct" if event.get("unseen"):
                self._due[number] = self._now() + AFTER
            case "correct" if "of" in event and event.get("by", "table") not in MACHINES:
                if not table.events[event["of"]].get("doubt"):
                    self._due[event["of"]] = self._now()  # somebody says that the camera was wrong
        self._due = dict(list(self._due.items())[-8:])

    @staticmethod
    def _still_wanted(table: Table, number: int) -> bool:
        event: dict[str, Any] = table.events[number]
        return not event.get("doubt") or any(doubt.event == number for doubt in table.round.doubts)
