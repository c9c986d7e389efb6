"""A mat that is pushed while cards lie on it is noticed at once, found again by its marks, and nothing else is said."""

import numpy as np
import pytest

from tests.vision.taught import taught
from vision.deck.deck import Deck
from vision.messages import CardGone, CardLaid, Report, TrickTaken
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def deck() -> Deck:
    return taught(labels=("HK", "CA", "DT", "SQ"))


def off(tracker: Tracker, camera: SimCamera) -> float:
    """Pixels by which the tracker misplaces the worst place of the middle."""
    calibration = tracker.state.calibration
    assert calibration is not None
    a, b = camera.layout.middle
    places = [(x, y) for x in (-a, 0, a) for y in (-b, 0, b)]
    return float(np.linalg.norm(calibration.view.project(places) - camera.view.project(places), axis=1).max())


@pytest.mark.parametrize(
    ("light", "lens", "mm", "turn", "covered"),
    [
        pytest.param("lamp", None, 1.5, 0.0, False, id="four pixels"),
        pytest.param("side", "wide", 3.0, 0.02, True, id="a mark under a beer mat, deep shadow, wide lens"),
        pytest.param("hunting", None, 12.0, 0.1, False, id="far, exposure hunting"),
    ],
)
def test_pushed(deck: Deck, light: str, lens: str | None, mm: float, turn: float, covered: bool) -> None:
    camera = SimCamera(load_art("stichwart"), seed=21, light=light, lens=lens)
    tracker = Tracker(deck, camera.layout)
    reports: list[Report] = []

    def run(seconds: float) -> None:
        camera.wait(seconds)
        while camera.busy:
            reports.extend(tracker.process(next(camera)))

    run(0.5)
    camera.lay("HK", 1)
    if covered:
        x, y = camera.layout.marks[2].mean(0)
        camera.put("beer mat", 3, pose=CardPose(float(x), float(y), 0.3))
    run(0.7)
    assert off(tracker, camera) < 1.0
    before = len(reports)
    camera.push_mat(mm, 0.6 * mm, turn)
    run(0.7)  # far less than the time between two routine looks at the marks
    assert off(tracker, camera) < 1.0
    camera.lay("SQ", 3)
    run(1.0)
    said = [r for r in reports if isinstance(r, CardLaid | CardGone | TrickTaken)]
    assert [r.label for r in said if isinstance(r, CardLaid)] == ["HK", "SQ"]
    assert len(said) == 2 and len(reports) > before
