"""A trick that is taken in before its last card has come to rest: the card is read from pictures of that moment."""

import math

import pytest

from tests.vision.taught import taught
from vision.messages import ArmReached, CardLaid, Report, TrickTaken
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow

LABELS = ("SA", "SK", "DK", "ST")


def play(camera: SimCamera, laid: tuple[str, ...], early_s: float | None) -> list[Report]:
    """Reports of a trick of some cards, of which somebody takes hold ``early_s`` before the last can be seen."""
    tracker = Tracker(taught(labels=LABELS), camera.layout)
    reports: list[Report] = []

    def watch() -> None:
        while camera.busy:
            reports.extend(tracker.process(next(camera)))

    for number, label in enumerate(laid):
        camera.wait(0.3)
        act = camera.lay(label, number + 1)
        if number < len(laid) - 1:
            watch()
    if early_s is None:
        camera.wait(0.8)
        camera.collect(1)
    else:
        camera.collect(2, act.uncovered - early_s)
    watch()
    camera.wait(1.0)
    watch()
    return reports


CASES = {
    "ten pictures a second": (LABELS, 0.6, 10.0, (640, 480)),
    "fifteen": (LABELS, 0.6, 15.0, (1280, 720)),
    "twenty-five": (LABELS, 0.6, 25.0, (960, 540)),
    "a trick of three, and nobody is in haste": (LABELS[:3], None, 15.0, (640, 480)),
    "a trick of three, gathered early": (LABELS[:3], 0.6, 15.0, (1280, 720)),
}


@pytest.mark.parametrize(("laid", "early_s", "fps", "size"), CASES.values(), ids=CASES)
def test_a_card_taken_up_before_it_lay_still(
    laid: tuple[str, ...], early_s: float | None, fps: float, size: tuple[int, int]
) -> None:
    camera = SimCamera(load_art("stichwart"), seed=3, fps=fps, size=size)
    reports = play(camera, laid, early_s)
    cards = [one for one in reports if isinstance(one, CardLaid)]
    assert [one.label for one in cards] == list(laid)
    assert [one.cards for one in reports if isinstance(one, TrickTaken)] == [tuple(range(1, len(laid) + 1))]
    assert cards[-1].picture, "people are shown it where they are asked"


def test_of_two_taken_up_before_they_lay_still_nobody_saw_which_was_first() -> None:
    camera = SimCamera(load_art("stichwart"), seed=3)
    tracker = Tracker(taught(labels=LABELS), camera.layout)
    reports: list[Report] = []

    def watch(seconds: float) -> None:
        camera.wait(seconds)
        while camera.busy:
            reports.extend(tracker.process(next(camera)))

    for number, label in enumerate(LABELS[:2]):
        watch(0.3)
        camera.lay(label, number + 1)
    watch(0.5)
    camera.lay(LABELS[2], 3)
    last = camera.lay(LABELS[3], 4, at=0.0)
    camera.collect(2, last.uncovered - 0.6)
    watch(1.0)
    cards = [one for one in reports if isinstance(one, CardLaid)]
    assert [one.label for one in cards[:2]] == list(LABELS[:2])
    assert {one.label for one in cards[2:]} == set(LABELS[2:])
    for one in cards[2:]:
        assert one.not_before == cards[1].rested and one.rested is not None
        assert one.rested > cards[1].rested  # each may have been laid before the other


def test_the_arm_of_a_card_right_upon_an_equal_one_is_told() -> None:
    camera = SimCamera(load_art("stichwart"), seed=4, size=(640, 480))
    tracker = Tracker(taught(labels=LABELS), camera.layout)
    reports: list[Report] = []
    for seat, label in ((1, "SA"), (2, "SK")):
        camera.wait(0.3)
        camera.lay(label, seat)
        while camera.busy:
            reports.extend(tracker.process(next(camera)))
    camera.wait(0.3)
    upon = camera.lay_upon("SK", 3)
    camera.wait(0.7)
    while camera.busy:
        reports.extend(tracker.process(next(camera)))
    assert [one.label for one in reports if isinstance(one, CardLaid)] == ["SA", "SK"]
    arms = [one for one in reports if isinstance(one, ArmReached)]
    assert len(arms) == 3, "each that has laid"
    assert arms[-1].since < upon.at_rest < arms[-1].until + 0.2
    assert abs(math.remainder(arms[-1].bearing - camera.layout.seat_angle(3), math.tau)) < 0.8
