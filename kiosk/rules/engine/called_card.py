"""Restrict the called card of Rufspiel and Muss-Spiel to what its holder may lay (schaffkopf II 4.1.6, 4.1.7).

He must play it when another leads its suit and when it is his last card; he may lead it, but not discard it; he may
lead another card of the suit only if he holds enough of it (davonlaufen). Each of these is a question about one hand.
"""

from functools import cache

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.rules.engine.proof import Suspicion
from kiosk.rules.engine.tricks import Laid

PLAIN_RANKS = "ATK987"

#: The option that holds how many cards of the suit allow davonlaufen, by the rank called.
_ENOUGH = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}


def enough_to_run(game: Game, called: Card) -> int:
    """Return how many cards of its suit the called card's holder needs, itself included, to lead another (II 4.1.6)."""
    enough = game.options[_ENOUGH[called[1]]]
    assert isinstance(enough, int)
    return enough


@cache
def suit_cards(suit: str) -> frozenset[Card]:
    """List the plain cards of a suit, those of the Ruffarbe."""
    return frozenset(suit + rank for rank in PLAIN_RANKS)


def beyond_suit(game: Game, laid: Laid) -> tuple[Suspicion, ...]:
    """List what the card, about to be laid in ``game``, breaks if its seat holds the called card."""
    called = game.contract.re_card
    if called is None or any(seat != laid.seat for _, seat in game.queens):
        return ()
    seat, card, suit = laid.seat, laid.card, suit_cards(called[0])
    led = game.open_trick[0].card if game.open_trick else None
    if led is None or led in suit:
        wrong = card in suit and card != called
    else:
        wrong = card == called and game.book.hand_size - len(game.tricks) > 1
    if not wrong:
        return ()
    tricks = [(trick.leader == seat, trick.card_of(seat)) for trick in game.tricks]
    before = [other for _, other in tricks]
    if called in before:
        return ()
    enough = game.options[_ENOUGH[called[1]]]
    assert isinstance(enough, int)
    number = sum(other in suit for other in before)

    def suspicion(needed: int | None, laid_before: int) -> tuple[Suspicion, ...]:
        return (Suspicion(event=laid.event, seat=seat, card=called, suit=suit, enough=needed, laid_before=laid_before),)

    first_run = next((n for n, (leads, other) in enumerate(tricks) if leads and other in suit), None)
    if first_run is not None and (game.options["after_davonlaufen"] == "free" or card == called):
        if game.options["unlawful_davonlaufen_frees"]:
            return ()
        return suspicion(enough, sum(other in suit for other in before[:first_run]))  # it must have been lawful
    return suspicion(enough if led is None else None, number)
