"""Doubtful cards, and how the deck's composition settles them.

A card read in doubt is logged with its likeliest label and the choices; play goes on. What settles it, in this order:
a person's word; a clear reading later; the composition of the deck, because a game that was played out shows every
card of the deck, two of each. Clear sight is never overruled: where it contradicts the deck, a person is asked. An
illegal card stays sayable: the rules of play are not consulted here at all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kiosk.rules.cards import Card

#: How far the best way to place the open cards must lie ahead of the next one, in summed scores (0 … 1 a card).
#: Higher asks people more often, lower trusts the camera's order of likelihood more.
CLEAR_MARGIN = 0.25

#: Score of a card that the camera did not name among its choices at all.
UNNAMED = 0.0

#: More ways to place the open cards than this are not searched: then people are asked.
_MOST_OPEN = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A card of one game as the log has it now.

    ``choices`` are the labels with their scores (0 … 1), likeliest first; empty for a card seen clearly. A card that
    nobody saw has the choice of the whole deck: ``unseen``.
    """

    event: int
    card: Card
    choices: tuple[tuple[Card, float], ...] = ()
    unseen: bool = False
    fixed: bool = False  # a person has said so, or a clear reading came later
    margin: float = 1.0  # how clearly it was read, 0 … 1

    @property
    def open(self) -> bool:
        """Whether the composition may still say what it was."""
        return (bool(self.choices) or self.unseen) and not self.fixed

    def score(self, card: Card) -> float | None:
        """How likely this is ``card``; None: the camera rules it out."""
        for choice, score in self.choices:
            if choice == card:
                return score
        return UNNAMED if self.unseen else None


def settle(seen: Sequence[Seen], deck: Sequence[Card], complete: bool) -> dict[int, Card]:
    """What the open cards of a game must have been, by event; those that stay open are missing.

    :param complete: every card of the deck has been laid in this game; then the open cards are exactly those that
        the others leave. Otherwise only a choice that has no rival left is settled.
    """
    left = Counter(deck)
    left.subtract(one.card for one in seen if not one.open)
    open_cards = [one for one in seen if one.open]
    if not open_cards:
        return {}
    if not complete:
        return _without_rival(open_cards, left)
    if min(left.values()) < 0 or sum(left.values()) != len(open_cards) or len(open_cards) > _MOST_OPEN:
        return {}  # something clear contradicts the deck, or too much is open: people are asked
    best, second = _best_two(open_cards, left)
    if best is None:
        return {}
    if second is not None and best[0] - second[0] < CLEAR_MARGIN:
        agreed = {event: card for event, card in best[1].items() if second[1][event] == card}
        # Cards on which every good enough way agrees are certain even if others are not.
        return _agreed(open_cards, left, best[0] - CLEAR_MARGIN, agreed)
    return best[1]


def contradiction(seen: Sequence[Seen], deck: Sequence[Card], complete: bool) -> tuple[int, tuple[Card, ...]] | None:
    """The card to ask about where clear sight contradicts the deck: its event and the likely answers; None if sound.

    More copies of a card than the deck has: one of them has been misread, most likely the one that was read least
    clearly. In a complete game the missing cards are the likely answers.
    """
    whole = Counter(deck)
    clear = Counter(one.card for one in seen if not one.open)
    suspects = [one for one in seen if not one.open and clear[one.card] > whole[one.card]]
    if not suspects and complete:
        # What the deck said of a doubtful card while the game ran was wrong, and now there is no place for it.
        count = Counter(one.card for one in seen)
        suspects = [one for one in seen if one.open and count[one.card] > whole[one.card]]
    if not suspects:
        return None
    suspect = min(suspects, key=lambda one: (one.fixed, one.margin, one.event))
    missing = tuple(sorted((whole - Counter(one.card for one in seen)).elements())) if complete else ()
    return suspect.event, tuple(dict.fromkeys((*missing, suspect.card)))


def likeliest(choices: Sequence[tuple[Card, float]], seen: Sequence[Seen], deck: Sequence[Card]) -> Card | None:
    """The likeliest choice that the deck still has, by what has been seen clearly; None if none is left."""
    left = Counter(deck)
    left.subtract(one.card for one in seen if not one.open)
    return next((card for card, _ in choices if left[card] > 0), None)


def _without_rival(open_cards: Sequence[Seen], left: Mapping[Card, int]) -> dict[int, Card]:
    settled = {}
    for one in open_cards:
        possible = [card for card, _ in one.choices if left.get(card, 0) > 0]
        if not one.unseen and len(possible) == 1 and len(one.choices) > 1:
            settled[one.event] = possible[0]
    return settled


_Way = tuple[float, dict[int, Card]]


def _ways(open_cards: Sequence[Seen], left: Counter[Card]) -> list[_Way]:
    """Every different way to give the cards left to the open places that the camera allows, with its score."""
    ways: list[_Way] = []

    def place(index: int, total: float, chosen: dict[int, Card]) -> None:
        if index == len(open_cards):
            ways.append((total, dict(chosen)))
            return
        one = open_cards[index]
        for card in [card for card, number in left.items() if number > 0]:
            score = one.score(card)
            if score is None:
                continue
            left[card] -= 1
            chosen[one.event] = card
            place(index + 1, total + score, chosen)
            del chosen[one.event]
            left[card] += 1

    place(0, 0.0, {})
    return ways


def _best_two(open_cards: Sequence[Seen], left: Counter[Card]) -> tuple[_Way | None, _Way | None]:
    ways = sorted(_ways(open_cards, left), key=lambda way: -way[0])[:2]
    return (ways[0] if ways else None), (ways[1] if len(ways) > 1 else None)


def _agreed(
    open_cards: Sequence[Seen], left: Counter[Card], least: float, candidates: dict[int, Card]
) -> dict[int, Card]:
    good = [way for total, way in _ways(open_cards, left) if total > least]
    return {event: card for event, card in candidates.items() if all(way[event] == card for way in good)}
