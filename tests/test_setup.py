"""People who set a table up: what their touches become for the camera's process, and what comes back to the screen."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.app.decks import chosen_deck
from kiosk.app.desk import Desk
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.setup import PICTURE_INTERVAL_S, PICTURE_TIMEOUT_S, SetUp
from kiosk.rules.books import BOOKS
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import CardPlayed
from kiosk.ui.camera.set_up_requests import BeginLesson, ChooseDeck, SetCameraAnew, ShowCamera
from kiosk.ui.requests import ScreenRequest
from vision.deck.deck import Deck
from vision.messages import (
    AskSnapshot,
    CameraSetting,
    CameraState,
    CameraTrouble,
    ConfusablePair,
    Finding,
    LessonKey,
    LessonState,
    LessonStep,
    Recalibrate,
    Snapshot,
    Teach,
    Tick,
)
from vision.teaching.packs import FACES

PICTURE = cv2.imencode(".jpg", np.full((90, 160, 3), 90, np.uint8))[1].tobytes()


class Screen:
    def __init__(self) -> None:
        self.cameras: list[Any] = []
        self.lessons: list[Any] = []
        self.notices: dict[str, str] = {"deck": "none"}

    def camera(self, view: Any) -> None:
        self.cameras.append(view)

    def lesson(self, step: LessonStep | None, bavarian: bool = False) -> None:
        self.lessons.append((step.state, step.pairs) if step is not None else (None, ()))

    def notice(self, kind: str, text: str) -> None:
        self.notices[kind] = text


class Room:
    """A setting up with everything around it played by hand."""

    def __init__(self, folder: Path) -> None:
        self.sent: list[Any] = []
        self.taken: list[str] = []
        self.rung: list[str] = []
        self.now, self.phase, self.book = 0.0, "waiting", "eppstein"
        self.screen = Screen()
        vision: Any = SimpleNamespace(
            settings=SimpleNamespace(deck=""),
            trouble="",
            trouble_code="silent",
            send=self.sent.append,
            take_deck=self.taken.append,
        )
        self.setup = SetUp(
            vision,
            lambda: self.screen,
            folder=folder,
            configured="verein",
            phase=lambda: self.phase,
            book=lambda: BOOKS[self.book],
            ring=self.rung.append,
            now=lambda: self.now,
        )

    def do(self, request: ScreenRequest) -> bool:
        return self.setup.takes(request)

    def step(self, verdict: str, learned: tuple[str, ...] = (), pairs: tuple[ConfusablePair, ...] = ()) -> None:
        state = LessonState(asked="CA", verdict=verdict, learned=learned, total=24)
        self.setup.heard(LessonStep(at=self.now, state=state, picture=PICTURE, pairs=pairs))


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_pictures_are_asked_for_while_the_view_is_open(room: Room) -> None:
    room.setup.beat()
    assert room.sent == []
    room.do(ShowCamera(True))
    room.setup.beat()
    room.setup.beat()
    assert [type(one) for one in room.sent] == [AskSnapshot]
    room.setup.heard(Snapshot(at=1.0, picture=PICTURE, facts=(), findings=(Finding("dim", False),), card_px=130))
    assert room.screen.cameras[-1].findings[0].code == "dim"
    room.now += PICTURE_INTERVAL_S / 2
    room.setup.beat()
    assert len(room.sent) == 1
    room.now += PICTURE_INTERVAL_S
    room.setup.beat()
    assert len(room.sent) == 2
    room.do(ShowCamera(False))
    room.setup.heard(Snapshot(at=2.0, picture=PICTURE, facts=()))
    assert len(room.screen.cameras) == 1


def test_the_camera_is_set_anew_and_how_it_is_set_is_shown(room: Room) -> None:
    room.do(ShowCamera(True))
    room.do(SetCameraAnew())
    assert room.sent == [Recalibrate()]
    state = CameraState(name="webcam", settings=(CameraSetting(code="mains", held=True, value=50.0),))
    room.setup.heard(Snapshot(at=1.0, picture=PICTURE, facts=(), camera=state))
    assert room.screen.cameras[-1].camera == state


def test_a_camera_that_does_not_answer_is_said(room: Room) -> None:
    room.do(ShowCamera(True))
    room.setup.beat()
    room.now += PICTURE_TIMEOUT_S + 0.1
    room.setup.beat()
    assert room.screen.cameras[-1].findings[0].code == "camera"
    assert len(room.sent) == 2


@pytest.mark.slow
def test_which_decks_there_are(room: Room, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for name, kind in (("gross", "doppelkopf"), ("klein", "doppelkopf-40")):
        faces = {label: rng.integers(0, 255, (120, 80, 3), dtype=np.uint8) for label in FACES[kind]}
        Deck.learn(name, faces, (59.0, 91.0)).save(tmp_path)
    room.do(ShowCamera(True))
    room.setup.heard(Snapshot(at=0.0, picture=PICTURE, facts=()))
    view = room.screen.cameras[-1]
    assert (view.decks, view.fits, view.faces) == (("gross",), False, "doppelkopf")
    room.book = "bsv"
    room.setup.heard(Snapshot(at=0.0, picture=PICTURE, facts=()))
    assert room.screen.cameras[-1].decks == ("gross", "klein")
    room.do(ChooseDeck("klein"))
    assert room.taken == ["klein"] and chosen_deck(tmp_path, "verein") == "klein"
    assert room.screen.notices["deck"] == ""


def test_a_lesson_from_the_first_touch_to_the_deck(room: Room, tmp_path: Path) -> None:
    room.do(ShowCamera(True))
    assert room.do(BeginLesson(faces="doppelkopf", with_back=True))
    assert room.sent == [Teach(name="verein", labels=FACES["doppelkopf"], copies=2, with_back=True)]
    room.step("nothing")
    room.step("glare")
    room.step("glare")
    room.step("good", ("CA",))
    assert room.rung == ["wrong", "taken"]
    room.do(LessonKey(do="back"))
    room.do(LessonKey(do="skip"))
    assert room.sent[1:] == [LessonKey(do="back"), LessonKey(do="skip")]
    room.step("done", FACES["doppelkopf"], (ConfusablePair(0.2, 0.1, "HJ", "DJ"),))
    assert room.screen.lessons[-1][1][0].one == "HJ"
    room.do(LessonKey(do="again", labels=("HJ", "DJ")))
    assert room.sent[-1] == LessonKey(do="again", labels=("HJ", "DJ"))
    room.step("done", FACES["doppelkopf"])
    room.do(LessonKey(do="stop"))
    assert room.taken == ["verein"] and chosen_deck(tmp_path, "x") == ""  # the file itself is vision's to write
    assert room.screen.lessons[-1][0] is None
    room.setup.beat()
    assert isinstance(room.sent[-1], AskSnapshot)


def test_a_lesson_that_is_broken_off_changes_no_deck(room: Room) -> None:
    room.do(BeginLesson(faces="schafkopf"))
    room.step("good", ("EA",))
    room.do(LessonKey(do="stop"))
    assert room.taken == [] and room.sent[-1] == LessonKey(do="stop")
    room.step("good", ("EA", "ET"))  # one that was underway
    assert room.screen.lessons[-1][0] is None


@pytest.mark.parametrize(
    ("code", "verdict", "goes_on"),
    [("process", "good", False), ("process", "done", True), ("unplugged", "good", True)],
    ids=["the process is gone", "the deck is learned by then", "the camera alone is gone"],
)
def test_a_lesson_ends_with_the_process_that_gave_it(room: Room, code: str, verdict: str, goes_on: bool) -> None:
    room.do(BeginLesson(faces="schafkopf"))
    room.step(verdict, ("EA",))
    room.setup.heard(CameraTrouble(text="vision ended", code=code))
    assert (room.screen.lessons[-1][0] is not None) == room.setup.busy == goes_on
    assert room.taken == []


def test_a_process_that_is_gone_is_no_lesson_s_where_there_is_none(room: Room) -> None:
    room.setup.heard(CameraTrouble(text="vision ended", code="process"))
    assert room.screen.lessons == [] and room.sent == []


def test_no_lesson_while_a_game_is_running(room: Room) -> None:
    room.phase = "playing"
    room.do(BeginLesson(faces="doppelkopf"))
    assert room.sent == []


@pytest.mark.parametrize("request_", [request_for(CardPlayed, seat=1, card="CA"), BeginLesson(faces="skat")])
def test_other_requests_are_the_tables(room: Room, request_: ScreenRequest) -> None:
    assert not room.setup.takes(request_)


def test_the_kiosk_hands_them_on() -> None:
    heard: list[Any] = []

    class Listening(Desk):
        hears = (Snapshot,)

        def takes(self, request: ScreenRequest) -> bool:
            return True

        def heard(self, message: Any) -> None:
            heard.append(message)

        def beat(self) -> None:
            heard.append("beat")

    kiosk = Kiosk(None, now=lambda: 0.0)
    kiosk.add(Listening())
    kiosk.deliver(Asked(ShowCamera(True)))
    kiosk.deliver(Tick(at=0.0))
    shot = Snapshot(at=0.0, picture=b"", facts=())
    kiosk.deliver(shot)
    kiosk.beat()
    assert heard == [shot, "beat"] and kiosk.outputs.refusals == []


def test_while_people_sit_down_a_missing_deck_is_said_at_once(room: Room, tmp_path: Path) -> None:
    def told(book: str) -> str:
        room.book = book
        room.now += 2
        room.setup.beat()
        return str(room.screen.notices.get("deck", ""))

    room.screen.notices.clear()
    room.setup.beat()
    assert room.screen.notices == {}  # at the table itself the kiosk looks for the deck
    room.phase = None  # type: ignore[assignment]
    assert "Blatt" in told("schaffkopf")
    assert told("eppstein") == ""  # French cards are read by their indices, and learned in play
    assert told("schaffkopf") != ""
    rng = np.random.default_rng(1)
    faces = {label: rng.integers(0, 255, (120, 80, 3), dtype=np.uint8) for label in FACES["schafkopf"]}
    Deck.learn("bayern", faces, (56.0, 100.0)).save(tmp_path)
    assert told("schaffkopf") == ""
