"""A claimed rest against every distribution of the unseen cards, each laid in every way."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, product
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from kiosk.rules.books import BOOKS
from kiosk.rules.engine.claimed_rest import Verdict, judge_rest
from kiosk.rules.engine.game import Game
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round

Hands = Mapping[int, tuple[str, ...]]


class Law(NamedTuple):
    """What may be laid, and who takes it, told here anew."""

    classes: Mapping[str, str]
    power: Mapping[str, int]
    second: frozenset[str]
    called: str | None
    enough: int

    def suit(self, card: str) -> bool:
        """Whether it is a plain card of the called one's suit."""
        return self.called is not None and self.classes[card] == self.called[0]

    def may(self, hand: Sequence[str], trick: Sequence[tuple[int, str]], ran: bool) -> list[str]:
        """The cards of a hand that may be laid; ``ran``: its player has run away from the called card."""
        bound = self.called in hand and not ran
        if not trick:
            if bound and sum(map(self.suit, hand)) < self.enough:
                return [card for card in hand if not self.suit(card) or card == self.called]
            return list(hand)
        first = trick[0][1]
        if bound and self.suit(first):
            return [self.called or ""]
        follow = [card for card in hand if self.classes[card] == self.classes[first]]
        if bound and not follow and len(hand) > 1:
            return [card for card in hand if card != self.called]
        return follow or list(hand)

    def winner(self, trick: Sequence[tuple[int, str]]) -> int:
        """Who takes it."""
        top = trick[0]
        for seat, card in trick[1:]:
            kind, over = self.classes[card], self.power[card] > self.power[top[1]]
            same = kind == self.classes[top[1]]
            again = card == top[1] and card in self.second
            if (same and (over or again)) or (not same and kind == "trump"):
                top = seat, card
        return top[0]


def law_of(game: Game) -> Law:
    called = game.contract.re_card if game.declaration and game.declaration.card else None
    enough = {"A": "davonlaufen_ace", "T": "davonlaufen_ten", "K": "davonlaufen_king"}
    needed = int(game.options[enough[called[1]]]) if called else 0
    second = game.book.second_wins(game.contract, game.options)
    return Law(game.contract.classes, game.contract.power, second, called, needed)


class Case(NamedTuple):
    """A game cut short, and who claims."""

    game: Game
    hands: Hands  # what each holds
    seat: int
    order: tuple[str, ...]


def dealt(book: str, declared: dict[str, Any], rng: random.Random, strength: float) -> tuple[list[list[str]], Any]:
    """Four hands, the first with the more high trumps the stronger, and the declaration that they allow."""
    rules = BOOKS[book]
    contract = rules.contracts[declared["game"], declared.get("suit")]
    cards = sorted(rules.deck, key=lambda card: contract.power[card] * strength + rng.gauss(0, 6), reverse=True)
    size = rules.hand_size
    own, rest = cards[:size], cards[size:]
    rng.shuffle(rest)
    hands = [own, *(rest[n * size : (n + 1) * size] for n in range(3))]
    if declared["game"] == "rufspiel":
        suits = [suit for suit in "EGS" if suit + "A" not in own and any(card[0] == suit for card in own)]
        if not suits:
            return dealt(book, declared, rng, strength)
        declared = {**declared, "card": rng.choice(suits) + "A"}
    return hands, declared


def case(book: str, declared: dict[str, Any], seed: int, left: int, doubt: float = 0.0) -> Case:
    """A lawful game of random cards, down to ``left`` cards in the claiming hand.

    :param doubt: chance of each card to be read in doubt, as two or three.
    """
    rng = random.Random(f"{book} {seed}")
    dealt_hands, named = dealt(book, declared, rng, rng.choice([0.0, 0.5, 2.0]))
    hands = {seat: list(hand) for seat, hand in enumerate(dealt_hands, start=1)}
    opened = {"event": "open", "format": 1, "rules": book, "table": 1, "round": 1, "players": list("ABCD")}
    round: Round = open_round(decode(opened)).apply(decode({"event": "deal", "dealer": 4}))
    round = round.apply(decode({"event": "declare", "seat": 1, **named}))
    assert round.game is not None
    law, ran = law_of(round.game), set[int]()
    seat = rng.choice([1, 1, 2, 3]) if book == "schaffkopf" else 1
    more = rng.randint(0, 3)  # cards of the open trick
    while True:
        game = round.game
        assert game is not None
        turn = game.next_to_lay
        asked = len(game.open_trick) == more or turn == seat or not game.open_trick
        if len(hands[seat]) == left and asked and (more == 0 or game.open_trick):
            break
        trick = [(one.seat, one.card) for one in game.open_trick]
        card = rng.choice(law.may(hands[turn], trick, turn in ran))
        if not trick and law.suit(card) and card != law.called:
            ran.add(turn)
        hands[turn].remove(card)
        read: dict[str, Any] = {"event": "card", "seat": turn, "card": card}
        if rng.random() < doubt:
            read["doubt"] = [card, *rng.sample(sorted(set(BOOKS[book].deck) - {card}), rng.choice([1, 2]))]
        round = round.apply(decode(read))
        if len(hands[seat]) < left:
            break
    assert round.game is not None
    own = list(hands[seat])
    rng.shuffle(own)
    order = tuple(own[: rng.randint(0, len(own))]) if rng.random() < 0.4 else ()
    return Case(round.game, {one: tuple(hand) for one, hand in hands.items()}, seat, order)


