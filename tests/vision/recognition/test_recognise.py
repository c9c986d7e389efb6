"""Cards in rendered scenes: one for each failure found, and what the interface promises."""

import io
import json
import math
import os
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.deck import list_decks, show_deck
from kiosk.app.commands.recognise import recognise_files
from kiosk.bench.detection_count import overlaps
from kiosk.bench.photographs import count_tricks
from kiosk.bench.scenes import count_scenes
from tests.vision.taught import features, taught
from vision.deck.deck import Deck
from vision.errors import DeckError
from vision.geometry.projection import PlaneProjection
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.images import PictureError
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.recognise import read_near, recognise
from vision.simulation.art import load_art
from vision.simulation.artwork import FRENCH_MM
from vision.simulation.geometry import CardPose, look_down
from vision.simulation.scene import Scene, random_scene, render_scene

pytestmark = pytest.mark.slow

ART = load_art("stichwart")
SHARED = Path(os.environ.get("STICHWART_SHARED", Path(__file__).parents[3].parent / "shared"))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return taught()


def view_of(scene: Scene) -> PlaneProjection:
    return PlaneProjection(scene.calibrated, (scene.frame.shape[1], scene.frame.shape[0]))


def labels(scene: Scene) -> list[str]:
    return sorted(card.label for card in scene.cards)


@pytest.mark.parametrize(
    ("condition", "seed"),
    [
        ("isolated", 1),
        ("touching", 3),
        pytest.param("overlapping", 2005, id="a ten and an ace on the grain of wood"),
        pytest.param("overlapping", 2009, id="aces under court cards in glare and shadow"),
        pytest.param("overlapping", 2012, id="spade ace covered, its index small, dark cloth"),
        pytest.param("overlapping", 2038, id="nine between queens on strong grain"),
        pytest.param("overlapping", 2015, id="knave burnt out by glare beside another"),
    ],
)
def test_every_card_of_a_scene(deck: Deck, condition: str, seed: int) -> None:
    scene = random_scene(seed, ART, condition)
    seen = recognise(scene.frame, features(deck), view_of(scene))
    assert sorted(card.label or "?" for card in seen) == labels(scene)
    for card in scene.cards:
        assert any(one.label == card.label and overlaps(one.quad, card.quad) for one in seen)


VIEW = look_down(1200.0, 2.3, math.radians(10), 0.7)


@pytest.mark.parametrize(
    ("cards", "seed"),
    [
        # A nine under an ace was read as a ten, because blank tiles of the ace counted for the ten.
        ([("D9", CardPose(-10, 0, 0.1)), ("HA", CardPose(22, 8, 1.5))], 7),
        # Two equal cards crossing each other are two.
        ([("CJ", CardPose(-20, 0, 0.3)), ("CJ", CardPose(18, 6, 1.4))], 8),
        # Clubs and spades differ by a pip of 3 mm if that is all that shows.
        ([("SA", CardPose(-12, -5, 0.2)), ("DK", CardPose(10, 12, 0.6))], 8),
        ([("CA", CardPose(-12, -5, 0.2)), ("DK", CardPose(10, 12, 0.6))], 7),
    ],
    ids=["nine under ace", "two equal", "spade ace", "club ace"],
)
def test_cards_that_cover_each_other(deck: Deck, cards: list[tuple[str, CardPose]], seed: int) -> None:
    """The seed draws light and ground, which do not look at the cards: each pair lies on one of the two."""
    scene = render_scene(seed, ART, cards, VIEW)
    seen = recognise(scene.frame, features(deck), view_of(scene))
    assert sorted(card.label or "?" for card in seen) == labels(scene)


