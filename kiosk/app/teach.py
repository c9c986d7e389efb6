"""``stichwart deck learn`` before a camera: on a screen of its own, or on the terminal where there is none."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from kiosk.app.inbox import Inbox
from kiosk.errors import KioskError
from vision.errors import VisionError
from vision.messages import ConfusablePair, LessonKey, LessonState, LessonStep, Teach

if TYPE_CHECKING:
    from kiosk.ui.requests import ScreenRequest
    from vision.service.guide import Teaching

log = logging.getLogger(__name__)

#: Time that the last word stays on the screen before it closes by itself.
LAST_WORD_S = 3.0


@dataclass(frozen=True, slots=True)
class CameraStopped:
    """The camera is closed: the deck is kept, its pictures have ended, or something went wrong."""

    error: VisionError | None = None


#: What the camera's thread delivers; a key comes back once it has been obeyed.
CameraWord: TypeAlias = LessonStep | LessonKey | CameraStopped


class LessonCamera:
    """The lesson before a camera, in a thread of its own."""

    def __init__(self, camera: str, teaching: "Teaching", deliver: Callable[[CameraWord], None]) -> None:
        self.keys = Inbox[LessonKey]()
        self._camera, self._teaching, self._deliver = camera, teaching, deliver
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name="lesson", daemon=True)

    def start(self) -> None:
        """Open the camera and begin."""
        self._thread.start()

    def stop(self) -> None:
        """Take no more pictures."""
        self._stop.set()

    def join(self) -> None:
        """Wait until the camera is closed, a few seconds at most."""
        self._thread.join(3.0)

    def _work(self) -> None:
        try:
            self._take_pictures()
        except VisionError as error:
            self._deliver(CameraStopped(error))
        else:
            self._deliver(CameraStopped())

    def _take_pictures(self) -> None:
        from vision.camera.source import open_source

        with open_source(self._camera, hold=12) as frames:
            for frame in frames:
                for key in self.keys.drain():
                    self._teaching.press(key)
                    self._deliver(key)
                if self._stop.is_set():
                    break
                step = self._teaching.next_step(frame)
                if step is None:
                    continue
                self._deliver(step)
                if step.state.verdict == "done" and not (step.pairs and frames.live):
                    break  # else people may show the two once more


@dataclass(slots=True)
class LessonOutcome:
    """What has come of the lesson so far."""

    kept: bool = False  # the deck is complete and on the disk
    pairs: tuple[ConfusablePair, ...] = ()  # faces that it may confuse
    stopped: CameraStopped | None = None

    def take(self, word: CameraWord) -> None:
        """Follow the camera's thread."""
        match word:
            case LessonStep(state=state, pairs=pairs):
                if state.verdict == "done":
                    self.kept, self.pairs = True, pairs
            case LessonKey():
                self.kept = False
            case CameraStopped():
                self.stopped = word


def run_lesson(
    name: str, *, camera: str, folder: Path, faces: str, back: bool, headless: bool, language: str = "de"
) -> int:
    """Teach a deck, with its back if wanted, and check it; the exit status is 1 if faces are still missing.

    :raises VisionError: no such camera, or a deck that cannot be kept
    """
    import vision.simulation.registration  # noqa: F401 - offers sim:
    from kiosk.app.commands.lesson import learn_from_camera
    from vision.service.guide import Teaching
    from vision.teaching.packs import COPIES, FACES

    if headless or not _screen_is_visible():
        return learn_from_camera(name, camera, folder, faces, with_back=back, language=language)
    teach = Teach(name=name, labels=FACES[faces], copies=COPIES[faces], with_back=back)
    teaching = Teaching(teach, folder, lambda: None)
    outcome = _on_screen(camera, teaching, bavarian=faces == "schafkopf", language=language)
    if outcome.stopped is not None and outcome.stopped.error is not None:
        raise outcome.stopped.error
    return _report(name, folder, teaching, outcome, bavarian=faces == "schafkopf", language=language)


def _screen_is_visible() -> bool:
    """Whether people would see a window; if not, the log says why the lesson goes on in the terminal."""
    from kiosk.ui import check_visible

    try:
        check_visible()
    except KioskError as error:
        log.warning("%s; the lesson goes on here", error)
        return False
    return True


def _on_screen(camera: str, teaching: "Teaching", *, bavarian: bool, language: str) -> LessonOutcome:
    """Run the lesson on a screen of its own until it is closed; what came of it."""
    from kiosk.ui import build_app

    lesson = teaching.lesson
    inbox, outcome = Inbox[CameraWord](), LessonOutcome()
    worker = LessonCamera(camera, teaching, inbox.deliver)

    def press(request: "ScreenRequest") -> None:
        if request == LessonKey(do="stop"):
            worker.stop()
            app.stop()
        elif isinstance(request, LessonKey):
            worker.keys.deliver(request)

    app = build_app(press, language, title="Stichwart")
    from kivy.clock import Clock  # once the app has set Kivy up

    def beat(_: float) -> None:
        for word in inbox.drain():
            outcome.take(word)
            if isinstance(word, LessonStep):
                app.lesson(word, bavarian)
            elif isinstance(word, CameraStopped):
                Clock.schedule_once(lambda *_: app.stop(), LAST_WORD_S)

    state = LessonState(asked=lesson.asked, verdict="clear", learned=(), total=len(lesson.labels))
    app.lesson(LessonStep(at=0.0, state=state))
    Clock.schedule_interval(beat, 0)
    worker.start()
    app.run()
    worker.stop()
    worker.join()
    for word in inbox.drain():
        outcome.take(word)
    return outcome


def _report(
    name: str, folder: Path, teaching: "Teaching", outcome: LessonOutcome, *, bavarian: bool, language: str
) -> int:
    """Print what was learned, or what is still to be shown; the exit status."""
    from kiosk.app.lesson_words import rival_words
    from kiosk.language.cards import card_words

    lesson = teaching.lesson
    if outcome.kept:
        print(f"{name}: {len(lesson.labels)} faces learned, kept in {folder}")
        for line in rival_words(name, list(outcome.pairs), outcome.pairs, bavarian, language):
            print(line)
        return 0
    missing = [card_words(label, bavarian, language) for label in lesson.labels if label not in lesson.learned]
    print(f"{name}: not kept, these are still to be shown: {', '.join(missing)}")
    return 1
