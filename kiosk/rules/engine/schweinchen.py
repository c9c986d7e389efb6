"""Raise both copies of a card that one hand holds above all trumps by a word: Schweinchen, Hyperschweinchen.

No book of the six has them; what follows is as clubs have it (docs/books.md). What follows what stays as it is, so only
who takes a trick, whose Fuchs is caught, and whether the speaker holds both cards depend on the word.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kiosk.rules.engine.announcements import HYPERSCHWEINCHEN, SCHWEINCHEN
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import TRUMP, Contract
from kiosk.rules.engine.proof import Knowledge
from kiosk.rules.engine.tricks import Laid
from kiosk.rules.engine.values import Impossible, Raised
from kiosk.rules.options.option import Options

if TYPE_CHECKING:
    from kiosk.rules.engine.game import Game

#: The option that a book with Schweinchen has, until when they may be said: its section is cited.
UNTIL = "schweinchen_until"

#: The cards of a Fuchs, by which Schweinchen are made.
FUCHS: Card = "DA"


def raising_calls(options: Options) -> tuple[str, ...]:
    """List the words that raise cards, the lowest first."""
    if UNTIL not in options:
        return ()
    return (SCHWEINCHEN,) if options["hyperschweinchen"] == "none" else (SCHWEINCHEN, HYPERSCHWEINCHEN)


def card_of(call: str, options: Options) -> Card:
    """Return the card that a word raises."""
    return FUCHS if call == SCHWEINCHEN else "D" + str(options["hyperschweinchen"])


def has_it(contract: Contract, call: str, options: Options) -> bool:
    """Report whether a word can raise its card in games of that contract: it is a trump there."""
    if contract.classes.get(card_of(call, options)) != TRUMP:
        return False
    return not contract.solo or bool(options["schweinchen_in_solo"])


def raised_by(game: "Game", event: int, seat: int, call: str) -> Raised | None:
    """Return what a word raises; None: it comes too late and raises nothing.

    It is in time before the first card, or, by the option, until the card after the first of the two.

    :raises Impossible: nobody can say it in this game, or not now.
    """
    if not game.found:
        raise Impossible(f"{call} is said once the game is found")
    if not has_it(game.contract, call, game.options):
        raise Impossible(f"there is no {call} in this game")
    if any(one.call == call for one in game.raised):
        raise Impossible(f"{call} has been said")
    if call == HYPERSCHWEINCHEN and not game.raised:
        raise Impossible(f"{call} answers {SCHWEINCHEN}, which nobody has said")
    trick = _since(game, seat, card_of(call, game.options))
    if trick is None:
        return None
    card = card_of(call, game.options)
    return Raised(event=event, seat=seat, call=call, card=card, trick=trick, before=game.contract)


def _since(game: "Game", seat: int, card: Card) -> int | None:
    """The trick from which on the card is raised if it is said now; None: it is too late."""
    tricks = [*(trick.cards for trick in game.tricks), game.open_trick]
    lying = [(number, laid) for number, cards in enumerate(tricks) for laid in cards]
    if game.options[UNTIL] == "first_card":
        return None if lying else 0
    own = [laid for _, laid in lying if laid.seat == seat and laid.card == card and not laid.doubt]
    if not own:
        return len(game.tricks)
    number, last = lying[-1]
    return number if own == [last] else None


def may_say(game: "Game", seat: int) -> tuple[str, ...]:
    """List the words with which the seat may raise cards now, by what all can know: none of both lies elsewhere."""
    if game.ended or game.objection or not game.found:
        return ()
    found = []
    for call in raising_calls(game.options):
        said = any(one.call == call for one in game.raised)
        if said or not has_it(game.contract, call, game.options) or (call == HYPERSCHWEINCHEN and not game.raised):
            continue
        card = card_of(call, game.options)
        elsewhere = any(laid.card == card and laid.seat != seat and not laid.doubt for laid in _lying(game))
        if not elsewhere and _since(game, seat, card) is not None:
            found.append(call)
    return tuple(found)


def _lying(game: "Game") -> Sequence[Laid]:
    return [laid for trick in game.tricks for laid in trick.cards] + list(game.open_trick)


def may_come(game: "Game", seat: int, hand: Sequence[Card]) -> bool:
    """Report whether another than ``seat``, who shows ``hand``, may raise cards yet by what he can hold."""
    if game.options.get(UNTIL) != "first_of_both":
        return False
    lying = _lying(game)
    said = {one.call for one in game.raised}
    for call in raising_calls(game.options):
        card = card_of(call, game.options)
        if call in said or not has_it(game.contract, call, game.options) or card in hand:
            continue
        first = [laid.seat for laid in lying if laid.card == card and not laid.doubt]
        if not first or (len(first) == 1 and lying[-1].seat == first[0] != seat and lying[-1].card == card):
            return True
    return False


def may_hold_both(knowledge: Knowledge, raised: Raised) -> bool:
    """Report whether some distribution of the unseen cards gives the speaker both copies of his card."""
    return knowledge.room(raised.seat, raised.card.__eq__)[1] >= 2
