"""Shadows across a card go; its print stays as it is printed."""

import cv2
import numpy as np
import pytest

from vision.deck.deck import REFERENCE_SCALE
from vision.geometry.projection import Array
from vision.images import Picture
from vision.simulation.art import load_art
from vision.teaching.even_light import WHITE, even_light
from vision.teaching.known_faces import KnownFaces

ART = load_art("stichwart-bavarian")
WIDTH, HEIGHT = (round(side * REFERENCE_SCALE) for side in ART.size_mm)
PX = REFERENCE_SCALE


def face(label: str) -> Picture:
    """A face upon white paper, as it is printed."""
    drawn = ART.faces[label]
    opaque = drawn[..., 3:] / 255.0
    paper = drawn[..., :3] * opaque + 255.0 * (1 - opaque)
    return np.asarray(cv2.resize(paper, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA) + 0.5, np.uint8)


def lit(picture: Picture, light: Array, seed: int = 1) -> Picture:
    """The same in ``light`` (h, w) or (h, w, 3), 1 for the brightest, as a camera sees it."""
    light = light if light.ndim == 3 else light[..., None]
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    seen = cv2.GaussianBlur(picture * light * 0.9, (0, 0), 1.5)
    return np.clip(seen + noise, 0, 255).astype(np.uint8)


def even(level: float = 1.0) -> Array:
    return np.full((HEIGHT, WIDTH), level, np.float32)


def bars(width_mm: float, shade: float = 0.5, edge_mm: float = 1.5) -> Array:
    """Sun through a window: bars crosswise, whose shadows have soft edges."""
    light = even()
    side = round(width_mm * PX)
    light[HEIGHT // 3 : HEIGHT // 3 + side] = shade
    light[:, WIDTH // 2 : WIDTH // 2 + side] = shade
    return np.asarray(cv2.GaussianBlur(light, (0, 0), edge_mm * PX))


def half(shade: float) -> Array:
    light = even()
    light[: HEIGHT // 2] = shade
    return np.asarray(cv2.GaussianBlur(light, (0, 0), 2.0 * PX))


def warm(light: Array) -> Array:
    """The same by a warm lamp, its shadow bluer: what falls there comes from the window."""
    return np.dstack([light**0.8 * 0.6, light**0.9 * 0.85, light])


LIGHTS = [
    pytest.param(even(), id="even"),
    pytest.param(even(0.3), id="dim"),
    pytest.param(bars(8.0), id="narrow bars"),
    pytest.param(bars(15.0), id="wide bars"),
    pytest.param(bars(10.0, edge_mm=1.0), id="harder edges"),
    pytest.param(half(0.5), id="half in shade"),
    pytest.param(warm(bars(10.0, 0.6)), id="a warm lamp behind bars"),
    pytest.param(np.linspace(0.3, 1.0, HEIGHT)[:, None] * np.ones((1, WIDTH)), id="darker towards one end"),
]


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("label", ["E8", "E9", "GT", "H7", "SA", "GU"])
def test_paper_is_white_and_print_is_dark(label: str, light: Array) -> None:
    printed = face(label)
    seen = even_light(lit(printed, light)).min(2)[4:-4, 4:-4].astype(float)
    lowest = printed.min(2)[4:-4, 4:-4]
    paper = cv2.erode((lowest > 220).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    strokes = cv2.erode((lowest < 100).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    assert np.quantile(seen[paper], 0.02) > 0.85 * WHITE
    assert np.quantile(seen[strokes], 0.98) < 0.65 * WHITE


def test_grey_print_in_bright_light_stays_grey() -> None:
    printed = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    printed[40:72, 40:150] = 90
    seen = even_light(lit(printed, even()))
    assert np.percentile(seen[48:64, 48:142], 95) < 0.5 * WHITE


def test_a_card_without_paper_is_left_as_its_brightest_makes_it() -> None:
    printed = np.full((HEIGHT, WIDTH, 3), (40, 60, 200), np.uint8)
    seen = even_light(printed)
    assert seen.shape == printed.shape
    assert seen.std(axis=(0, 1)).max() < 1.0


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize(("label", "other"), [("E8", "E9"), ("G9", "GT"), ("S7", "S8"), ("HA", "GA")], ids="-".join)
def test_a_face_is_known_in_any_light_and_its_neighbour_in_none(label: str, other: str, light: Array) -> None:
    assert_known(label, other, light)


@pytest.mark.parametrize("light", [even(0.3), half(0.5)], ids=["dim", "half in shade"])
def test_a_court_full_of_print_is_known(light: Array) -> None:
    assert_known("EU", "EO", light)


def assert_known(label: str, other: str, light: Array) -> None:
    known = KnownFaces(ART.size_mm)
    known.add(label, lit(face(label), even(), seed=2))
    named = known.name(lit(face(label), light))
    assert named is not None and named[0] == label
    assert known.name(lit(face(other), light)) is None
