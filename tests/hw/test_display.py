"""What the clock display shows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.display import clock_characters

CASES = [
    (120 * 60, " 120"),
    (119 * 60 + 1, " 120"),
    (119 * 60, " 119"),
    (6000, " 100"),
    (5999.2, " 100"),
    (5999, "99.59"),
    (600, "10.00"),
    (599.9, "10.00"),
    (545, " 9.05"),
    (60, " 1.00"),
    (59.5, " 1.00"),
    (59, " 0.59"),
    (0.3, " 0.01"),
    (0, "00.00"),
    (-75, "00.00"),
    (999 * 60, " 999"),
    (1000000, " 999"),
]


@pytest.mark.parametrize(("remaining", "shown"), CASES, ids=[f"{case[0]} s" for case in CASES])
def test_characters(remaining, shown):
    assert "".join(clock_characters(remaining)) == shown


@given(st.floats(-1e6, 1e6))
@settings(deadline=None, max_examples=100)
def test_four_characters_and_the_point_only_as_colon(remaining):
    characters = clock_characters(remaining)
    assert [len(character) for character in characters] in ([1, 1, 1, 1], [1, 2, 1, 1])
    assert all(character[0] in " 0123456789" for character in characters)


@given(st.integers(1, 5999))
@settings(deadline=None, max_examples=100)
def test_whole_seconds_are_read_back(seconds):
    minutes, rest = "".join(clock_characters(seconds)).split(".")
    assert int(minutes) * 60 + int(rest) == seconds
