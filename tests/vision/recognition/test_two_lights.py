"""A warm lamp and a patch of sun that is burnt out: cards in the lamp's light are of paper as well."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.recognition.test_newest_card import change, features
from vision.geometry.projection import PlaneProjection
from vision.geometry.rectification import RectifiedPlane
from vision.mat.calibration import find_mat
from vision.mat.layout import MatLayout
from vision.recognition.paper_colour import paper_saturation
from vision.recognition.single_card import read_newest
from vision.recognition.unexplained_paper import has_unexplained_paper
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.simulation.tabletop import PlacedCard

#: BGR of a picture in which a lamp's light is as warm as a candle's and the sun burns out what it lies on.
SUNLIT_PAPER, LAMPLIT_PAPER = (250, 253, 254), (118, 185, 248)
SUNLIT_FELT, LAMPLIT_FELT, LAMPLIT_WOOD = (100, 160, 110), (51, 92, 64), (31, 88, 153)
IN_SUN, IN_LAMPLIGHT = CardPose(36.0, 0.0, 0.1), CardPose(-46.0, -8.0, 1.4)


@pytest.mark.parametrize(
    ("place", "mat", "least", "most"),
    [
        pytest.param(LAMPLIT_PAPER, None, 0.45, 1.0, id="by the palest places alone no paper"),
        pytest.param(LAMPLIT_PAPER, LAMPLIT_PAPER, 0.0, 0.05, id="as white as the mat's marks"),
        pytest.param(LAMPLIT_WOOD, LAMPLIT_PAPER, 0.5, 1.0, id="wood has more in that light too"),
        pytest.param(LAMPLIT_FELT, LAMPLIT_PAPER, 0.4, 1.0, id="and felt"),
        pytest.param(SUNLIT_FELT, LAMPLIT_PAPER, 0.35, 1.0, id="and felt in the sun"),
        pytest.param(SUNLIT_PAPER, LAMPLIT_PAPER, 0.0, 0.05, id="what is burnt out stays paper"),
        pytest.param(LAMPLIT_PAPER, SUNLIT_PAPER, 0.45, 1.0, id="marks in the sun tell nothing new"),
    ],
)
def test_paper_is_told_in_either_light(
    place: tuple[int, ...], mat: tuple[int, ...] | None, least: float, most: float
) -> None:
    picture = np.full((40, 40, 3), SUNLIT_PAPER, np.uint8)
    picture[:, :20] = place
    found = paper_saturation(picture, None if mat is None else np.array(mat, float))
    assert least <= float(found[:, :20].mean()) <= most


def lit(*cards: tuple[str, CardPose], covered: int = 0) -> tuple[np.ndarray, PlaneProjection]:
    """A mat in a warm lamp's light, of which the right half is burnt out by the sun; something is upon some marks."""
    camera = SimCamera(load_art("stichwart"), seed=5, light="candle")
    for label, pose in cards:
        camera.renderer.lay_down(PlacedCard(label, pose))
    image, view = next(camera).image.copy(), PlaneProjection(camera.homography, (1280, 720))
    view = replace(view, white_mm=MatLayout().white_places)
    image = np.clip(image * (0.85, 1.0, 1.0), 0, 255).astype(np.uint8)
    image[:, 640:] = np.clip(image[:, 640:] * 3.0, 0, 255)
    for mark in list(MatLayout().marks.values())[:covered]:
        centre = view.project(mark).mean(0).astype(int)
        image[centre[1] - 40 : centre[1] + 40, centre[0] - 40 : centre[0] + 40] = (60, 60, 200)
    return image, view


@pytest.mark.slow
@pytest.mark.parametrize("covered", [0, 2])
def test_the_newest_card_is_read_beside_the_sun(covered: int) -> None:
    image, view = lit(("SK", IN_SUN), ("ST", IN_LAMPLIGHT), covered=covered)
    seen = read_newest(image, features(), view, change(IN_LAMPLIGHT))
    assert seen is not None and seen.label == "ST"


def test_paper_beside_the_sun_is_unexplained_where_no_card_is_known() -> None:
    image, view = lit(("SK", IN_SUN), ("ST", IN_LAMPLIGHT))
    plane = RectifiedPlane.of(image, view)
    known = np.array([(IN_SUN.x, IN_SUN.y, IN_SUN.angle)])
    places = change(IN_LAMPLIGHT)
    assert has_unexplained_paper(plane, known, (59.0, 91.0), places.places, places.area)
    both = np.vstack([known, (IN_LAMPLIGHT.x, IN_LAMPLIGHT.y, IN_LAMPLIGHT.angle)])
    assert not has_unexplained_paper(plane, both, (59.0, 91.0), places.places, places.area)


def test_the_mat_s_white_is_known_from_its_marks() -> None:
    camera = SimCamera(load_art("stichwart"), seed=5, light="candle")
    image = next(camera).image
    white = RectifiedPlane.of(image, find_mat(image).view).mat_white
    assert white is not None
    assert white / white.max() == pytest.approx((0.52, 0.76, 1.0), abs=0.05)  # of the lamp: 0.68, 1, 1.32


@pytest.mark.parametrize(
    "places", [pytest.param(0, id="no sheet"), pytest.param(4, id="one mark, which a hand may cover")]
)
def test_no_white_is_known_from_too_few_marks(places: int) -> None:
    view = PlaneProjection(np.diag([2.0, 2.0, 1.0]), (400, 400), None, np.full((places, 2), 20.0))
    assert RectifiedPlane.of(np.full((400, 400, 3), 200, np.uint8), view).mat_white is None
