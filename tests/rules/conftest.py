"""A table to try things at: deals with known hands, lays lawful cards, collects events."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from kiosk.rules.cards import FRENCH_SUITS, deck
from kiosk.table.fold import Round, open_round

DECK = deck(FRENCH_SUITS, "ATKQJ9", 2)


def some_hands(seats: tuple[int, ...], seed: int, queens: tuple[int, int]) -> dict[int, list[str]]:
    """Twelve cards each from a seed, the two CQ with the seats wanted."""
    cards = [card for card in DECK if card != "CQ"]
    random.Random(seed).shuffle(cards)
    hands: dict[int, list[str]] = {seat: ["CQ"] * queens.count(seat) for seat in seats}
    for seat in seats:
        while len(hands[seat]) < 12:
            hands[seat].append(cards.pop())
    return hands


class Play:
    """One table; ``round`` is the fold of ``events`` at any time."""

    def __init__(self, players: int = 4, **options: object) -> None:
        opened = {
            "event": "open",
            "format": 1,
            "rules": "eppstein",
            "table": 7,
            "round": 1,
            "players": ["Anna", "Bernd", "Cem", "Dora", "Emil"][:players],
            "options": options,
        }
        self.events: list[dict[str, Any]] = [opened]
        self.round: Round = open_round(opened)
        self.hands: dict[int, list[str]] = {}

    def do(self, event: str, **keys: Any) -> int:
        """Applies an event; its number."""
        made = {"event": event, **keys}
        self.round = self.round.apply(made)
        self.events.append(made)
        return len(self.events) - 1

    def deal(
        self,
        dealer: int | None = None,
        hands: dict[int, list[str]] | None = None,
        seed: int = 1,
        re: tuple[int, int] | None = None,
    ) -> None:
        """Deals; by default the first and third player are Re."""
        self.do("deal", dealer=dealer or self.round.next_dealer)
        seats = self.game.seats
        self.hands = hands or some_hands(seats, seed, re or (seats[0], seats[2]))

    @property
    def game(self) -> Any:
        assert self.round.game is not None
        return self.round.game

    def card(self, seat: int, card: str, **keys: Any) -> int:
        """Lays a card, lawful or not."""
        if card in self.hands.get(seat, ()):
            self.hands[seat].remove(card)
        return self.do("card", seat=seat, card=card, **keys)

    def lawful(self, seat: int) -> list[str]:
        """Cards the seat may lay, CQ last."""
        hand = sorted(self.hands[seat], key=lambda card: card == "CQ")
        if not self.game.open_trick:
            return hand
        classes = self.game.contract.classes
        led = classes[self.game.open_trick[0].card]
        return [card for card in hand if classes[card] == led] or hand

    def lay(self, number: int = 1) -> None:
        """Lays lawful cards in turn."""
        for _ in range(number):
            seat = self.game.turn
            self.card(seat, self.lawful(seat)[0])

    def finish(self) -> None:
        """Plays the game to its end."""
        while self.round.running:
            self.lay()

    def codes(self) -> list[tuple[str, int, int]]:
        """Offences of the game: code, event, proved."""
        return [(offence.code, offence.event, offence.proved) for offence in self.game.offences]

    def value(self) -> dict[str, int]:
        """The value of the ended game by name, summed."""
        found: dict[str, int] = {}
        for item in self.game.result.value:
            found[item.name] = found.get(item.name, 0) + item.number
        return found


@pytest.fixture
def play() -> Callable[..., Play]:
    """Makes a table."""
    return Play
