"""Cards that are seen all round are found by their outline, whatever they show."""

import math
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision.geometry.projection import card_corners
from vision.geometry.rectification import SCALE, RectifiedPlane, plane_around
from vision.images import Picture
from vision.mat.calibration import find_mat
from vision.mat.layout import MatLayout
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.whole_cards import fitted_pose, outline_at, pose_of, whole_cards
from vision.simulation.art import load_art
from vision.simulation.busy_table import BusyTable
from vision.simulation.scene import Scene, random_scene

ART = load_art("stichwart-bavarian")
SIZE = ART.size_mm


@pytest.mark.parametrize(
    ("also_mm", "off_mm", "found"),
    [
        pytest.param(0.0, 0.6, True, id="alone"),
        pytest.param(1.0, 0.6, False, id="white beside it: a side that is seen is not its own"),
        pytest.param(1.0, 2.5, True, id="white beside it, and nobody has measured the cards"),
        pytest.param(20.0, 2.5, False, id="another card beside it: one side is not seen"),
    ],
)
def test_a_pose_lies_on_its_card_s_outline_where_that_is_seen_all_round(also_mm, off_mm, found):
    true, near = np.array([60.0, 70.0, 0.4]), np.array([60.7, 69.2, 0.42])
    large = np.full((8 * 280, 8 * 240, 3), 60, np.uint8)
    corners = card_corners(true, SIZE)
    wider = corners + also_mm * np.array([[0], [1], [1], [0]]) * (corners[1] - corners[0]) / SIZE[0]
    cv2.fillConvexPoly(large, np.round(8 * wider * SCALE).astype(np.int32), (235, 235, 235))
    fine = np.asarray(cv2.resize(large, (240, 280), interpolation=cv2.INTER_AREA), np.uint8)
    outline = outline_at(fine, near, SIZE, off_mm)
    if found:
        assert outline is not None
        assert np.abs(pose_of(outline / SCALE, near) - true).max() < 0.2 + also_mm
    else:
        assert outline is None


def paper(true: np.ndarray, mm: dict[str, float], grey: int, large: np.ndarray) -> None:
    """Draw a card's rectangle, its sides moved outward by ``mm``."""
    corners = card_corners(true, SIZE)
    x, y = (corners[1] - corners[0]) / SIZE[0], (corners[3] - corners[0]) / SIZE[1]
    by = {side: mm.get(side, 0.0) for side in ("left", "right", "up", "down")}
    moved = corners + np.array([
        -by["left"] * x - by["up"] * y, by["right"] * x - by["up"] * y,
        by["right"] * x + by["down"] * y, -by["left"] * x + by["down"] * y,
    ])  # fmt: skip
    cv2.fillConvexPoly(large, np.round(8 * moved * SCALE).astype(np.int32), (grey, grey, grey))


@pytest.mark.parametrize("off", [(0.9, -0.8, 0.012), (-1.1, 0.6, -0.015), (0.0, 0.0, 0.0)], ids=str)
@pytest.mark.parametrize(
    ("white", "frame_mm"),
    [
        pytest.param({}, 0.0, id="alone"),
        pytest.param({"left": 30.0}, 0.0, id="white paper beside one side"),
        pytest.param({"left": 30.0, "up": 20.0}, 0.0, id="white paper beside two"),
        pytest.param({}, 1.4, id="a frame is printed within it"),
        pytest.param({"right": 30.0}, 1.4, id="a frame, and white paper beside it"),
    ],
)
def test_a_card_is_fitted_by_the_sides_that_are_seen(off, white, frame_mm):
    true = np.array([70.0, 75.0, 0.4])
    large = np.full((8 * 320, 8 * 300, 3), 60, np.uint8)
    paper(true, white, 225, large)
    paper(true, {}, 235, large)
    if frame_mm:
        for inner, grey in ((frame_mm, 120), (frame_mm + 0.6, 235)):
            paper(true, dict.fromkeys(("left", "right", "up", "down"), -inner), grey, large)
    fine = np.asarray(cv2.resize(large, (300, 320), interpolation=cv2.INTER_AREA), np.uint8)
    fitted = fitted_pose(fine, true + off, SIZE)
    assert np.hypot(*(fitted - true)[:2]) < 0.25 and abs(fitted[2] - true[2]) < 0.004


