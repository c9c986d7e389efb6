"""Cards are told by pictures of which it is known what they show."""

import cv2
import numpy as np
import pytest

from vision.deck.deck import REFERENCE_SCALE
from vision.images import Picture
from vision.simulation.art import load_art
from vision.teaching.known_faces import KnownFaces

ART = load_art("stichwart")
WIDTH, HEIGHT = (round(side * REFERENCE_SCALE) for side in ART.size_mm)


def look(label: str, seed: int = 1, *, shift_mm: float = 0.0, shade: float = 1.0, turned: bool = False) -> Picture:
    """Draw a card as a camera sees it: blurred, noisy, shifted, its lower half in shade."""
    rng = np.random.default_rng(seed)
    face = ART.faces[label]
    paper = face[..., :3] * (face[..., 3:] / 255.0) + 120.0 * (1 - face[..., 3:] / 255.0)
    picture = cv2.resize(paper.astype(np.float32), (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
    picture = cv2.GaussianBlur(picture, (0, 0), 1.5)
    light = np.linspace(1.0, shade, HEIGHT)[:, None, None]
    picture = picture * light + rng.normal(0, 3, picture.shape)
    move = np.array([[1, 0, shift_mm * REFERENCE_SCALE], [0, 1, -shift_mm * REFERENCE_SCALE]], np.float32)
    picture = cv2.warpAffine(picture, move, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    seen = np.clip(picture, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(seen[::-1, ::-1]) if turned else seen


def covered(picture: Picture) -> Picture:
    """Lay a sleeve over a quarter of a card."""
    found = picture.copy()
    found[: HEIGHT // 2, : WIDTH // 2] = (70, 40, 30)
    return found


@pytest.fixture
def known() -> KnownFaces:
    faces = KnownFaces(ART.size_mm)
    for label in ("CT", "SQ", "HK"):
        faces.add(label, look(label))
    return faces


@pytest.mark.parametrize(("picture", "label"), [
    pytest.param(look("CT", 2), "CT", id="the same card"),
    pytest.param(look("CT", 3, turned=True), "CT", id="turned by half"),
    pytest.param(look("SQ", 4, shift_mm=1.0), "SQ", id="a millimetre beside"),
    pytest.param(look("HK", 5, shade=0.45), "HK", id="half in shade"),
    pytest.param(look("ST", 6), None, id="a spade ten, and the club ten is known"),
    pytest.param(look("C9", 7), None, id="one pip less"),
    pytest.param(look("CQ", 8), None, id="the queen of another suit"),
    pytest.param(covered(look("HK", 9)), None, id="a quarter is covered"),
])  # fmt: skip
def test_a_card_is_named_if_it_looks_like_one_that_is_known(known, picture, label):
    named = known.name(picture)
    assert (named and named[0]) == label
    assert named is None or 0.3 < named[1] <= 1.0


@pytest.mark.parametrize(("picture", "like"), [
    pytest.param(look("CT", 21, shift_mm=1.0), True, id="the same card"),
    pytest.param(look("ST", 22), False, id="of the other black suit"),
    pytest.param(look("HK", 23), False, id="a court card"),
])  # fmt: skip
def test_a_picture_is_compared_with_that_of_one_card(known, picture, like):
    assert (known.likeness("CT", picture) > 0.9) is like
    assert known.likeness("D9", picture) == 0.0


def test_nothing_is_named_while_no_face_is_known():
    assert KnownFaces(ART.size_mm).name(look("CT")) is None


def test_who_corrects_a_name_is_believed(known):
    picture = look("H9", 10)
    known.add("S9", picture)
    known.add("H9", picture)
    named = known.name(look("H9", 11))
    assert named is not None and named[0] == "H9" and len(known) == 4


def test_what_two_cards_are_said_to_look_like_names_none(known):
    """It is a back, or one of them is wrong; a later word does not decide which."""
    known.add("CQ", look("SQ", 10))
    assert known.name(look("SQ", 11)) is None
    known.add("SQ", look("SQ", 12))
    assert known.name(look("SQ", 13)) is None
    named = known.name(look("HK", 14))
    assert named is not None and named[0] == "HK"


def test_a_newer_picture_of_a_card_takes_the_place_of_the_one_before(known):
    known.add("SQ", look("SQ", 10, shade=0.5))
    named = known.name(look("SQ", 11))
    assert named is not None and named[0] == "SQ" and len(known) == 3


def test_cards_that_were_taken_to_be_larger_are_named_once_they_are_measured():
    known = KnownFaces((ART.size_mm[0] + 1.5, ART.size_mm[1] + 1.5))
    width, height = WIDTH + 6, HEIGHT + 6
    wider = cv2.copyMakeBorder(look("CT"), 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=(60, 90, 60))
    assert wider.shape[:2] == (height, width)
    known.add("CT", np.asarray(wider, np.uint8))
    known.take_size(ART.size_mm)
    named = known.name(look("CT", 12))
    assert named is not None and named[0] == "CT"
