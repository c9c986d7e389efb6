"""Compute what each class of ruling would book against each player, for the referee before it is entered."""

from kiosk.errors import BadEvent
from kiosk.rules.engine.book import Breach
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.result import breach_of
from kiosk.rules.engine.values import Impossible
from kiosk.table.events.values import RulingGiven
from kiosk.table.round.fold import Round
from kiosk.table.view.table_view import PresetView


def presets(round: Round) -> tuple[PresetView, ...]:
    """Try every class of the book against every player of the game in play or just ended.

    A ruling that ends the game is tried whole, so that what it books is what will stand on the list; one after which
    play goes on shows its penalty alone.
    """
    game = round.game
    if game is None or game.ended in ("void", "dealt_again"):
        return ()
    found = []
    for kind in round.book.rulings:
        for offender in sorted(game.seats):
            for harms in (False, True):
                if not harms or _may_harm(round, game, kind, offender):
                    found.append(_preset(round, game, kind, offender, harms))
    return tuple(found)


def unpriced(round: Round) -> frozenset[str]:
    """Return the classes of the book whose points the referee enters, as it books none by itself (bsv 7.3)."""
    anybody = Breach(
        offender=1, seats=(1, 2, 3, 4), soloist=None, absagen=0, ansagen=0, harms_soloist=False, options=round.options
    )
    found = set()
    for kind, penalty in round.book.penalties.items():
        try:
            penalty(anybody)
        except Impossible:
            found.add(kind)
    return frozenset(found)


def _may_harm(round: Round, game: Game, kind: str, offender: int) -> bool:
    """Whether it makes a difference that a soloist may be harmed (eppstein 8.4.3)."""
    return kind in round.book.penalties and game.soloist is not None and game.soloist != offender


def _preset(round: Round, game: Game, kind: str, offender: int, harms: bool) -> PresetView:
    try:
        after = round.apply(RulingGiven(kind=kind, offender=offender, harms_soloist=harms))
    except BadEvent:
        return PresetView(kind=kind, offender=offender, harms=harms, scores=None, euros=(), needs_scores=True)
    assert after.game is not None
    ruled = after.game
    paid = tuple(after.fines.get(seat, 0) - round.fines.get(seat, 0) for seat in round.seats)
    points = None
    if ruled.rulings[-1].ends and ruled.result is not None:
        points = ruled.result.score
    elif kind in round.book.penalties:
        try:
            points = round.book.penalties[kind](breach_of(ruled, ruled.rulings[-1]))
        except Impossible:
            points = None
    return PresetView(
        kind=kind,
        offender=offender,
        harms=harms,
        scores=None if points is None else tuple(points.get(seat, 0) for seat in round.seats),
        euros=paid if any(paid) else (),
        needs_scores=False,
    )
