"""Breaches under doubt against every world: all readings of what is in doubt, all placings of what was not seen.

The worlds are tried one by one, and what broke the rules in each is judged here anew, from the hands that it gives.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import pytest

from kiosk.bench.proof_games import Noise, Played, folded, play
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.schafkopf import ORDER
from kiosk.rules.engine.game import Game
from kiosk.table.inference.certain import certain
from tests.rules.composed.books import made

pytestmark = pytest.mark.slow

#: Worlds that a case may have; others are left out.
MOST = 12_000

CODES = ("revoke", "out_of_turn", "not_entitled", "wrong_side")

NOISE = Noise(revokes=0.25, doubt=0.06, unseen=0.02, retracted=0.04, scans=0.25)


class Lies(NamedTuple):
    """A card on the table."""

    event: int
    seat: int
    kinds: tuple[str, ...]
    down: bool


class World(NamedTuple):
    """What every card is, and what every hand was dealt."""

    cards: Mapping[int, str]
    hands: Mapping[int, tuple[str, ...]]


def cases(book: str, declared: dict[str, Any] | None, number: int) -> Iterator[tuple[int, Played, int]]:
    """Seeds, games, and where each is cut: as long as few cards are unseen."""
    for seed in range(number):
        game = play(book, 7000 + seed, NOISE, declared=declared)
        rng = random.Random(seed)
        laid = sorted(game.true)
        left = rng.randint(2, 7)
        yield seed, game, len(game.events) if left == 2 else laid[-left]


def lying(game: Game) -> list[tuple[Lies, ...]]:
    tricks = [*(trick.cards for trick in game.tricks), *([game.open_trick] if game.open_trick else [])]
    return [tuple(Lies(one.event, one.seat, one.doubt or (one.card,), one.down) for one in cards) for cards in tricks]


def worlds(game: Game, taken_back: Sequence[tuple[int, Lies]]) -> list[World] | None:
    """All of them; None if there are too many to be tried."""
    tricks = lying(game)
    cards = [one for trick in tricks for one in trick]
    readings = 1
    for one in cards:
        readings *= len(one.kinds)
    if readings > 600:
        return None
    found = []
    for chosen in product(*(one.kinds for one in cards)):
        rest = Counter(game.book.deck)
        rest.subtract(chosen)
        if min(rest.values()) < 0:
            continue
        read = {one.event: kind for one, kind in zip(cards, chosen, strict=True)}
        own = {seat: tuple(read[one.event] for one in cards if one.seat == seat) for seat in game.seats}
        for hands in filled(game, own, sorted(rest.elements())):
            world = World(read, hands)
            if agrees(game, tricks, taken_back, world):
                found.append(world)
            if len(found) > MOST:
                return None
    return found


def filled(game: Game, own: Mapping[int, tuple[str, ...]], unseen: list[str]) -> Iterator[dict[int, tuple[str, ...]]]:
    """Every way to fill the hands; a scanned hand is what was scanned."""

    def fill(seats: Sequence[int], cards: list[str]) -> Iterator[dict[int, tuple[str, ...]]]:
        if not seats:
            yield {}
            return
        seat, *others = seats
        for chosen in sorted(set(combinations(cards, game.book.hand_size - len(own[seat])))):
            left = list(cards)
            for card in chosen:
                left.remove(card)
            hand = (*own[seat], *chosen)
            if seat in game.hands and Counter(hand) != Counter(game.hands[seat]):
                continue
            for more in fill(others, left):
                yield {seat: hand, **more}

    yield from fill(sorted(game.seats), unseen)


def left_over(tricks: Sequence[tuple[Lies, ...]], world: World, seat: int, since: int) -> Counter[str]:
    """The cards that the seat held before trick ``since``."""
    hand = Counter(world.hands[seat])
    hand.subtract(world.cards[one.event] for trick in tricks[:since] for one in trick if one.seat == seat)
    return +hand


def agrees(
    game: Game, tricks: Sequence[tuple[Lies, ...]], taken_back: Sequence[tuple[int, Lies]], world: World
) -> bool:
    """Whether who took a card back held it, and who named cards in a claim has them."""
    for since, one in taken_back:
        held = left_over(tricks, world, one.seat, since)
        if not any(held[kind] for kind in one.kinds):
            return False
    if game.claim is not None:
        held = left_over(tricks, world, game.claim.seat, len(tricks))
        return not Counter(game.claim.order) - held
    return True


def broken(game: Game, tricks: Sequence[tuple[Lies, ...]], world: World) -> set[tuple[str, int, int]]:
    """What broke the rules in one world."""
    classes, covered = game.contract.classes, {move.event for move in game.covered}
    found = set()
    for n, trick in enumerate(tricks):
        led = classes[world.cards[trick[0].event]]
        if n and taker(game, tricks[n - 1], world, n - 1) != trick[0].seat:
            found.add(("out_of_turn", trick[0].seat, trick[0].event))
        for one in trick:
            held = {classes[card] for card in left_over(tricks, world, one.seat, n)}
            if classes[world.cards[one.event]] != led and led in held:
                found.add(("revoke", one.seat, one.event))
            if one.event in covered and held != {"trump"}:
                found.add(("not_entitled", one.seat, one.event))
    return found | declared_broken(game, tricks, world)


def declared_broken(game: Game, tricks: Sequence[tuple[Lies, ...]], world: World) -> set[tuple[str, int, int]]:
    """What a declaration, or a call, broke in one world."""
    found = set()
    declared = game.declaration
    if declared is not None and declared.partner is not None:
        if not can_have_given_away(game, world.hands):
            found.add(("not_entitled", declared.seat, declared.event))
    elif declared is not None and declared.game == "hochzeit" and world.hands[declared.seat].count("CQ") < 2:
        found.add(("not_entitled", declared.seat, declared.event))
    if declared is not None and declared.card is not None:
        hand, suit = world.hands[declared.seat], declared.card[0]
        if declared.card in hand or not any(card[0] == suit and card[1] in "TK987" for card in hand):
            found.add(("not_entitled", declared.seat, declared.event))
        found |= called_broken(tricks, world, declared.card)
    for one in game.raised:
        if world.hands[one.seat].count(one.card) < 2:
            found.add(("not_entitled", one.seat, one.event))
    for said in game.said:
        if declared is None and (said.call == "re") != ("CQ" in world.hands[said.seat]):
            found.add(("wrong_side", said.seat, said.event))
    return found


def can_have_given_away(game: Game, hands: Mapping[int, tuple[str, ...]]) -> bool:
    """Whether some hands as dealt, from which as many cards went each way, entitled: tried one by one.

    ``hands`` are those held after it. All trumps of the one who declared went, one of them, or up to three; as many
    came back as were told.
    """
    declared, classes = game.declaration, game.book.normal.classes
    assert declared is not None and declared.partner is not None
    own, partners = hands[declared.seat], hands[declared.partner]
    numbers = (1,) if declared.game == "hochzeit" else (0, 1, 2, 3)
    told = declared.trumps
    for number in numbers:
        for back in combinations(own, number):
            if told is not None and sum(classes[card] == "trump" for card in back) != told:
                continue
            kept = Counter(own) - Counter(back)
            if any(classes[card] == "trump" for card in kept.elements()):
                continue
            # What was given is among the partner's, or among what he gave back.
            there = Counter(partners) + Counter(back)
            if sum(classes[card] == "trump" for card in there.elements()) >= number:
                return True
    return False


def taker(game: Game, trick: tuple[Lies, ...], world: World, number: int) -> int:
    """Who takes a trick: the highest trump, else the highest of what was led; of equal cards as the book has it.

    What was raised by its time is above all trumps.
    """
    raised = [one.card for one in game.raised if one.trick <= number]
    order = list(trick)
    if game.book.equal_order is BOOKS["bsv"].equal_order:
        order.sort(key=lambda one: (one.seat - trick[0].seat) % 4)
    contract, top = game.contract, order[0]
    plain = (game.raised[0].before if game.raised else contract).power
    for one in order[1:]:
        card, best = world.cards[one.event], world.cards[top.event]
        if one.down or contract.classes[card] not in ("trump", contract.classes[world.cards[trick[0].event]]):
            continue
        second = card == best == "HT" and game.options["second_ht"] != "never" and contract.trumps[:1] == ("HT",)
        height = {kind: (raised.index(kind) if kind in raised else -1, plain[kind]) for kind in (card, best)}
        if height[card] > height[best] or second:
            top = one
    return top.seat


def called_broken(tricks: Sequence[tuple[Lies, ...]], world: World, called: str) -> set[tuple[str, int, int]]:
    """What its holder broke of the called card's rules (schaffkopf II 4.1.6): four of its suit to run away."""
    holder = next(seat for seat, hand in world.hands.items() if called in hand)
    suit = {called[0] + rank for rank in "ATK987"}
    found, ran = set(), False
    for n, trick in enumerate(tricks):
        one = next((one for one in trick if one.seat == holder), None)
        held = left_over(tricks, world, holder, n)
        if one is None or not held[called]:
            continue
        card, led = world.cards[one.event], world.cards[trick[0].event]
        enough = sum(held[kind] for kind in suit) >= 4
        leads = one is trick[0]
        wrong = card in suit and card != called if leads or led in suit else card == called and sum(held.values()) > 1
        if wrong and not ran and not (leads and enough):
            found.add(("revoke", holder, one.event))
        ran = ran or (leads and card in suit and card != called)
    return found


