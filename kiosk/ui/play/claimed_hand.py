"""Hold the cards of a claimed rest while they are entered: as the camera has read them, and in order as touched."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from kiosk.rules.engine.cards import Card
from kiosk.table.inference.open_hand import SeenCard


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedHand:
    """The hand of who claims, as far as it is known.

    :param size: how many cards he holds.
    :param copies: how many of each card the deck has.
    :param order: the first cards in the order in which they come, as touched.
    :param taken: for each of these what of ``seen`` it was, None: it was not among it.
    :param seen: the others, as the camera has read them or a finger has put them right.
    :param chosen: place in ``seen`` of the card that the next touch says; None: the next touch goes on with the order.
    :param put_right: a finger has said what a card is: the camera does not say otherwise.
    """

    size: int
    copies: Mapping[Card, int]
    order: tuple[Card, ...] = ()
    taken: tuple[SeenCard | None, ...] = ()
    seen: tuple[SeenCard, ...] = ()
    chosen: int | None = None
    put_right: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """The whole hand; () while a card is missing, one too many, or in doubt."""
        named = [one.card for one in self.seen if one.card is not None]
        whole = len(named) == len(self.seen) and len(self.order) + len(named) == self.size > 0
        return (*self.order, *named) if whole else ()

    @property
    def known(self) -> int:
        """How many cards have a name."""
        return len(self.order) + sum(one.card is not None for one in self.seen)

    @property
    def doubts(self) -> int:
        """How many are in doubt."""
        return sum(one.card is None for one in self.seen)

    def see(self, cards: tuple[SeenCard, ...]) -> "ClaimedHand":
        """Take what the camera reads by now, but for what was touched already."""
        if self.put_right:
            return self
        touched, rest = Counter(self.order), []
        for one in cards:
            if one.card is not None and touched[one.card] > 0:
                touched[one.card] -= 1
            else:
                rest.append(one)
        return replace(self, seen=tuple(rest), chosen=None)

    def choose(self, place: int) -> "ClaimedHand":
        """Choose a card that the camera has read, to say what it is; the same once more: none."""
        return replace(self, chosen=None if place == self.chosen else place)

    def touch(self, card: Card) -> "ClaimedHand":
        """Take a card that was touched: what the chosen one is, else the next one of the order."""
        seen = list(self.seen)
        if self.chosen is not None:
            before = seen[self.chosen]
            seen[self.chosen] = SeenCard(card)
            others = Counter([*self.order, *(one.card for one in seen)])
            if before.card != card and others[card] > self.copies[card]:
                return self
            return replace(self, seen=tuple(seen), chosen=None, put_right=True)
        place = next((n for n, one in enumerate(seen) if one.card == card), None)
        if place is None:
            if [*self.order, *(one.card for one in seen)].count(card) >= self.copies[card]:
                return self
            place = next((n for n, one in enumerate(seen) if one.card is None and card in one.choices), None)
        if place is None and len(self.order) + len(seen) >= self.size:
            place = next((n for n, one in enumerate(seen) if one.card is None), None)
            if place is None:
                return self  # the hand is full: the card that is wrong is touched first
        was = seen.pop(place) if place is not None else None
        return replace(self, order=(*self.order, card), taken=(*self.taken, was), seen=tuple(seen))

    def undo(self) -> "ClaimedHand":
        """Take away the card that is chosen, for there is none; else the last one of the order."""
        if self.chosen is not None:
            seen = (*self.seen[: self.chosen], *self.seen[self.chosen + 1 :])
            return replace(self, seen=seen, chosen=None, put_right=True)
        return self.take_out(len(self.order) - 1) if self.order else self

    def take_out(self, place: int) -> "ClaimedHand":
        """Take a card out of the order again."""
        was = self.taken[place]
        return replace(
            self,
            order=(*self.order[:place], *self.order[place + 1 :]),
            taken=(*self.taken[:place], *self.taken[place + 1 :]),
            seen=self.seen if was is None else (*self.seen, was),
            chosen=None,
        )

    @property
    def all_seen(self) -> tuple[SeenCard, ...]:
        """All its cards, as if none were in an order."""
        return (*map(SeenCard, self.order), *self.seen)
