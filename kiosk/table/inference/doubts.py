"""Settle doubtful cards by all observations of a game, decoded jointly.

A card read in doubt is logged with its likeliest label and the choices; play goes on. What settles it, in this order:
a person's word; a clear reading later; the whole game decoded jointly, for a pack has two of each card (one of each),
and a game that was played out shows them all. Every observation says how likely each card is after it
(``likelihood``); the likeliest way to share out the deck's cards is found exactly (``assignment``), and
a doubt is settled where every other way is clearly less likely. Clear sight is never overruled: where it contradicts
the deck, a person is asked about the observation that is the weakest. An illegal card stays sayable: the rules of play
are not consulted here at all.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from kiosk.rules.engine.cards import Card
from kiosk.table.inference.assignment import assign, dearer
from kiosk.table.round.likelihood import anything, certain, likeliest_first, weigh


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubtLimits:
    """Limits for settling a doubt by the deck, and for the choices offered otherwise; in nats."""

    # How much less likely every way to share out the cards with another label must be: 4.6 is 100 to 1. Higher asks
    # people more often, lower trusts the camera's evidence more.
    settled: float = 4.6
    offered: float = (
        7.0  # choices less likely than the best by this are not offered: 1000 to 1; every card can be named
    )
    not_held: float = (
        6.0  # against a card laid by a seat whose scanned hand has it not: the scan may be of another deal
    )
    most_offered: int = 6  # choices, where many are left


LIMITS = DoubtLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """A card of one game as the log has it now.

    ``choices`` are the labels with their evidence, likeliest first, of a card in doubt; empty for one seen clearly,
    whose ``rivals`` are the same. A card that nobody saw has the choice of the whole deck: ``unseen``.
    """

    event: int
    card: Card
    choices: tuple[tuple[Card, float], ...] = ()
    unseen: bool = False
    fixed: bool = False  # a person has said so
    margin: float = 1.0  # how clearly it was read, 0 … 1
    seat: int = 0
    rivals: tuple[tuple[Card, float], ...] = ()
    reread: bool = False  # in doubt at first, seen clearly later

    @property
    def open(self) -> bool:
        """Whether the composition may still decide its label."""
        return (bool(self.choices) or self.unseen) and not self.fixed and not self.reread


Hands = Mapping[int, Sequence[Card]]


@dataclass(frozen=True)
class Decoding:
    """The likeliest assignment of the deck's cards to all observations of a game.

    :param complete: every card of the deck has been laid in this game.
    :param hands: scanned hands as dealt, by seat.
    """

    seen: Sequence[Observation]
    deck: Sequence[Card]
    complete: bool
    hands: Hands = field(default_factory=dict)

    @cached_property
    def kinds(self) -> tuple[Card, ...]:
        """The deck's cards without their copies."""
        return tuple(dict.fromkeys(self.deck))

    @cached_property
    def _places(self) -> list[tuple[Card, int | None, int]]:
        """(card, seat, how many): where a hand was scanned its cards are the seat's own, all others anybody's."""
        scanned = Counter(card for hand in self.hands.values() for card in hand)
        whole = Counter(self.deck)
        if any(number > whole[card] for card, number in scanned.items()):
            return [(card, None, whole[card]) for card in self.kinds]  # the scans cannot all be right
        places: list[tuple[Card, int | None, int]] = [(card, None, whole[card] - scanned[card]) for card in self.kinds]
        return places + [
            (card, seat, number) for seat, hand in sorted(self.hands.items()) for card, number in Counter(hand).items()
        ]

    @cached_property
    def _costs(self) -> list[list[float]]:
        rows = []
        owners = {seat for _, seat, _ in self._places}
        for one in self.seen:
            against = self._against(one)
            own = one.seat if one.seat in owners else None
            rows.append([against[card] + (0.0 if seat == own else LIMITS.not_held) for card, seat, _ in self._places])
        return rows

    @cached_property
    def _room(self) -> list[int]:
        return [number for _, _, number in self._places]

    @cached_property
    def _assigned(self) -> list[int] | None:
        return assign(self._costs, self._room)

    def _against(self, one: Observation) -> Mapping[Card, float]:
        if one.fixed:
            return certain(one.card, self.kinds)
        if one.unseen:
            return anything(self.kinds)
        if one.open:
            return weigh(one.choices[0][0], one.choices, one.margin, False, self.kinds)
        return weigh(one.card, one.rivals, one.margin, True, self.kinds)

    @cached_property
    def likeliest(self) -> dict[int, Card] | None:
        """The most likely label of each card, by its event; None if the deck has not room for all observations."""
        if self._assigned is None:
            return None
        return {one.event: self._places[place][0] for one, place in zip(self.seen, self._assigned, strict=True)}

    def against(self, event: int) -> dict[Card, float]:
        """Compute the nats by which the likeliest decoding with each card for this event lies behind the best one."""
        if self._assigned is None:
            return {}
        index = next(number for number, one in enumerate(self.seen) if one.event == event)
        found = dict.fromkeys(self.kinds, inf)
        nats = dearer(self._costs, self._room, self._assigned, index)
        for (card, _, _), behind in zip(self._places, nats, strict=True):
            found[card] = min(found[card], behind)
        return found

    @cached_property
    def misread(self) -> tuple[Observation, ...]:
        """Cards read clearly, or named by a person, that most likely were another card; the weakest first."""
        best = self.likeliest
        if best is None:
            return ()
        wrong = [one for one in self.seen if not one.open and best[one.event] != one.card]
        return tuple(sorted(wrong, key=lambda one: (one.fixed, self._against(one)[best[one.event]], one.event)))

    def settled(self) -> dict[int, Card]:
        """Return the certain labels of open cards, by event; those that stay open are missing.

        In a complete game they are those that the others leave. Otherwise a choice is settled only where the deck has
        none of the others left.
        """
        best = self.likeliest
        if best is None or self.misread:
            return {}  # something clear contradicts the deck: people are asked about that first
        found = {}
        for one in self.seen:
            if not one.open or (one.unseen and not self.complete):
                continue
            label = best[one.event]
            named = one.unseen or (len(one.choices) > 1 and any(choice == label for choice, _ in one.choices))
            others = (nats for card, nats in self.against(one.event).items() if card != label)
            if named and min(others, default=inf) >= LIMITS.settled:
                found[one.event] = label
        return found

    def choices(self, event: int) -> tuple[Card, ...]:
        """List the choices offered where people are asked about a card, likeliest first."""
        one = next(one for one in self.seen if one.event == event)
        against = self.against(event)
        told = [card for card, _ in one.choices or one.rivals] or [one.card]
        if not against:
            return tuple(told)
        order = likeliest_first(against)
        near = [card for card in order if against[card] < LIMITS.offered]
        if one.unseen and not self.complete:
            return tuple(near)
        if self.complete:  # it is one of those that are left, whatever the camera named
            return tuple(near[: LIMITS.most_offered])
        near = [card for card in near if card in told]
        return tuple(near if len(near) > 1 else [card for card in order if card in told])

    def contradiction(self) -> tuple[int, tuple[Card, ...]] | None:
        """Find the card to ask about where a reading contradicts the deck: its event and likely answers; None if sound.

        More copies of a card than the deck has: one of them has been misread, most likely the weakest observation.
        """
        suspects = list(self.misread)
        if not suspects:
            # What the deck said of a doubtful card while the game ran was wrong, and now there is no place for it; or
            # more cards were seen than there are.
            whole = Counter(self.deck)
            counted = [one for one in self.seen if self.complete or not one.open]
            count = Counter(one.card for one in counted)
            over = [one for one in counted if count[one.card] > whole[one.card]]
            suspects = sorted(over, key=lambda one: (not one.open, one.fixed, one.margin, one.event))
        if not suspects:
            return None
        suspect = suspects[0]
        return suspect.event, tuple(dict.fromkeys((*self.choices(suspect.event), suspect.card)))


def in_order(
    choices: Sequence[tuple[Card, float]],
    margin: float,
    seat: int,
    seen: Sequence[Observation],
    deck: Sequence[Card],
    hands: Hands | None = None,
) -> tuple[Card, ...]:
    """Order the choices of a card just read in doubt, likeliest first by all observations before it.

    Those of which the deck has none left are gone, if two others are possible.
    """
    card = Observation(event=-1, card=choices[0][0], choices=tuple(choices), margin=margin, seat=seat)
    return Decoding((*seen, card), deck, False, hands or {}).choices(-1)
