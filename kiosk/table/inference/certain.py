"""Find the breaches that are certain though some cards are still in doubt."""

from kiosk.rules.engine.values import Offence
from kiosk.table.round.fold import Round

#: A doubtful card with more choices than these is not tried with each of them: what follows it proves nothing.
_MOST_TRIED = 6

#: Breaches that hang on what the cards are; the others are certain by themselves.
_PROVED_BY_CARDS = ("revoke", "out_of_turn", "wrong_side", "not_entitled", "impossible_card", "card_not_held")


def certain(round: Round) -> tuple[Offence, ...]:
    """List the breaches of the game in play that hold however the open doubts are settled.

    A card read in doubt must prove nothing against anybody: each doubtful card is tried with each of its choices.
    """
    game = round.game
    if game is None:
        return ()
    found = game.offences
    for _, laid in game.doubts:
        # What was certain before the doubtful card came stays certain.
        tested = {one for one in found if one.proved >= laid.event}
        if tested and len(laid.doubt) > _MOST_TRIED:
            found = tuple(one for one in found if one not in tested or one.code not in _PROVED_BY_CARDS)
            continue
        for choice in laid.doubt:
            if choice == laid.card or not tested:
                continue
            tried = round.supposing(laid.event, choice)
            others = {_same(one) for one in tried.game.offences} if tried and tried.game else set()
            tested = {one for one in tested if _same(one) in others}
        found = tuple(one for one in found if one.proved < laid.event or one in tested)
    return found


def _same(offence: Offence) -> tuple[str, int, int]:
    return offence.code, offence.seat, offence.event