class BruteForce:
    """All distributions that the game leaves, those in play at the same time narrowed by each card laid."""

    def __init__(self, made: Case, reading: Mapping[int, str] = MappingProxyType({})) -> None:
        self.reading = reading
        self.game, self.seat, self.order = made.game, made.seat, made.order
        self.law = law_of(made.game)
        self.seats = made.game.seats
        self.own = made.hands[made.seat]
        self.sizes = {seat: len(hand) for seat, hand in made.hands.items() if seat != made.seat}
        rest = Counter(made.game.book.deck)
        rest.subtract([one.card for trick in self.tricks() for one in trick])
        rest.subtract(self.own)
        self.possible = min(rest.values()) >= 0
        self.rest = sorted(rest.elements())

    def tricks(self) -> list[Any]:
        every = [*(trick.cards for trick in self.game.tricks), self.game.open_trick]
        return [[replace(one, card=self.reading.get(one.event, one.card)) for one in cards] for cards in every]

    def worlds(self) -> Iterator[dict[int, tuple[str, ...]]]:
        """Each distribution of what is unseen with which all have laid lawfully."""
        seen = set()
        for hands in self.placed(list(self.sizes), self.rest):
            world = dict(hands)
            key = tuple(world[seat] for seat in self.sizes)
            if key not in seen and self.lawful_so_far(world):
                yield world
            seen.add(key)

    def placed(self, seats: list[int], cards: list[str]) -> Iterator[list[tuple[int, tuple[str, ...]]]]:
        if not seats:
            yield []
            return
        for places in combinations(range(len(cards)), self.sizes[seats[0]]):
            hand = tuple(cards[place] for place in places)
            left = [card for place, card in enumerate(cards) if place not in places]
            for others in self.placed(seats[1:], left):
                yield [(seats[0], hand), *others]

    def lawful_so_far(self, world: Hands) -> bool:
        tricks = self.tricks()
        for seat in world:
            hand = [*world[seat], *(one.card for trick in tricks for one in trick if one.seat == seat)]
            ran = False
            for trick in tricks:
                before: list[tuple[int, str]] = []
                for one in trick:
                    if one.seat == seat:
                        if one.card not in self.law.may(hand, before, ran):
                            return False
                        ran = ran or (not before and self.law.suit(one.card) and one.card != self.law.called)
                        hand.remove(one.card)
                    before.append((one.seat, one.card))
        return True

    def foe(self, seat: int, world: Hands) -> bool:
        named = self.game.declaration
        assert named is not None
        re = {named.seat}
        if self.law.called:
            hands = {**world, self.seat: self.own}
            laid = [(one.seat, one.card) for trick in self.tricks() for one in trick]
            re |= {one for one, hand in hands.items() if self.law.called in hand}
            re |= {one for one, card in laid if card == self.law.called}
        return (seat in re) != (self.seat in re)

    def ran(self) -> frozenset[int]:
        return frozenset(
            trick[0].seat
            for trick in self.tricks()
            if trick and self.law.suit(trick[0].card) and trick[0].card != self.law.called
        )

    def lost(self) -> bool:
        """Whether the claim can be lost: some distribution, laid in some way."""
        every = list(self.worlds()) if self.possible else []
        trick = tuple((one.seat, one.card) for one in self.tricks()[-1])
        start = [(world, world) for world in every]
        return bool(every) and self.open(start, self.own, self.order, trick, self.game.leader, self.ran())

    def open(
        self,
        worlds: list[tuple[Hands, Hands]],
        own: tuple[str, ...],
        order: tuple[str, ...],
        trick: tuple[tuple[int, str], ...],
        leader: int,
        ran: frozenset[int],
    ) -> bool:
        if len(trick) == 4:
            leader = self.law.winner(trick)
            if leader != self.seat and any(self.foe(leader, dealt) for dealt, _ in worlds):
                return True
            if not own:
                return False
            trick = ()
        at = self.seats.index(leader)
        turn = next(s for s in self.seats[at:] + self.seats[:at] if s not in [seat for seat, _ in trick])
        if turn == self.seat:
            return self.claimants(worlds, own, order, trick, leader, ran)
        lays = {card for _, left in worlds for card in self.law.may(left[turn], trick, turn in ran)}
        for card in sorted(lays):
            after = [
                (dealt, {**left, turn: without(left[turn], card)})
                for dealt, left in worlds
                if card in self.law.may(left[turn], trick, turn in ran)
            ]
            runs = ran | {turn} if not trick and self.law.suit(card) and card != self.law.called else ran
            if self.open(after, own, order, (*trick, (turn, card)), leader, runs):
                return True
        return False

    def claimants(
        self,
        worlds: list[tuple[Hands, Hands]],
        own: tuple[str, ...],
        order: tuple[str, ...],
        trick: tuple[tuple[int, str], ...],
        leader: int,
        ran: frozenset[int],
    ) -> bool:
        may = self.law.may(own, trick, self.seat in ran)
        said = [card for card in order if card in may]
        best = False
        if said:
            may = said[:1]
        elif not trick:
            power, classes = self.law.power, self.law.classes
            may = [c for c in may if all(power[c] >= power[o] for o in may if classes[o] == classes[c])]
        elif self.game.book.claimant_takes_with_any:
            may = [c for c in may if self.law.winner((*trick, (self.seat, c))) == self.seat] or may
        else:
            best = True
        results = []
        for card in dict.fromkeys(may):
            runs = ran | {self.seat} if not trick and self.law.suit(card) and card != self.law.called else ran
            left = without(order, card) if card in order else order
            lost = self.open(worlds, without(own, card), left, (*trick, (self.seat, card)), leader, runs)
            results.append(lost)
        return all(results) if best else any(results)


