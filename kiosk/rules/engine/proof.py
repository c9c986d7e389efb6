"""Derive what is certain about hands from shown cards and scanned hands (docs/protocol.md, Proof).

The unseen cards may lie in the hands in any way that fits the hands' sizes; nobody's honesty is used. Something is
proved when no such placing allows it. All questions asked here concern the hand of one seat, or the place of the two
``CQ``; every placing of those can be completed with the other cards, so counting decides exactly.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.contract import Contract


@lru_cache(maxsize=16)
def copies(deck: tuple[Card, ...]) -> Mapping[Card, int]:
    """Count the copies of each card in the deck."""
    counted: dict[Card, int] = {}
    for card in deck:
        counted[card] = counted.get(card, 0) + 1
    return counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A card laid that did not follow; a revoke if the seat held a card of ``led``."""

    event: int
    seat: int
    led: str  # the class that was asked for
    laid_before: int  # cards of that class the seat had laid before this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """A card laid that breaks the rules if its seat held ``card`` then, unless it held ``enough`` of ``suit`` too.

    ``enough``: None where no number would allow it; ``laid_before``: cards of the suit the seat had laid before.
    """

    event: int
    seat: int
    card: Card
    suit: frozenset[Card]
    enough: int | None
    laid_before: int

    def certain(self, knowledge: "Knowledge") -> bool:
        """Report whether no distribution of the unseen cards allows it."""
        if not knowledge.holds(self.seat, self.card):
            return False
        if self.enough is None:
            return True
        _, most = knowledge.room(self.seat, lambda card: card in self.suit)
        return most - self.laid_before < self.enough


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Knowledge of the dealt hands.

    ``shown``: by seat, cards certain to have been dealt to it; ``unseen``: the other cards with their numbers,
    ``left`` of them in all; ``sizes``: by seat, unseen cards in its dealt hand.
    """

    shown: Mapping[int, tuple[Card, ...]]
    unseen: Mapping[Card, int]
    sizes: Mapping[int, int]
    left: int

    def after(self, seat: int, card: Card) -> "Knowledge":
        """Return the knowledge after ``seat``, whose hand was not scanned, has shown one more card."""
        number, size = self.unseen[card], self.sizes[seat]
        return Knowledge(
            shown={**self.shown, seat: (*self.shown[seat], card)},
            unseen={**self.unseen, card: number - 1} if number else self.unseen,
            sizes={**self.sizes, seat: size - 1} if size else self.sizes,
            left=self.left - 1 if number else self.left,
        )

    def fewest(self, seat: int, cards: frozenset[Card]) -> int:
        """Return the least number of ``cards`` that the dealt hand of ``seat`` can hold.

        Those shown, and of its unseen cards as many as there are not enough unseen cards of other kinds for.
        """
        shown = 0
        for card in self.shown[seat]:
            if card in cards:
                shown += 1
        size = self.sizes[seat]
        if not size:
            return shown
        others = self.left - sum(map(self.unseen.__getitem__, cards))
        return shown + size - others if size > others else shown

    def room(self, seat: int, wanted: Callable[[Card], bool]) -> tuple[int, int]:
        """Return the least and the largest number of ``wanted`` cards that the dealt hand of ``seat`` can hold."""
        shown = sum(map(wanted, self.shown[seat]))
        size = self.sizes[seat]
        if not size:
            return shown, shown
        fitting = other = 0
        for card, number in self.unseen.items():
            if wanted(card):
                fitting += number
            else:
                other += number
        return shown + max(0, size - other), shown + min(size, fitting)

    def may_hold(self, seat: int, number: int, wanted: Callable[[Card], bool]) -> bool:
        """Report whether the dealt hand of ``seat`` can hold exactly so many ``wanted`` cards."""
        least, most = self.room(seat, wanted)
        return least <= number <= most

    def fits(self, seat: int, held: Iterable[Card], lacking: Iterable[Card]) -> bool:
        """Report whether ``seat`` can have been dealt all of ``held`` and none of ``lacking`` (one of each card)."""
        shown, size, out = self.shown[seat], self.sizes[seat], frozenset(lacking)
        wanted = [card for card in held if card not in shown]
        if out.intersection(shown) or len(wanted) > size or out.intersection(held):
            return False
        if size and any(not self.unseen[card] for card in wanted):
            return False
        return self.left - sum(self.unseen[card] for card in out) >= size

    def holds(self, seat: int, card: Card) -> bool:
        """Report whether ``seat`` certainly was dealt ``card``: it showed it, or all unseen cards are its own."""
        number = self.unseen[card]
        return card in self.shown[seat] or (number > 0 and self.sizes[seat] > self.left - number)


def know(
    deck: tuple[Card, ...],
    hand_size: int,
    shown: Mapping[int, tuple[Card, ...]],
    scans: Mapping[int, tuple[Card, ...]],
) -> Knowledge:
    """Collect the knowledge from the cards each seat has shown and the scanned hands not contradicted."""
    unseen = dict(copies(deck))
    certain: dict[int, tuple[Card, ...]] = {}
    sizes: dict[int, int] = {}
    for seat, cards in shown.items():
        hand = scans.get(seat)
        certain[seat] = cards if hand is None else hand
        sizes[seat] = 0 if hand is not None else max(0, hand_size - len(cards))
        for card in certain[seat]:
            if unseen[card]:
                unseen[card] -= 1
    return Knowledge(shown=certain, unseen=unseen, sizes=sizes, left=sum(unseen.values()))


def revokes(knowledge: Knowledge, contract: Contract, moves: Sequence[Move]) -> list[Move]:
    """List those of ``moves`` with which the seat certainly held a card of the suit led (eppstein 4.2.4)."""
    found = []
    fewest: dict[tuple[int, str], int] = {}
    for move in moves:
        key = move.seat, move.led
        if key not in fewest:
            fewest[key] = knowledge.fewest(move.seat, contract.members[move.led])
        if fewest[key] > move.laid_before:
            found.append(move)
    return found


def re_placings(knowledge: Knowledge, card: Card) -> list[frozenset[int]]:
    """List all sets of players who may have been dealt ``card``, at most two copies unseen (Doppelkopf: ``CQ``).

    The located ones alone if no placing fits. After a misread more cards are unseen than hands have room: some were
    laid and read as others, and so may each of these.
    """
    located = frozenset(seat for seat, cards in knowledge.shown.items() if card in cards)
    missing = knowledge.unseen[card]
    room = {seat: size for seat, size in knowledge.sizes.items() if size}
    misread = knowledge.left - sum(room.values())
    found = {located} if misread >= missing else set()
    if missing == 1 or (missing == 2 and misread > 0):
        found |= {located | {seat} for seat in room}
    if missing == 2:
        found |= {located | {first, second} for first in room for second in room if first != second or room[first] > 1}
    return sorted(found, key=sorted) or [located]