#: A club's, with cards that change hands; held here, so that they are found by their names.
CLUBS = (
    made("bsv", rules={"schweinchen": "both_in_one_hand"}, options={"schweinchen_until": "first_of_both"}),
    made("ddv", rules={"schweinchen": "both_in_one_hand"}, options={"hyperschweinchen": "9"}),
    made("bsv", games={"played": ["trumpfsolo", "armut", "hochzeit"]}),
    made("schaffkopf", games={"played": [*ORDER, "hochzeit", "muss"]}, rules={"bidding": "free"}),
)

BY_BOOK = [
    *((book, None) for book in sorted(BOOKS)),
    ("eppstein", {"game": "hochzeit"}),
    ("durchgaenge", {"game": "hochzeit"}),
    ("eppstein", {"game": "damensolo", "duty": True}),
    ("schaffkopf", {"game": "rufspiel", "card": "EA"}),
    ("schaffkopf", {"game": "rufspiel", "card": "GA"}),
    (CLUBS[0].name, None),
    (CLUBS[1].name, None),
    (CLUBS[2].name, {"game": "armut", "partner": 3, "trumps": 1}),
    (CLUBS[2].name, {"game": "armut", "partner": 3, "trumps": 0}),
    (CLUBS[2].name, {"game": "armut", "partner": 2, "trumps": 3}),
    (CLUBS[2].name, {"game": "armut", "partner": 4}),
    (CLUBS[3].name, {"game": "hochzeit", "partner": 2}),
]


