"""A table to try things at: deals with known hands, lays lawful cards, collects events."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import FRENCH_SUITS, deck
from kiosk.rules.options.option import Value
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.table.scoresheet.spielliste import replay_data

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
        self.round: Round = open_round(decode(opened))
        self.hands: dict[int, list[str]] = {}

    def do(self, event: str, **keys: Any) -> int:
        """Applies an event; its number."""
        made = {"event": event, **keys}
        self.round = self.round.apply(decode(made))
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

    def scores(self, game: int = -1) -> tuple[int, ...]:
        """What the seats are written for an ended game."""
        return tuple(points for _, points in sorted(self.round.games[game].result.score.items()))

    def last(self) -> dict[str, Any]:
        """The last ended game as ``replay`` prints it."""
        return replay_data(self.round)[-2]

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


BAVARIAN_DECK = deck("EGHS", "ATKOU987", 1)


class Schafkopf(Play):
    """A table that plays by ``schaffkopf``."""

    def __init__(self, **options: object) -> None:
        opened = {
            "event": "open",
            "format": 1,
            "rules": "schaffkopf",
            "table": 3,
            "round": 1,
            "players": ["Anna", "Bernd", "Cem", "Dora"],
            "options": options,
        }
        self.events = [opened]
        self.round = open_round(decode(opened))
        self.hands = {}

    def deal_hands(self, given: dict[int, str], seed: int = 1, dealer: int | None = None) -> None:
        """Deals; ``given``: cards by seat, the rest of the pack at random."""
        self.do("deal", dealer=dealer or self.round.next_dealer)
        wanted = {seat: given.get(seat, "").split() for seat in (1, 2, 3, 4)}
        rest = [card for card in BAVARIAN_DECK if all(card not in cards for cards in wanted.values())]
        random.Random(seed).shuffle(rest)
        for cards in wanted.values():
            while len(cards) < 8:
                cards.append(rest.pop())
        self.hands = wanted

    def scan(self, *seats: int) -> None:
        """The scanner reads these hands, all by default; to be called before any card."""
        for seat in seats or (1, 2, 3, 4):
            self.do("hand", seat=seat, cards=list(self.hands[seat]))

    def ask(self, *calls: str) -> None:
        """The asking, forehand first."""
        for seat, call in zip(self.game.seats, calls, strict=True):
            self.do("call", seat=seat, call=call)

    def alone(self, seat: int, game: str = "wenz", *, leave: bool = False, **keys: Any) -> int:
        """Only ``seat`` wants to play; it names an Alleinspiel."""
        self.ask(*("spielen" if s == seat else "weiter" for s in self.game.seats))
        if leave:
            self.do("leave", seat=seat, granted=True)
        return self.do("declare", seat=seat, game=game, **keys)

    def lawful(self, seat: int) -> list[str]:
        """Cards the seat may lay; the called card is led, never run away from."""
        hand, called = self.hands[seat], self.game.contract.re_card
        classes = self.game.contract.classes
        if self.game.open_trick:
            led = classes[self.game.open_trick[0].card]
            fitting = [card for card in hand if classes[card] == led] or [card for card in hand if card != called]
            if called in fitting:
                return [called]
            return fitting or hand
        if called in hand:
            return [card for card in hand if classes[card] != called[0] or card == called]
        return hand

    def offences(self) -> list[tuple[str, int, int, int, str]]:
        """Offences of the game: code, seat, event, proved, section."""
        return [(o.code, o.seat, o.event, o.proved, o.section.removeprefix("schaffkopf ")) for o in self.game.offences]

    def result(self) -> tuple[str | None, list[tuple[str, int]], dict[int, int]]:
        """Who has won, the reasons of the value, the score."""
        result = self.game.result
        return result.won_by, [(item.name, item.number) for item in result.value], dict(result.score)


@pytest.fixture
def schafkopf() -> type[Schafkopf]:
    """Makes a table that plays by ``schaffkopf``."""
    return Schafkopf


class ByBook(Play):
    """A table by any book of Doppelkopf."""

    def __init__(self, rules: str, players: int = 4, **options: object) -> None:
        self.book = BOOKS[rules]
        opened: dict[str, Any] = {
            "event": "open",
            "format": 1,
            "rules": rules,
            "players": ["Anna", "Bernd", "Cem", "Dora", "Emil"][:players],
            "options": options,
        }
        if self.book.own is not None:  # a club's own: its content goes along
            opened["book"] = self.book.own.content
        self.events = [opened]
        self.round = open_round(decode(opened))
        self.hands = {}

    def deal(
        self,
        dealer: int | None = None,
        hands: dict[int, Any] | None = None,
        seed: int = 1,
        re: tuple[int, int] | None = None,
    ) -> None:
        """Deals; ``hands``: some cards by place from forehand on, as text or list, filled up from the seed."""
        self.do("deal", dealer=dealer or self.round.next_dealer)
        seats = self.game.seats
        fixed = {seat: [] for seat in seats}
        for place, cards in (hands or {}).items():
            fixed[seats[place]] = cards.split() if isinstance(cards, str) else list(cards)
        rest = list(self.book.deck)
        for card in (card for cards in fixed.values() for card in cards):
            rest.remove(card)
        random.Random(seed).shuffle(rest)
        queens = [seat for seat in (re or ()) for _ in range(1)]
        for seat in queens:
            rest.remove("CQ")
            fixed[seat].append("CQ")
        for seat in seats:
            while len(fixed[seat]) < self.book.hand_size:
                fixed[seat].append(rest.pop())
        self.hands = fixed

    def trick(self, cards: str) -> list[int]:
        """Cards laid in turn; the numbers of their events."""
        return [self.card(self.game.turn, card) for card in cards.split()]

    def scored(self) -> dict[str, Any]:
        """The last game as the replay prints it."""
        return dict(replay_data(self.round)[-2])


@pytest.fixture
def forty() -> Callable[..., ByBook]:
    """Makes a table of a book with forty cards."""
    return ByBook


@pytest.fixture
def by_book() -> Callable[..., ByBook]:
    """Makes a table of any book of Doppelkopf."""
    return ByBook


class AnyTable:
    """A table of any book: deals known hands, lays lawful cards, the strongest first where asked."""

    def __init__(self, rules: str, players: int = 4, **options: Value) -> None:
        self.book = BOOKS[rules]
        opened = {"event": "open", "format": 1, "rules": rules, "players": list("ABCDE")[:players], "options": options}
        self.events: list[dict[str, Any]] = [opened]
        self.round: Round = open_round(decode(opened))
        self.hands: dict[int, list[str]] = {}

    @property
    def game(self) -> Any:
        return self.round.game

    def do(self, event: str, **keys: Any) -> int:
        made = {"event": event, **keys}
        self.round = self.round.apply(decode(made))
        self.events.append(made)
        return len(self.events) - 1

    def deal(self, hands_of: Mapping[int, str] | None = None, dealer: int = 4, seed: int = 1) -> "AnyTable":
        """By default seat 1 is forehand; the two CQ go to the seats 1 and 3 unless given."""
        self.do("deal", dealer=dealer)
        seats, rest = self.game.seats, list(self.book.deck)
        hands = {seat: (hands_of or {}).get(seat, "").split() for seat in seats}
        for card in [card for cards in hands.values() for card in cards]:
            rest.remove(card)
        random.Random(seed).shuffle(rest)
        for seat in (seats[0], seats[2]):
            if "CQ" in rest and len(hands[seat]) < self.book.hand_size:
                rest.remove("CQ")
                hands[seat].append("CQ")
        for cards in hands.values():
            while len(cards) < self.book.hand_size:
                cards.append(rest.pop())
        self.hands = hands
        return self

    def scan(self, seat: int) -> None:
        self.do("hand", seat=seat, cards=list(self.hands[seat]))

    def card(self, seat: int, card: str) -> int:
        self.hands[seat].remove(card)
        return self.do("card", seat=seat, card=card)

    def lay(self, number: int = 1, strong: tuple[int, ...] = ()) -> "AnyTable":
        """Lays lawful cards in turn; the seats of ``strong`` lead their best and follow with their least."""
        for _ in range(number):
            seat, contract = self.game.turn, self.game.contract
            hand = sorted(self.hands[seat], key=lambda card: (card == "CQ", self.hands[seat].index(card)))
            if self.game.open_trick:
                led = contract.classes[self.game.open_trick[0].card]
                hand = [card for card in hand if contract.classes[card] == led] or hand
                if contract.re_card in hand and len(hand) > 1 and not self.book.calls.words:
                    hand = [contract.re_card] if contract.classes[contract.re_card] == led else hand
                    hand = [c for c in hand if c != contract.re_card or contract.classes[c] == led] or hand
            elif contract.re_card in hand and not self.book.calls.words:
                suit = contract.re_card[0]
                hand = [c for c in hand if contract.classes[c] != suit or c == contract.re_card]
            if seat in strong:
                best = sorted(hand, key=lambda card: contract.power[card])
                hand = best if self.game.open_trick else best[::-1]
            self.card(seat, hand[0])
        return self

    def finish(self, strong: tuple[int, ...] = ()) -> "AnyTable":
        while self.round.running:
            self.lay(strong=strong)
        return self

    def codes(self, event: int | None = None) -> list[str]:
        return [o.code for o in self.game.offences if event is None or o.event == event]


@pytest.fixture
def sit() -> type[AnyTable]:
    """Makes a table of any book."""
    return AnyTable


@pytest.fixture
def solo(play: Any) -> Any:
    """Seat 1 plays a Pflichtsolo, three tricks are done."""
    table = play()
    table.deal(4)
    table.do("declare", seat=1, game="damensolo", duty=True)
    table.lay(12)
    return table


@pytest.fixture
def normal(play: Any) -> Any:
    """Seats 1 and 3 are Re, which their CQ have shown; two tricks are done."""
    table = play()
    table.deal(4, seed=3)
    table.card(1, "CQ")
    table.lay(1)
    table.card(3, "CQ")
    table.lay(1)
    table.lay(4)
    return table