def test_eight_cards(deck: Deck) -> None:
    names = ("CJ", "HT", "DA", "SQ", "S9", "HK", "D9", "CT")
    cards = [(name, CardPose(-180 + 95 * (k % 4), -60 + 110 * (k // 4), 0.4 * k)) for k, name in enumerate(names)]
    scene = render_scene(5, ART, cards, look_down(1200.0, 2.1, 0.05, 0.0))
    assert sorted(card.label or "?" for card in recognise(scene.frame, features(deck), view_of(scene))) == sorted(names)


def test_what_is_seen_of_a_card(deck: Deck) -> None:
    scene = render_scene(3, ART, [("HT", CardPose(30, -12, 2.5))], VIEW)
    (card,) = recognise(scene.frame, features(deck), view_of(scene))
    assert card.label == "HT" and card.choices[0][0] == "HT" and 0 < card.margin <= 1 and not card.face_down
    assert card.pose is not None
    x, y, angle = card.pose
    assert math.hypot(x - 30, y + 12) < 2
    turn = abs(math.remainder(angle - 2.5, math.pi))  # the ten looks nearly the same turned by half
    assert turn < 0.03
    assert min(np.abs(np.roll(card.quad, k, axis=0) - scene.cards[0].quad).max() for k in (0, 2)) < 6


def test_a_card_on_its_face(deck: Deck) -> None:
    back = cv2.resize(ART.back[..., :3], (236, 364), interpolation=cv2.INTER_AREA)
    knowing = replace(deck, back=np.ascontiguousarray(back))
    art = replace(ART, faces={**ART.faces, "XX": ART.back})
    scene = render_scene(12, art, [("XX", CardPose(-60, 0, 0.6)), ("HT", CardPose(60, 5, 1.2))], VIEW)
    seen = recognise(scene.frame, features(knowing), view_of(scene))
    assert sorted((card.label or "", card.face_down) for card in seen) == [("", True), ("HT", False)]
    assert [card.label for card in recognise(scene.frame, features(deck), view_of(scene)) if card.label] == ["HT"]


def test_nothing_there_is_no_card(deck: Deck) -> None:
    for seed in (1, 2, 3):
        scene = render_scene(seed, ART, [], VIEW)
        assert recognise(scene.frame, features(deck), view_of(scene)) == []


def test_paper_and_foreign_cards_are_no_cards(deck: Deck) -> None:
    scene = render_scene(4, ART, [], VIEW)
    frame = scene.frame.copy()
    for place in (np.array([-60, 0]), np.array([60, 10])):
        corners = np.array([[-30, -45], [30, -45], [30, 45], [-30, 45]]) + place
        cv2.fillConvexPoly(frame, np.round(view_of(scene).project(corners)).astype(np.int32), (225, 230, 232))
    for row in range(8):  # written lines on one of them
        ends = view_of(scene).project([[38, -20 + 6 * row], [82, -21 + 6 * row]]).astype(int)
        cv2.line(frame, ends[0].tolist(), ends[1].tolist(), (90, 50, 40), 1, cv2.LINE_AA)
    assert [card.label for card in recognise(frame, features(deck), view_of(scene)) if card.label] == []


def test_a_region_limits_the_search(deck: Deck) -> None:
    scene = render_scene(6, ART, [("HT", CardPose(-110, 0, 0.2)), ("SQ", CardPose(100, 10, 1.0))], VIEW)
    view = view_of(scene)
    here = scene.cards[1].quad
    assert [card.label for card in recognise(scene.frame, features(deck), view, here)] == ["SQ"]
    mask = np.zeros(scene.frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, scene.cards[0].quad.astype(np.int32), 255)
    assert [card.label for card in recognise(scene.frame, features(deck), view, mask)] == ["HT"]
    assert recognise(scene.frame, features(deck), view, np.zeros_like(mask)) == []
    with pytest.raises(PictureError, match="region"):
        recognise(scene.frame, features(deck), view, np.zeros((2, 2)))


def test_a_card_read_again_at_its_place(deck: Deck) -> None:
    scene = render_scene(9, ART, [("DK", CardPose(0, 0, 0.8)), ("C9", CardPose(35, 20, 2.0))], VIEW)
    view = view_of(scene)
    assert read_near(scene.frame, features(deck), view, (1.5, -1.5, 0.82)).label == "DK"
    assert read_near(scene.frame, features(deck), view, (34.0, 21.0, 1.98)).label == "C9"
    assert read_near(scene.frame, features(deck), view, (-150.0, -60.0, 0.0)).label is None


def test_a_picture_without_a_mat(deck: Deck) -> None:
    scene = render_scene(
        11, ART, [("SQ", CardPose(-10, 0, 0.5)), ("HK", CardPose(35, 25, 1.3))], look_down(1300.0, 3.4, 0.1, 1.0)
    )
    seen = recognise(scene.frame, features(deck))
    assert sorted(card.label or "?" for card in seen) == ["HK", "SQ"]
    assert all(card.pose is None for card in seen)
    for card in scene.cards:
        assert any(overlaps(one.quad, card.quad) for one in seen if one.label == card.label)
    large = cv2.resize(scene.frame, None, fx=1.7, fy=1.7)
    assert sorted(card.label or "?" for card in recognise(large, features(deck))) == ["HK", "SQ"]


@pytest.mark.parametrize(
    "frame",
    [
        np.zeros((100, 100), np.uint8),
        np.zeros((100, 100, 4), np.uint8),
        np.zeros((100, 100, 3)),
        np.zeros((9, 9, 3), np.uint8),
    ],
    ids=["grey", "alpha", "float", "tiny"],
)
def test_a_frame_of_another_form(deck: Deck, frame: np.ndarray) -> None:
    with pytest.raises(PictureError, match="frame"):
        recognise(frame, features(deck))


def test_one_line_of_json_a_picture(tmp_path: Path) -> None:
    deck = taught(labels=("SQ", "HK", "DA", "C9"))
    deck.save(tmp_path)
    scene = render_scene(11, ART, [("SQ", CardPose(0, 0, 0.5))], look_down(1300.0, 3.4, 0.1, 1.0))
    picture, blank, broken = tmp_path / "a.png", tmp_path / "b.png", tmp_path / "c.png"
    cv2.imwrite(str(picture), scene.frame)
    cv2.imwrite(str(blank), np.full((480, 640, 3), 90, np.uint8))
    broken.write_bytes(b"no picture")
    out, err = io.StringIO(), io.StringIO()
    assert recognise_files([picture, blank, broken], deck.name, tmp_path, True, out, err) == 1
    first, second, third = (json.loads(line) for line in out.getvalue().splitlines())
    assert first["file"] == str(picture)
    (card,) = first["cards"]
    assert card["label"] == "SQ" and np.shape(card["quad"]) == (4, 2) and 0 < card["margin"] <= 1
    assert cv2.contourArea(np.array(card["quad"], np.float32), oriented=True) > 0  # clockwise as seen
    assert second == {"file": str(blank), "cards": []}
    assert third["cards"] == [] and "c.png" in third["error"] and "c.png" in err.getvalue()
    out = io.StringIO()
    assert recognise_files([picture, blank], deck.name, tmp_path, False, out, err) == 0
    lines = out.getvalue().splitlines()
    assert "SQ at (" in lines[0] and lines[1].endswith("no card")
    with pytest.raises(DeckError, match=r"no deck 'other'.*stichwart"):
        recognise_files([picture], "other", tmp_path, True, out, err)


def test_decks_listed_and_shown(deck: Deck, tmp_path: Path) -> None:
    out = io.StringIO()
    assert list_decks(tmp_path, out) == 0 and "no decks in" in out.getvalue()
    deck.save(tmp_path)
    (tmp_path / "bad.npz").write_bytes(b"")
    out = io.StringIO()
    list_decks(tmp_path, out)
    assert "stichwart: 24 faces, 59 × 91 mm" in out.getvalue() and "bad: " in out.getvalue()
    sheet = show_deck(deck.name, tmp_path, tmp_path / "sheet.png", io.StringIO())
    assert cv2.imread(str(sheet)).shape[1] > 600


def test_the_bench_counts(deck: Deck) -> None:
    count = count_scenes(features(deck), ART, "isolated", range(100, 102))
    assert count.right + count.missed >= 2 and len(count.seconds) == 2 and count.wrong == 0


def test_photographs(tmp_path: Path) -> None:
    folder = SHARED / "data" / "photos" / "german-index-baize"
    if not folder.exists():
        pytest.skip(f"photographs are not here: {folder}")
    # A court card that covers an ace but for one end: the ace has no print to be found by at another scale.
    count = count_tricks(folder, read="tricks/spiel1_zug6")
    assert (count.right, count.wrong) == (2, 0), count.notes


def test_a_lone_stroke_is_no_card() -> None:
    """A straight edge as long as a card's side, and nothing that goes with it: a pen, the edge of a sheet."""
    fine = np.full((400, 400, 3), 60, np.uint8)
    fine[200:204, 150:268] = 140
    view = PlaneProjection(np.diag([SCALE, SCALE, 1.0]), (400, 400))
    plane = RectifiedPlane(fine, fine, fine[::2, ::2], np.zeros(2), view, None)
    proposals = EdgeProposals.of(plane, FRENCH_MM)
    assert (len(proposals.poses), len(proposals.support)) == (0, 0)
