"""Compute what a hall shows of a table: a few values of its view, at a tenth of the view's price."""

from dataclasses import dataclass

from kiosk.rules.engine.rights import is_ruled
from kiosk.rules.engine.values import MISREAD, Offence
from kiosk.table.inference.certain import certain
from kiosk.table.round.fold import Round
from kiosk.table.view import offers
from kiosk.table.view.questions import questions
from kiosk.table.view.show import HELP, kind_shown, objection_shown, phase, waits
from kiosk.table.view.table_view import LeaveView


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """A table at a glance; each field is the one of that name of ``TableView``, or made of it, for the direction."""

    phase: str
    game: int
    games_left: int | None
    kind: str | None
    declarer: int | None
    dealer: int | None
    totals: tuple[int, ...]
    duty_open: tuple[int, ...]  # seats
    must_play: int | None
    trick: int
    doubts: int  # how many
    open_rows: tuple[int, ...]  # games whose row is not certain yet
    offences: tuple[Offence, ...]  # not ruled yet
    objection: dict[str, object] | None
    paused: str
    leave: LeaveView | None


def glance(round: Round) -> Glance:
    """Compute a table at a glance; equal to what ``view(round, whole=True)`` says."""
    game = round.game
    running = game if game is not None and not game.ended else None
    asked, totals, duties = questions(round), round.totals, round.duties_left
    unsure = {doubt.game for doubt in asked} | {doubt.game for doubt in round.doubts}
    declared = running.declaration if running and not waits(running) else None
    return Glance(
        phase=phase(round),
        game=running.number if running else len(round.games) + 1,
        games_left=round.games_left,
        kind=kind_shown(running, HELP) if running else None,
        declarer=declared.seat if declared else None,
        dealer=running.dealer if running else None,
        totals=tuple(totals[seat] for seat in round.seats),
        duty_open=tuple(seat for seat in round.seats if duties.get(seat)),
        must_play=round.must_play,
        trick=min(len(game.tricks) + 1, round.book.hand_size) if game else 0,
        doubts=len(asked),
        open_rows=tuple(one.number for one in round.games if one.number in unsure),
        offences=tuple(one for one in certain(round) if one.code != MISREAD and not is_ruled(game, one))
        if game
        else (),
        objection=objection_shown(game),
        paused=round.clock_in_break,
        leave=offers.leave(running) if running else None,
    )
