"""Recognise the last trick when somebody looks at it: cards that have been taken in lie open once more, together."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import combinations, permutations
from math import hypot, pi, remainder

from kiosk.rules.engine.cards import Card
from kiosk.table.inference.position import Lying, Position
from kiosk.table.inference.seats import Place, rival_order
from kiosk.table.observe.desk import Desk
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.laying_order import may_be_later
from kiosk.table.observe.limits import LIMITS
from kiosk.table.observe.noted import NotedCards
from kiosk.table.observe.noting import read_again
from vision.messages import CardLaid


class LookedAt:
    """The last trick while somebody may be looking at it: its cards are kept back, and belong to no game once it is so.

    :param known: vision's numbers → cards, shared with the observer.
    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(
        self, desk: Desk, known: dict[int, NumberedCard], centres: Mapping[int, Place], noted: NotedCards
    ) -> None:
        self._desk, self._known, self._centres, self._noted = desk, known, centres, noted
        self.perhaps: list[CardLaid] = []  # cards of the last trick, which somebody may be looking at
        self._open: list[CardLaid] = []  # and those of which it is known

    def takes(self, report: CardLaid, position: Position, held: Sequence[CardLaid]) -> bool:
        """Report whether a card may be of the last trick, shown again: it waits for the others, or is one of them.

        :param held: cards that are still to be noted, which may be of it too.
        """
        if not position.playing or report.rested is None:
            return False
        with_others = bool(self.perhaps) and all(may_be_later(one, report) for one in self.perhaps)
        if not may_be_looked_at(report, position, nearly=with_others):
            return False
        if {known.event for known in self._known.values() if not known.gone} & {
            one.event for one in position.last_trick
        }:
            return False  # it has not been taken in yet
        self.perhaps.append(report)
        noted, waiting = (
            [one for one in cards if may_be_looked_at(one, position, nearly=True) and may_be_later(one, report)]
            for cards in (self._noted.as_noted(), held)
        )
        there = [one for one in self._open if not self._known[one.card].gone]
        before = [*waiting, *(one for one in there if may_be_later(one, report))]  # others lie there for long
        looked_at = is_looked_at([*noted, *before, *self.perhaps], position, len(noted))
        if looked_at and self._noted.withdraw(noted):
            self._open = [*noted, *before, *self.take()]
            for one in self._open:
                self._put_by(one)
            if (unseen := unseen_card(self._open, position, self._centres)) is not None:
                read_again(self._desk, *unseen, self._desk.position())
        return True

    def went(self, numbers: Collection[int]) -> None:
        """Take a card that lay open alone, and goes, for one looked at if it cannot have been laid."""
        position = self._desk.position()
        for one in [one for one in self.perhaps if one.card in numbers and not has_copies_left(one, position)]:
            self.perhaps.remove(one)
            self._put_by(one)

    def waited(self, at: float) -> bool:
        """Report whether there are cards whose others would have been seen by now."""
        if not self.perhaps:
            return False
        position = self._desk.position()
        possible = any(has_copies_left(one, position) for one in self.perhaps)
        return at - self.perhaps[0].at > (0.0 if possible else LIMITS.looked_at_wait_s)

    def take(self) -> list[CardLaid]:
        """Return the cards that are kept back, and keep them no longer."""
        cards, self.perhaps = self.perhaps, []
        return cards

    def _put_by(self, report: CardLaid) -> None:
        self._known[report.card] = NumberedCard(event=None, since=report.at)


def may_be_looked_at(report: CardLaid, position: Position, *, nearly: bool = False) -> bool:
    """Report whether a card may be one of the last trick, shown again.

    :param nearly: also one that it was nearly read as, and whichever it is if nobody can lay what it is read as.
    """
    if nearly and not has_copies_left(report, position):
        return bool(position.last_trick)
    return any(_may_be(report, one, nearly=nearly) for one in position.last_trick)


def has_copies_left(report: CardLaid, position: Position) -> bool:
    """Report whether the card may as well be laid now: the deck has another one that nobody has laid."""
    seen, labels = _clearly_seen(position), _labels(report)
    return not labels or any(position.deck.count(label) > seen[label] for label in labels)


