"""Cards that a first look by outlines loses or cannot tell: found by their print, told by the open part of a tile."""

import cv2
import numpy as np
import pytest

from tests.vision.taught import features, taught
from vision.deck.centring import centre_print, print_offset
from vision.deck.deck import Deck
from vision.geometry.projection import PlaneProjection, card_corners
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.keypoint_proposals import KeypointProposals
from vision.recognition.recognise import recognise
from vision.simulation.art import load_art
from vision.simulation.scene import random_scene

pytestmark = pytest.mark.slow

ART = load_art("stichwart-bavarian")


@pytest.fixture(scope="module")
def deck() -> Deck:
    return taught("stichwart-bavarian")


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(10036, id="an Ober whose outline is lost in glare and on paper"),
        pytest.param(10013, id="nine or seven where half the index tile is covered"),
        pytest.param(25125, id="an eight whose pose had stopped where nine pips fit as well"),
        pytest.param(23118, id="eight pips of a ten are no other card that covers it"),
    ],
)
def test_every_card(deck: Deck, seed: int) -> None:
    scene = random_scene(seed, ART)
    view = PlaneProjection(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))
    seen = recognise(scene.frame, features(deck), view)
    assert sorted(card.label or "?" for card in seen) == sorted(card.label for card in scene.cards)


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(20004, id="corners covered: a pose from two sides that do not meet"),
        pytest.param(20021, id="two fifths of a card shown, cut across its tiles"),
        pytest.param(20024, id="a phantom that no card bears out had taken the print of another"),
    ],
)
def test_every_card_of_eight(deck: Deck, seed: int) -> None:
    scene = random_scene(seed, ART, count=8)
    seen = recognise(scene.frame, features(deck), scene.view)
    assert sorted(card.label or "?" for card in seen) == sorted(card.label for card in scene.cards)


def test_a_pose_from_print_alone(deck: Deck) -> None:
    scene = random_scene(10036, ART)
    plane = RectifiedPlane.of(
        scene.frame, PlaneProjection(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))
    )
    card = next(card for card in scene.cards if card.label == "HO")
    low = np.floor(plane.origin)
    around = np.zeros((plane.fine.shape[0] // 2 + 2, plane.fine.shape[1] // 2 + 2), np.uint8)
    cv2.fillConvexPoly(around, np.round(plane.view.unproject(card.quad) - low).astype(np.int32), 1)
    poses = KeypointProposals.of(deck).poses(plane, around, low)
    truth = plane.view.unproject(card.quad)
    assert min(np.abs(card_corners(pose, deck.size_mm) - truth).max() for pose in poses) < 2
    assert len(KeypointProposals.of(deck).poses(plane, np.zeros_like(around), low)) == 0


def test_print_is_centred() -> None:
    face = cv2.resize(load_art("stichwart").faces["D9"][..., :3], (236, 364), interpolation=cv2.INTER_AREA)
    off = cv2.warpAffine(face, np.float32([[1, 0, 2.5], [0, 1, -1.5]]), (236, 364), borderMode=cv2.BORDER_REPLICATE)
    assert print_offset(off) == pytest.approx((2.5, -1.5), abs=0.2)
    assert print_offset(centre_print(off)) == pytest.approx((0, 0), abs=0.2)
    plain = np.full((364, 236, 3), 240, np.uint8)
    assert print_offset(plain) is None and centre_print(plain) is plain
