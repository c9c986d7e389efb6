"""Which moments are filmed for the referee, and that each card and trick leaves its picture."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from kiosk.app.inbox import Pressed
from kiosk.app.jobs import InTurn
from kiosk.app.kiosk import Kiosk
from kiosk.app.recorder import Recorder
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode, decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.recordings import PictureKey, Recordings
from kiosk.table.table import Table
from vision.messages import AskRecording, CardLaid, Recording

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["A", "B", "C", "D"]}
CENTRES = {1: (0.0, 60.0), 2: (-70.0, 0.0), 3: (0.0, -60.0), 4: (70.0, 0.0)}
PICTURE = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
MAT = cv2.imencode(".jpg", np.full((8, 16, 3), 90, np.uint8))[1].tobytes()


class Stage:
    """A kiosk with a recorder and a camera that answers."""

    def __init__(self, folder: Path) -> None:
        self.now, self.mat_age = 100.0, 0.5
        self.asked: list[str] = []
        self.table = Table(MemoryLog(), now=0.0, opening=decode_opening(OPEN), centres=CENTRES, wall=lambda: 0)
        self.kiosk = Kiosk(None, now=lambda: self.now)
        self.recordings = Recordings(folder)
        self.held = "t"
        self.writes = InTurn("pictures", 60)
        self.recorder = Recorder(
            self.recordings, self._ask, self.kiosk.deliver, lambda: self.now, lambda: self.held, self.writes
        )
        self.kiosk.referee.on_call = self.kiosk.add(self.recorder).call
        self.kiosk.sit(self.table)
        for event in ({"event": "release"}, {"event": "deal", "dealer": 1}):
            self.table.note(decode(event))
        for seat in (2, 3, 4, 1):
            self.table.request(decode_request({"event": "call", "seat": seat, "call": "gesund"}, BY_ALL))

    def _ask(self, command: AskRecording) -> None:
        if command.latest:
            pictures = ((self.now - self.mat_age, MAT),)
            self.kiosk.deliver(Recording(at=self.now, name=command.name, pictures=pictures))
            return
        self.asked.append(command.name)
        self.kiosk.deliver(Recording(at=self.now, name=command.name, pictures=((self.now, PICTURE),)))

    def lay(self, card: int, seat: int, label: str | None, *choices: tuple[str, float]) -> int:
        x, y = CENTRES[seat]
        choices = choices or ((str(label), 1.0),)
        seen = PICTURE + bytes([card]) + PICTURE
        report = CardLaid(
            at=self.now, card=card, label=label, margin=0.5, choices=choices, x=x, y=y, angle=0.0, picture=seen
        )
        return self.table.observe(report)[0]

    def kept(self, number: int, *, mat: bool = False) -> bytes | None:
        at = self.table.events[number].at
        assert at is not None
        return self.recordings.picture("t", 7, 1, PictureKey(number, int(at), mat))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.1)):
            self.now += 0.1
            self.kiosk.beat()
        writers = [thread for thread in threading.enumerate() if thread.name == "recording"]
        for thread in writers:
            thread.join(5.0)
        self.writes.wait()
        self.kiosk.beat()

    @property
    def films(self) -> list[int]:
        return [one.event for one in self.table.view().films]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    yield Stage(tmp_path)


def test_a_doubt_is_filmed_once_it_has_stood_for_a_moment(stage: Stage) -> None:
    number = stage.lay(1, 2, None, ("HT", 5.0), ("DT", 4.9))
    stage.wait(0.5)
    assert stage.asked == []
    stage.wait(1.0)
    assert len(stage.asked) == 1
    assert stage.films == [number]
    assert stage.recordings.of_round("t", 7, 1) == {number: stage.table.view().films[0].path}


def test_a_doubt_that_a_second_look_settles_is_not_filmed(stage: Stage) -> None:
    stage.lay(1, 2, None, ("HT", 5.0), ("DT", 4.9))
    stage.wait(0.3)
    stage.lay(1, 2, "HT")
    stage.wait(1.5)
    assert stage.asked == []


def test_a_clear_card_is_filmed_when_somebody_says_that_it_is_wrong(stage: Stage) -> None:
    number = stage.lay(1, 2, "HT")
    stage.wait(1.5)
    assert stage.asked == []
    stage.table.request(
        decode_request({"event": "correct", "of": number, "card": "DT", "by": "table", "why": "finger"}, BY_ALL)
    )
    stage.wait(0.3)
    assert stage.films == [number]


def test_a_call_for_the_referee_is_filmed(stage: Stage) -> None:
    number = stage.lay(1, 2, "HT")
    stage.kiosk.deliver(Pressed())
    stage.wait(1.5)
    assert stage.films == [number]
    stage.wait(2.0)
    stage.kiosk.deliver(Pressed())  # he is there
    stage.wait(1.5)
    assert len(stage.asked) == 1


def test_films_are_found_again_after_a_restart(stage: Stage) -> None:
    number = stage.lay(1, 2, None, ("HT", 5.0), ("DT", 4.9))
    stage.wait(1.5)
    again = Table(stage.table.log, now=0.0, centres=CENTRES, wall=lambda: 0)
    started = Kiosk(again, now=lambda: stage.now)
    started.add(stage.recorder)  # the list was up before the camera
    assert [one.event for one in again.view().films] == [number]
    stage.held = "another tournament"
    stage.recorder.sit(again)
    assert stage.recordings.of_round("t", 7, 1) == {}


def test_a_camera_that_has_nothing_to_show_makes_no_film(stage: Stage) -> None:
    recorder: Any = stage.recorder
    recorder._ask = lambda command: stage.kiosk.deliver(Recording(at=0.0, name=command.name, pictures=()))
    stage.lay(1, 2, None, ("HT", 5.0), ("DT", 4.9))
    stage.wait(1.5)
    assert stage.films == []


def test_each_card_that_the_camera_saw_leaves_its_picture(stage: Stage) -> None:
    """A doubtful one, too, and a second look at it its own; a finger has nothing to show."""
    clear, doubtful = stage.lay(1, 2, "HT"), stage.lay(2, 3, None, ("CA", 5.0), ("SA", 4.9))
    again = stage.lay(2, 3, "CA")
    finger = stage.table.request(decode_request({"event": "card", "seat": 4, "card": "C9"}, BY_ALL))[-1]
    stage.wait(0.2)
    assert stage.kept(clear) == PICTURE + b"\x01" + PICTURE
    assert stage.kept(doubtful) == stage.kept(again) == PICTURE + b"\x02" + PICTURE
    assert stage.kept(finger) is None


@pytest.mark.parametrize(("age", "kept"), [(0.5, MAT), (9.0, None)], ids=["seen", "not seen since"])
def test_a_full_trick_leaves_a_picture_of_the_mat(stage: Stage, age: float, kept: bytes | None) -> None:
    stage.mat_age = age
    laid = [stage.lay(card, seat, label) for card, seat, label in ((1, 2, "CA"), (2, 3, "C9"), (3, 4, "CK"))]
    stage.wait(1.0)
    last = stage.lay(4, 1, "CT")
    stage.wait(0.3)
    assert stage.kept(last, mat=True) is None  # the hand is on it still
    stage.wait(0.5)
    assert stage.kept(last, mat=True) == kept
    assert [stage.kept(number, mat=True) for number in laid] == [None] * 3


def test_a_full_disk_costs_pictures_and_never_play(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    stage.recordings._free = lambda _: 0
    numbers = [stage.lay(card, seat, label) for card, seat, label in ((1, 2, "CA"), (2, 3, "C9"), (3, 4, "CK"))]
    stage.wait(0.2)
    assert [stage.kept(number) for number in numbers] == [None] * 3
    assert len([line for line in caplog.messages if "nearly full" in line]) == 1
    stage.recordings._free = lambda _: 10**12
    last = stage.lay(4, 1, "CT")
    stage.wait(0.2)
    assert stage.kept(last) is not None
    assert stage.table.unsaved == 0


def test_pictures_are_found_again_after_a_restart_and_go_with_the_tournament(stage: Stage) -> None:
    number = stage.lay(1, 2, "HT")
    stage.wait(0.2)
    again = Table(stage.table.log, now=0.0, centres=CENTRES, wall=lambda: 0)
    stage.recorder.sit(again)
    assert stage.kept(number) is not None
    stage.held = "another tournament"
    stage.recorder.sit(again)
    assert stage.kept(number) is None


def test_jobs_in_turn_are_done_in_order_and_the_newest_left_out() -> None:
    gate, done = threading.Event(), list[int]()
    in_turn = InTurn("test", most=2)
    in_turn(gate.wait)
    while in_turn._jobs.qsize():
        pass  # the first has begun
    for number in range(4):
        in_turn(lambda number=number: done.append(number))  # type: ignore[misc]
    gate.set()
    in_turn.wait()
    assert done == [0, 1]
