"""A hand laid open on the mat: read once it lies still, told when it changes, while somebody wants it."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.vision.service.worker_run import messages_over
from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.indices.hand import FaceIndices
from vision.mat.layout import MatLayout
from vision.messages import HandRead, ReadHand
from vision.recognition.card_reading import CardReading
from vision.service import open_hand
from vision.service.open_hand import INTERVAL_S, STILL_S, OpenHand
from vision.simulation.art import load_art
from vision.simulation.fans import random_fan
from vision.simulation.learning import kept_deck
from vision.simulation.scene import Scene
from vision.tracking.tracker import Tracker

STEP_S = 0.1


def watched(pictures: list[np.ndarray], deck: Deck, asked: OpenHand) -> Iterator[tuple[float, HandRead]]:
    """Show each picture for two seconds; what is told, and when."""
    tracker, at = Tracker(deck, MatLayout()), 0.0
    for picture in pictures:
        for _ in range(round(2.0 / STEP_S)):
            frame = Frame(picture, at)
            if at == 0.0:
                tracker.process(frame)  # finds the mat
            read = asked.read(frame, tracker)
            if read is not None:
                yield at, read
            at += STEP_S


@pytest.fixture(scope="module")
def fan() -> Scene:
    return random_fan(201, load_art("stichwart"))


@pytest.mark.slow
def test_it_is_read_at_rest_and_once(fan: Scene) -> None:
    deck, faces = kept_deck("stichwart"), load_art("stichwart").doppelkopf
    bare = np.full_like(fan.frame, 90)
    told = list(watched([fan.frame, fan.frame.copy()], deck, OpenHand(faces)))
    ((at, read),) = told
    assert STILL_S <= at <= STILL_S + INTERVAL_S + STEP_S and read.by == "indices"
    assert [card.label for card in read.cards if card.label] == [card.label for card in fan.cards]
    assert all(abs(card.x) < 200 and abs(card.y) < 150 for card in read.cards), "mm on the mat"
    told = list(watched([fan.frame, bare], deck, OpenHand(faces)))
    assert [bool(one.cards) for _, one in told] == [True, False], "taken up again"


def test_pictures_at_rest_are_added_up() -> None:
    rng = np.random.default_rng(5)
    looks = [np.clip(rng.normal(120, 8, (90, 160, 3)), 0, 255).astype(np.uint8) for _ in range(6)]
    mean = open_hand.mean_of(looks)
    assert mean.dtype == np.uint8 and abs(float(mean.mean()) - 120) < 1 and float(mean.std()) < 4
    assert (open_hand.mean_of(looks[:1]) == looks[0]).all()


@pytest.mark.parametrize(
    ("cards", "readings"),
    [
        pytest.param(0, [False], id="how many there are is not known"),
        pytest.param(1, [False], id="as many as were read"),
        pytest.param(2, [False, True], id="one was missed"),
    ],
)
def test_where_cards_are_missed_it_is_read_more_closely_once(
    monkeypatch: pytest.MonkeyPatch, cards: int, readings: list[bool]
) -> None:
    closely: list[bool] = []
    one = CardReading("HT", 1.0, (("HT", 1.0),), np.zeros((4, 2)), (0.0, 0.0, 0.0))
    monkeypatch.setattr(
        OpenHand, "_cards", lambda self, _, **how: (closely.append(how["closely"]), ("indices", [one]))[1]
    )
    asked = OpenHand(("HT",), cards=cards)
    told = [asked.read(Frame(np.full((480, 640, 3), 90, np.uint8), n * STEP_S), None) for n in range(60)]
    assert closely == readings
    assert sum(read is not None for read in told) == 1, "the same is not told twice"


def test_only_pictures_since_it_lies_still_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[int] = []
    monkeypatch.setattr(
        OpenHand, "_cards", lambda self, tracker, **_: (added.append(len(self._looks)), ("nothing", []))[1]
    )
    asked = OpenHand(("HT",))
    for n in range(30):  # something moves for a second
        asked.read(Frame(np.full((480, 640, 3), 30 + 20 * min(n, 10), np.uint8), n * STEP_S), None)
    assert added and added[0] == round(STILL_S / STEP_S) + 1


@pytest.mark.slow
def test_a_deck_without_indices_is_read_by_its_faces() -> None:
    """What overlaps too far is missing, and nothing is named that is not there."""
    art = load_art("stichwart-bavarian")
    scene = random_fan(7, art, count=5)
    ((_, read),) = watched([scene.frame], kept_deck("stichwart-bavarian"), OpenHand(tuple(art.faces)))
    named = Counter(card.label for card in read.cards if card.label)
    assert read.by == "faces" and named and not named - Counter(card.label for card in scene.cards)


def test_without_a_mat_nothing_is_read() -> None:
    asked = OpenHand(("HT",))
    picture = np.full((480, 640, 3), 90, np.uint8)
    told = [asked.read(Frame(picture, n * STEP_S), None) for n in range(20)]
    (read,) = [one for one in told if one is not None]
    assert (read.by, read.cards) == ("nothing", ())


def test_what_moves_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[float] = []
    monkeypatch.setattr(OpenHand, "_cards", lambda self, tracker, **_: (read.append(1.0), ("nothing", []))[1])
    asked, rng = OpenHand(("HT",)), np.random.default_rng(1)
    for n in range(30):
        asked.read(Frame(rng.integers(0, 255, (480, 640, 3), np.uint8), n * STEP_S), None)
    assert read == []


@pytest.mark.slow
def test_the_indices_of_a_deck_are_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes half a second, in which the mat is not watched."""
    made: list[int] = []
    empty = FaceIndices({})
    monkeypatch.setattr(open_hand, "FaceIndices", lambda faces: (made.append(len(faces)), empty)[1])
    monkeypatch.setattr(open_hand, "recognise", lambda *_: [])
    deck, rng = kept_deck("stichwart"), np.random.default_rng(1)
    fan = random_fan(201, load_art("stichwart")).frame
    asked = OpenHand(tuple(deck.faces))
    tracker = Tracker(deck, MatLayout())
    tracker.process(Frame(fan, 0.0))
    for n in range(60):
        shown = fan if n < 30 else np.clip(fan.astype(np.int16) + rng.integers(30, 60), 0, 255).astype(np.uint8)
        asked.read(Frame(shown, n * STEP_S), tracker)
    assert made == [len(deck.faces)]


@pytest.mark.parametrize(
    ("commands", "told"),
    [((ReadHand(faces=("HT",)),), 1), ((ReadHand(faces=("HT",)), ReadHand(on=False)), 0), ((), 0),
     ((ReadHand(faces=("HT",)), ReadHand(faces=("HT",))), 1)],
    ids=["asked", "no more", "not asked", "asked twice"],
)  # fmt: skip
def test_a_worker_reads_while_it_is_asked_to(tmp_path: Path, commands: tuple[ReadHand, ...], told: int) -> None:
    import cv2

    for number in range(30):
        cv2.imwrite(str(tmp_path / f"{number:02}.png"), np.full((120, 160, 3), 90, np.uint8))
    heard = [one for one in messages_over(tmp_path, commands) if isinstance(one, HandRead)]
    assert [one.by for one in heard] == ["nothing"] * told
