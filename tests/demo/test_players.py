"""Simulated players do what people would."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.demo.players import CardOrder, PlayerSight, choose, expected_tricks, strength
from kiosk.rules.books import BOOKS

BOOK = BOOKS["eppstein"]
NORMAL = CardOrder(BOOK.normal, BOOK.deck, frozenset({"HT"}))


def sight(hand: str, trick: str = "", legal: str = "", **other: object) -> PlayerSight:
    cards = tuple(hand.split())
    laid = tuple((int(word[0]), word[1:]) for word in trick.split())
    fields: dict[str, object] = {
        "seat": 1,
        "hand": cards,
        "legal": tuple(legal.split()) or cards,
        "order": NORMAL,
        "trick": laid,
        "to_come": tuple(seat for seat in (2, 3, 4) if seat not in {seat for seat, _ in laid}),
        "with_me": {},
        "alone": None,
        "strong": False,
        "laid": {card: 1 for _, card in laid},
        "led": frozenset(),
        **other,
    }
    return PlayerSight(**fields)  # type: ignore[arg-type]


CHOICES = {
    "leads an ace, of the shorter suit": (sight("CA CT C9 SA D9 DK"), "SA"),
    "gives Augen to the partner who has the trick": (
        sight("CT C9 HK", "2CA 3C9 4CK", legal="CT C9", with_me={2: True}), "CT"),
    "gives none to the others": (sight("CT C9 HK", "2CA 3C9 4CK", legal="CT C9", with_me={2: False}), "C9"),
    "trumps a fat trick in last place, as cheaply as it goes": (sight("DK SJ HT S9", "2CA 3CT 4CK"), "DK"),
    "keeps the fox where another takes the trick": (
        sight("DA D9 C9", "2SQ 3DK 4D9", legal="DA D9"), "D9"),
    "the second Herz 10 beats the first": (sight("HT D9", "2HT 3DA 4DA"), "HT"),
}  # fmt: skip


@pytest.mark.parametrize(("seen", "card"), CHOICES.values(), ids=CHOICES)
def test_choices(seen: PlayerSight, card: str) -> None:
    assert choose(seen, Random(1)) == card


@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=60)
def test_a_choice_is_always_lawful(seed: int) -> None:
    rng = Random(seed)
    deck = list(BOOK.deck)
    rng.shuffle(deck)
    hand, others = tuple(deck[:12]), deck[12:]
    trick = " ".join(f"{seat}{card}" for seat, card in zip((2, 3, 4), others, strict=False))
    legal = [card for card in hand if NORMAL.suit(card) == NORMAL.suit(others[0])] or hand
    assert choose(sight(" ".join(hand), trick, " ".join(legal)), rng) in legal
    assert 0 <= expected_tricks(hand, NORMAL) <= 12
    assert 0 <= strength(hand) < 25


def test_strong_hands_are_known() -> None:
    strong = ("HT", "HT", "CQ", "CQ", "SQ", "SQ", "HQ", "DQ", "CJ", "SJ", "CA", "SA")
    weak = ("C9", "C9", "CK", "S9", "S9", "SK", "H9", "HK", "D9", "D9", "DK", "SJ")
    assert strength(strong) > 13 > 7 > strength(weak)
    assert expected_tricks(strong, NORMAL) > 9 > 3 > expected_tricks(weak, NORMAL)
