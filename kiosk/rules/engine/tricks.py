"""Decide who takes the cards on the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from kiosk.rules.engine.cards import Card, augen
from kiosk.rules.engine.contract import TRUMP, Contract


@dataclass(frozen=True, slots=True)
class Laid:
    """A card on the table."""

    event: int  # number of the event that laid it
    seat: int
    card: Card  # as it counts
    read: Card | None = None  # as first read, where a correction changed it
    down: bool = False  # face down (durchgaenge 4b)
    doubt: tuple[Card, ...] = ()  # read with doubt, not settled: the choices, likeliest first
    against: float = inf  # how unlikely a clear reading is to be another card, nats; inf: nobody weighs it


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick; the cards in the order of laying."""

    cards: tuple[Laid, ...]
    leader: int
    winner: int
    points: int

    def card_of(self, seat: int) -> Card:
        """Return the card that a seat laid to it."""
        for laid in self.cards:
            if laid.seat == seat:
                return laid.card
        raise ValueError(f"seat {seat} has no card in this trick")

    @property
    def winning_card(self) -> Card:
        """The card that took the trick."""
        return self.card_of(self.winner)


def points_of(cards: Sequence[Laid]) -> int:
    """Sum the Augen of some cards on the table."""
    return sum(augen(laid.card) for laid in cards)


def best(contract: Contract, cards: Sequence[Laid], second_wins: frozenset[Card]) -> Laid:
    """Return the card that takes the trick so far (eppstein 4.4.2).

    ``cards`` in the order in which equal cards are judged, the led card first; ``second_wins`` are the cards
    of which the second beats the first. A card laid face down wins nothing (docs/rules.md, Fine points).
    """
    led = contract.classes[cards[0].card]
    top = cards[0]
    for laid in cards[1:]:
        if laid.down or (contract.classes[laid.card] not in (led, TRUMP)):
            continue
        if (
            top.down
            or contract.power[laid.card] > contract.power[top.card]
            or (laid.card == top.card and laid.card in second_wins)
        ):
            top = laid
    return top