def is_looked_at(cards: Sequence[CardLaid], position: Position, noted: int = 0) -> bool:
    """Report whether cards came together and are the last trick's: nobody lays so many of the same at once.

    :param noted: the first so many are noted as laid now, and counted among the seen.
    """
    matched = _cards_of(position, cards)
    if matched is None:
        return False
    if not all(may_be_later(one, other) for one in cards for other in cards):
        return False
    read = [(one, lying) for one, lying in zip(cards, matched, strict=True) if _may_be(one, lying)]
    labels = Counter(one.label or lying.card for one, lying in read)
    seen = _clearly_seen(position) - Counter(one.label for one in cards[:noted] if one.label is not None)
    impossible = (labels + seen) - Counter(position.deck)
    misread = len(cards) - len(read)
    if misread > 1 or (misread and not impossible and len(cards) < LIMITS.looked_at_cards_left):
        return False
    few = impossible or _in_a_fan(cards)
    return len(cards) >= (LIMITS.looked_at_cards if few else LIMITS.looked_at_cards_left)


def unseen_card(
    cards: Sequence[CardLaid], position: Position, centres: Mapping[int, Place]
) -> tuple[CardLaid, int] | None:
    """Find the card of the last trick that nobody saw among those that lie open now; None if it is not certain.

    :returns: its report, and the event that it was noted by.
    """
    trick, matched = position.last_trick, _cards_of(position, cards)
    seen = [one for one in trick if one.sight is not None]
    sights, seats = [one.sight for one in seen if one.sight is not None], [one.seat for one in seen]
    if matched is None or [bool(one.doubt) for one in trick] != [one.sight is None for one in trick]:
        return None
    orders = combinations([one.seat for one in trick], len(seen))
    if len(trick) != len(seen) + 1 or rival_order(sights, seats, orders, centres) is not None:
        return None  # another seat may have laid it
    return next(((card, one.event) for card, one in zip(cards, matched, strict=True) if one.doubt), None)


def _cards_of(position: Position, cards: Sequence[CardLaid]) -> tuple[Lying, ...] | None:
    """Find which card of the last trick each of some is, most of them what they are read as; None: they are not.

    A card that nobody saw, or that was read with doubt, may be any of its choices; one that was nearly read as another
    may be that; and one that nobody can lay as it is read may be any.
    """
    unplayable = [card for card in cards if not has_copies_left(card, position)]
    ways = (
        way
        for way in permutations(position.last_trick, len(cards))
        if all(card in unplayable or _may_be(card, one, nearly=True) for card, one in zip(cards, way, strict=True))
    )
    return max(ways, key=partial(_alike, cards), default=None)


def _alike(cards: Sequence[CardLaid], way: Sequence[Lying]) -> int:
    """Count the cards that are read as the last trick's count."""
    return sum(lying.card in _labels(card) and not lying.doubt for card, lying in zip(cards, way, strict=True))


def _may_be(report: CardLaid, lying: Lying, *, nearly: bool = False) -> bool:
    labels = _nearly_read(report) if nearly else _labels(report)
    return any(label in (lying.card, *lying.doubt) for label in labels)


def _clearly_seen(position: Position) -> Counter[Card]:
    return Counter(one.card for one in position.seen if not one.open)


def _in_a_fan(cards: Sequence[CardLaid]) -> bool:
    """Report whether cards lie side by side as one hand lays them: two people's do not."""
    first = cards[0]
    return all(
        hypot(one.x - first.x, one.y - first.y) <= LIMITS.fan_mm
        and abs(remainder(one.angle - first.angle, pi)) <= LIMITS.fan_rad
        for one in cards[1:]
    )


def _nearly_read(report: CardLaid) -> tuple[Card, ...]:
    """List the labels that a card may have, and those for which the evidence is nearly as good."""
    best = max((score for _, score in report.choices), default=0.0)
    near = (label for label, score in report.choices if score >= LIMITS.nearly_read_share * best)
    return (*_labels(report), *near)


def _labels(report: CardLaid) -> tuple[Card, ...]:
    """List the labels that a card may have."""
    return (report.label,) if report.label else tuple(label for label, _ in report.choices)
