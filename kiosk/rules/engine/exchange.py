"""Let cards change hands before the first is laid: a Hochzeit of Schafkopf, an Armut of Doppelkopf.

Who declares such a game gives his trumps face down to the partner that takes them, and gets as many cards back. Nobody
else sees which. What is known of hands (``proof``) is of those that are held from then on, so that what was scanned of
the two hands before tells nothing any more, and every card laid tells what it always does.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kiosk.rules.engine.book import Klaerung
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP
from kiosk.rules.engine.evolve import evolve
from kiosk.rules.engine.proof import Knowledge, know
from kiosk.rules.options.option import Options

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game
    from kiosk.rules.engine.values import Declaration

#: The trick, from 0, after which the sides of such a game are clear: before the first.
BEFORE_THE_FIRST = -1


def exchanged(game: "Game", event: int) -> "Game":
    """Return the game after the cards have changed hands: the two are Re, and their scans are used no more."""
    declaration = game.declaration
    assert declaration is not None and declaration.partner is not None
    both = (declaration.seat, declaration.partner)
    hands = {seat: hand for seat, hand in game.hands.items() if seat not in both}
    refuted = {fault.event for fault in game.faults if fault.code == "not_entitled"}
    return evolve(
        game,
        hands=hands,
        known=know(game.book.deck, game.book.hand_size, game.shown, hands),
        doubtful=tuple(one for one in game.doubtful if one.event not in refuted),
        klaerung=Klaerung(trick=BEFORE_THE_FIRST, partner=declaration.partner),
        klaerung_event=event,
    )


def with_trumps(least: int, most: Callable[[Options], int]) -> Callable[["Game", Knowledge, "Declaration"], bool]:
    """Make the entitlement of a hand with so many trumps, all of which it gives away.

    Once it has, each trump that it holds may be one of those that came back, and the partner has those that did not.
    Where it was said how many came back, it holds exactly these: of more it kept some, or they were counted wrongly, as
    were more than it gave.
    """

    def allowed(game: "Game", knowledge: Knowledge, declaration: "Declaration") -> bool:
        classes, seat, told = game.book.normal.classes, declaration.seat, declaration.trumps

        def trump(card: Card) -> bool:
            return classes[card] == TRUMP

        partner = None if game.klaerung is None else declaration.partner  # None: nothing has gone yet
        if partner is not None and told is not None:
            return knowledge.may_hold(seat, told, trump)
        fewest, largest = knowledge.room(seat, trump)
        if partner is not None:
            largest += knowledge.room(partner, trump)[1]
        back = told or 0
        return max(fewest, back) <= most(game.options) and largest >= max(least, back)

    return allowed
