"""A card laid face down in the middle: its back is said, it lies until the trick is taken."""

import pytest

from tests.vision.taught import taught
from vision.messages import CardGone, CardLaid, Report, TrickTaken
from vision.simulation.art import load_art
from vision.simulation.artwork import BACK
from vision.simulation.busy_table import BusyTable
from vision.simulation.film import SimCamera
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow

LABELS = ("SA", "SK", "DK", "ST")


@pytest.mark.parametrize(("seed", "place"), [(2, 1), (2, 3), (18, 2)])  # 18: much of it has the tone of the mat
def test_a_back_is_said_and_goes_with_its_trick(seed: int, place: int) -> None:
    camera = SimCamera(load_art("stichwart"), seed=seed)
    tracker = Tracker(taught(labels=(*LABELS, BACK)), camera.layout)
    for number, label in enumerate(LABELS):
        camera.wait(0.2)
        camera.lay(label, number + 1, face_down=number == place)
    camera.wait(0.7)
    camera.collect(1)
    camera.wait(0.4)
    reports: list[Report] = []
    while camera.busy:
        reports += tracker.process(next(camera))
    said = [(one.label, one.face_down) for one in reports if isinstance(one, CardLaid)]
    assert said == [(None, True) if n == place else (label, False) for n, label in enumerate(LABELS)]
    assert not any(isinstance(one, CardGone) for one in reports)
    assert [one.cards for one in reports if isinstance(one, TrickTaken)] == [(1, 2, 3, 4)]


@pytest.mark.parametrize("seed", [2, 5, 18])
def test_a_card_turned_over_is_said_once_and_its_place_is_bare_afterwards(seed: int) -> None:
    camera = BusyTable(load_art("standard"), seed=seed, light="dim")
    tracker = Tracker(taught("standard", labels=("HA", "SK", "DK", BACK)), camera.layout)
    reports: list[Report] = []

    def watch(wait: float = 0.7) -> None:
        camera.wait(wait)
        while camera.busy:
            reports.extend(tracker.process(next(camera)))

    watch(1.5)
    camera.lay("HA", 2, face_down=True)
    watch()
    camera.turn_up("HA", 2)
    watch()
    camera.lay("SK", 3)
    watch()
    camera.collect(1)
    watch(1.0)
    camera.lay("DK", 1)
    watch()
    faces = [one for one in reports if isinstance(one, CardLaid) and not one.face_down]
    assert [one.label for one in faces] == ["HA", "SK", "DK"]
    assert [one.cards for one in reports if isinstance(one, TrickTaken)] == [tuple(one.card for one in faces[:2])]
    assert [card.label for card in tracker.state.cards] == ["DK"]
