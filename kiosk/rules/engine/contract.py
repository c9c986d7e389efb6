"""Define contracts: a tuple of trumps and an order of the plain ranks.

The classes of cards that have to be followed are the plain suits (``"C"`` …) and :data:`TRUMP` for all trumps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kiosk.rules.engine.cards import Card

#: The class of all trumps; a plain card's class is its suit letter.
TRUMP = "trump"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One type of game: leader, trumps and order of the cards.

    Made by :func:`contract`, which fills the three tables.
    """

    game: str  # the protocol's word: normal hochzeit trumpfsolo …
    suit: str | None  # the suit it is named with (farbsolo), else None
    solo: bool  # one plays alone, named before the first card
    re_card: Card | None  # who was dealt it plays for Re; None where a rule names the sides
    trumps: tuple[Card, ...]  # strongest first, each once
    plain_ranks: str  # strongest first; trumps among them are left out suit by suit
    raised: tuple[Card, ...]  # trumps that a word has put above all others, the highest last (``schweinchen``)
    classes: Mapping[Card, str] = field(compare=False, repr=False)  # card → what it follows
    members: Mapping[str, frozenset[Card]] = field(compare=False, repr=False)  # what follows → its cards
    power: Mapping[Card, int] = field(compare=False, repr=False)  # higher beats lower within a class; trumps above all

    @property
    def each_alone(self) -> bool:
        """Whether everybody plays for himself, and there are no sides."""
        return self.game == "ramsch"


def contract(
    game: str,
    *,
    suit: str | None,
    solo: bool,
    re_card: Card | None,
    trumps: Sequence[Card],
    plain_ranks: str,
    deck: Sequence[Card],
    raised: tuple[Card, ...] = (),
) -> Contract:
    """Make the contract with its tables for the cards of ``deck``."""
    order = tuple(card for card in trumps if card in deck)
    classes = {card: TRUMP if card in order else card[0] for card in deck}
    power = {  # trumps from 1 up, plain cards from 0 down
        card: len(order) - order.index(card) if card in order else -plain_ranks.index(card[1]) for card in classes
    }
    power.update({card: len(order) + place for place, card in enumerate(raised, start=1)})
    return Contract(
        game=game,
        suit=suit,
        solo=solo,
        re_card=re_card,
        trumps=order,
        plain_ranks=plain_ranks,
        raised=raised,
        classes=classes,
        members={name: frozenset(card for card in classes if classes[card] == name) for name in classes.values()},
        power=power,
    )


def raising(like: Contract, card: Card) -> Contract:
    """Make the contract in which one of its trumps is above all others; what follows what stays as it is."""
    return replace(like, raised=(*like.raised, card), power={**like.power, card: max(like.power.values()) + 1})


def suit_of(contract: Contract, card: Card) -> str:
    """Return the suit a card follows: a plain suit letter or :data:`TRUMP`."""
    return contract.classes[card]


def follows(contract: Contract, led: Card, card: Card) -> bool:
    """Report whether ``card`` follows the card led (eppstein 4.2.2); not whether it had to."""
    return contract.classes[led] == contract.classes[card]
