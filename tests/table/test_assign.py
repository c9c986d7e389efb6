"""The cheapest assignment is found exactly, and what another place would cost."""

import itertools
import random
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.inference.assignment import Costs, assign, dearer


def cheapest(costs: Costs, room: list[int], card: int = 0, place: int | None = None) -> float:
    """By trying everything."""
    return min(
        (
            sum(row[at] for row, at in zip(costs, places, strict=True))
            for places in itertools.product(range(len(room)), repeat=len(costs))
            if all(places.count(at) <= free for at, free in enumerate(room)) and place in (None, places[card])
        ),
        default=inf,
    )


def compared(rng: random.Random, most_cards: int, most_places: int) -> None:
    """Some costs and room, solved and tried."""
    cards, places = rng.randint(1, most_cards), rng.randint(1, most_places)
    costs = [[rng.choice([0.0, 1.0, rng.uniform(0, 5), inf]) for _ in range(places)] for _ in range(cards)]
    room = [rng.randint(0, 3) for _ in range(places)]
    least = cheapest(costs, room)
    found = assign(costs, room)
    if found is None:
        assert least == inf
        return
    assert least < inf
    assert sum(row[at] for row, at in zip(costs, found, strict=True)) == pytest.approx(least)
    assert all(found.count(at) <= free for at, free in enumerate(room))
    for card in range(cards):
        wanted = [cheapest(costs, room, card, place) - least for place in range(places)]
        assert dearer(costs, room, found, card) == pytest.approx(wanted)


@given(seed=st.integers(0, 100_000))
@settings(deadline=None, max_examples=40)
def test_it_is_the_cheapest_and_knows_what_each_other_place_would_cost(seed: int) -> None:
    compared(random.Random(seed), 5, 4)


@pytest.mark.parametrize("part", range(4))
def test_it_is_so_in_many_small_cases(part: int) -> None:
    for seed in range(60 * part, 60 * (part + 1)):
        compared(random.Random(seed), 4, 3)


def test_more_cards_than_room_fit_nowhere() -> None:
    assert assign([[0.0], [0.0]], [1]) is None
    assert assign([[inf, inf]], [1, 1]) is None
    assert assign([[inf], [0.0]], [2]) is None  # room enough, and one that can be nowhere
