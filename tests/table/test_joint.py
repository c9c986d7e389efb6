"""A whole game decoded jointly: random games, random noise, and what must never happen."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.play import simulate
from kiosk.rules.engine.cards import BAVARIAN_SUITS, FRENCH_SUITS, Card, deck
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request, encode
from kiosk.table.events.log import MemoryLog
from kiosk.table.inference.doubts import Decoding, Observation
from kiosk.table.round.fold import Round, fold
from kiosk.table.round.likelihood import WEIGHTS, weigh
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Tick, TrickTaken

pytestmark = pytest.mark.slow

TWO_OF_EACH = deck(FRENCH_SUITS, "ATKQJ9", 2)
ONE_OF_EACH = deck(BAVARIAN_SUITS, "ATKOU987", 1)
DECKS = {"two of each": TWO_OF_EACH, "one of each": ONE_OF_EACH}


def others(cards: tuple[Card, ...], truth: Card, rng: random.Random, number: int) -> list[Card]:
    return rng.sample([card for card in sorted(set(cards)) if card != truth], number)


def laid(cards: tuple[Card, ...], rng: random.Random) -> list[Card]:
    order = list(cards)
    rng.shuffle(order)
    return order


def clear(number: int, card: Card, cards: tuple[Card, ...], rng: random.Random) -> Observation:
    rivals = [(other, rng.uniform(0.4, 0.9)) for other in others(cards, card, rng, rng.randint(0, 3))]
    rivals.sort(key=lambda rival: -rival[1])
    return Observation(
        event=number, card=card, margin=rng.uniform(0.2, 1.0), rivals=((card, 1.0), *rivals) if rivals else ()
    )


def doubt(number: int, card: Card, cards: tuple[Card, ...], rng: random.Random, wrong: float) -> Observation:
    """In doubt; the truth is named, and at most ``wrong`` nats behind."""
    named = [(card, 1.0 - rng.uniform(0, wrong) / WEIGHTS.lead)]
    named += [(other, rng.uniform(0.5, 1.0)) for other in others(cards, card, rng, rng.randint(1, 3))]
    named.sort(key=lambda choice: -choice[1])
    return Observation(event=number, card=named[0][0], choices=tuple(named), margin=rng.uniform(0.0, 0.1))


@pytest.mark.parametrize("cards", DECKS.values(), ids=DECKS)
@given(seed=st.integers(0, 1_000_000), doubts=st.integers(1, 5), complete=st.booleans())
@settings(deadline=None, max_examples=30)
def test_no_settled_card_is_wrong_where_the_truth_is_named_and_hardly_behind(
    cards: tuple[Card, ...], seed: int, doubts: int, complete: bool
) -> None:
    rng = random.Random(seed)
    truth = laid(cards, rng)
    if not complete:
        truth = truth[: rng.randint(doubts, len(truth))]
    hidden = set(rng.sample(range(len(truth)), doubts))
    seen = [
        doubt(number, card, cards, rng, 0.4) if number in hidden else clear(number, card, cards, rng)
        for number, card in enumerate(truth)
    ]
    found = Decoding(seen, cards, complete)
    assert found.misread == ()
    asked = found.contradiction()
    assert asked is None or asked[0] in hidden  # as it counts for now it has no place; it is asked about anyway
    for number, card in found.settled().items():
        assert number in hidden  # never a clear one
        assert card == truth[number]
    for number in hidden:
        assert truth[number] in found.choices(number)


@pytest.mark.parametrize("cards", DECKS.values(), ids=DECKS)
@given(seed=st.integers(0, 1_000_000))
@settings(deadline=None, max_examples=30)
def test_an_early_doubt_is_settled_by_the_last_card(cards: tuple[Card, ...], seed: int) -> None:
    rng = random.Random(seed)
    truth = laid(cards, rng)
    seen = [clear(number, card, cards, rng) for number, card in enumerate(truth)]
    early = rng.randrange(8)
    seen[early] = doubt(early, truth[early], cards, rng, 1.0)
    assert Decoding(seen, cards, complete=True).settled() == {early: truth[early]}


@given(seed=st.integers(0, 1_000_000))
@settings(deadline=None, max_examples=30)
def test_a_clear_card_that_contradicts_the_deck_is_asked_about_and_not_changed(seed: int) -> None:
    rng = random.Random(seed)
    truth = laid(TWO_OF_EACH, rng)
    seen = [clear(number, card, TWO_OF_EACH, rng) for number, card in enumerate(truth)]
    wrong = rng.randrange(48)
    named = others(TWO_OF_EACH, truth[wrong], rng, 1)[0]
    seen[wrong] = Observation(event=wrong, card=named, margin=0.15, rivals=((named, 1.0), (truth[wrong], 0.95)))
    open_one = rng.choice([number for number in range(48) if number != wrong])
    seen[open_one] = doubt(open_one, truth[open_one], TWO_OF_EACH, rng, 1.0)
    found = Decoding(seen, TWO_OF_EACH, complete=True)
    if not any(one.event == wrong for one in found.misread):
        assert wrong not in found.settled()
        return  # the doubt can stand for it: people are asked about that
    assert found.settled() == {}
    asked = found.contradiction()
    assert asked is not None
    assert asked[0] == wrong
    assert truth[wrong] in asked[1]
    assert named in asked[1]


def test_calibrated_evidence_settles_nearly_all_and_hardly_ever_wrongly() -> None:
    """Doubts drawn with the very chances that their evidence tells, as many as in 400 games."""
    rng = random.Random(1)
    kinds = tuple(sorted(set(TWO_OF_EACH)))
    right = wrong = asked = 0
    for _ in range(400):
        truth = laid(TWO_OF_EACH, rng)
        seen = [Observation(event=number, card=card, margin=0.7) for number, card in enumerate(truth)]
        for number in rng.sample(range(48), rng.choice([1, 1, 2, 3])):
            pair = (truth[number], others(TWO_OF_EACH, truth[number], rng, 1)[0])
            choices = tuple(zip(pair, (1.0, rng.uniform(0.8, 1.0)), strict=True))
            chances = weigh(pair[0], choices, 0.05, False, kinds)
            if chances[pair[1]] < rng.expovariate(1.0):  # the first is wrong as often as its evidence says
                choices = ((pair[1], choices[0][1]), (pair[0], choices[1][1]))
            seen[number] = Observation(event=number, card=choices[0][0], choices=choices, margin=0.05)
        hidden = {one.event for one in seen if one.open}
        settled = Decoding(seen, TWO_OF_EACH, complete=True).settled()
        right += sum(truth[number] == card for number, card in settled.items())
        wrong += sum(truth[number] != card for number, card in settled.items())
        asked += len(hidden - settled.keys())
    assert wrong == 0
    assert right > 650
    assert asked < 0.05 * (right + asked)


def test_an_illegal_card_is_settled_like_any_other() -> None:
    """Seat 2 had a trump to follow with and laid Karo 9 all the same: the deck says so, and the rules have no say."""
    truth = list(TWO_OF_EACH)
    seen = [Observation(event=number, card=card) for number, card in enumerate(truth) if number != truth.index("D9")]
    seen.append(Observation(event=truth.index("D9"), card="DT", choices=(("DT", 1.0), ("D9", 0.8)), margin=0.1, seat=2))
    assert Decoding(seen, TWO_OF_EACH, complete=True).settled() == {truth.index("D9"): "D9"}


def test_a_scanned_hand_settles_a_doubt_during_play() -> None:
    hand = ("DT", "CA", "CA", "CT", "CT", "CK", "CK", "CQ", "CQ", "CJ", "CJ", "C9")
    pair = (("DT", 1.0), ("HT", 0.97))
    seen = [Observation(event=7, card="DT", choices=pair, margin=0.05, seat=2)]
    assert Decoding(seen, TWO_OF_EACH, False, {2: hand}).settled() == {7: "DT"}
    assert Decoding(seen, TWO_OF_EACH, False, {1: hand}).settled() == {}


def test_a_scan_of_another_deal_does_not_make_clear_cards_wrong() -> None:
    """All that seat 2 laid was seen clearly and is not in the hand that was scanned for it."""
    rng = random.Random(3)
    hand = ("CA", "CA", "CT", "CT", "CK", "CK", "CQ", "CQ", "CJ", "CJ", "C9", "C9")
    other = [card for card in laid(TWO_OF_EACH, rng) if card not in hand][:12]
    seen = [Observation(event=number, card=card, seat=2, margin=0.6) for number, card in enumerate(other)]
    assert Decoding(seen, TWO_OF_EACH, False, {2: hand}).contradiction() is None


PLACES = MatLayout("A3", 4).seat_places
OPEN: dict[str, Any] = {
    "event": "open", "format": 1, "rules": "eppstein", "table": 1, "round": 1, "players": ["A", "B", "C", "D"],
}  # fmt: skip


@given(seed=st.integers(0, 100_000))
@settings(deadline=None, max_examples=6)
def test_a_round_with_misread_and_doubtful_cards_becomes_right_by_its_questions(seed: int) -> None:
    """Whoever is asked says the truth; what nobody is asked about is right by itself, and no clear card is changed."""
    rng = random.Random(seed)
    script = list(simulate("eppstein", seed, 2))
    table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=PLACES, wall=lambda: 0)
    truth = fold(map(decode, script[:1]))
    at, number, lying = 100.0, 0, []
    for event in script[1:]:
        tricks = len(truth.game.tricks) if truth.game else 0
        truth = truth.apply(decode(event))
        at += 2.0
        if event["event"] == "deal":
            at += 30.0
            table.observe(Tick(at=at))
        elif event["event"] != "card":
            table.request(decode_request(event, BY_ALL))
        else:
            number += 1
            lying.append(number)
            table.observe(_report(rng, at, number, event["seat"], event["card"]))
            if truth.game is not None and len(truth.game.tricks) != tricks:
                at += 2.0
                table.observe(TrickTaken(at=at, cards=tuple(lying)))
                lying = []
        _answer_all(table, truth)
    by_composition = [
        e for e in list(map(encode, table.events)) if e["event"] == "correct" and e["by"] == "composition"
    ]
    assert all("doubt" in list(map(encode, table.events))[e["of"]] for e in by_composition)
    assert [_laid(game) for game in table.round.games] == [_laid(game) for game in truth.games]
    assert not table.view().doubts


def _report(rng: random.Random, at: float, number: int, seat: int, card: Card) -> CardLaid:
    x, y = PLACES[seat]
    other, label, margin = others(TWO_OF_EACH, card, rng, 1)[0], card, rng.uniform(0.4, 0.9)
    choices: tuple[tuple[Card, float], ...] = ((card, 8.0), (other, 5.0))
    chance = rng.random()
    if chance < 0.05:
        choices, label, margin = ((card, 8.0), (other, 7.8)), "", 0.05
    elif chance < 0.06:
        choices, label, margin = ((other, 8.0), (card, 7.9)), other, 0.12
    return CardLaid(
        at=at, card=number, label=label or None, margin=margin, choices=choices, x=x, y=y, angle=0.0, picture=b"jpeg"
    )


def _answer_all(table: Table, truth: Round) -> None:
    """Answer the questions of finished games, as people do between two games."""
    for _ in range(20):
        asked = [doubt for doubt in table.view().doubts if doubt.game <= len(truth.games)]
        if not asked:
            return
        played = truth.games[asked[0].game - 1]
        card = played.tricks[asked[0].trick - 1].card_of(asked[0].seat)
        table.request(
            decode_request(
                {"event": "correct", "of": asked[0].event, "card": card, "by": "table", "why": "asked"}, BY_ALL
            )
        )
    raise AssertionError(f"asked on and on: {table.view().doubts}")


def _laid(game: Any) -> list[tuple[int, Card]]:
    return [(one.seat, one.card) for trick in game.tricks for one in trick.cards]
