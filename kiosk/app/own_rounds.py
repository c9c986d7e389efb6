"""Keep the rounds of a table: the next one and the next evening where nobody directs it, and those before."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from typing import Protocol

from kiosk.app.config import TableConfig
from kiosk.app.desk import Desk
from kiosk.errors import KioskError, Refused
from kiosk.rules.books import BOOKS
from kiosk.table.evenings import KeptRound, RoundKey, check_free, evening_word, kept_rounds, next_number, parts
from kiosk.table.events.codec import decode, decode_opening, encode
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import Consent, Request, RoundOpened, RoundReleased
from kiosk.table.mending import kept_notes
from kiosk.table.round.fold import Round, fold
from kiosk.table.scoresheet.berichtigung import ListNote, counted
from kiosk.table.table import Table
from kiosk.table.view.show import view
from kiosk.ui.earlier.earlier_requests import ListRounds, NextRound, ResumeRound, ShowRound
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.requests import ScreenRequest
from kiosk.ui.seats.seats_view import SeatsView

log = logging.getLogger(__name__)

#: Options that say how long a round is played, by the number of players.
_MINUTES = ("minutes", "minutes_5")


class RoundsScreen(Protocol):
    """What the rounds of a table need of a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def sit_down(self, seating: SeatsView) -> None: ...
    def rounds(self, lines: tuple[RoundLine, ...]) -> None: ...
    def earlier(self, earlier: EarlierView) -> None: ...


class Seated(Protocol):
    """The place where a table is played at, as ``kiosk.app.kiosk.Kiosk`` is it."""

    table: Table | None

    def sit(self, table: Table) -> None: ...
    def leave(self) -> None: ...


