"""Hold the cards that nobody has seen, with who may hold each: all distributions of them at once.

Each seat has room for so many cards; a card may go to some seats only. By Hall's theorem a distribution exists if no
set of seats is given more cards that must lie there than it has room for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from kiosk.rules.engine.cards import Card

#: Places that a card may go to, as bits.
Places: TypeAlias = int


@dataclass(frozen=True, slots=True)
class Unseen:
    """All distributions that are left: how many of each card may go to the same places, and each place's room.

    :ivar cards: cards by card and places.
    :ivar room: cards that each place takes; all together as many as there are.
    """

    cards: Mapping[tuple[Card, Places], int]
    room: tuple[int, ...]

    @property
    def possible(self) -> bool:
        """Whether there is a distribution at all."""
        return fits([(places, number) for (_, places), number in self.cards.items()], self.room)

    def laid(self, card: Card, places: Places, by: int) -> "Unseen":
        """Take out one of these cards, which the place ``by`` has laid."""
        cards = dict(self.cards)
        cards[card, places] -= 1
        if not cards[card, places]:
            del cards[card, places]
        return Unseen(cards, tuple(left - (place == by) for place, left in enumerate(self.room)))

    def lacking(self, place: int, cards: Callable[[Card], bool]) -> "Unseen":
        """Leave the distributions in which a place holds none of some cards."""
        left: dict[tuple[Card, Places], int] = {}
        for (card, places), number in self.cards.items():
            if cards(card):
                places &= ~(1 << place)
            left[card, places] = left.get((card, places), 0) + number
        return Unseen(left, self.room)

    def holding(self, place: int, cards: Sequence[Card]) -> "Unseen | None":
        """Leave the distributions in which a place holds all of these cards, of each of which there is one."""
        left = dict(self.cards)
        for card in cards:
            found = next((one for one in left if one[0] == card and one[1] >> place & 1), None)
            if found is None:
                return None
            del left[found]
            left[card, 1 << place] = 1
        return Unseen(left, self.room)

    def held(self, place: int) -> Iterator[tuple[Card, Places]]:
        """List the cards that a place may hold."""
        for one in self.cards:
            if one[1] >> place & 1:
                yield one

    def split(self, place: int, parts: Sequence[tuple[int, Callable[[Card], bool]]]) -> "Unseen | None":
        """Divide a place into parts that take some of the cards each, and a last one that takes any.

        :param parts: room of each part, and which cards it takes.
        :returns: the parts as further places, in place of ``place``, which has no room left; None if it had too little.
        """
        rest = self.room[place] - sum(size for size, _ in parts)
        if rest < 0:
            return None
        accepted: list[Callable[[Card], bool]] = [takes for _, takes in parts]
        first = len(self.room)
        left: dict[tuple[Card, Places], int] = {}
        for (card, places), number in self.cards.items():
            if places >> place & 1:
                places &= ~(1 << place)
                places |= 1 << (first + len(parts))
                for n, takes in enumerate(accepted):
                    places |= takes(card) << (first + n)
            left[card, places] = left.get((card, places), 0) + number
        room = [0 if n == place else size for n, size in enumerate(self.room)]
        return Unseen(left, (*room, *(size for size, _ in parts), rest))

    def one(self) -> list[list[Card]]:
        """Return one distribution: the cards of each place."""
        hands: list[list[tuple[Card, Places]]] = [[] for _ in self.room]

        def put(one: tuple[Card, Places], tried: set[int]) -> bool:
            for place, hand in enumerate(hands):
                if not one[1] >> place & 1 or place in tried:
                    continue
                tried.add(place)
                if len(hand) < self.room[place]:
                    hand.append(one)
                    return True
                for n, other in enumerate(hand):
                    if put(other, tried):
                        hand[n] = one
                        return True
            return False

        units = [one for one, number in self.cards.items() for _ in range(number)]
        for one in sorted(units, key=lambda one: one[1].bit_count()):
            if not put(one, set()):
                raise ValueError(f"no distribution has room for {one[0]}")
        return [[card for card, _ in hand] for hand in hands]


def fits(cards: Sequence[tuple[Places, int]], room: Sequence[int]) -> bool:
    """Report whether so many cards with these places can lie so that each place is full (Hall)."""
    only: dict[Places, int] = {}
    for places, number in cards:
        only[places] = only.get(places, 0) + number
    if sum(only.values()) != sum(room):
        return False
    for subset in range(1 << len(room)):
        bound = sum(number for places, number in only.items() if not places & ~subset)
        if bound > sum(size for place, size in enumerate(room) if subset >> place & 1):
            return False
    return True