def without(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def check_counter(made: Case, verdict: Verdict) -> None:
    """The counter-example: hands that can be, a line that is lawful and ends with a trick of the other side."""
    brute = BruteForce(made)
    world = {seat: verdict.hands[seat] for seat in brute.sizes}
    assert sorted(card for hand in world.values() for card in hand) == brute.rest
    assert {seat: len(hand) for seat, hand in world.items()} == brute.sizes
    assert brute.lawful_so_far(world)
    left = {**{seat: list(hand) for seat, hand in world.items()}, made.seat: list(made.hands[made.seat])}
    trick = [(one.seat, one.card) for one in made.game.open_trick]
    ran = set(brute.ran())
    for seat, card in verdict.line:
        if len(trick) == 4:
            assert not brute.foe(brute.law.winner(trick), world)
            trick = []
        assert card in brute.law.may(left[seat], trick, seat in ran), (seat, card)
        if not trick and brute.law.suit(card) and card != brute.law.called:
            ran.add(seat)
        left[seat].remove(card)
        trick.append((seat, card))
    assert len(trick) == 4 and brute.foe(brute.law.winner(trick), world)


GAMES = [
    ("eppstein", {"game": "trumpfsolo"}),
    ("eppstein", {"game": "damensolo"}),
    ("eppstein", {"game": "fleischlos"}),
    ("eppstein", {"game": "farbsolo", "suit": "H"}),
    ("ddv", {"game": "farbsolo", "suit": "H"}),
    ("ddv", {"game": "bubensolo"}),
    ("schaffkopf", {"game": "rufspiel"}),
    ("schaffkopf", {"game": "wenz"}),
    ("schaffkopf", {"game": "solo", "suit": "G"}),
]


def readings(game: Game) -> Iterator[dict[int, str]]:
    """Each way to read the cards in doubt."""
    doubts = [laid for _, laid in game.doubts]
    for chosen in product(*(laid.doubt for laid in doubts)):
        yield {laid.event: card for laid, card in zip(doubts, chosen, strict=True)}


def trumps_first(made: Case) -> list[str]:
    """The cards of who claims, trumps from the top, then suit by suit."""
    law = law_of(made.game)
    return sorted(
        made.hands[made.seat], key=lambda card: (law.classes[card] != "trump", law.classes[card], -law.power[card])
    )


def compared(
    book: str, declared: dict[str, Any], seeds: Sequence[int], left: int, doubt: float = 0.0
) -> Counter[bool | None]:
    found: Counter[bool | None] = Counter()
    for seed in seeds:
        made = case(book, declared, seed, left, doubt)
        own = made.hands[made.seat]
        verdict = judge_rest(made.game, made.seat, own, made.order)
        lost = any(BruteForce(made, reading).lost() for reading in readings(made.game))
        assert verdict.holds is not lost, (book, declared, seed, left)
        if verdict.holds is False and not doubt:
            check_counter(made, verdict)
            again = judge_rest(made.game, made.seat, own, trumps_first(made))
            assert verdict.trumps_first == (not made.order and again.holds is True)
        found[verdict.holds] += 1
    return found


NAMES = {"ids": lambda it: it if isinstance(it, str) else it["game"]}


@pytest.mark.parametrize(("book", "declared"), GAMES, **NAMES)
def test_two_cards_each(book: str, declared: dict[str, Any]) -> None:
    """The same answer as every distribution laid in every way, and a counter-example that can be."""
    assert not compared(book, declared, range(1), 2)[None]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "declared"), GAMES[1::3], **NAMES)
