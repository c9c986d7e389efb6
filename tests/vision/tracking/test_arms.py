"""Who brought a card and when: arms and arrivals in the cells that differ, without a picture."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.messages import ArmReached, Report
from vision.tracking.arms import ArmWatch
from vision.tracking.arrivals import Arrivals
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.reaches import ReachWatch

CARD = (0.0, 40.0, 0.0)
#: Mat millimetres to pixels: 2 px a mm, the mat's middle in the picture's.
VIEW = PlaneProjection(np.array([(2.0, 0, 640), (0, 2.0, 360), (0, 0, 1)]), (1280, 720))


@pytest.fixture(scope="module")
def mat() -> MatRegions:
    return MatRegions.of(Calibration(VIEW, MatLayout(), 0.3, 0.5, {}), MatLayout(), (59.0, 91.0))


def change(mat: MatRegions, *arms: tuple[float, float], card: bool = False, rest: float = 0.0) -> FrameChange:
    """A picture with arms that lie from the card outwards in some directions (rad), from some mm on."""
    cells = np.zeros(mat.grid.shape, np.uint8)
    for direction, start in arms:
        step = np.array([math.cos(direction), math.sin(direction)])
        ends = VIEW.project(np.array([np.array(CARD[:2]) + start * step, np.array(CARD[:2]) + 400 * step])) / 8
        cv2.line(cells, *np.round(ends).astype(int).tolist(), 1, 8)
    differs = cells.astype(bool)
    if card:
        differs |= mat.grid.card(CARD)
    still = np.zeros(mat.grid.shape, bool)
    return FrameChange(still, np.full(mat.grid.shape, rest, np.float32), differs, differs, "", 1.0)


CASES = {
    "one arm from below": ([(math.pi / 2, 20)], math.pi / 2, 0.9),
    "one from the left": ([(math.pi, 20)], 3.0, 0.9),
    "another hand that does not reach the card": ([(math.pi / 2, 20), (-math.pi / 2, 120)], math.pi / 2, 0.9),
    "two that reach it: nobody knows": ([(math.pi / 2, 20), (-math.pi / 2, 20)], None, 0.0),
    "none": ([], None, 0.0),
}


@pytest.mark.parametrize(("arms", "bearing", "share"), CASES.values(), ids=CASES)
def test_whose_arm(mat: MatRegions, arms: list[tuple[float, float]], bearing: float | None, share: float) -> None:
    watch = ArmWatch()
    for number in range(8):
        watch.watch(change(mat, *arms, card=number > 4), number / 15)
    found = watch.brought(mat, CARD, 7 / 15)
    if bearing is None:
        assert found is None or found.share == 0.0
    else:
        assert found is not None and found.share >= share
        assert abs(math.remainder(found.bearing - bearing, 2 * math.pi)) < 0.25


BELOW, RIGHT = (math.pi / 2, 20), (0.0, 20)
#: Which arms lie there in pictures up to that in which the card comes to rest, the last of these, and after it.
COMING = {
    "alone": ([[]] * 8 + [[BELOW]] * 6, [[BELOW]] * 2 + [[]] * 8),
    "another comes later": ([[]] * 8 + [[BELOW]] * 6, [[]] * 5 + [[RIGHT]] * 8),
    "another card, which is not read yet, lies in another's way": (
        [[RIGHT]] * 8 + [[RIGHT, BELOW]] * 6,
        [[RIGHT]] * 8,
    ),
    "it lies where something lay before": ([[BELOW]] * 14, [[BELOW]] * 2),
}


@pytest.mark.parametrize(("before", "after"), COMING.values(), ids=COMING)
def test_an_arm_comes_with_its_card(
    mat: MatRegions, before: list[list[tuple[float, float]]], after: list[list[tuple[float, float]]]
) -> None:
    watch = ArmWatch()
    for number, arms in enumerate([*before, *after]):
        watch.watch(change(mat, *arms, card=number >= len(before)), number / 15)
    found = watch.brought(mat, CARD, (len(before) - 1) / 15)
    assert found is not None and found.share >= 0.9
    assert abs(math.remainder(found.bearing - math.pi / 2, 2 * math.pi)) < 0.25


#: Which arms (rad; mm from the card on) lie there in each of twelve pictures; whose reach is told, from when to when.
REACHES = {
    "one that comes and goes": ([()] * 2 + [[(math.pi / 2, 0)]] * 5 + [()] * 5, [(math.pi / 2, 2, 6)]),
    "one that passes": ([()] * 2 + [[(math.pi / 2, 0)]] * 2 + [()] * 8, []),
    "one that ends at the rim": ([()] * 2 + [[(0.0, 130)]] * 5 + [()] * 5, []),
    "two at once": (
        [()] * 2 + [[(math.pi / 2, 0), (-math.pi / 2, 0)]] * 5 + [()] * 5,
        [(math.pi / 2, 2, 6), (-math.pi / 2, 2, 6)],
    ),
    "one that stays": ([()] * 2 + [[(math.pi / 2, 0)]] * 10, []),
    "none": ([()] * 12, []),
}  # fmt: skip


@pytest.mark.parametrize(("arms", "told"), REACHES.values(), ids=REACHES)
def test_who_reached_in(
    mat: MatRegions, arms: list[Sequence[tuple[float, float]]], told: list[tuple[float, int, int]]
) -> None:
    watch, reports = ReachWatch(), list[Report]()
    for number, lying in enumerate(arms):
        watch.watch(mat, change(mat, *lying), number / 15, reports)
    found = [one for one in reports if isinstance(one, ArmReached)]
    assert len(found) == len(reports) == len(told)
    for one, (bearing, first, last) in zip(sorted(found, key=lambda one: -one.bearing), told, strict=True):
        assert abs(math.remainder(one.bearing - bearing, math.tau)) < 0.25
        assert (one.since, one.until) == pytest.approx((first / 15, last / 15), abs=1e-3)


def test_a_card_was_laid_between_the_last_picture_without_it_and_its_last_motion(mat: MatRegions) -> None:
    arrivals = Arrivals()
    for at in (1.0, 1.1, 1.2):
        arrivals.watch(change(mat), at)
    seen = change(mat, card=True, rest=0.5)
    arrivals.watch(seen, 4.0)  # the camera has stalled
    assert arrivals.interval(mat, seen, CARD, 4.5) == pytest.approx((1.2, 4.0))
    assert arrivals.interval(mat, change(mat), CARD, 4.5) is None, "nothing differs: nothing came"
