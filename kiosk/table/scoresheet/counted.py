"""Hold the list that counts: what the table wrote, with what the direction has put right of it afterwards.

Everything made of a list (page, paper, standing, cash, spreadsheet) is made of this value. The table's events stay as
they were; ``kiosk.table.scoresheet.berichtigung`` folds the direction's notes over ``as_written``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kiosk.rules.engine.listing import ListRow, RowId
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet.rows import rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """A Berichtigung of the direction: a footnote of the list."""

    number: int  # of its note, by which it can be undone
    what: str  # points, strike, row, seats, name, penalty, disqualified, reopen
    game: int | None
    seat: int | None
    before: Any  # plain JSON values, as noted
    after: Any
    reason: str
    section: str  # with the book's name; "": the book says nothing of it
    actor: str  # name of the account
    at: int  # ms since the epoch
    late: bool  # noted after the time for objections
    found: Any  # None, or what the list said instead of ``before``: the table has put it right itself since


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Points beside the games: a deduction, or the result of a list of which the rows are not known."""

    what: str  # "penalty" or "result"
    score: Mapping[int, int]  # by seat, for all at the table


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedList:
    """A list as it counts."""

    written: Round  # the table's own; on paper an empty one
    players: tuple[str, ...]  # seat 1 first
    rows: tuple[ListRow, ...]
    apart: tuple[Apart, ...] = ()
    substitutes: frozenset[int]  # seats
    disqualified: frozenset[str] = frozenset()  # names
    signed: frozenset[int]  # seats
    closed: bool
    mends: tuple[Mend, ...] = ()
    lapsed: tuple[Mend, ...] = ()  # Berichtigungen that do not fit any more: the table has changed that game itself
    typed: frozenset[int] = frozenset()  # games typed in from paper
    by_totals: frozenset[RowId] = frozenset()  # those of them of which the running totals were typed
    photos: tuple[int, ...] = ()  # numbers of the photographs of it
    paper: bool = False  # kept on paper, wholly or from some game on

    @property
    def totals(self) -> dict[int, int]:
        """Points by seat, with those beside the games."""
        totals = dict.fromkeys(self.written.seats, 0)
        for score in (*(row.score for row in self.rows), *(one.score for one in self.apart)):
            for seat in totals:
                totals[seat] += score[seat]
        return totals

    @property
    def sign_anew(self) -> bool:
        """Whether the list was changed after somebody had signed it, and not all have signed it since."""
        return bool(self.written.signed_from) and not set(self.written.seats) <= self.signed

    @property
    def added(self) -> tuple[ListRow, ...]:
        """The rows that the table itself has not written."""
        return tuple(row for row in self.rows if row.own is None)

    @property
    def numbers(self) -> dict[int, int]:
        """Numbers of the games on this list by those that they have at their table."""
        return {row.own: row.game for row in self.rows if row.own is not None}

    def marks(self, game: int) -> list[int]:
        """List the footnotes of a game, counted from 1."""
        return [mark for mark, mend in enumerate(self.mends, start=1) if mend.game == game]


def as_written(round_: Round) -> CountedList:
    """Return the list as the table wrote it."""
    return CountedList(
        written=round_,
        players=round_.players,
        rows=rows(round_),
        substitutes=frozenset(round_.substitutes),
        signed=frozenset(round_.signed),
        closed=round_.closed,
    )
