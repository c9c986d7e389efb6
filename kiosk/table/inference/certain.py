"""Find the breaches that are certain though some cards are in doubt, misread, or not seen."""

from kiosk.rules.engine.game import Game
from kiosk.rules.engine.readings import Readings
from kiosk.rules.engine.values import Offence
from kiosk.table.round.fold import Round

#: Joint readings of a game's doubtful cards that its calls are judged by; with more of them what a call broke is open.
MOST_JUDGED = 6

#: Breaches by calls and duties that hang on who has won which trick, and who belongs to whom.
_BY_COURSE = ("unfounded_announcement", "skipped_step", "repeated_announcement", "missed_duty")

#: The same in a Hochzeit, where the windows go by the Klärungsstich.
_BY_KLAERUNG = ("early_announcement", "late_announcement")


def certain(round: Round) -> tuple[Offence, ...]:
    """List the breaches of the game in play that hold however the open doubts are settled.

    What hangs on cards alone the game has found so already. Calls are judged by its course, which is folded anew for
    each joint reading that the deck leaves open.
    """
    game = round.game
    if game is None:
        return ()
    found = game.offences
    if not game.unsure or not any(_by_course(game, one) for one in found):
        return found
    tried = Readings(game).all(MOST_JUDGED)
    left = {_same(one) for one in found} if tried else set()
    for reading in tried or ():
        after = round.supposing(reading)
        left &= {_same(one) for one in after.game.offences} if after and after.game else set()
    return tuple(one for one in found if not _by_course(game, one) or _same(one) in left)


def _by_course(game: Game, offence: Offence) -> bool:
    hochzeit = game.declaration is not None and not game.contract.solo
    return offence.code in _BY_COURSE or (hochzeit and offence.code in _BY_KLAERUNG)


def _same(offence: Offence) -> tuple[str, int, int]:
    return offence.code, offence.seat, offence.event
