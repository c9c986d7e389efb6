"""The size of a deck's cards is what several of them agree on."""

import pytest

from vision.teaching.measured_size import MeasuredSize

SHADOW = (63.9, 81.0)


@pytest.mark.parametrize(("cards", "size", "enough"), [
    pytest.param([], None, False, id="none was measured"),
    pytest.param([(55.9, 99.9)], None, False, id="one may be anything"),
    pytest.param([(55.9, 99.9), (56.1, 99.7)], (56.0, 100.0), False, id="two agree, on a size that is sold"),
    pytest.param([(55.9, 99.9), SHADOW], None, False, id="a shadow across one of two: between them is another size"),
    pytest.param([SHADOW, (55.9, 99.9), (55.8, 99.9)], (56.0, 100.0), False, id="a shadow across the first of three"),
    pytest.param([(55.9, 99.9), SHADOW, (56.3, 88.1)], None, False, id="three that say three things"),
    pytest.param(
        [(55.9, 99.9), SHADOW, (56.3, 88.1), (55.9, 99.8), (55.8, 99.9)], (56.0, 100.0), True, id="until three agree"
    ),
    pytest.param([(59.4, 90.7)] * 3, (59.0, 91.0), True, id="near a size that is sold"),
    pytest.param([(62.6, 88.3)] * 3, (63.0, 88.0), True, id="near another one"),
    pytest.param([(70.0, 120.0), (70.2, 119.8)], (70.1, 119.9), False, id="a size of their own"),
    pytest.param([(70.0, 120.0), (70.0, 121.0)], None, False, id="as wide, not as high"),
])  # fmt: skip
def test_cards_that_agree_tell_the_size(cards, size, enough):
    measured = MeasuredSize()
    for one in cards:
        measured.add(*one)
    assert measured.size_mm == (size and pytest.approx(size)) and measured.enough is enough
