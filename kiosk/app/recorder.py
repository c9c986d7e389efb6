"""Keep what the camera has seen of play: a picture of each card and trick, and short films where somebody may judge.

A card's picture comes with its report, the whole mat's and a film are requested from the camera's process, which has
the last seconds in memory. A doubt is filmed once it has stood for a moment, so that the hand is off the card and a
second look has not settled it.
"""

import logging
import threading
from collections.abc import Callable
from functools import partial

from kiosk.app.desk import Desk
from kiosk.app.inbox import FilmKept
from kiosk.app.jobs import InTurn, StartJob
from kiosk.table.events.values import (
    CardCorrected,
    CardInserted,
    CardPlayed,
    CardSeen,
    Event,
    GameDealt,
    ObjectionRaised,
)
from kiosk.table.recordings import PictureKey, RecordingError, Recordings
from kiosk.table.table import Table
from vision.messages import AskRecording, Recording

log = logging.getLogger(__name__)

#: Seconds from a doubt, or a call, to the end of its film.
FILM_DELAY_S = 1.0

#: Seconds from a trick's last card to the picture of the mat: the hand is off it, and nobody has taken the trick in.
MAT_DELAY_S = 0.5

#: A picture of the mat that is older shows something else, seconds: without a view of it none is kept.
MAT_OLDEST_S = 3.0

#: Pictures that wait for the disk at most: those of a game.
MOST_WAITING = 60


class Recorder(Desk):
    """Schedules and keeps the films and pictures of one table.

    :param ask: hands a command to the camera's process.
    :param deliver: hands a film that has been kept to the loop that owns the table; called from any thread.
    :param now: seconds; the table's time.
    :param tournament: the one that is held, for a list that names none.
    :param write: starts a job that writes pictures, because a disk may be slow.
    """

    hears = (Recording, FilmKept)

    def __init__(
        self,
        recordings: Recordings,
        ask: Callable[[AskRecording], None],
        deliver: Callable[[FilmKept], None],
        now: Callable[[], float],
        tournament: Callable[[], str] = str,
        write: StartJob | None = None,
    ) -> None:
        self.recordings, self._ask, self._deliver, self._now = recordings, ask, deliver, now
        self._held = tournament
        self._write = write or InTurn("pictures", MOST_WAITING)
        self._refused = ""  # why the disk took no picture last
        self._table: Table | None = None
        self._tournament = ""
        self._due: dict[int, float] = {}  # event → when its film is asked for
        self._mats_due: dict[int, float] = {}  # a trick's last card → when the mat's picture is
        self._asked: dict[str, tuple[Table, int, str]] = {}

    def sit(self, table: Table) -> None:
        """Serve this table from now on and delete what was kept of other tournaments."""
        tournament = table.round.opening.tournament or self._held()
        self._table, self._tournament = table, tournament
        self._due.clear()
        self._mats_due.clear()
        self.recordings.begin(tournament)
        for number, path in self.recordings.of_round(tournament, table.round.table, table.round.round).items():
            table.keep_film(number, path)
        table.listen(lambda number, event: self._noted(table, number, event))

    def call(self) -> None:
        """Request a film of the last seconds with the last event, because the referee is called."""
        if self._table is not None:
            self._due.setdefault(len(self._table.events) - 1, self._now() + FILM_DELAY_S)

    def beat(self) -> None:
        """Request the films and pictures that are due."""
        now = self._now()
        for number in [number for number, at in self._due.items() if at <= now]:
            del self._due[number]
            if self._table is not None and self._still_wanted(self._table, number):
                self._request(self._table, number)
        for number in [number for number, at in self._mats_due.items() if at <= now]:
            del self._mats_due[number]
            if self._table is not None:
                self._request(self._table, number, latest=True)

    def _request(self, table: Table, number: int, *, latest: bool = False) -> None:
        name = f"{self._tournament} {table.round.round} {number}{' mat' if latest else ''}"
        self._asked[name] = table, number, self._tournament
        self._ask(AskRecording(name=name, latest=latest))

    def heard(self, message: Recording | FilmKept) -> None:
        """Take a film or picture that was asked for, or hear that a film is on the disk."""
        if isinstance(message, FilmKept):
            message.table.keep_film(message.event, message.path)
            return
        asked = self._asked.pop(message.name, None)
        if asked is None or not message.pictures:
            return
        if message.name.endswith(" mat"):
            at, jpeg = message.pictures[-1]
            if message.at - at <= MAT_OLDEST_S:
                self._keep_picture(*asked, jpeg, mat=True)
        else:
            threading.Thread(target=self._keep_film, args=(*asked, message), name="recording", daemon=True).start()

    def _keep_film(self, table: Table, number: int, tournament: str, recording: Recording) -> None:
        """Write a film, in a thread of its own: a disk may be slow, and there are few."""
        round = table.round
        try:
            path = self.recordings.keep(tournament, round.table, round.round, number, recording.pictures)
        except RecordingError as error:
            log.warning("%s", error)
            return
        self._deliver(FilmKept(table, number, path))

    def _keep_picture(self, table: Table, number: int, tournament: str, jpeg: bytes, *, mat: bool = False) -> None:
        at = table.events[number].at
        if at is not None:
            key = PictureKey(number, int(at), mat)
            self._write(partial(self._write_picture, tournament, table.round.table, table.round.round, key, jpeg))

    def _write_picture(self, tournament: str, table: int, round: int, key: PictureKey, jpeg: bytes) -> None:
        try:
            self.recordings.keep_picture(tournament, table, round, key, jpeg)
        except RecordingError as error:
            if not self._refused:  # a full disk would say it forty times a game
                log.warning("%s; no other picture is told of until one is kept", error)
            self._refused = str(error)
        else:
            self._refused = ""

    def _noted(self, table: Table, number: int, event: Event) -> None:
        if table is not self._table:
            return
        self._picture(table, number, event)
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

    def _picture(self, table: Table, number: int, event: Event) -> None:
        """Keep the picture that came with a card, and have the mat's picture kept where a trick is full."""
        if isinstance(event, GameDealt):
            self._write(self.recordings.tidy)
        if isinstance(event, CardPlayed | CardCorrected) and (jpeg := table.picture(number)) is not None:
            self._keep_picture(table, number, self._tournament, jpeg)
        game = table.round.game
        trick = game.tricks[-1] if game is not None and game.tricks and not game.open_trick else None
        if isinstance(event, CardPlayed) and trick is not None and trick.cards[-1].event == number:
            self._mats_due[number] = self._now() + MAT_DELAY_S

    @staticmethod
    def _still_wanted(table: Table, number: int) -> bool:
        return not _doubtful(table.events[number]) or any(doubt.event == number for doubt in table.round.doubts)


def _doubtful(event: Event) -> bool:
    return isinstance(event, CardSeen) and bool(event.doubt)
