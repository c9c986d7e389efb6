"""A card that lies half beyond the middle is laid; one of a trick that is looked at on its pile is not."""

import numpy as np
import pytest

from tests.vision.taught import taught
from vision.geometry.pose import Pose
from vision.geometry.projection import PlaneProjection
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.messages import CardLaid, Report
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.tracking.cell_grid import MatRegions
from vision.tracking.tracker import Tracker

VIEW = PlaneProjection(np.array([(2.0, 0, 640), (0, 2.0, 360), (0, 0, 1)]), (1280, 720))

HOLDS: dict[str, tuple[Pose, bool]] = {
    "in the middle": ((0.0, 40.0, 0.0), True),
    "its centre just within, half upon a field": ((85.0, 82.0, 0.0), True),
    "its centre just beyond, half upon a field": ((75.0, 90.0, 0.0), True),
    "the same at the other side": ((-75.0, -90.0, 0.0), True),
    "its centre just beyond, at the seat's edge of the sheet": ((-12.0, -105.0, 2.84), True),
    "its centre beyond, where no field is": ((-75.0, 95.0, 0.0), True),
    "far beyond, where no field is": ((-75.0, 110.0, 0.0), False),
    "in the field": ((105.0, 104.0, 1.57), False),
    "the end of a row laid open in the field": ((69.0, 104.0, 0.0), False),
    "put down at the sheet's edge": ((0.0, 132.0, 0.4), False),
}


@pytest.mark.parametrize(("pose", "held"), HOLDS.values(), ids=HOLDS)
def test_where_a_card_is_laid(pose: Pose, held: bool) -> None:
    mat = MatRegions.of(Calibration(VIEW, MatLayout(), 0.3, 0.5, {}), MatLayout(), (59.0, 91.0))
    assert mat.holds(pose) is held


@pytest.mark.slow
@pytest.mark.parametrize("tricks", [0, 1], ids=["the field is empty", "a trick lies there"])
@pytest.mark.parametrize("pose", [CardPose(75, 90, 0), CardPose(100, 78, 0)], ids=["high", "wide"])
def test_a_card_half_upon_a_field_is_read(pose: CardPose, tricks: int) -> None:
    camera = SimCamera(load_art("stichwart"), seed=3, size=(640, 480), fps=10)
    tracker = Tracker(taught(labels=("SA", "SK", "DK", "ST")), camera.layout)
    reports: list[Report] = []

    def watch(seconds: float) -> None:
        camera.wait(seconds)
        while camera.busy:
            reports.extend(tracker.process(next(camera)))

    watch(0.5)
    for _ in range(tricks):
        camera.lay("DK", 1)
        watch(0.2)
        camera.lay("ST", 2)
        watch(0.8)
        camera.collect(1)
        watch(0.3)
    camera.lay("SA", 1, pose=pose)
    watch(2.0)
    camera.lay("SK", 2)
    watch(0.7)
    labels = [one.label for one in reports if isinstance(one, CardLaid)]
    assert labels == ["DK", "ST"] * tricks + ["SA", "SK"]
