"""Which of the possible cards are there."""

import numpy as np
import pytest

from tests.vision.taught import taught
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.classification import better_orientations
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.scene_explanation import PARAMS, SceneExplanation
from vision.simulation.art import load_art
from vision.simulation.geometry import CardPose, look_down
from vision.simulation.scene import random_scene, render_scene


@pytest.mark.slow
def test_what_a_third_card_covers_does_not_tell_which_of_two_lies_above() -> None:
    """The blank middle of the ace of hearts on top agrees with the ace of diamonds below, not with the ten between."""
    art = load_art("stichwart")
    features = DeckFeatures(taught(labels=("HA", "HT", "DA")))
    laid = [("DA", CardPose(0, 0, 0.0)), ("HT", CardPose(-14, -16, 1.25)), ("HA", CardPose(6, -30, 0.7))]
    scene = render_scene(5, art, laid, look_down(1200, 2.4, 0.1, 1.0))
    plane = RectifiedPlane.of(scene.frame, scene.view)
    poses = np.array([(pose.x, pose.y, pose.angle) for _, pose in laid])
    rows = np.tile(np.arange(6), (len(poses), 1))
    explanation = SceneExplanation(plane, features, poses, rows)
    order = {
        int(i): {int(explanation.taken[m][0]) for m in on}
        for (i, _), on in zip(explanation.taken, explanation.occlusions()[1], strict=True)
    }
    assert order == {0: {1, 2}, 1: {2}, 2: set()}


def test_a_refined_pose_may_have_drifted_beyond_the_plane() -> None:
    art = load_art("stichwart")
    features = DeckFeatures(taught(labels=("HT", "SA")))
    scene = random_scene(7, art, "isolated", count=1, labels=("HT",))
    there = np.array([scene.cards[0].pose.x, scene.cards[0].pose.y])
    plane = RectifiedPlane.of(scene.frame, scene.view, (there - 60, there + 60))
    poses = np.array([(*(there + away), 0.3) for away in 130 * np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)])])
    rows = np.tile(np.arange(min(PARAMS.faces_per_pose, 4)), (len(poses), 1))
    explanation = SceneExplanation(plane, features, poses, rows)
    assert explanation.free_tiles(poses).shape == (len(poses), features.fine.weights.shape[1])


def test_a_face_that_looks_the_same_turned_by_half_keeps_one_of_its_ways() -> None:
    for lead in (0.0, 1e-12, -1e-12, 0.3, -0.3):
        rows, left = better_orientations(np.array([4, 5]), np.array([[1.0, lead], [-lead, 1.0]]))
        assert rows.tolist() == [5 if lead == -0.3 else 4] and left.shape == (1, 1)
