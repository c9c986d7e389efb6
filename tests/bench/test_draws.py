"""The measurements of draws measure: repeats are those of the seats drawn, the bound is what counting says."""

import pytest

from kiosk.bench.draws import evening, least
from kiosk.tournament.draws.wish import LOT


@pytest.mark.parametrize(
    ("people", "rounds", "repeats"), [(16, 5, 0), (16, 6, 24), (20, 6, 0), (20, 8, 50), (120, 8, 0)], ids=str
)
def test_the_least_number_of_repeats(people, rounds, repeats):
    assert least(people, rounds) == repeats


def test_lots_meet_again_and_new_company_does_not():
    assert evening(16, 3, "1", LOT)[0] > evening(16, 3, "1")[0] == 0
