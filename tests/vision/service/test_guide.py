"""What the vision process does for people who set a table up: pictures with what is wrong, and the lesson of a deck."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.deck.deck import Deck
from vision.errors import CameraMissing
from vision.mat.layout import MatLayout
from vision.messages import AskSnapshot, LessonKey, LessonStep, SimSettings, Snapshot, Teach, VisionSettings
from vision.service.guide import Guide, Teaching, no_picture
from vision.service.stepped import SteppedVision
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.simulation.geometry import CardPose
from vision.tracking.tracker import Tracker

pytestmark = pytest.mark.slow

LABELS = ("CA", "HQ")
HERE = CardPose(0, 0, 0.1)


@pytest.fixture
def camera() -> SimCamera:
    return SimCamera(load_art("stichwart"), MatLayout(), 3)


def shown(camera: SimCamera, seconds: float) -> list[Frame]:
    return [next(camera) for _ in range(round(seconds * camera.fps))]


def test_a_snapshot_shows_what_is_read_and_what_is_wrong(camera: SimCamera) -> None:
    faces = load_art("stichwart").faces
    plain = {label: np.ascontiguousarray(face[..., :3]) for label, face in faces.items() if label in ("CA", "HQ", "DT")}
    tracker = Tracker(Deck("club", (59.0, 91.0), plain), MatLayout())
    camera.lay("HQ", 1, pose=HERE)
    frames = shown(camera, 2.2)
    for frame in frames:
        tracker.process(frame)
    guide = Guide(MatLayout())
    shot = guide.snapshot(frames[-1], AskSnapshot(width=640), tracker)
    assert (shot.findings, shot.cards) == ((), ("HQ",))
    assert shot.card_px == pytest.approx(133, abs=3)
    picture = cv2.imdecode(np.frombuffer(shot.picture, np.uint8), cv2.IMREAD_COLOR)
    assert picture.shape == (360, 640, 3)
    dark = Frame((frames[-1].image * 0.03).astype(np.uint8), 9.0)
    assert [one.code for one in guide.snapshot(dark, AskSnapshot(), tracker).findings] == ["dark"]


def test_that_the_mat_was_moved_is_said_for_a_while(camera: SimCamera) -> None:
    guide = Guide(MatLayout())

    def codes(frame: Frame) -> list[str]:
        return [one.code for one in guide.snapshot(frame, AskSnapshot(), None).findings]

    first = next(camera)
    assert codes(first) == []
    camera.push_mat(9, 0)
    moved = shown(camera, 1.0)[-1]
    assert codes(moved) == ["moved"]
    assert codes(Frame(moved.image, moved.at + 1)) == ["moved"]
    assert codes(Frame(moved.image, moved.at + 9)) == []


def test_without_a_picture() -> None:
    shot = no_picture(3.0, CameraMissing("the cable is out"))
    assert shot.picture == b"" and shot.facts == ("the cable is out",)
    assert [(one.code, one.where) for one in shot.findings] == [("camera", "missing")]


def lesson_steps(teaching: Teaching, frames: list[Frame]) -> list[LessonStep]:
    return [step for frame in frames if (step := teaching.next_step(frame)) is not None]


def test_a_lesson_keeps_the_deck_and_a_better_one_after_it(camera: SimCamera, tmp_path: Path) -> None:
    alive: list[int] = []
    teaching = Teaching(Teach(name="club", labels=LABELS, copies=2), tmp_path, lambda: alive.append(1))
    steps = lesson_steps(teaching, shown(camera, 1.0))
    for label in LABELS:
        camera.lay(label, 1, pose=HERE)
        steps += lesson_steps(teaching, shown(camera, 2.0))
        camera.take_back(label, 1)
        steps += lesson_steps(teaching, shown(camera, 1.6))
    assert steps[-1].state.verdict == "done" and steps[-1].pairs == ()
    assert Deck.load("club", tmp_path).labels == LABELS
    assert alive
    outlines = [step.state.outline for step in steps if step.state.outline is not None]
    assert outlines and max(x for outline in outlines for x, _ in outline) < 640  # in the picture's pixels
    teaching.press(LessonKey(do="again", labels=("CA",)))
    assert teaching.lesson.asked == "CA"
    camera.lay("CA", 1, pose=HERE)
    assert lesson_steps(teaching, shown(camera, 2.0))[-1].state.verdict == "done"


def test_a_deck_that_cannot_be_kept_is_said(camera: SimCamera, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    teaching = Teaching(Teach(name="club", labels=("CA",)), tmp_path / "file", lambda: None)
    shown_first = shown(camera, 1.0)
    camera.lay("CA", 1, pose=HERE)
    last = lesson_steps(teaching, [*shown_first, *shown(camera, 2.0)])[-1]
    assert last.state.verdict == "unfit" and "cannot be written" in last.state.detail


def test_the_process_teaches_a_table_that_has_no_deck(tmp_path: Path) -> None:
    with SteppedVision(VisionSettings(deck="", deck_folder=tmp_path, sim=SimSettings(seed=3))) as vision:
        vision.send(Teach(name="club", labels=("CA",)))
        vision.send(AskSnapshot())
        vision.act("wait", 1.0)
        vision.act("lay", "CA", 1, pose=HERE)
        vision.advance(5.0)
        heard = list(vision.until(5.0))
        assert any(isinstance(message, Snapshot) and message.picture for message in heard)
        steps = [message for message in heard if isinstance(message, LessonStep)]
        assert [step.state.verdict for step in steps][-1:] == ["done"]
        vision.take_deck("club")
        assert vision.settings.deck == "club"
