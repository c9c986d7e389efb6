"""Record short films of the mat for the referee, requested from the camera's process at a doubt or a call.

The vision process has the last seconds in memory; nothing is on disk unless somebody will have to judge. A doubt is
filmed once it has stood for a moment, so that the hand is off the card and a second look has not settled it.
"""

import logging
import threading
from collections.abc import Callable

from kiosk.app.desk import Desk
from kiosk.app.inbox import FilmKept
from kiosk.table.events.values import CardCorrected, CardInserted, CardPlayed, CardSeen, Event, ObjectionRaised
from kiosk.table.recordings import RecordingError, Recordings
from kiosk.table.table import Table
from vision.messages import AskRecording, Recording

log = logging.getLogger(__name__)

#: Seconds from a doubt, or a call, to the end of its film.
FILM_DELAY_S = 1.0


class Recorder(Desk):
    """Schedules and keeps the films of one table.

    :param ask: hands a command to the camera's process.
    :param deliver: hands a film that has been kept to the loop that owns the table; called from any thread.
    :param now: seconds; the table's time.
    :param tournament: the one that is held, for a list that names none.
    """

    hears = (Recording, FilmKept)

    def __init__(
        self,
        recordings: Recordings,
        ask: Callable[[AskRecording], None],
        deliver: Callable[[FilmKept], None],
        now: Callable[[], float],
        tournament: Callable[[], str] = str,
    ) -> None:
        self.recordings, self._ask, self._deliver, self._now = recordings, ask, deliver, now
        self._held = tournament
        self._table: Table | None = None
        self._tournament = ""
        self._due: dict[int, float] = {}  # event → when its film is asked for
        self._asked: dict[str, tuple[Table, int, str]] = {}

    def sit(self, table: Table) -> None:
        """Serve this table from now on and delete the films of other tournaments."""
        tournament = table.round.opening.tournament or self._held()
        self._table, self._tournament = table, tournament
        self._due.clear()
        self.recordings.begin(tournament)
        for number, path in self.recordings.of_round(tournament, table.round.table, table.round.round).items():
            table.keep_film(number, path)
        table.listen(lambda number, event: self._noted(table, number, event))

    def call(self) -> None:
        """Request a film of the last seconds with the last event, because the referee is called."""
        if self._table is not None:
            self._due.setdefault(len(self._table.events) - 1, self._now() + FILM_DELAY_S)

    def beat(self) -> None:
        """Request the films that are due."""
        now = self._now()
        for number in [number for number, at in self._due.items() if at <= now]:
            del self._due[number]
            if self._table is not None and self._still_wanted(self._table, number):
                name = f"{self._tournament} {self._table.round.round} {number}"
                self._asked[name] = self._table, number, self._tournament
                self._ask(AskRecording(name=name))

    def heard(self, message: Recording | FilmKept) -> None:
        """Take a film that was asked for, or hear that one is on the disk."""
        if isinstance(message, FilmKept):
            message.table.keep_film(message.event, message.path)
        else:
            self._store(message)

    def _store(self, recording: Recording) -> None:
        """Store a requested film in a thread of its own, because a disk may be slow."""
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
        self._deliver(FilmKept(table, number, path))

    def _noted(self, table: Table, number: int, event: Event) -> None:
        if table is not self._table:
            return
        match event:
            case CardPlayed(down=False) if event.doubt:
                self._due[number] = self._now() + FILM_DELAY_S
            case ObjectionRaised():
                self._due[number] = self._now()
            case CardInserted(unseen=True):
                self._due[number] = self._now() + FILM_DELAY_S
            case CardCorrected() if event.by_person and not _doubtful(table.events[event.of]):
                self._due[event.of] = self._now()  # somebody says that the camera was wrong
        self._due = dict(list(self._due.items())[-8:])

    @staticmethod
    def _still_wanted(table: Table, number: int) -> bool:
        return not _doubtful(table.events[number]) or any(doubt.event == number for doubt in table.round.doubts)


def _doubtful(event: Event) -> bool:
    return isinstance(event, CardSeen) and bool(event.doubt)
