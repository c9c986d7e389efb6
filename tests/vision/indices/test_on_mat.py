"""Cards of a deck that was never taught are read by their indices on the mat."""

import math

import cv2
import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.geometry.projection import card_corners
from vision.geometry.rectification import SCALE
from vision.indices.on_mat import MatIndexReader, _on_outline
from vision.simulation.art import load_art
from vision.simulation.scene import Scene, random_scene

pytestmark = pytest.mark.slow

ART = load_art("stichwart")
BLANK = Deck("untaught", ART.size_mm, {})


@pytest.fixture(scope="module")
def scene() -> Scene:
    return random_scene(50_001, ART, "isolated")


def test_each_card_has_its_name_and_place(scene):
    seen = MatIndexReader()(scene.frame, BLANK, scene.view)
    assert len(seen) == len(scene.cards) > 2
    for card in scene.cards:
        near = [
            one
            for one in seen
            if one.pose is not None and math.hypot(one.pose[0] - card.pose.x, one.pose[1] - card.pose.y) < 2.5
        ]
        assert [one.label for one in near] == [card.label]
        either_way_up = card.quad, np.roll(card.quad, 2, axis=0)
        assert min(np.abs(near[0].quad - quad).max() for quad in either_way_up) < 1.0  # px, by its outline


@pytest.mark.parametrize(
    ("also_mm", "found"),
    [
        pytest.param(0.0, True, id="alone"),
        pytest.param(1.0, False, id="white beside it: a side that is seen is not its own"),
        pytest.param(20.0, False, id="another card beside it: one side is not seen"),
    ],
)
def test_a_pose_lies_on_its_card_s_outline_where_that_is_seen_all_round(also_mm: float, found: bool) -> None:
    true, near = np.array([60.0, 70.0, 0.4]), np.array([60.7, 69.2, 0.42])
    large = np.full((8 * 280, 8 * 240, 3), 60, np.uint8)
    corners = card_corners(true, ART.size_mm)
    wider = corners + also_mm * np.array([[0], [1], [1], [0]]) * (corners[1] - corners[0]) / ART.size_mm[0]
    cv2.fillConvexPoly(large, np.round(8 * wider * SCALE).astype(np.int32), (235, 235, 235))
    fine = cv2.resize(large, (240, 280), interpolation=cv2.INTER_AREA)
    pose = _on_outline(fine, near, ART.size_mm)
    assert np.abs(pose - true).max() < 0.2 if found else (pose == near).all()


def test_a_card_that_is_not_played_with_is_not_named(scene):
    away = scene.cards[0].label
    known = [label for label in ART.doppelkopf if label != away]
    assert away not in {card.label for card in MatIndexReader(known)(scene.frame, BLANK, scene.view)}


def test_without_a_view_of_the_mat_nothing_is_read(scene):
    with pytest.raises(ValueError, match="no view"):
        MatIndexReader()(scene.frame, BLANK)
