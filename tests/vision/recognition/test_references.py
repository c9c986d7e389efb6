"""References: a face turned by half is compared as if it were kept, and refined as the upright one is."""

from functools import cache

import cv2
import numpy as np
import pytest

from vision.deck.deck import Deck
from vision.geometry.projection import Array, PlaneProjection
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.recognition.deck_features import DeckFeatures
from vision.recognition.pose_refinement import PoseRefiner
from vision.recognition.tiles import TileSet, cut_tiles

SIZE_MM = (59.0, 91.0)
#: Columns of the references: the face upright, and turned by half.
UPRIGHT, TURNED = 0, 1


def _blots(seed: int) -> Array:
    """Paper with blots on it, unlike itself when turned."""
    rng = np.random.default_rng(seed)
    face = np.full((364, 236, 3), 235, np.uint8)
    for x, y in zip(rng.integers(30, 206, 14), rng.integers(30, 334, 14), strict=True):
        cv2.circle(face, (int(x), int(y)), int(rng.integers(8, 24)), rng.integers(20, 200, 3).tolist(), -1)
    return face


@cache
def _features() -> DeckFeatures:
    """Three faces, of which the last is the first turned by half."""
    first = _blots(1)
    return DeckFeatures(Deck("blots", SIZE_MM, {"A": first, "B": _blots(2), "C": cv2.rotate(first, cv2.ROTATE_180)}))


def _seen(seed: int) -> TileSet:
    width, height = _features().coarse.shape
    return cut_tiles(cv2.resize(_blots(seed), (width, height), interpolation=cv2.INTER_AREA)[None], 8)


@pytest.mark.parametrize("seed", range(1, 4))
def test_a_patch_turned_by_half_agrees_with_the_turned_faces_as_it_did_with_the_upright_ones(seed: int) -> None:
    references, seen = _features().coarse, _seen(seed)
    upright, turned = references.agreement(seen.with_turned())
    assert np.allclose(turned.reshape(-1, 2, turned.shape[1])[:, ::-1, ::-1], upright.reshape(-1, 2, 60), atol=1e-5)


def test_a_face_agrees_with_itself_and_with_the_one_that_is_it_turned_by_half() -> None:
    features = _features()
    patches = np.stack([features.coarse.patches[0], features.coarse.patches[1]])
    mean = features.coarse.agreement(cut_tiles(patches, 8)).mean(2)
    assert (mean[0, [0, 5]] > 0.97).all() and (mean[0, [1, 2, 3, 4]] < 0.7).all()
    assert mean[1, 2] > 0.97 and (np.delete(mean[1], 2) < 0.7).all()


@pytest.mark.parametrize("rows", [[0, 3], [5, 1, 2], [[4, 1]], [[0, 3, 2, 5, 1]]], ids=str)
def test_some_references_agree_as_they_do_among_all(rows: list[int] | list[list[int]]) -> None:
    references, seen = _features().coarse, _seen(2)
    some = references.agreement(seen, np.array(rows))
    assert np.allclose(some[0], references.agreement(seen)[0, np.ravel(rows)], atol=1e-5)


def test_faces_that_are_each_other_turned_by_half_correlate_so() -> None:
    sharp = _features().sharp
    for one, other in ((0, 0), (0, 5), (1, 4), (4, 1), (5, 0)):
        assert sharp.correlation(one, other)[sharp.power[one] > 0.01].min() > 0.97, (one, other)
    assert sharp.correlation(0, 1)[sharp.power[0] > 0.01].mean() < 0.7
    assert np.allclose(sharp.correlation(1, 3), sharp.correlation(0, 2)[::-1], atol=1e-5)
    assert np.allclose(sharp.vectors(np.array([0]), np.arange(60)), sharp.tiles.vectors[:1])


@pytest.mark.parametrize("fine", [False, True], ids=["coarse", "fine"])
def test_a_card_turned_by_half_is_refined_to_the_same_place(fine: bool) -> None:
    view = PlaneProjection(np.diag([SCALE, SCALE, 1.0]), (400, 400))
    frame = np.full((400, 400, 3), (60, 90, 40), np.uint8)
    size = [round(SCALE * side) for side in SIZE_MM]
    face = cv2.resize(_blots(2), (size[0], size[1]), interpolation=cv2.INTER_AREA)
    frame[100 : 100 + size[1], 140 : 140 + size[0]] = face
    true = np.array([(140 + size[0] / 2) / SCALE, (100 + size[1] / 2) / SCALE, 0.0])
    plane, features = RectifiedPlane.of(frame, view), _features()
    refiner: PoseRefiner = features.fine_refiner if fine else features.coarse_refiner
    start = true + np.array([1.0, -0.8, 0.02])
    starts = np.array([start, start + np.array([0, 0, np.pi])])
    visible = np.ones((2, 60), bool)
    visible[0, :12] = visible[1, -12:] = False  # the same end of the card is covered
    found = refiner.refine(plane, starts, np.array([2 + UPRIGHT, 2 + TURNED]), 5, visible)
    assert np.allclose(found[1] - found[0], (0, 0, np.pi), atol=1e-6)
    assert np.abs(found[0] - true).max() < 0.3
