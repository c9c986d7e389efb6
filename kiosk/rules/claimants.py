"""Who may claim a breach."""

from kiosk.rules.game import Game
from kiosk.rules.values import Offence


def claimants(game: Game, offence: Offence) -> tuple[int, ...]:
    """The seats that may still claim an offence of this game (eppstein 8.8.1, 8.8.3).

    Not the offender; with the partnership clear only the other side; nobody who has lost the right as the book has it
    (eppstein: who has laid a card or called since the breach became certain).
    """
    sides, clear = game.known_sides, game.clear
    return tuple(
        seat
        for seat in sorted(game.seats)
        if seat != offence.seat
        and not (clear and sides[seat] == sides[offence.seat])
        and not game.book.claim_lost_by(game, seat, offence)
        and offence.code != "impossible_card"  # a misread, not an offence
    )
