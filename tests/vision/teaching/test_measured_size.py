"""The size of a deck's cards is what several of them agree on."""

import numpy as np
import pytest

from vision.geometry.card_outline import find_card_near, width_and_height
from vision.geometry.projection import card_corners
from vision.images import Picture
from vision.mat.calibration import find_mat
from vision.mat.layout import MatLayout
from vision.simulation.art import load_art
from vision.simulation.busy_table import BusyTable
from vision.teaching.measured_size import LIMITS, MeasuredSize, measure_card

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
    for number, one in enumerate(cards):
        measured.add(number, *one)
    assert measured.size_mm == (size and pytest.approx(size)) and measured.enough is enough


def test_one_card_agrees_with_itself_and_says_no_more():
    """It is measured again when it is told again, with the same shadow across it; the last time counts."""
    measured = MeasuredSize()
    for size in ((55.9, 90.2), (56.0, 89.7)):
        measured.add(1, *size)
    assert measured.size_mm is None
    measured.add(2, 55.9, 99.8)
    measured.add(1, 55.9, 99.9)
    assert measured.size_mm == (56.0, 100.0)


@pytest.mark.slow
def test_cards_across_which_a_shadow_falls_are_measured_by_their_edges():
    """Their brightest part is taken for the whole: it ends at the shadow."""
    art = load_art("stichwart-bavarian")
    camera = BusyTable(art, MatLayout(), 9002, light="side")

    def seen(seconds: float) -> Picture:
        camera.wait(seconds)
        return [next(camera) for _ in iter(lambda: camera.busy, False)][-1].image

    view = find_mat(seen(0.5), camera.layout).view
    by_brightness = []
    for label in ("HO", "GA", "E7", "S9"):
        pose = camera.lay(label, 1).card.pose
        picture = seen(1.1)
        quad = view.project(card_corners(np.array([pose.x, pose.y, pose.angle]), art.size_mm))
        assert measure_card(picture, view, quad, art.size_mm) == pytest.approx(art.size_mm, abs=0.5)
        found = find_card_near(picture, view, quad, LIMITS.spare_px)
        by_brightness.append(found is not None and width_and_height(view.unproject(found))[1])
        camera.collect(1)
        seen(1.0)
    assert any(0 < height < 95.0 for height in by_brightness)