@pytest.mark.parametrize(("book", "declared"), BY_BOOK, ids=lambda one: one["game"] if isinstance(one, dict) else one)
def test_what_is_certain_is_so_in_every_world(book: str, declared: dict[str, Any] | None) -> None:
    compared = proved = 0
    for seed, played, cut in cases(book, declared, 10):
        events = with_more(played, cut, seed, declared)
        *_, (_, round) = folded(events)
        game = round.game
        assert game is not None
        tricks = lying(game)
        down, covered = {one.event for one in sum(tricks, ()) if one.down}, {move.event for move in game.covered}
        found = worlds(game, taken_back(game))
        if not found:
            continue
        sure = set.intersection(*(broken(game, tricks, world) for world in found))
        told = {(one.code, one.seat, one.event) for one in certain(round) if one.code in CODES}
        told -= {one for one in told if one[0] == "not_entitled" and one[2] in down - covered}  # by the trick it lay in
        sides = {one for one in sure | told if one[0] == "wrong_side" and game.declaration is not None}
        assert told - sides == sure - sides, f"{book} {declared} seed {seed}, cut at {cut}, {len(found)} worlds"
        compared, proved = compared + 1, proved + len(sure)
    assert compared >= 3 and proved >= 1


def taken_back(game: Game) -> list[tuple[int, Lies]]:
    return [(n, Lies(one.event, one.seat, one.doubt or (one.card,), one.down)) for n, one in game.taken_back]


def with_more(game: Played, cut: int, seed: int, declared: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The events up to the cut, with a card laid face down, calls, and now and then a claim."""
    events = [dict(event) for event in game.events[:cut]]
    rng = random.Random(seed)
    laid = {number: event for number, event in enumerate(events) if event["event"] == "card"}
    trumps = [card for card, kind in BOOKS[game.book].normal.classes.items() if kind == "trump"]
    if declared is not None and declared["game"] == "hochzeit" and game.book == "durchgaenge":
        for number, event in laid.items():
            if event["seat"] == 1 and game.true[number] in trumps and "doubt" not in event and rng.random() < 0.5:
                event.update(down=True, unseen=True, doubt=sorted({event["card"], *rng.sample(trumps, 2)}))
                break
    if declared is not None and declared["game"].endswith("solo") and rng.random() < 0.7:
        gone = [card for number, card in game.true.items() if number < cut and number not in game.shown]
        own = Counter(game.hands[1])
        own.subtract(
            card for n, card in game.true.items() if n < cut and events[n]["seat"] == 1 and n not in game.shown
        )
        rest = sorted((+own).elements())
        if rest and len(gone) < 4 * BOOKS[game.book].hand_size:
            events.append({"event": "claim", "seat": 1, "kind": "rest", "order": rest[: rng.randint(0, 2)]})
    if declared is None and BOOKS[game.book].calls.words and cut < len(game.events):
        # Said for either side by chance: who has said what he is not is found out.
        events.append({"event": "announce", "seat": rng.randint(1, 4), "call": rng.choice(["re", "kontra"])})
    return events
