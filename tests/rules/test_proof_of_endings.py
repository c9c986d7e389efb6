"""Whole games of every book, played with breaches: in the last tricks every proof is that of all placings.

While at most eight cards are unseen, all ways to deal them are enumerated, and what none of them allows must have been
reported, with its first event if that lies in this part of the game.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.cards import Card
from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round

pytestmark = pytest.mark.slow

Hands = dict[int, Counter[Card]]

#: So few unseen cards can be placed in at most 2520 ways.
FEW = 8


def placings(unseen: Counter[Card], sizes: Mapping[int, int]) -> Iterator[Hands]:
    """Every way to deal the unseen cards to seats that miss so many."""
    if not sizes:
        yield {}
        return
    seat, *others = sizes
    for chosen in set(itertools.combinations(sorted(unseen.elements()), sizes[seat])):
        hand = Counter(chosen)
        for rest in placings(unseen - hand, {other: sizes[other] for other in others}):
            yield {seat: hand, **rest}


class Played:
    """A game as it is played, and what can be known of it, kept without the engine."""

    def __init__(self, name: str, seed: int) -> None:
        self.rng = random.Random(f"{name} {seed}")
        self.book = BOOKS[name]
        self.round: Round = open_round(decode({"event": "open", "format": 1, "rules": name, "players": list("ABCD")}))
        self.do("deal", dealer=4)
        deck = list(self.book.deck)
        self.rng.shuffle(deck)
        size = self.book.hand_size
        self.hands = {seat: deck[size * seat - size : size * seat] for seat in (1, 2, 3, 4)}
        self.shown: Hands = {seat: Counter() for seat in self.hands}
        self.laid: Hands = {seat: Counter() for seat in self.hands}
        self.full = {seat for seat in self.hands if self.rng.random() < 0.25}
        self.moves: dict[int, tuple[int, str, Counter[Card]]] = {}  # event → seat, led, cards laid before and with it
        for seat in self.full:
            self.do("hand", seat=seat, cards=list(self.hands[seat]))
            self.shown[seat] = Counter(self.hands[seat])

    def do(self, event: str, **keys: Any) -> int:
        number = self.round.events
        self.round = self.round.apply(decode({"event": event, **keys}))
        return number

    @property
    def game(self) -> Game:
        assert self.round.game is not None
        return self.round.game

    def name_a_solo(self) -> None:
        """A game in which the led suit is all that matters to a card."""
        kinds = [kind for kind in self.book.kinds if self.book.contracts and kind.played and not kind.ends_deal]
        kinds = [kind for kind in kinds if not kind.cards and kind.game != "hochzeit"]
        kind = self.rng.choice(kinds)
        keys = {"suit": self.rng.choice(kind.suits)} if kind.suits else {}
        self.do("declare", seat=self.rng.randint(1, 4), game=kind.game, **keys)

    def lay(self, unlawful: float) -> None:
        game = self.game
        seat = game.turn
        assert seat is not None
        hand, classes = self.hands[seat], game.contract.classes
        led = classes[game.open_trick[0].card] if game.open_trick else None
        following = [card for card in hand if classes[card] == led]
        card = self.rng.choice(hand if self.rng.random() < unlawful or not following else following)
        number = self.do("card", seat=seat, card=card)
        if led and classes[card] != led and self.rng.random() < 0.2 and self.round.running:
            self.shown[seat] = self.shown[seat] | (self.laid[seat] + Counter([card]))
            try:
                self.do("retract", seat=seat, card=card)
                return
            except ValueError:
                pass
        hand.remove(card)
        self.laid[seat][card] += 1
        self.shown[seat] = self.shown[seat] | self.laid[seat]
        if led and classes[card] != led:
            self.moves[number] = seat, led, Counter(self.laid[seat])

    def certain(self) -> set[int] | None:
        """The moves that no placing allows; None while there are too many placings."""
        unseen = Counter(self.book.deck)
        for cards in self.shown.values():
            unseen -= cards
        if unseen.total() > FEW:
            return None
        sizes = {seat: self.book.hand_size - cards.total() for seat, cards in self.shown.items()}
        lawful: set[int] = set()
        classes = self.game.contract.classes
        for placing in placings(unseen, sizes):
            for number, (seat, led, laid) in self.moves.items():
                if number not in lawful:
                    kept = self.shown[seat] + placing[seat] - laid
                    if not any(classes[card] == led for card in kept):
                        lawful.add(number)
        return set(self.moves) - lawful


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", BOOKS)
def test_revokes_are_exact_to_the_event(name: str, seed: int) -> None:
    table = Played(name, seed)
    if table.book.classes or seed % 2:
        table.name_a_solo()
    checked = 0
    before: set[int] | None = None
    while table.round.running:
        now = table.round.events
        table.lay(0.35)
        certain = table.certain()
        if certain is None:
            continue
        found = {o.event: o.proved for o in table.game.offences if o.code == "revoke"}
        assert set(found) == certain
        if before is not None:  # what is new was proved by the events since
            assert all(found[number] >= now for number in certain - before)
            assert all(found[number] < now for number in certain & before)
        before = certain
        checked += 1
    assert checked >= 4 and before


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", [name for name, book in BOOKS.items() if "re" in book.calls.words])
def test_wrong_sides_are_exact_to_the_event(name: str, seed: int) -> None:
    """In a game that nobody named: who says Re or Kontra against his queens is found out when no placing lets him."""
    table = Played(name, seed)
    said: dict[int, tuple[int, str]] = {}
    before: set[int] | None = None
    while table.round.running:
        now = table.round.events
        if len(said) < 3 and table.game.cards_laid and table.rng.random() < 0.3:
            seat, call = table.rng.choice(table.game.seats), table.rng.choice(["re", "kontra"])
            if (seat, call) not in said.values():
                said[table.do("announce", seat=seat, call=call)] = seat, call
        table.lay(0.0)
        unseen = Counter(table.book.deck)
        for cards in table.shown.values():
            unseen -= cards
        if unseen.total() > FEW:
            continue
        sizes = {seat: table.book.hand_size - cards.total() for seat, cards in table.shown.items()}
        lawful = {
            number
            for placing in placings(unseen, sizes)
            for number, (seat, call) in said.items()
            if ((table.shown[seat] + placing[seat])["CQ"] > 0) == (call == "re")
        }
        certain = set(said) - lawful
        found = {o.event: o.proved for o in table.game.offences if o.code == "wrong_side"}
        assert set(found) == certain
        if before is not None:
            assert all(found[number] >= now for number in certain - before)
        before = certain
    assert before is not None
