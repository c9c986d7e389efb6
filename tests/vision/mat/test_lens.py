"""Lenses that bend lines: the model, its calibration with the mat, and cards read through it."""

import numpy as np
import pytest

from vision.errors import VisionError
from vision.geometry.lens import Lens
from vision.geometry.projection import PlaneProjection, card_corners
from vision.mat.calibration import describe_calibration, find_mat
from vision.mat.layout import MatLayout
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import LENSES, SIZE, SIZES, CardPose

pytestmark = pytest.mark.slow

H = np.array([(2.3, 0.05, 640), (-0.04, 2.25, 360), (1e-5, 2e-5, 1)])


@pytest.mark.parametrize("k", [(-0.02, 0.0), (-0.13, 0.025), (0.05, -0.02)])
def test_bent_and_straightened(k: tuple[float, float]) -> None:
    lens = Lens.of(*k, SIZE)
    points = np.random.default_rng(0).uniform((-40, -40), (1320, 760), (200, 2))
    assert np.allclose(lens.undistort(lens.distort(points)), points, atol=1e-6)
    corner = lens.distort([(0.0, 0.0)])[0]
    assert np.linalg.norm(corner) == pytest.approx(lens.corner_shift, rel=0.01)
    part = lens.cropped(100, 50)
    assert np.allclose(part.distort(points - (100, 50)), lens.distort(points) - (100, 50))


def test_what_no_lens_does_is_refused() -> None:
    with pytest.raises(VisionError, match=r"k1 -0\.900"):
        Lens.of(-0.9, 0.0, SIZE)


def test_a_view_through_a_lens() -> None:
    view = PlaneProjection(H, SIZE, Lens.of(-0.13, 0.025, SIZE))
    mm = np.random.default_rng(1).uniform((-200, -140), (200, 140), (60, 2))
    assert np.allclose(view.unproject(view.project(mm)), mm, atol=1e-6)
    low, high = view.bounds()
    edge = view.unproject([(x, 0) for x in range(0, 1281, 64)])
    assert (edge >= low - 1e-6).all() and (edge <= high + 1e-6).all()
    part = view.crop(300, 100, (500, 400))
    assert np.allclose(part.project(mm), view.project(mm) - (300, 100))


def test_a_plane_is_cut_out_straight() -> None:
    view = PlaneProjection(H, SIZE, Lens.of(-0.13, 0.025, SIZE))
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    picture = np.dstack([x % 256, y % 256, x // 8]).astype(np.uint8)  # each pixel says where it lies
    to_mm = np.array([(0.5, 0, -180), (0, 0.5, -120), (0, 0, 1)])
    flat = view.warp(picture, to_mm, (720, 480))
    places = np.random.default_rng(2).integers((5, 5), (715, 475), (50, 2))
    truth = view.project(places * 0.5 - (180, 120))
    for (column, row), (u, v) in zip(places, truth, strict=True):
        if min(u % 256, v % 256) > 3 and max(u % 256, v % 256) < 252:  # where the code does not jump
            assert flat[row, column, :2] == pytest.approx((u % 256, v % 256), abs=1.0)


def worst(found: PlaneProjection, true: PlaneProjection, layout: MatLayout) -> float:
    """Pixels by which a place in the middle, a card's length round it included, may be off."""
    a, b = layout.middle
    grid = [(x, y) for x in np.linspace(-a - 30, a + 30, 7) for y in np.linspace(-b - 30, b + 30, 7)]
    return float(np.linalg.norm(found.project(grid) - true.project(grid), axis=1).max())


@pytest.mark.parametrize(
    ("lens", "size", "light", "layout"),
    [
        pytest.param("wide", SIZE, "lamp", MatLayout(), id="wide"),
        pytest.param("webcam", SIZE, "sun", MatLayout(), id="webcam, sun"),
        pytest.param("cushion", SIZES[0], "pink", MatLayout(), id="cushion, 480, pink"),
        pytest.param("wide", SIZES[0], "hall", MatLayout(), id="wide, 480, dim hall"),
        pytest.param("webcam", SIZES[2], "side", MatLayout("A2", 5), id="webcam, 1080, A2 for five, deep shadow"),
    ],
)
def test_a_lens_is_found_with_the_mat(lens: str, size: tuple[int, int], light: str, layout: MatLayout) -> None:
    camera = SimCamera(load_art("stichwart"), layout, seed=3, light=light, size=size, lens=lens)
    found = find_mat(next(camera).image, layout)
    assert found.view.lens is not None
    assert worst(found.view, camera.view, layout) < 0.9
    straight = PlaneProjection(found.view.H, size)
    assert worst(straight, camera.view, layout) > 1.5 or lens == "cushion"
    assert any("lens: shifts" in line for line in describe_calibration(found))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_lens_is_told_where_none_bends(size: tuple[int, int]) -> None:
    camera = SimCamera(load_art("stichwart"), seed=5, size=size)
    found = find_mat(next(camera).image)
    assert found.view.lens is None and not any("lens" in line for line in describe_calibration(found))
    assert worst(found.view, camera.view, MatLayout()) < 0.5


def test_three_marks_and_the_print_tell_a_lens() -> None:
    camera = SimCamera(load_art("stichwart"), seed=4, lens="webcam")
    next(camera)
    for mark in (3, 4, 5, 6, 7):
        x, y = camera.layout.marks[mark].mean(0)
        camera.lay("CA", 1, at=0.1, pose=CardPose(float(x), float(y), 0.3))
    while camera.busy:
        image = next(camera).image
    found = find_mat(image)
    assert found.marks == (0, 1, 2) and found.view.lens is not None
    assert worst(found.view, camera.view, MatLayout()) < 1.2


def test_a_known_lens_is_kept_when_few_marks_are_left() -> None:
    camera = SimCamera(load_art("stichwart"), seed=4, lens="wide")
    lens = find_mat(next(camera).image).view.lens
    for mark in (1, 3, 4, 5, 6, 7):
        x, y = camera.layout.marks[mark].mean(0)
        camera.lay("CA", 1, at=0.1, pose=CardPose(float(x), float(y), 0.3))
    while camera.busy:
        image = next(camera).image
    found = find_mat(image, lens=lens)
    assert found.marks == (0, 2)
    assert worst(found.view, camera.view, MatLayout()) < 4


def test_a_card_lies_where_the_bent_view_says() -> None:
    view = PlaneProjection(H, SIZE, Lens.of(*LENSES["webcam"], SIZE))
    quad = view.project(card_corners((120.0, 60.0, 0.4), (59.0, 91.0)))
    assert np.linalg.norm(quad - PlaneProjection(H, SIZE).project(card_corners((120.0, 60.0, 0.4), (59.0, 91.0)))) > 5