def test_more_of_them(book: str, declared: dict[str, Any]) -> None:
    assert not compared(book, declared, range(10, 14), 2)[None]


def test_both_answers_come() -> None:
    made = [case("eppstein", {"game": "trumpfsolo"}, seed, 3) for seed in range(6)]
    assert {judge_rest(one.game, 1, one.hands[1], one.order).holds for one in made} == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize(("book", "declared"), GAMES[::3], **NAMES)
def test_cards_in_doubt(book: str, declared: dict[str, Any]) -> None:
    """Each way to read them that the deck leaves open, and that nobody's breach is needed for."""
    found = compared(book, declared, range(100, 103), 2, doubt=0.05)
    assert found[True] + found[False] == 3


def test_a_whole_hand() -> None:
    """Twelve trumps from the top against none, and the same with the second highest in place of the highest."""
    sure = ["HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ"]
    for own, holds in ((sure, True), ([*sure[1:], "SJ"], False)):
        rest = sorted(BOOKS["eppstein"].deck)
        for card in own:
            rest.remove(card)
        opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
        round = open_round(decode(opened)).apply(decode({"event": "deal", "dealer": 4}))
        round = round.apply(decode({"event": "declare", "seat": 1, "game": "trumpfsolo"}))
        assert round.game is not None
        assert judge_rest(round.game, 1, own).holds is holds


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda own: (own[1:], ()), "hand_size"),
        (lambda own: (("HT",) * 3 + own[3:], ()), "not_in_deck"),
        (lambda own: (own, (*own, own[0])), "order"),
        (lambda own: (("XX", *own[1:]), ()), "not_in_deck"),
    ],
    ids=["too few shown", "three equal ones", "order with a card too many", "no card of the deck"],
)
def test_what_cannot_be_judged(change: Any, why: str) -> None:
    made = case("eppstein", {"game": "trumpfsolo"}, 1, 4)
    own, order = change(made.hands[1])
    verdict = judge_rest(made.game, 1, own, order)
    assert (verdict.holds, verdict.why) == (None, why)


def test_a_card_shown_that_lies_already() -> None:
    """Both copies of it were laid: something was misread, and nothing is said of the claim."""
    made = case("eppstein", {"game": "trumpfsolo"}, 1, 4)
    laid = [one.card for trick in made.game.tricks for one in trick.cards]
    twice = next(card for card in laid if laid.count(card) == 2)
    assert judge_rest(made.game, 1, (twice, *made.hands[1][1:])).why == "misread"


def test_sides_that_are_open() -> None:
    """A normal game, the CQ not seen: whose tricks would count for him nobody knows."""
    opened = {"event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": list("ABCD")}
    round = open_round(decode(opened)).apply(decode({"event": "deal", "dealer": 4}))
    round = round.apply(decode({"event": "card", "seat": 1, "card": "CA"}))
    assert round.game is not None
    own = ["HT", "HT", "SQ", "SQ", "HQ", "HQ", "DQ", "DQ", "CJ", "CJ", "SJ"]
    assert judge_rest(round.game, 1, own).why == "sides"
    still = judge_rest(round.game, 1, ["CQ", "CQ", *own[2:]])
    assert still.holds is False and ("HT" in [card for _, card in still.line])
