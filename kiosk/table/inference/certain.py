"""Find the breaches that are certain though some cards are in doubt, misread, or not seen."""

from math import inf

from kiosk.rules.engine.breaches import readings_of, trick_of
from kiosk.rules.engine.evolve import remembered
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.recast import recast
from kiosk.rules.engine.values import Offence
from kiosk.table.round.course import course
from kiosk.table.round.fold import Round

#: Joint readings of a game's doubtful cards that its calls are judged by; with more of them what a call broke is open.
MOST_JUDGED = 6

#: Breaches by calls and duties that hang on who has won which trick, and who belongs to whom.
_BY_COURSE = ("unfounded_announcement", "skipped_step", "repeated_announcement", "missed_duty")

#: The same in a Hochzeit, where the windows go by the Klärungsstich.
_BY_KLAERUNG = ("early_announcement", "late_announcement")


def certain(round: Round) -> tuple[Offence, ...]:
    """List the breaches of the game in play that hold however the open doubts are settled.

    What hangs on cards alone the game has found so already. Calls are judged by its course, anew for each joint reading
    that the deck leaves open.
    """
    game = round.game
    if game is None:
        return ()
    return remembered(round, "kept_certain", (game,), lambda: _certain(round, game))


def _certain(round: Round, game: Game) -> tuple[Offence, ...]:
    found = game.offences
    left = open_ = {_same(one) for one in found if _by_course(game, one)} if game.unsure else set()
    if not open_:
        return found
    due = game.lapsed.event if game.lapsed and any(code == "missed_duty" for code, _, _ in open_) else None
    # Without a call a duty was missed or not by the cards up to where its time ran out, whatever lies since.
    tricks = inf if due is None or game.said else trick_of(game, due) + 1
    open_cards = readings_of(game)
    readings = open_cards.all(MOST_JUDGED, tricks) or []
    if not readings:
        left = set()
    otherwise = [reading for reading in readings if not open_cards.as_it_counts(reading)]  # as it counts it is found
    went = course(round, game) if otherwise else ()
    for reading in otherwise:
        left = left & {_same(one) for one in recast(game, went, reading, due).offences}
        if not left:
            break
    return tuple(one for one in found if _same(one) not in open_ or _same(one) in left)


def _by_course(game: Game, offence: Offence) -> bool:
    hochzeit = game.declaration is not None and not game.contract.solo
    return offence.code in _BY_COURSE or (hochzeit and offence.code in _BY_KLAERUNG)


def _same(offence: Offence) -> tuple[str, int, int]:
    return offence.code, offence.seat, offence.event
