"""``stichwart deck learn`` before a camera: on a screen of its own, or on the terminal where there is none."""

import logging
import queue
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from kiosk.errors import KioskError
from vision.errors import VisionError

log = logging.getLogger(__name__)

#: Seconds that the last word stays on the screen before it closes by itself.
LAST_WORD = 3.0


def run_lesson(
    name: str, *, camera: str, folder: Path, faces: str, back: bool, headless: bool, language: str = "de"
) -> int:
    """Teach a deck, with its back if wanted, and check it; the exit status is 1 if faces are still missing.

    :raises VisionError: no such camera, or a deck that cannot be kept
    """
    from kiosk.ui import build_app, check_visible
    from vision.guide import Teaching
    from vision.lesson import COPIES, FACES, LessonState
    from vision.lesson_terminal import learn_from_camera
    from vision.lesson_words import card_words, rival_words
    from vision.messages import LessonKey, Teach
    from vision.rivals import Rivals
    from vision.sources import open_source

    if not headless:
        try:
            check_visible()
        except KioskError as error:
            log.warning("%s; the lesson goes on here", error)
            headless = True
    if headless:
        return learn_from_camera(name, camera, folder, faces, with_back=back, language=language)
    bavarian = faces == "schafkopf"
    teach = Teach(name=name, labels=FACES[faces], copies=COPIES[faces], with_back=back)
    teaching = Teaching(teach, folder, lambda: None)
    lesson = teaching.lesson
    stop = threading.Event()
    pressed: queue.SimpleQueue[LessonKey] = queue.SimpleQueue()

    def press(request: dict[str, Any]) -> None:
        if request.get("do") == "stop":
            stop.set()
            app.stop()
        else:
            pressed.put(LessonKey(do=str(request.get("do")), labels=tuple(request.get("labels", ()))))

    app = build_app(press, language, title="Stichwart")
    app.lesson(LessonState(asked=lesson.asked, verdict="clear", learned=(), total=len(lesson.labels)))
    failed: list[VisionError] = []
    alike: list[Rivals] = []
    kept: list[bool] = []

    def work() -> None:
        try:
            with open_source(camera, hold=12) as frames:
                for frame in frames:
                    while not pressed.empty():
                        teaching.press(pressed.get())
                        kept.clear()
                    if stop.is_set():
                        break
                    step = teaching.look(frame)
                    if step is None:
                        continue
                    small = cv2.imdecode(np.frombuffer(step.picture, np.uint8), cv2.IMREAD_COLOR)
                    app.lesson(step.state, small, bavarian, step.rivals)
                    if step.state.verdict == "done":
                        alike[:] = step.rivals
                        kept[:] = [True]
                        if not step.rivals or not frames.live:
                            break  # else people may show the two once more
        except VisionError as error:
            failed.append(error)
        from kivy.clock import Clock

        Clock.schedule_once(lambda *_: app.stop(), LAST_WORD)

    worker = threading.Thread(target=work, name="lesson", daemon=True)
    worker.start()
    app.run()
    stop.set()
    worker.join(3.0)
    if failed:
        raise failed[0]
    if kept:
        print(f"{name}: {len(lesson.labels)} faces learned, kept in {folder}")
        for line in rival_words(name, list(alike), tuple(alike), bavarian, language):
            print(line)
        return 0
    missing = [card_words(label, bavarian, language) for label in lesson.labels if label not in lesson.learned]
    print(f"{name}: not kept, these are still to be shown: {', '.join(missing)}")
    return 1