class OwnRounds(Desk):
    """Answers the requests about the rounds of a table.

    :param reopen: the table of a round in the file.
    :param screen: where it is shown; None while there is none.
    :param today: the machine's day, which may be wrong.
    """

    def __init__(
        self,
        kiosk: Seated,
        file: LogFile,
        config: TableConfig,
        *,
        reopen: Callable[[RoundKey], Table],
        screen: Callable[[], RoundsScreen | None],
        today: Callable[[], date] = date.today,
    ) -> None:
        self._kiosk, self._file, self._config = kiosk, file, config
        self._reopen, self._screen, self._today = reopen, screen, today
        self._alone = not config.director.url
        self._evening = ""  # that goes on once people have sat down; "": a new one

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about rounds; return False if it is none.

        :raises Refused: it is not possible now.
        """
        match request:
            case NextRound(evening=evening, consent=consent):
                self._next(evening, consent)
            case ListRounds():
                self._list()
            case ShowRound(key=key):
                self._show(key)
            case ResumeRound(key=key, consent=consent):
                self._resume(key, consent)
            case _:
                return False
        return True

    def rounds(self) -> list[KeptRound]:
        """The rounds of this table, those that people sat down at last are last."""
        return [one for one in kept_rounds(self._file) if one.key.table == self._config.table]

    def last(self) -> RoundKey | None:
        """The round that people sat down at last."""
        rounds = self.rounds()
        return rounds[-1].key if rounds else None

    def seating(self, evening: str = "") -> SeatsView:
        """What is known before people sit down: for the next round of an evening, or for a new one."""
        rounds, config = self.rounds(), self._config.round
        self._evening = evening
        last = rounds[-1].opening if rounds and self._alone else None
        rules, options = config.rules, dict(config.options)
        if last is not None and last.rules in BOOKS:
            rules, options = last.rules, dict(last.options)
        players = self._players(evening, rounds) or config.players
        base = SeatsView(
            table=self._config.table,
            round=next_number(rounds, evening, self._config.table, config.number) if self._alone else config.number,
            rules=rules,
            books=tuple((name, book.title) for name, book in BOOKS.items()),
            players=players,
            options=_with_minutes(rules, options, config.minutes),
            mat_seats=self._config.mat.seats,
            kept=True,
        )
        if not self._alone:
            return base
        taken = {one.key.evening for one in rounds}
        return replace(base, alone=True, evening=evening or evening_word(self._today(), "", taken), new=not evening)

    def checked(self, opening: RoundOpened) -> RoundOpened:
        """The opening of a round as it goes into the file: on its own evening, with a number that was not there yet.

        :raises Refused: this round was begun before.
        """
        if not self._alone:
            return opening
        rounds = self.rounds()
        asked = " ".join((opening.tournament or "").split())
        if self._evening and asked in ("", self._evening):
            evening = self._evening
        else:
            day, name = parts(asked)
            evening = evening_word(day or self._today(), name, {one.key.evening for one in rounds})
        check_free(rounds, evening, self._config.table, opening.round)
        return decode_opening({**encode(opening), "tournament": evening})

    def released(self, table: Table) -> Table:
        """The table, released where nobody else could: all have sat down and said so."""
        if self._alone and not table.round.released and not table.round.closed:
            consent = Consent(deliberate=True, seats=frozenset(table.round.seats))
            table.request(Request(event=RoundReleased(), consent=consent))
        return table

    # --- what people ask for

    def _next(self, evening: str, consent: Consent) -> None:
        self._may_leave(consent)
        self._kiosk.leave()
        if screen := self._screen():
            screen.sit_down(self.seating(evening))

    def _may_leave(self, consent: Consent) -> None:
        """Nothing is lost when a table is left, for its round can go on; but nobody shall leave it by mistake.

        What the disk has not taken is in the table's memory alone, and would go with it.
        """
        if not self._alone:
            raise Refused("bad_request", "", "the direction seats the rounds of this table")
        table = self._kiosk.table
        if table is not None and not table.round.closed and not consent.deliberate:
            raise Refused("needs_hold", "", "the list of this round is not handed in")
        if table is not None and table.unsaved:
            raise Refused("not_saved", "", f"{table.unsaved} events of this round are not on the disk yet")

    def _list(self) -> None:
        up = self.up()
        lines = tuple(
            RoundLine(
                key=one.key,
                rules=one.opening.rules,
                players=one.opening.players,
                handed_in=one.handed_in,
                up=one.key == up,
            )
            for one in reversed(self.rounds())
        )
        if screen := self._screen():
            screen.rounds(lines)

    def up(self) -> RoundKey | None:
        """Return the round that is played just now: people sat down at it last."""
        return self.last() if self._kiosk.table is not None else None

    def _show(self, key: RoundKey) -> None:
        round, up = self.folded(key), key == self.up()
        if screen := self._screen():
            screen.earlier(
                EarlierView(
                    key=key,
                    view=view(round, listed=counted(round, self._notes(key))),
                    may_resume=self._alone and not up and not round.closed,
                    may_follow=self._alone and self._kiosk.table is None,
                )
            )

    def folded(self, key: RoundKey) -> Round:
        """Return a round that was begun here, as its list has it.

        :raises Refused: there is none.
        """
        self._known(key)
        events = self._file.log(key.evening, key.table, key.round).read()
        return fold(decode(body) for _, body in events)

    def _notes(self, key: RoundKey) -> tuple[ListNote, ...]:
        """What the direction has put right of that list."""
        return kept_notes(self._file.log(key.evening, key.table, key.round))

    def _known(self, key: RoundKey) -> None:
        if all(one.key != key for one in self.rounds()):
            raise Refused("bad_request", "", f"no round {key.round} of {key.evening!r} was begun at this table")

    def _resume(self, key: RoundKey, consent: Consent) -> None:
        self._known(key)
        if key == self.up():
            return
        self._may_leave(consent)
        table = self._reopen(key)
        self._kiosk.leave()
        self._kiosk.sit(table)

    def _players(self, evening: str, rounds: list[KeptRound]) -> tuple[str, ...]:
        """Who sat at the last round of this evening when it ended; () on a new evening: they have not come yet."""
        last = next((one.key for one in reversed(rounds) if evening and one.key.evening == evening), None)
        if last is None:
            return ()
        try:
            return self.folded(last).players
        except KioskError as error:
            log.warning("the names of %s are not known: %s", last, error)
            return ()


def _with_minutes(rules: str, options: Mapping[str, object], minutes: float | None) -> dict[str, object]:
    """The options with the playing time of the file, as far as the book has such options and nothing else is set."""
    chosen = dict(options)
    for option in BOOKS[rules].options:
        if minutes is not None and option.name in _MINUTES and option.takes(int(minutes)):
            chosen.setdefault(option.name, int(minutes))
    return chosen
