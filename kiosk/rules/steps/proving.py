"""Add to a game what has become certain with an event: each step ends with it.

Where every card is certain what was counted along decides (``proof``); else all worlds left open do (``breaches``).
"""

from collections.abc import Iterator, Sequence

from kiosk.rules.engine import breaches
from kiosk.rules.engine.announcements import Said
from kiosk.rules.engine.breaches import named_sides
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import revokes
from kiosk.rules.engine.schweinchen import UNTIL, may_hold_both
from kiosk.rules.engine.values import Offence
from kiosk.rules.steps.step import fault, kind_of


def prove(game: Game, event: int) -> Game:
    """Return the game with all that has become certain with ``event``, and without what is certain no more."""
    if game.unsure:
        return _proved_anew(game, event)
    named = [said for said in named_sides(game) if said.event not in game.wrong_side]
    if not (game.moves or game.suspicions or game.covered or game.doubtful or game.raised or named):
        return game
    new = [
        *_broken_moves(game, event),
        *_broken_covering(game, event),
        *_broken_declarations(game, event),
        *_wrongly_raised(game, event),
        *_wrong_sides(game, event, named),
    ]
    if not new:
        return game
    revoked = {fault.event for fault in new if fault.code == "revoke"}
    return evolve(
        game,
        moves=tuple(move for move in game.moves if move.event not in revoked),
        suspicions=tuple(one for one in game.suspicions if one.event not in revoked),
        wrong_side=game.wrong_side + tuple(fault.event for fault in new if fault.code == "wrong_side"),
        faults=(*game.faults, *new),
    )


def _proved_anew(game: Game, event: int) -> Game:
    """The game where cards are in doubt: what holds in all worlds, and what was shown and holds no more withdrawn."""
    shown = {breaches.Breach(fault.code, fault.event, fault.seat): fault for fault in game.faults}
    certain = dict(breaches.proved(game, shown))
    gone = [fault for one, fault in shown.items() if one not in certain and breaches.rests_on_cards(game, one)]
    new = [
        fault(game, one.code, one.seat, one.event, section, event)
        for one, section in certain.items()
        if one not in shown
    ]
    if not (new or gone):
        return game
    faults = (*(fault for fault in game.faults if fault not in gone), *new)
    again = {(fault.code, fault.event) for fault in new}
    return evolve(
        game,
        faults=faults,
        withdrawn=(*(one for one in game.withdrawn if (one.code, one.event) not in again), *gone),
        moves=breaches.all_moves(game),
    )


def _already(game: Game, code: str) -> set[int]:
    """The events of what is a breach of that code already."""
    return {fault.event for fault in game.faults if fault.code == code}


def _broken_moves(game: Game, event: int) -> Iterator[Offence]:
    """Cards that did not follow, or broke the rules of a called card, now certainly."""
    moves, suspicions = game.moves, game.suspicions
    if not (moves or suspicions):
        return
    broken = {move.event: move.seat for move in revokes(game.known, game.contract, moves)} if moves else {}
    broken.update({one.event: one.seat for one in suspicions if one.certain(game.known)})
    for number, seat in broken.items():
        yield fault(game, "revoke", seat, number, game.book.revoke_section, event)


def _broken_covering(game: Game, event: int) -> Iterator[Offence]:
    """Cards laid face down by who held one that forbids it."""
    if not game.covered:
        return
    already = _already(game, "not_entitled")
    for move in game.covered:
        if move.event in already:
            continue
        fewest, _ = game.known.room(move.seat, lambda card: game.book.covering_needs_none(game, card))
        if fewest > move.laid_before:
            yield fault(game, "not_entitled", move.seat, move.event, game.book.covering_section, event)


def _broken_declarations(game: Game, event: int) -> Iterator[Offence]:
    """Declarations to which no placing of the unseen cards entitles."""
    if not game.doubtful:
        return
    already = _already(game, "not_entitled")
    for declaration in game.doubtful:
        kind = kind_of(game.book, declaration.game)
        if declaration.event not in already and not kind.allowed(game, game.known, declaration):
            yield fault(game, "not_entitled", declaration.seat, declaration.event, kind.section, event)


def _wrongly_raised(game: Game, event: int) -> Iterator[Offence]:
    """Cards raised by who certainly does not hold both."""
    already = _already(game, "not_entitled") if game.raised else ()
    for one in game.raised:
        if one.event not in already and not may_hold_both(game.known, one):
            yield fault(game, "not_entitled", one.seat, one.event, game.book.option(UNTIL).section, event)


def _wrong_sides(game: Game, event: int, named: Sequence[Said]) -> Iterator[Offence]:
    """Calls that name a side on which their seat is not."""
    if not named:
        return
    sides = game.certain_sides
    for said in named:
        side = said.side or said.call
        if sides.get(said.seat, side) != side:
            section = game.book.calls.sections["wrong_side"]
            yield fault(game, "wrong_side", said.seat, said.event, section, event)
