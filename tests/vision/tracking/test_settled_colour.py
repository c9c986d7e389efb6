"""What has another colour than the settled picture, be it as dark as the mat; light, balance and noise have none."""

import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.tracking.change_detection import ChangeDetector, FrameChange
from vision.tracking.settled_colour import SettledColour

SIZE = (360, 640)
#: Of a dim picture: a mat, a dark hand on it (seven levels of green darker, twice as red), a card.
MAT, HAND, CARD = (21, 34, 22), (14, 27, 51), (70, 94, 114)
#: Rows and columns that the hand covers, in cells.
UNDER = (slice(12, 28), slice(22, 38))


def scene(
    hand: bool = False,
    *,
    card: bool = False,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    noise: float = 4.0,
    seed: int = 0,
) -> np.ndarray:
    picture = np.full((*SIZE, 3), MAT, np.float32)
    picture[200:320, 40:120] = CARD
    if hand:
        picture[80:240, 160:320] = HAND
    if card:
        picture[120:200, 320:370] = CARD
    picture *= np.array(light, np.float32)
    picture += np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def step(gate: ChangeDetector, picture: np.ndarray, number: int) -> FrameChange:
    return gate.update(Frame(picture, number / 15).quarter, number / 15)


@pytest.fixture
def gate() -> ChangeDetector:
    made = ChangeDetector()
    for number in range(6):
        step(made, scene(seed=number), number)
    return made


def test_a_dark_hand_covers_the_mat_though_its_grey_level_is_the_mat_s(gate: ChangeDetector) -> None:
    for number in range(6, 21):  # it stays for a second, with a card in it
        change = step(gate, scene(True, card=True, seed=number), number)
        assert change.covered[UNDER].all()
        assert change.differs[UNDER].mean() < 0.1, "or nothing is shown here"
    outside = change.covered.copy()
    outside[8:32, 18:48] = False
    assert not outside.any()
    assert not step(gate, scene(seed=30), 21).covered.any()


@pytest.mark.parametrize(
    "pictures",
    [
        pytest.param([{} for _ in range(30)], id="noise in the dark"),
        pytest.param([{"light": (1 + 0.02 * n,) * 3} for n in range(30)], id="exposure"),
        pytest.param([{"light": (1 + 0.02 * n, 1.0, 1 - 0.01 * n)} for n in range(30)], id="white balance"),
    ],
)
def test_light_balance_and_noise_are_no_other_colour(gate: ChangeDetector, pictures: list[dict[str, object]]) -> None:
    for number, picture in enumerate(pictures, 6):
        assert not step(gate, scene(seed=number, **picture), number).covered.any()  # type: ignore[arg-type]


def test_what_is_accepted_is_settled_in_its_colour_too(gate: ChangeDetector) -> None:
    cells = step(gate, scene(True, card=True, seed=7), 7).covered
    gate.accept(cells)
    assert not step(gate, scene(True, card=True, seed=8), 8).covered.any()
    assert step(gate, scene(seed=9), 9).covered[UNDER].all()


@pytest.mark.slow
def test_a_colour_that_stays_is_settled_within_a_minute(gate: ChangeDetector) -> None:
    """So that no cell is wrong for the evening, whatever came to it."""
    covered = [bool(step(gate, scene(True, seed=number), number).covered.any()) for number in range(6, 6 + 60 * 15)]
    assert any(covered[:15]) and not any(covered[-15:])


def test_another_size_begins_anew(gate: ChangeDetector) -> None:
    small = cv2.resize(scene(True), (320, 240))
    assert not step(gate, small, 7).covered.any()


def test_a_lamp_of_another_colour_is_no_other_colour() -> None:
    """Each side of the table by another factor, so that neither a gain nor a balance explains it."""
    gate, ramp = ChangeDetector(), np.linspace(0.3, 1.0, SIZE[1], dtype=np.float32)[None, :, None]
    bright = [np.clip(scene(seed=n, noise=2.0) * 3.0, 0, 255).astype(np.uint8) for n in range(12)]
    for number in range(6):
        step(gate, bright[number], number)
    for number in range(6, 12):
        lit = bright[number] * (1 - (1 - ramp) * np.array((1.0, 0.4, 0.1), np.float32))
        change = step(gate, lit.astype(np.uint8), number)
        assert not change.covered.any() and not change.differs.any()


def test_a_film_that_begins_again_leaves_the_colours_as_they_are() -> None:
    """Back in time nothing is learned; the share of a frame may not be below nothing."""
    colour, still = SettledColour(), np.ones((45, 80), bool)
    quarter = Frame(scene(noise=0.0), 0.0).quarter
    for number in range(20):
        colour.differs(quarter, still, 100.0 + number / 15)
    hand = Frame(scene(True, noise=0.0), 0.0).quarter
    assert colour.is_due(0.0)
    assert colour.differs(hand, still, 0.0).any()
    assert not colour.differs(quarter, still, 0.1).any()
