"""Measure how soon the screen answers a finger, while vision reads a table at full pace.

Touches come from a thread of their own, at any moment of a frame, by an input provider as a touchscreen's do. A picture
counts once it has been handed over to be shown and is finished: offscreen, software would draw it some time later.
"""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from kiosk.app.running import run_screen
from kiosk.demo.demo_table import Demo, DemoTable

#: Seconds that a finger rests on a key, and that pass until the next touch: a key that has just appeared takes none.
TAP_S = (0.06, 0.18)
PAUSE_S = (0.45, 0.6)
#: Seconds before the first touch: the program starts, and the keys come to where they stand.
SETTLE_S = 3.0
#: Seconds after which an answer counts as not given.
LOST_S = 3.0

SIZE_PX = (800, 480)


@dataclass(slots=True)
class Answers:
    """Seconds from a finger to the picture that answers it, one a touch."""

    to_dark: list[float] = field(default_factory=list)  # from touching a key to its darker picture
    to_sheet: list[float] = field(default_factory=list)  # from letting go to the sheet or screen that it opens
    lost: int = 0  # touches without an answer
    cards: int = 0  # that vision read meanwhile


class Finger(threading.Thread):
    """A finger on *More* and *List* in turn, and on the key that leads back."""

    def __init__(self) -> None:
        super().__init__(name="finger", daemon=True)
        self.answers = Answers()
        self.done = threading.Event()
        self._random = random.Random(1)
        self._target: tuple[Any, Callable[[], bool]] | None = None  # the key, and whether it has done its work
        self._wanted, self._given = threading.Event(), threading.Event()
        self._asked_for: Callable[[], bool] = lambda: False
        self._posted: deque[tuple[str, Any]] = deque()
        self._place = (0.0, 0.0)

    # --- on the screen's thread

    def begin(self, app: Any, wake: Callable[[], None]) -> None:
        """Take this app's window over.

        :param wake: wakes the screen's loop, as Kivy's readers of touch panels do.
        """
        from kivy.base import EventLoop
        from kivy.core.window import Window
        from kivy.graphics.opengl import glFinish
        from kivy.input.provider import MotionEventProvider

        finger, flip = self, Window.flip
        self._app, self._wake = app, wake

        class Provider(MotionEventProvider):  # type: ignore[misc]  # Kivy has no types
            tells = True

            def update(self, dispatch_fn: Callable[[str, Any], None]) -> None:
                while finger._posted:
                    dispatch_fn(*finger._posted.popleft())

        def flipped() -> None:
            flip()
            glFinish()
            if finger._wanted.is_set() and finger._asked_for():
                finger._wanted.clear()
                finger._given.set()

        Window.flip = flipped
        EventLoop.add_input_provider(Provider("finger", ""))
        self._aim()
        self.start()

    def _aim(self) -> None:
        """Choose the next key: More opens a sheet and List a screen; then back."""
        app = self._app
        if app.sheets.current is not None:
            app.sheets.close()
        if app.current != "play":
            app.go("play")
        word, opened = self._random.choice(
            [
                (app.words["more"], lambda: app.sheets.current is not None),
                (app.words["list"], lambda: app.current == "list"),
            ]
        )
        key = next(one for one in app.root.rail.walk() if getattr(one, "text", "") == word)
        self._place = key.to_window(*key.center)
        self._target = key, opened

    # --- on the finger's own

    def run(self) -> None:
        from kivy.clock import Clock

        from kiosk.ui.stage import Finger as Touch

        number = 0
        while not self.done.wait(self._random.uniform(*PAUSE_S)):
            if self._target is None:
                continue
            key, opened = self._target
            self._target, number = None, number + 1
            touch = Touch(number, *self._place)
            dark = self._after("begin", touch, partial(_is_down, key))
            time.sleep(self._random.uniform(*TAP_S))
            sheet = self._after("end", touch, opened)
            for taken, into in ((dark, self.answers.to_dark), (sheet, self.answers.to_sheet)):
                if taken is None:
                    self.answers.lost += 1
                else:
                    into.append(taken)
            Clock.schedule_once(lambda _: self._aim())

    def _after(self, what: str, touch: Any, answered: Callable[[], bool]) -> float | None:
        """Post a touch and return the seconds until a picture with its answer; None if none came."""
        self._given.clear()
        self._asked_for = answered
        began = time.monotonic()
        self._wanted.set()
        self._posted.append((what, touch))
        self._wake()
        return time.monotonic() - began if self._given.wait(LOST_S) else None


def _is_down(key: Any) -> bool:
    return bool(key.state == "down")


def measure(demo: Demo, seconds: float) -> Answers:
    """Touch the screen of a table at which ``demo`` is played, for the given time."""
    finger = Finger()
    with DemoTable(demo) as table:
        table.release()
        began, touching = 0.0, False

        def each_beat() -> None:
            nonlocal began, touching
            from kivy.app import App

            app, now = App.get_running_app(), time.monotonic()
            began = began or now
            if not touching and now - began > SETTLE_S:
                touching = True
                finger.begin(app, table.kiosk.on_news)
            if now - began > seconds or table.stage.done:
                finger.done.set()
            if finger.done.is_set() and not finger.is_alive():  # its last touch has been answered, too
                app.stop()

        run_screen(table.kiosk, language="de", size=SIZE_PX, each_beat=each_beat)
        finger.answers.cards = sum(event.name == "card" for event in table.table.events)
    return finger.answers
