"""A deck learned by showing faces one by one: what is asked, what is refused and why, and the deck at the end."""

import io
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.app.commands.lesson import learn_from_camera
from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.errors import DeckError
from vision.geometry.card_outline import find_card
from vision.geometry.projection import PlaneProjection, card_corners
from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import draw
from vision.messages import LessonState
from vision.teaching import packs
from vision.teaching.lesson import Lesson

pytestmark = pytest.mark.slow

LABELS = ("CA", "CT", "HA", "HT")
SIZE = (960, 720)


@cache  # of the process that needs it: each one collects this module
def noises() -> np.ndarray:
    """What a camera adds to three pictures, (3, H, W, 3) int16."""
    return np.random.default_rng(0).normal(0, 3, (3, SIZE[1], SIZE[0], 3)).astype(np.int16)


def face(label: str, scale: int = 8, size: tuple[int, int] = (59, 91)) -> np.ndarray:
    """A card with its index in two corners and a big sign, edge to edge; alpha makes its corners round."""
    width, height = size[0] * scale, size[1] * scale
    card = np.full((height, width, 4), (236, 240, 242, 255), np.uint8)
    ink = (30, 30, 190, 255) if label[0] in "HD" else (40, 35, 30, 255)
    cv2.putText(card, label[1], (3 * scale, 15 * scale), cv2.FONT_HERSHEY_SIMPLEX, 0.5 * scale, ink, scale)
    cv2.putText(card, label[0], (3 * scale, 28 * scale), cv2.FONT_HERSHEY_SIMPLEX, 0.4 * scale, ink, scale)
    half = card[: height // 2].copy()
    card[height - height // 2 :] = half[::-1, ::-1]
    cv2.putText(card, label, (17 * scale, 52 * scale), cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, ink, 2 * scale)
    mask, r = np.zeros((height, width), np.uint8), 3 * scale
    cv2.rectangle(mask, (r, 0), (width - 1 - r, height - 1), 255, -1)
    cv2.rectangle(mask, (0, r), (width - 1, height - 1 - r), 255, -1)
    for x in (r, width - 1 - r):
        for y in (r, height - 1 - r):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)
    card[..., 3] = mask
    return card


def ground(kind: str, view: PlaneProjection) -> np.ndarray:
    if kind == "mat":
        layout, k = MatLayout(), 4.0
        half = np.array(layout.size_mm) / 2
        to_mm = np.array([[1 / k, 0, -half[0]], [0, 1 / k, -half[1]], [0, 0, 1]])
        return cv2.warpPerspective(
            draw(layout, k), view.H @ to_mm, SIZE, flags=cv2.INTER_AREA, borderValue=(60, 90, 120)
        )
    base = {"cloth": (52, 94, 40), "wood": (80, 120, 165), "grey": (120, 120, 120)}[kind]
    image = np.full((SIZE[1], SIZE[0], 3), base, np.uint8)
    if kind == "wood":
        for y in range(0, SIZE[1], 37):
            cv2.line(image, (0, y), (SIZE[0], y + 9), (60, 95, 140), 3)
    return image


def camera(scale: float = 2.1, tilt: float = 0.15) -> PlaneProjection:
    rotation = cv2.Rodrigues(np.array([tilt, -0.5 * tilt, 0.0]))[0]
    inner = np.array([[1000.0, 0, SIZE[0] / 2], [0, 1000.0, SIZE[1] / 2], [0, 0, 1]])
    return PlaneProjection(inner @ np.c_[rotation[:, 0], rotation[:, 1], [0, 0, 1000.0 / scale]], SIZE)


def lay(
    image: np.ndarray,
    view: PlaneProjection,
    card: np.ndarray,
    pose: tuple[float, float, float],
    size: tuple[int, int] = (59, 91),
) -> np.ndarray:
    """The picture with a card at a pose, its true outline from ``card_corners``."""
    height, width = card.shape[:2]
    quad = view.project(card_corners(pose, size)).astype(np.float32)
    corners = np.array(
        [[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32
    )
    matrix = cv2.getPerspectiveTransform(corners, quad)
    smooth = cv2.GaussianBlur(card, (0, 0), 1.6)
    warped = cv2.warpPerspective(smooth, matrix, SIZE, flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = warped[..., 3:] / 255
    return (image * (1 - alpha) + warped[..., :3] * alpha).astype(np.uint8)


class Film:
    """Feeds a lesson: a picture held for a number of frames, with noise."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.count = lesson, 0

    def show(self, image: np.ndarray, frames: int = 14) -> list[LessonState]:
        states = []
        for _ in range(frames):
            noisy = cv2.add(image, noises()[self.count % len(noises())], dtype=cv2.CV_8U)
            states.append(self.lesson.feed(Frame(noisy, self.count / 15)))
            self.count += 1
        return states


@pytest.mark.parametrize("kind", ["cloth", "wood", "grey", "mat"])
@pytest.mark.parametrize("pose", [(0, 0, 0.0), (20, -10, 0.7), (-15, 12, 1.5), (5, 5, -2.5)], ids=str)
def test_the_outline_of_one_card(kind: str, pose: tuple[float, float, float]) -> None:
    view = camera()
    empty = ground(kind, view)
    image = lay(empty, view, face("HT"), pose)
    rng = np.random.default_rng(0)
    noisy = np.clip(image + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)
    quad = find_card(noisy, empty)
    assert quad is not None
    true = view.project(card_corners(pose, (59, 91)))
    miss = min(np.linalg.norm(quad - np.roll(true, k, 0), axis=1).max() for k in (0, 2))
    assert miss < 1.2


@pytest.mark.parametrize("kind", ["cloth", "wood", "mat"])
def test_no_card_no_outline(kind: str) -> None:
    empty = ground(kind, camera())
    assert find_card(empty, view=camera()) is None
    assert find_card(empty, empty) is None
    hand = empty.copy()
    cv2.ellipse(hand, (480, 560), (70, 260), 10, 0, 360, (140, 160, 205), -1)
    assert find_card(hand, empty) is None


@pytest.mark.parametrize("kind", ["cloth", "mat"])
def test_a_whole_lesson(kind: str) -> None:
    view = camera()
    empty = ground(kind, view)
    lesson = Lesson("club", LABELS, copies=2)
    film = Film(lesson)
    assert film.show(empty)[-1].verdict == "nothing"
    for i, label in enumerate(LABELS):
        states = film.show(lay(empty, view, face(label), (6 * i - 9, 4, 0.1 * i)))
        assert [s.verdict for s in states].count("good") == 1, [s.verdict for s in states]
        if i + 1 < len(LABELS):
            assert states[-1].verdict == "next"
            assert states[-1].asked == LABELS[i + 1]
    assert lesson.done
    deck = lesson.deck()
    assert deck.labels == LABELS
    assert deck.copies == 2
    assert deck.size_mm == (59.0, 91.0)
    for label in LABELS:
        own = cv2.resize(face(label)[..., :3], deck.faces[label].shape[1::-1], interpolation=cv2.INTER_AREA)
        inner = (slice(20, -20), slice(20, -20))
        assert np.corrcoef(own[inner].ravel(), deck.faces[label][inner].ravel())[0, 1] > 0.95


def test_bavarian_cards_are_measured_on_the_mat() -> None:
    view = camera()
    empty = ground("mat", view)
    lesson = Lesson("bavarian", ["EO"])
    film = Film(lesson)
    film.show(empty)
    film.show(lay(empty, view, face("EO", size=(56, 100)), (0, 0, 0.2), (56, 100)))
    assert lesson.deck().size_mm == (56.0, 100.0)


def glare(image: np.ndarray, at: tuple[float, float]) -> np.ndarray:
    x, y = np.meshgrid(np.arange(SIZE[0]), np.arange(SIZE[1]))
    spot = 260 * np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * 45**2))
    return np.clip(image + spot[..., None], 0, 255).astype(np.uint8)


def test_what_will_not_do_and_why() -> None:
    view = camera()
    empty = ground("cloth", view)
    lesson = Lesson("club", LABELS)
    film = Film(lesson)

    def verdict(image: np.ndarray) -> str:
        return film.show(image)[-1].verdict

    assert verdict(empty) == "nothing"
    assert verdict(cv2.GaussianBlur(lay(empty, view, face("CA"), (0, 0, 0)), (0, 0), 4)) == "blur"
    assert verdict(lay(empty, view, face("CA"), (0, 150, 0))) in ("cut", "nothing")
    blank = face("CA")
    blank[..., :3] = (236, 240, 242)
    assert verdict(lay(empty, view, blank, (0, 0, 0))) == "flat"
    assert lesson.asked == "CA"
    assert verdict(lay(empty, view, face("CA"), (0, 0, 0))) == "next"
    assert verdict(lay(empty, view, face("CA"), (8, 3, 0.3))) == "next"  # still the same card
    assert verdict(lay(empty, view, face("CT"), (0, 0, 0))) == "next"
    states = film.show(lay(empty, view, face("CA"), (3, 0, 0.05)))
    assert (states[-1].verdict, states[-1].rival, states[-1].asked) == ("same", "CA", "HA")
    assert verdict((0.03 * empty).astype(np.uint8)) == "dark"
    small = camera(0.7)
    assert verdict(lay(ground("cloth", small), small, face("HA"), (0, 0, 0))) == "small"
    with pytest.raises(DeckError, match="HA, HT"):
        lesson.deck()


def test_going_back_skipping_and_the_back() -> None:
    view = camera()
    empty = ground("cloth", view)
    lesson = Lesson("club", LABELS[:2], with_back=True)
    film = Film(lesson)
    film.show(empty)
    lesson.skip()
    assert lesson.asked == "CT"
    film.show(lay(empty, view, face("HA"), (0, 0, 0)))  # a wrong one
    assert lesson.asked == "back"
    assert lesson.back() == "CT"
    film.show(lay(empty, view, face("CT"), (0, 0, 0)))
    lesson.skip()
    film.show(lay(empty, view, face("CA"), (0, 0, 0)))
    assert lesson.done
    assert lesson.deck().labels == LABELS[:2]
    assert lesson.deck().back is None
    with pytest.raises(DeckError, match="not learned yet"):
        lesson.again("HK")


def test_on_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(packs.FACES, "doppelkopf", LABELS)
    view = camera()
    empty = ground("cloth", view)
    frames = tmp_path / "frames"
    frames.mkdir()
    cv2.imwrite(str(frames / "0.png"), empty)
    for i, label in enumerate(LABELS, 1):
        cv2.imwrite(str(frames / f"{i}.png"), lay(empty, view, face(label), (3 * i, 0, 0.05 * i)))
    out = io.StringIO()
    assert learn_from_camera("club", f"folder:{frames}", tmp_path / "decks", out=out) == 0
    said = out.getvalue()
    assert "[1/4] Kreuz Zehn zeigen" in said
    assert "4 Karten gelernt" in said
    assert Deck.load("club", tmp_path / "decks").labels == LABELS
    (frames / "4.png").unlink()
    assert learn_from_camera("club", f"folder:{frames}", tmp_path / "decks", out=out) == 1
    assert "1 Karten fehlen" in out.getvalue()


def test_unknown_faces() -> None:
    with pytest.raises(DeckError, match="skat"):
        learn_from_camera("club", "usb:0", faces="skat")
    with pytest.raises(DeckError, match="no face"):
        Lesson("club", [])


@pytest.mark.parametrize("kind", ["mat", "cloth"])
def test_a_card_that_lies_there_from_the_start(kind: str) -> None:
    view = camera()
    empty = ground(kind, view)
    lesson = Lesson("club", LABELS[:3])
    film = Film(lesson)
    for n, label in enumerate(LABELS[:3]):
        film.show(lay(empty, view, face(label), (4 - 3 * n, n, 0.1)))
    assert lesson.done


def test_a_ground_taken_with_a_card_on_it_heals() -> None:
    view = camera()
    empty = ground("wood", view)
    lesson = Lesson("club", LABELS[:2])
    film = Film(lesson)
    film.show(empty)
    lesson.finder.background = lay(empty, view, face("CA"), (4, 0, 0.1))
    film.show(empty)
    assert lesson.asked == "CA"
    for label in LABELS[:2]:
        film.show(lay(empty, view, face(label), (4, 0, 0.1)))
    assert lesson.done


def test_two_cards_a_hand_and_a_back_are_told_at_once() -> None:
    view = camera()
    empty = ground("cloth", view)
    lesson = Lesson("club", LABELS)
    film = Film(lesson)
    film.show(empty)
    two = lay(lay(empty, view, face("CA"), (-60, 0, 0.1)), view, face("CT"), (60, 0, -0.1))
    assert film.show(two)[-1].verdict == "odd"
    across = lay(lay(empty, view, face("CA"), (-20, 0, 0.1)), view, face("CT"), (20, 5, 0.6))
    assert film.show(across)[-1].verdict == "odd"
    held = lay(empty, view, face("CA"), (0, 0, 0.1))
    cv2.ellipse(held, (480, 640), (60, 200), 5, 0, 360, (140, 160, 205), -1)
    assert film.show(held)[-1].verdict == "cut"
    back = face("CA")
    back[..., :3] = (236, 240, 242)
    yy, xx = np.mgrid[0 : back.shape[0], 0 : back.shape[1]]
    back[..., :3][((xx // 20 + yy // 20) % 2 == 0) & (xx > 24) & (xx < 448)] = (150, 60, 40)
    assert film.show(lay(empty, view, back, (0, 0, 0)))[-1].verdict == "down"
    assert lesson.learned == ()
    film.show(lay(empty, view, face("CA"), (0, 0, 0.1)))
    assert lesson.learned == ("CA",)
    assert lesson.scale == pytest.approx(2.1, abs=0.1)


def test_exposure_that_drifts_after_the_empty_table_was_shown() -> None:
    view = camera()
    empty = ground("wood", view)
    lesson = Lesson("club", LABELS[:2])
    film = Film(lesson)
    film.show(empty)
    for label, gain in zip(LABELS, (1.2, 0.8), strict=False):
        film.show(cv2.convertScaleAbs(lay(empty, view, face(label), (4, 0, 0.1)), alpha=gain), 20)
    assert lesson.done


def test_the_wrong_one_of_two_equal_is_shown_again() -> None:
    view = camera()
    empty = ground("cloth", view)
    lesson = Lesson("club", LABELS[:3])
    film = Film(lesson)
    film.show(empty)
    film.show(lay(empty, view, face("CT"), (0, 0, 0)))  # asked was the ace
    state = film.show(lay(empty, view, face("HT"), (0, 0, 0)))[-1]
    assert state.asked == "HA"
    lesson.again("CA")
    assert lesson.asked == "CA"
    film.show(lay(empty, view, face("CA"), (0, 0, 0)))
    assert lesson.learned == ("CT", "CA")
    assert lesson.asked == "HA"


def test_keys_on_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setitem(packs.FACES, "doppelkopf", LABELS)
    view = camera()
    frames = tmp_path / "frames"
    frames.mkdir()
    cv2.imwrite(str(frames / "0.png"), ground("cloth", view))
    reading, writing = os.pipe()
    os.write(writing, b"s\ne\n")
    out = io.StringIO()
    with os.fdopen(reading) as keys:
        assert learn_from_camera("club", f"folder:{frames}", tmp_path, out=out, keys=keys, language="en") == 1
    os.close(writing)
    assert "z = the last once more" in out.getvalue()
    assert "4 cards are still missing" in out.getvalue()


def test_a_card_that_is_not_the_one_asked_for_is_told_by_its_indices() -> None:
    from vision.simulation.art import load_art

    faces = load_art("stichwart").faces
    view = camera()
    empty = ground("cloth", view)
    lesson = Lesson("club", ("CA", "CT", "HQ"))
    film = Film(lesson)
    film.show(empty)
    state = film.show(lay(empty, view, faces["HQ"], (0, 0, 0)))[-1]
    assert (state.verdict, state.rival, state.learned) == ("other", "HQ", ())
    assert film.show(lay(empty, view, faces["CA"], (4, 2, 0.1)))[-1].learned == ("CA",)
    film.show(lay(empty, view, faces["HQ"], (0, 0, 0)))
    lesson.insist()  # whoever knows better has the last word
    assert lesson.learned == ("CA", "CT")
    assert film.show(lay(empty, view, faces["HQ"], (0, 0, 0)))[-1].verdict == "next"
    lesson.insist()
    assert lesson.learned == ("CA", "CT")
