"""Tables seen at a slant: looked at from above, a card is a rectangle again and its corners are one card's."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.indices.test_generic import ART, told
from vision.geometry.projection import Array
from vision.geometry.quads import iou
from vision.indices.generic_reader import _both_views, _moved, read_cards
from vision.indices.pairing import pair_readings
from vision.indices.reading import IndexReading
from vision.indices.slant import seen_from_above, view_from_above
from vision.recognition.card_reading import CardReading
from vision.simulation.geometry import SIZE, CardPose, look_down, to_px
from vision.simulation.paint import LEARNING
from vision.simulation.scene import render_scene

SHAPE = (SIZE[1], SIZE[0], 3)
OTHERS = [("S9", CardPose(-95, -40, 0.4), "02"), ("DA", CardPose(95, -30, 2.0), "02")]
#: Cards with the corners that are read, and how many cards they are.
CASES = [
    pytest.param([("HK", CardPose(0, 20, 0.2), "02")], 1, id="opposite-corners"),
    pytest.param([("HK", CardPose(0, 20, 0.2), "0123")], 1, id="four-corners"),
    pytest.param([("HK", CardPose(-32, 20, 0.2), "02"), ("HK", CardPose(32, 20, 0.2), "02")], 2, id="equal-beside"),
    pytest.param([("HK", CardPose(0, -46, 0.1), "02"), ("HK", CardPose(0, 48, 0.1), "02")], 2, id="equal-below"),
    pytest.param([("HK", CardPose(0, 10, 0.2), "0"), ("HK", CardPose(20, 14, 0.3), "02")], 2, id="equal-fanned"),
    pytest.param([("HK", CardPose(0, 0, 0.2), "0"), ("HK", CardPose(5, 150, 0.4), "2")], 2, id="lone-equals"),
]


def readings_at(
    cards: list[tuple[str, CardPose, str]], tilt: float, towards: float
) -> tuple[list[IndexReading], Array]:
    """The indices that show of cards, and the view at a slant that they are seen in."""
    view = look_down(1100.0, 2.2, tilt, towards)
    return [reading for label, pose, corners in cards for reading in told(label, pose, corners, view)], view


def test_a_table_seen_from_above_is_left_as_it_is() -> None:
    readings, _ = readings_at([*OTHERS, ("HK", CardPose(0, 20, 0.2), "02")], 0.1, 1.0)
    assert view_from_above(readings, SHAPE) is None
    assert view_from_above(readings[:2], SHAPE) is None and view_from_above([], SHAPE) is None


@pytest.mark.parametrize("towards", [0.3, 2.4, 4.0])
@pytest.mark.parametrize("tilt", [0.6, 0.9])
def test_cards_at_a_slant_are_rectangles_from_above(tilt: float, towards: float) -> None:
    readings, view = readings_at([*OTHERS, ("HK", CardPose(0, 20, 0.2), "0123")], tilt, towards)
    above = view_from_above(readings, SHAPE)
    assert above is not None
    shapes = []
    for _, pose, _ in OTHERS:
        quad = to_px(above, to_px(view, pose.quad(ART.size_mm)))
        sides = np.roll(quad, -1, axis=0) - quad
        wide, high = np.linalg.norm(sides, axis=1).reshape(2, 2).mean(0)
        assert abs(float(sides[0] @ sides[1])) < 0.2 * wide * high
        shapes.append(high / wide)
    assert np.allclose(shapes, ART.size_mm[1] / ART.size_mm[0], rtol=0.15)


@pytest.mark.parametrize(("cards", "number"), CASES)
def test_corners_are_one_card_if_one_card_explains_them_from_above(
    cards: list[tuple[str, CardPose, str]], number: int
) -> None:
    readings, _ = readings_at([*OTHERS, *cards], 0.85, 1.3)
    above = view_from_above(readings, SHAPE)
    assert above is not None
    straight = [_moved(reading, above) for reading in readings]
    assert len(pair_readings(straight, [])) == len(OTHERS) + number


def test_all_cards_are_in_the_picture_from_above_which_is_no_larger_than_needed() -> None:
    readings, view = readings_at(OTHERS, 0.85, 1.3)
    above = view_from_above(readings, SHAPE)
    assert above is not None
    picture, whole = seen_from_above(np.full(SHAPE, 200, np.uint8), above, readings)
    for _, pose, _ in OTHERS:
        quad = to_px(whole, to_px(view, pose.quad(ART.size_mm)))
        assert (quad > 0).all() and (quad < picture.shape[1::-1]).all()
    assert max(picture.shape) <= 1600 and (picture > 0).mean() > 0.4


@pytest.mark.slow
def test_cards_at_a_slant_are_read_once_each_and_equal_ones_stay_two() -> None:
    cards = [(label, pose) for label, pose, _ in OTHERS]
    cards += [("HK", CardPose(-32, 25, 0.2)), ("HK", CardPose(34, 20, 0.3))]
    scene = render_scene(11, ART, cards, look_down(1100.0, 2.4, 0.85, 1.3), imaging=LEARNING)
    seen = read_cards(scene.frame)
    assert sorted(card.label or "?" for card in seen) == ["DA", "HK", "HK", "S9"]
    for card in seen:
        assert max(iou(card.quad, one.quad) for one in scene.cards if one.label == card.label) > 0.7


def reading(label: str | None, x: float, choices: tuple[str, ...] = ()) -> CardReading:
    quad = np.array([(x, 100.0), (x + 63, 100), (x + 63, 188), (x, 188)])
    return CardReading(label, 0.9, tuple((name, 0.5) for name in choices or (label or "",)), quad)


@pytest.mark.parametrize(
    ("slanted", "above", "both"),
    [
        pytest.param([reading("HK", 0), reading("HK", 70)], [reading("HK", 0)], ["HK"], id="no-second-card"),
        pytest.param([reading("HK", 5)], [reading(None, 0, ("HK", "HQ"))], ["HK"], id="names-a-doubt"),
        pytest.param([reading("S9", 5)], [reading(None, 0, ("HK", "HQ"))], ["?"], id="no-choice"),
        pytest.param([reading("HK", 200)], [reading(None, 0, ("HK", "HQ"))], ["?"], id="elsewhere"),
        pytest.param([reading("HK", 5)], [reading("HK", 2), reading(None, 20, ("HK",))], ["?", "HK"], id="named-once"),
    ],
)
def test_two_views_of_one_table(slanted: list[CardReading], above: list[CardReading], both: list[str]) -> None:
    assert sorted(card.label or "?" for card in _both_views(slanted, [replace(card) for card in above])) == both
