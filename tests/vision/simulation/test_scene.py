"""Still scenes: the truth beside a picture is the truth in it."""

from itertools import combinations
from types import MappingProxyType

import cv2
import numpy as np
import pytest

from vision.mat.layout import DICTIONARY, MatLayout
from vision.simulation.art import load_art
from vision.simulation.artwork import FRENCH_MM, Art
from vision.simulation.geometry import SIZE, CardPose, in_view, index_corners, look_down, overlap, to_px, visible
from vision.simulation.paint import Imaging
from vision.simulation.scene import CONDITIONS, Scene, learning_frames, random_scene, render_scene

pytestmark = pytest.mark.slow

CLEAR = Imaging(
    blur=(0.3, 0.31), motion=0, glare=0, noise=(0, 0.1), jpeg=(100, 100.5), paper=0, shadow=0, exposure=(0.9, 0.9),
    temperature=0, wear=0,
)  # fmt: skip


@pytest.fixture(scope="module")
def art() -> Art:
    return load_art("stichwart")


@pytest.mark.parametrize("condition", CONDITIONS)
def test_same_seed_same_scene(art: Art, condition: str) -> None:
    one, two, other = (random_scene(seed, art, condition) for seed in (4, 4, 5))
    assert np.array_equal(one.frame, two.frame)
    assert [card.label for card in one.cards] == [card.label for card in two.cards]
    assert not np.array_equal(one.frame, other.frame)
    assert one.frame.shape == (SIZE[1], SIZE[0], 3) and one.frame.dtype == np.uint8


def quads(scene: Scene) -> list[np.ndarray]:
    return [card.pose.quad(FRENCH_MM) for card in scene.cards]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("condition", CONDITIONS)
def test_cards_lie_as_the_condition_says(art: Art, condition: str, seed: int) -> None:
    scene = random_scene(seed, art, condition, count=None if condition == "isolated" else 3)
    lying = quads(scene)
    shared = [overlap(a, b) for a, b in combinations(lying, 2)]
    if condition == "isolated":
        assert not any(shared)
    elif condition == "touching":
        assert max(shared) <= 2  # mm²
    else:
        assert max(shared) > 100
    for n, card in enumerate(scene.cards):
        assert in_view(scene.homography, lying[n])
        assert np.allclose(card.quad, to_px(scene.homography, lying[n]))
        above = lying[n + 1 :]
        assert visible(lying[n], above) >= 0.4
        assert max(visible(corner, above) for corner in index_corners(card.pose, FRENCH_MM)) >= 0.98


def test_calibration_is_off_by_about_a_pixel(art: Art) -> None:
    scene = random_scene(1, art, "isolated")
    points = np.array([(-50.0, -40), (50, -40), (0, 30)])
    off = np.linalg.norm(to_px(scene.homography, points) - to_px(scene.calibrated, points), axis=1)
    assert (off > 0.01).all() and (off < 3).all()


def test_rendered_outline_is_where_the_truth_says(art: Art) -> None:
    white = np.full((546, 354, 4), 255, np.uint8)
    plain = Art("white", FRENCH_MM, MappingProxyType({"CA": white}), white)
    for n in range(6):
        view = look_down(1200, 2.3, 0.06 * n, 1.3 * n, 0.2 * n)
        scene = render_scene(n, plain, [("CA", CardPose(12 * n - 20, 9 * n - 20, 0.7 * n))], view, imaging=CLEAR)
        grey = cv2.cvtColor(scene.frame, cv2.COLOR_BGR2GRAY)
        truth = scene.cards[0].quad.astype(np.float32)
        card, table = grey[cv2.fillConvexPoly(np.zeros_like(grey), truth.astype(int), 1) > 0], np.median(grey)
        seen = grey > (np.median(card) + table) / 2
        y, x = np.nonzero(seen)
        moments = cv2.moments(truth)
        assert seen.sum() == pytest.approx(moments["m00"], rel=0.01)
        assert x.mean() == pytest.approx(moments["m10"] / moments["m00"], abs=0.05)
        assert y.mean() == pytest.approx(moments["m01"] / moments["m00"], abs=0.05)
        outlines, _ = cv2.findContours(seen.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        outline = max(outlines, key=cv2.contourArea)[:, 0]
        assert max(abs(cv2.pointPolygonTest(truth, (float(x), float(y)), True)) for x, y in outline) < 1.8


def test_marks_are_found_on_the_mat(art: Art) -> None:
    layout = MatLayout("A3", 4)
    scene = random_scene(3, art, "overlapping", mat=layout)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY))
    corners, ids, _ = detector.detectMarkers(scene.frame)
    assert len(ids) >= 5
    for found, number in zip(corners, ids.ravel(), strict=True):
        truth = to_px(scene.homography, layout.marks[int(number)])
        assert np.abs(found[0].mean(0) - truth.mean(0)).max() < 1.0


def test_learning_shows_every_face_once_and_whole(art: Art) -> None:
    seen = []
    for label, scene in learning_frames(art, seed=2, labels=art.doppelkopf[:5]):
        (card,) = scene.cards
        assert card.label == label and in_view(scene.homography, card.pose.quad(art.size_mm))
        seen.append(label)
    assert tuple(seen) == art.doppelkopf[:5]


def test_unknown_condition_is_named(art: Art) -> None:
    with pytest.raises(ValueError, match=r"'stacked'.*isolated"):
        random_scene(0, art, "stacked")
