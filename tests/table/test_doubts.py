"""The deck's composition settles doubt, and clear sight is never overruled."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.rules.engine.cards import FRENCH_SUITS, Card, deck
from kiosk.table.inference.doubts import Decoding, Observation, in_order

DECK = deck(FRENCH_SUITS, "ATKQJ9", 2)
TINY = ("HT", "HT", "DT", "DT")


def clear(*cards: Card, start: int = 100, margin: float = 1.0) -> list[Observation]:
    return [Observation(event=start + n, card=card, margin=margin) for n, card in enumerate(cards)]


def doubt(event: int, *choices: tuple[Card, float], fixed: bool = False) -> Observation:
    return Observation(event=event, card=choices[0][0], choices=choices, fixed=fixed, margin=0.05)


def named(one: Observation) -> Observation:
    """As a person has named it."""
    return replace(one, fixed=True)


def rest(*gone: Card) -> list[Observation]:
    """Every card of the deck but these, seen clearly."""
    cards = list(DECK)
    for card in gone:
        cards.remove(card)
    return clear(*cards)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param([*rest("HT"), doubt(1, ("DT", 0.5), ("HT", 0.4))], {1: "HT"}, id="one open, one missing"),
        pytest.param(
            [*rest("HT", "DT"), doubt(1, ("DT", 0.6), ("HT", 0.5)), doubt(2, ("HT", 0.8), ("DT", 0.3))],
            {1: "DT", 2: "HT"},
            id="two open, one way clearly better",
        ),
        pytest.param(
            [*rest("HT", "DT"), doubt(1, ("HT", 0.6), ("DT", 0.5)), doubt(2, ("HT", 0.8), ("DT", 0.3))],
            {},
            id="both look like the same card: only one can be, and little tells which",
        ),
        pytest.param(
            [*rest("HT", "DT"), doubt(1, ("HT", 0.5), ("DT", 0.45)), doubt(2, ("HT", 0.5), ("DT", 0.45))],
            {},
            id="two open, both ways alike: people are asked",
        ),
        pytest.param(
            [*rest("HT", "DT", "C9"),
             doubt(1, ("HT", 0.5), ("DT", 0.45)), doubt(2, ("HT", 0.5), ("DT", 0.45)), doubt(3, ("S9", 0.5), ("C9", 0.4))],  # noqa: E501
            {3: "C9"},
            id="the third is certain although two are not",
        ),
        pytest.param([*rest("HT", "HT"), doubt(1, ("DT", 0.6), ("HT", 0.2)), doubt(2, ("HT", 0.9), ("DT", 0.1))],
                     {1: "HT", 2: "HT"}, id="both missing cards alike"),
        pytest.param([*rest("HT"), doubt(1, ("DT", 0.5), ("DA", 0.4))], {},
                     id="the missing card was not among the choices"),
        pytest.param(
            [*rest("HT", "DT"), *clear("DT", start=300), doubt(1, ("DT", 0.5), ("HT", 0.4))], {1: "HT"}, id="plain"
        ),
        pytest.param(rest("HT", "CA")[:-1] + clear("S9", start=300) + [doubt(1, ("HT", 0.5), ("DT", 0.4))], {},
                     id="clear sight contradicts the deck"),
        pytest.param([*rest("CQ"), Observation(event=1, card="CA", unseen=True)], {1: "CQ"}, id="a card nobody saw"),
        pytest.param(
            [*rest("CQ", "HT"), Observation(event=1, card="CA", unseen=True), doubt(2, ("HT", 0.5), ("DT", 0.4))],
            {1: "CQ", 2: "HT"},
            id="a card nobody saw and a doubt",
        ),
        pytest.param([*rest("HT"), doubt(1, ("DT", 0.5), ("HT", 0.4), fixed=True)], {}, id="a person has spoken"),
        pytest.param([*rest("HT"), doubt(1, ("HT", 0.5), ("DT", 0.4), fixed=True)], {}, id="and rightly"),
        pytest.param([*map(named, rest("HT")), doubt(1, ("DT", 0.5), ("DA", 0.4))], {},
                     id="persons have named all others, and the camera not the missing card"),
    ],
)  # fmt: skip
def test_a_complete_game(seen: list[Observation], expected: dict[int, Card]) -> None:
    assert Decoding(seen, DECK, complete=True).settled() == expected


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        pytest.param([doubt(1, ("HT", 0.5), ("DT", 0.4))], {}, id="both possible"),
        pytest.param([*clear("HT", "HT"), doubt(1, ("HT", 0.5), ("DT", 0.4))], {1: "DT"},
                     id="the other has no copy left"),
        pytest.param([*clear("HT", "HT"), doubt(1, ("HT", 0.5))], {}, id="its only choice has no copy left"),
        pytest.param([*clear("HT"), doubt(1, ("HT", 0.5), ("DT", 0.4)), doubt(2, ("HT", 0.5), ("DA", 0.4))], {},
                     id="two doubts about one copy are no proof"),
        pytest.param([*clear("HT", "HT"), Observation(event=1, card="HT", unseen=True)], {},
                     id="unseen waits for the end"),
        pytest.param([doubt(1, ("HT", 0.5))], {}, id="a doubt does not settle itself"),
    ],
)  # fmt: skip
def test_a_game_in_play(seen: list[Observation], expected: dict[int, Card]) -> None:
    assert Decoding(seen, DECK, complete=False).settled() == expected


def test_a_third_copy_in_a_complete_game_asks_about_the_least_clear() -> None:
    seen = rest("HT")
    seen[20] = Observation(event=seen[20].event, card=seen[20].card, margin=0.2)
    surplus = seen[20].card
    seen.append(Observation(event=500, card=surplus, margin=0.9))
    assert Decoding(seen, DECK, complete=True).contradiction() == (seen[20].event, ("HT", surplus))
    assert Decoding(seen, DECK, complete=False).contradiction() == (seen[20].event, (surplus,))
    assert Decoding(rest(), DECK, complete=True).contradiction() is None


def test_a_misread_card_is_asked_about_even_if_a_doubt_is_open() -> None:
    seen = [*rest("HT", "DT"), Observation(event=500, card="CA", margin=0.3), doubt(1, ("DT", 0.5), ("DA", 0.4))]
    assert Decoding(seen, DECK, complete=True).settled() == {}
    found = Decoding(seen, DECK, complete=True).contradiction()
    assert found == (500, ("HT", "CA"))


def test_what_the_deck_said_too_early_is_asked_about_if_it_has_no_place() -> None:
    seen = [*rest("HT"), doubt(1, ("DT", 0.5), ("DA", 0.4))]
    assert Decoding(seen, DECK, complete=True).contradiction() == (1, ("HT", "DT"))
    assert Decoding(seen, DECK, complete=False).contradiction() is None


def test_a_person_s_word_is_suspected_last() -> None:
    seen = [
        Observation(event=1, card="HT", fixed=True, margin=0.0),
        Observation(event=2, card="HT", margin=0.8),
        *clear("HT", margin=0.7),
    ]
    found = Decoding(seen, TINY, complete=True).contradiction()
    assert found is not None
    assert found[0] == 100


def test_a_doubtful_reading_prefers_what_the_deck_still_has() -> None:
    pair = (("HT", 0.6), ("DT", 0.5))
    assert in_order(pair, 0.05, 1, clear("HT", "HT"), DECK) == ("DT", "HT")
    assert in_order(pair, 0.05, 1, clear("HT"), DECK) == ("HT", "DT")
    assert in_order((*pair, ("D9", 0.4)), 0.05, 1, clear("HT", "HT"), DECK) == ("DT", "D9")
    assert in_order((("HT", 0.6),), 0.05, 1, clear("HT", "HT"), DECK) == ("HT",)


def test_a_doubtful_reading_prefers_what_the_scanned_hand_has() -> None:
    hand = ("DT", "CA", "CA", "CT", "CT", "CK", "CK", "CQ", "CQ", "CJ", "CJ", "C9")
    pair = (("HT", 0.6), ("DT", 0.55))
    assert in_order(pair, 0.05, 2, [], DECK, {2: hand}) == ("DT", "HT")
    assert in_order(pair, 0.05, 1, [], DECK, {2: hand}) == ("HT", "DT")


HAND = ("HT", "CA", "CA", "CT", "CT", "CK", "CK", "CQ", "CQ", "CJ", "CJ", "C9")


@pytest.mark.parametrize(
    ("evidence", "hands", "settled"),
    [
        pytest.param(0.96, {2: HAND}, {1: "HT"}, id="his hand settles it, although the other card looks likelier"),
        pytest.param(0.90, {2: HAND}, {}, id="but not if that looks much likelier: the scan may be of another deal"),
        pytest.param(0.96, {1: (*HAND[1:], "HT")}, {}, id="another hand has one of the two"),
        pytest.param(0.96, {1: ("HT", *HAND[1:10], "HT")}, {1: "DT"}, id="another hand has both"),
    ],
)  # fmt: skip
def test_what_a_scanned_hand_settles(
    evidence: float, hands: dict[int, tuple[Card, ...]], settled: dict[int, Card]
) -> None:
    pair = (("DT", 1.0), ("HT", evidence))
    seen = [Observation(event=1, card="DT", choices=pair, margin=0.0, seat=2)]
    assert Decoding(seen, DECK, False, hands).settled() == settled


def test_scans_that_cannot_all_be_right_count_for_nothing() -> None:
    twice = {2: HAND, 3: ("CA", *HAND[1:])}
    seen = [*clear("HT", "HT"), doubt(1, ("HT", 0.5), ("DT", 0.4))]
    assert Decoding(seen, DECK, False, twice).settled() == {1: "DT"}


def test_what_is_asked_of_a_card_that_nobody_saw() -> None:
    unseen = Observation(event=1, card="CA", unseen=True)
    assert set(Decoding([unseen], DECK, complete=False).choices(1)) == set(DECK)
    gone = ("CA", "CK", "CQ", "CJ", "ST", "SK", "SQ")
    assert len(Decoding([*rest(*gone), unseen], DECK, complete=True).choices(1)) == 6


def test_more_cards_than_a_deck_has_are_asked_about_in_play() -> None:
    seen = [*clear("HT", "HT", start=1), *clear("HT", margin=0.2), *clear("DT", "DT", start=200)]
    found = Decoding(seen, TINY, complete=False).contradiction()
    assert found == (100, ("HT",))


@given(seed=st.integers(0, 10_000), doubts=st.integers(1, 5))
@settings(deadline=None, max_examples=40)
def test_settling_never_contradicts_the_deck_and_finds_the_truth_if_the_scores_point_to_it(
    seed: int, doubts: int
) -> None:
    rng = random.Random(seed)
    cards = list(DECK)
    rng.shuffle(cards)
    hidden = set(rng.sample(range(48), doubts))
    seen = []
    for number, card in enumerate(cards):
        if number in hidden:
            other = rng.choice([c for c in sorted(set(DECK)) if c != card])
            pair = [(card, 0.8), (other, 0.3)]
            rng.shuffle(pair)
            seen.append(Observation(event=number, card=pair[0][0], choices=tuple(pair)))
        else:
            seen.append(Observation(event=number, card=card))
    assert Decoding(seen, DECK, complete=True).settled() == {number: cards[number] for number in hidden}
