"""The lists of this table, and the line that compares and sends them."""

import logging
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from kiosk.app.config import TableConfig
from kiosk.app.device_tasks import tasks
from kiosk.app.doorstep import other_directors
from kiosk.app.kiosk import Kiosk
from kiosk.app.updating import kind_of_releases
from kiosk.parcel.parcel import KINDS
from kiosk.sync.earlier import KeptLists
from kiosk.sync.line import Line
from kiosk.sync.outbox import EventSource
from kiosk.sync.state import GiveWay, ListHeld
from kiosk.sync.trust import Direction
from kiosk.table.clock import boot_id
from kiosk.table.evenings import note_sitting
from kiosk.table.events.chain import chain_over
from kiosk.table.events.codec import decode_opening, encode
from kiosk.table.events.log import Log, LogError
from kiosk.table.events.log_file import LogFile, Stand
from kiosk.table.events.values import RoundOpened
from kiosk.table.held_events import HeldEvents
from kiosk.table.table import Table
from kiosk.table.taking_over import take_in
from vision.mat.layout import MatLayout

log = logging.getLogger(__name__)

#: Key under which a log keeps the configuration's tournament, where the direction's plan named another one.
_HOME = "home"


def open_line(
    kiosk: Kiosk,
    events: EventSource,
    direction: Direction,
    tournament: str,
    table: int,
    round_number: int,
    kept: KeptLists | None = None,
    *,
    pictures: bool = False,
) -> Line:
    """Open a line to the director for this round; it works once it is started.

    :param kept: all lists of this table.
    :param pictures: pictures of cards are kept here.
    """
    line = Line(
        direction.url,
        direction.token,
        tournament,
        table,
        round_number,
        events,
        kiosk.deliver,
        ask_plan=True,
        authority=direction.authority,
        others=direction.others,
        kept=kept,
        releases=kind_of_releases(),
        tasks=tasks(),
        parcels=KINDS,
        pictures=pictures,
    )
    kiosk.outputs.line = line
    return line


class _ListsOfFile:
    """The lists in a table's file, as its line compares them with the director's."""

    def __init__(self, file: LogFile, table: int) -> None:
        self._file, self._table = file, table

    def stands(self) -> Sequence[Stand]:
        return self._file.stands(self._table)

    def events(self, tournament: str, round: int) -> EventSource:
        return self._file.log(tournament, self._table, round)