@pytest.mark.parametrize(
    ("proposed", "fitted", "found"),
    [
        pytest.param(0.80, 0.95, True, id="its outline was found once it was fitted"),
        pytest.param(0.80, 0.82, False, id="halves of two cards"),
        pytest.param(0.70, 0.95, False, id="hardly proposed at all"),
    ],
)
def test_a_fitted_card_lies_along_edges(proposed, fitted, found):
    blank = SimpleNamespace(fine=np.full((400, 400, 3), 128, np.uint8))
    pose = np.array([100.0, 100.0, 0.2])
    proposals = SimpleNamespace(
        poses=pose[None], support=np.array([proposed]), support_of=lambda poses: np.full(len(poses), fitted)
    )
    assert len(whole_cards(blank, proposals, SIZE, [])) == found  # type: ignore[arg-type]


def found_in(scene: Scene, known: list[np.ndarray]) -> list[np.ndarray]:
    """Find the whole cards of a scene, poses in mm of its view."""
    plane: RectifiedPlane = plane_around(scene.frame, SIZE, scene.view, None)
    corner = np.append(plane.origin, 0.0)
    proposals = EdgeProposals.of(plane, SIZE)
    return [pose + corner for pose in whole_cards(plane, proposals, SIZE, [pose - corner for pose in known])]


def lies_at(pose: np.ndarray, scene: Scene) -> list[str]:
    return [card.label for card in scene.cards if math.hypot(pose[0] - card.pose.x, pose[1] - card.pose.y) < 2.0]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [311, 312, 313])
def test_each_card_that_lies_alone_is_found_once_and_nothing_else(seed):
    scene = random_scene(seed, ART, "isolated", mat=MatLayout(seats=4), card_px=120)
    found = found_in(scene, [])
    assert sorted(label for pose in found for label in lies_at(pose, scene)) == sorted(c.label for c in scene.cards)
    assert len(found) == len(scene.cards) > 0
    first = scene.cards[0]
    left = found_in(scene, [np.array([first.pose.x, first.pose.y, 0.0]), *found])
    assert left == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["glass", "beer mat", "coins"])
def test_what_else_lies_on_a_table_is_no_card(name):
    scene = random_scene(321, ART, "isolated", mat=MatLayout(seats=4), card_px=120, count=1, objects=[name])
    assert len(found_in(scene, [])) == 1


@pytest.mark.slow
def test_cards_upon_others_are_found_in_a_dim_hall_where_not_all_sides_are_seen():
    """Each card of three tricks when it has come to rest, most upon others; three of them have no outline."""
    camera = BusyTable(ART, MatLayout(seats=4), 9010, light="hall", size=(1280, 720))

    def picture(seconds: float) -> Picture:
        camera.wait(seconds)
        return [next(camera) for _ in iter(lambda: camera.busy, False)][-1].image

    view = find_mat(picture(0.5), camera.layout).view
    found, outlines = 0, 0
    for number, label in enumerate(list(ART.doppelkopf)[:12]):
        pose = camera.lay(label, 1 + number % 4).card.pose
        true = np.array([pose.x, pose.y, pose.angle])
        plane = plane_around(picture(1.1), SIZE, view, view.project(card_corners(true, SIZE)))
        seen = whole_cards(plane, EdgeProposals.of(plane, SIZE), SIZE, [])
        near = [math.hypot(*(one[:2] + plane.origin - true[:2])) for one in seen]
        found += min(near, default=9.9) < 0.5
        outlines += outline_at(plane.fine, true - np.append(plane.origin, 0.0), SIZE) is not None
        if number % 4 == 3:
            camera.collect(1)
            picture(1.0)
    assert found == 12 and outlines < 12
