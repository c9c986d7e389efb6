"""Which of the possible cards are there."""

import numpy as np

from vision.bench import learned
from vision.choose import FACES, Chooser
from vision.plane import Plane
from vision.reading import Prepared
from vision.sim.art import load_art
from vision.sim.scene import random_scene


def test_a_refined_pose_may_have_drifted_beyond_the_plane() -> None:
    art = load_art("stichwart")
    known = Prepared.of(learned(art, labels=("HT", "SA")))
    scene = random_scene(7, art, "isolated", count=1, labels=("HT",))
    there = np.array([scene.cards[0].pose.x, scene.cards[0].pose.y])
    plane = Plane.of(scene.frame, scene.view, (there - 60, there + 60))
    poses = np.array([(*(there + away), 0.3) for away in 130 * np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)])])
    rows = np.tile(np.arange(min(FACES, 4)), (len(poses), 1))
    chooser = Chooser(plane, known.fine, known.fine_slopes, known.sharp, poses, rows)
    assert chooser.free(poses).shape == (len(poses), known.fine.weights.shape[1])
