"""Find the cards of a hand laid open by what was read of it and what the game knows of its cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from kiosk.rules.engine.cards import Card
from kiosk.table.inference.position import Lying, Position
from vision.messages import ShownCard

#: How far (mm) what was read of a card, its index, may be from the middle of a card of the trick that it is one of.
TRICK_CARD_MM = 60.0


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card of an open hand as it lies there; None: in doubt, with what it may be, likeliest first."""

    card: Card | None
    choices: tuple[Card, ...] = ()


def cards_of_hand(
    read: Sequence[ShownCard], position: Position, lying: Sequence[Lying], size: int
) -> tuple[SeenCard, ...]:
    """Find the cards of the hand, in the order in which they lie.

    Cards of the trick that lie there too are none of it. A card of which all copies were laid is in doubt, and so is
    the weaker one of a kind that there is too often; a doubt with one choice left is that one, if it was the likeliest.
    Of more cards than the hand has the weakest doubts are none.

    :param lying: cards of the trick that still lie on the mat.
    :param size: how many cards the hand has.
    """
    cards = without_trick(read, lying)
    laid = [one.card for one in position.seen if not one.open]
    left = Counter(position.deck) - Counter(laid)
    named: dict[int, Card] = {}
    for number in sorted(range(len(cards)), key=lambda n: -cards[n].margin):
        label = cards[number].label
        if label is not None and left[label] > 0:
            named[number] = label
            left[label] -= 1
    choices = {
        number: tuple(label for label, _ in card.choices if left[label] > 0)
        for number, card in enumerate(cards)
        if number not in named
    }
    for number, possible in choices.items():
        if len(possible) == 1 and possible[0] == cards[number].choices[0][0] and left[possible[0]] > 0:
            named[number] = possible[0]
            left[possible[0]] -= 1
    doubts = sorted(choices.keys() - named.keys(), key=lambda number: (bool(choices[number]), cards[number].margin))
    none = set(doubts[: max(0, len(cards) - size)])  # print that resembles an index, where the hand is full without it
    return tuple(
        SeenCard(named.get(number), () if number in named else choices[number])
        for number in range(len(cards))
        if number not in none
    )


def without_trick(read: Sequence[ShownCard], lying: Sequence[Lying]) -> list[ShownCard]:
    """Leave out what was read of cards of the trick, one for each."""
    cards = list(read)
    for one in lying:
        if one.sight is None:
            continue
        x, y = one.sight.place
        alike = [card for card in cards if one.card in (card.label, *(label for label, _ in card.choices[:1]))]
        nearest = min(alike, key=lambda card: hypot(card.x - x, card.y - y), default=None)
        if nearest is not None and hypot(nearest.x - x, nearest.y - y) <= TRICK_CARD_MM:
            cards.remove(nearest)
    return cards
