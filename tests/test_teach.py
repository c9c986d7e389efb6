"""The lesson before a camera: what its thread delivers, and what the command makes of it."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.app.inbox import Inbox
from kiosk.app.teach import CameraStopped, CameraWord, LessonCamera, LessonOutcome
from vision.errors import CameraError
from vision.messages import ConfusablePair, LessonKey, LessonState, LessonStep

PAIRS = (ConfusablePair(0.2, 0.1, "HJ", "DJ"),)


class Frames(list[str]):
    """A camera's pictures: each is the verdict that the lesson comes to."""

    live = True


class Teaching:
    def __init__(self) -> None:
        self.pressed: list[LessonKey] = []

    def press(self, key: LessonKey) -> None:
        self.pressed.append(key)

    def next_step(self, frame: str) -> LessonStep | None:
        if frame == "broken":
            raise CameraError("gone")
        if not frame:
            return None
        verdict, _, alike = frame.partition(" ")
        return step(verdict, PAIRS if alike else ())


def step(verdict: str, pairs: tuple[ConfusablePair, ...] = ()) -> LessonStep:
    return LessonStep(at=0.0, state=LessonState(asked="CA", verdict=verdict, learned=(), total=24), pairs=pairs)


def lesson(monkeypatch: pytest.MonkeyPatch, *frames: str, live: bool = True, keys: tuple[str, ...] = ()) -> Any:
    """What was delivered before these pictures, and what came of it."""
    import vision.camera.source

    pictures = Frames(frames)
    pictures.live = live
    monkeypatch.setattr(vision.camera.source, "open_source", lambda source, hold: nullcontext(pictures))
    inbox, teaching, outcome = Inbox[CameraWord](), Teaching(), LessonOutcome()
    camera = LessonCamera("sim:", teaching, inbox.deliver)  # type: ignore[arg-type]
    for key in keys:
        camera.keys.deliver(LessonKey(do=key))
    camera.start()
    camera.join()
    words = list(inbox.drain())
    for word in words:
        outcome.take(word)
    return SimpleNamespace(words=words, outcome=outcome, pressed=teaching.pressed)


def test_a_finished_deck_ends_the_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    done = lesson(monkeypatch, "", "clear", "done", "clear")
    assert done.words == [step("clear"), step("done"), CameraStopped()]
    assert done.outcome.kept and done.outcome.stopped == CameraStopped()


@pytest.mark.parametrize(("live", "steps"), [(True, 2), (False, 1)])
def test_faces_alike_may_be_shown_once_more_to_a_live_camera(
    monkeypatch: pytest.MonkeyPatch, live: bool, steps: int
) -> None:
    done = lesson(monkeypatch, "done alike", "clear", live=live)
    assert len(done.words) == steps + 1 and done.outcome.kept and done.outcome.pairs == PAIRS


def test_a_key_opens_the_deck_again(monkeypatch: pytest.MonkeyPatch) -> None:
    done = lesson(monkeypatch, "clear", keys=("back",))
    assert done.pressed == [LessonKey(do="back")] and done.words[0] == LessonKey(do="back")
    outcome = LessonOutcome(kept=True)
    outcome.take(LessonKey(do="again", labels=("HJ", "DJ")))
    assert not outcome.kept


def test_what_goes_wrong_in_the_thread_is_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    done = lesson(monkeypatch, "clear", "broken", "clear")
    assert not done.outcome.kept and str(done.outcome.stopped.error) == "gone"