@dataclass(slots=True)
class TableLists:
    """What a table of the hall keeps open."""

    config: TableConfig
    file: LogFile
    kiosk: Kiosk
    stack: ExitStack
    line: Line | None = None
    line_to: tuple[str, int] = ("", 0)  # tournament and round that it speaks for
    sent: HeldEvents | None = None  # what it sends

    def log_of(self, round_number: int, tournament: str = "") -> Log:
        """The round's log, connected to the director, who says what he holds beyond its end (``take``)."""
        table, director = self.config.table, self.config.director
        tournament = tournament or director.tournament
        events = self.file.log(tournament, table, round_number)
        if not director.url or self.line_to == (tournament, round_number):
            return events
        if self.line is not None:
            self.line.stop()
        direction = Direction(director.url, director.token, director.authority, other_directors(self.config))
        self.sent = HeldEvents(events)
        kept = _ListsOfFile(self.file, table)
        pictures = self.config.recordings.keep
        self.line = open_line(
            self.kiosk, self.sent, direction, tournament, table, round_number, kept, pictures=pictures
        )
        self.line_to = tournament, round_number
        self.line.start()
        self.stack.callback(self.line.stop)
        return events

    def fetching(self) -> bool:
        """Whether the director may hold a list of this table that nobody has begun here, and has not said so yet."""
        return self.line is not None and not self.line.asked and self.kiosk.table is None

    def take(self, held: ListHeld) -> Table | None:
        """Take in what the director holds of a list beyond the end of this table's own; it is played on here.

        :returns: the table, where it is the round that is played, or will be.
        :raises KioskError: it does not follow, or the log cannot be written; the line asks again after a while.
        """
        ours = (held.tournament, held.round) == self.line_to
        playing = self.kiosk.table if ours else None
        events = self.file.log(held.tournament, self.config.table, held.round)
        here = len(events.read())
        if here != held.after + 1 or (playing is not None and len(playing.events) != here):
            return None  # it has grown meanwhile, or its disk is behind: the line asks anew
        take_in(events, held.events, held.clock, time.monotonic(), boot_id())
        log.warning("%d events of round %d were taken over from the director", len(held.events), held.round)
        if not ours:
            return None
        table = self.open(None, held.round, held.tournament)
        if self.line is not None:
            self.line.ask()
        return table

    def give_way(self, decided: GiveWay) -> bool:
        """Put this table's own list by, for the one that the director holds; whether it was the one played.

        :raises LogError: the log cannot be written; all is as before.
        """
        number, ours = self.config.table, (decided.tournament, decided.round) == self.line_to
        playing = self.kiosk.table if ours else None
        events = HeldEvents(self.file.log(decided.tournament, number, decided.round))
        if playing is not None:
            events.follow(playing)
        if chain_over(body for at, body in events.read() if at <= decided.last) != decided.chain:
            log.warning("round %d: it is not this list that was decided about", decided.round)
            return False
        name = self.file.put_by(decided.tournament, number, decided.round)
        self.file.log(name, number, decided.round).keep(_HOME, "")  # it is not the one that goes on here
        log.warning("round %d was put by as %r", decided.round, name)
        if not ours:
            return False
        self.line_to = ("", 0)
        self.log_of(decided.round, decided.tournament)  # another line, for a list that is empty again
        return True

    def resume(self, tournament: str, round_number: int) -> Table | None:
        """The table of a round that was begun here, or by a device that broke; None where nobody sat down yet."""
        begun = self.log_of(round_number, tournament).read()
        return self.open(None, round_number, tournament) if begun else None

    def last_begun(self) -> tuple[str, int]:
        """Tournament and round that were begun here last, or the configuration's round if that is later."""
        home, first = self.config.director.tournament, self.config.round.number
        last = (home, first)
        for tournament, table, number in self.file.logs():
            events = self.file.log(tournament, table, number)
            ours = number >= first if tournament == home else events.kept(_HOME) == home
            if table == self.config.table and ours and events.read():
                last = (tournament, number)
        return last

    def open(self, opening: RoundOpened | None, round_number: int, tournament: str = "") -> Table:
        """The table of a round: from its log if there is one."""
        config = self.config
        events = self.log_of(round_number, tournament)
        self._note(events, tournament)
        if opening is not None and (minutes := self._minutes(opening)) is not None:
            opening = decode_opening({**encode(opening), "minutes": minutes})
        layout = MatLayout(config.mat.paper, config.mat.seats)
        table = Table(
            events,
            now=time.monotonic(),
            opening=opening,
            centres=layout.seat_places,
            boot=boot_id(),
            directed=bool(config.director.url),
        )
        if self.line is not None and self.sent is not None:
            self.sent.follow(table)
            self.line.wake()
        return table

    def _note(self, events: Log, tournament: str) -> None:
        """Note beside the round that people sit down at it now; a full disk does not keep them from playing."""
        home = self.config.director
        try:
            note_sitting(self.file, events)
            if home.url and tournament not in ("", home.tournament):
                events.keep(_HOME, home.tournament)
        except LogError as error:
            log.error("which round was begun last is not kept: %s", error)

    def _minutes(self, opening: RoundOpened) -> float | None:
        """The file's playing time, where neither the direction nor the people at the table have set another."""
        director = self.config.director.url and opening.tournament is not None
        return None if director or {"minutes", "minutes_5"} & set(opening.options) else self.config.round.minutes
