"""The screen's loop sleeps until something is due, and wakes for a finger and for news."""

from collections.abc import Callable
from typing import Any

import pytest

from kiosk.ui.loop import BEAT_S, LOOK_S, Loop

FRAME_S = 1 / 30


class Kivy:
    """Clock and EventLoop at once, with a time that only sleeping moves on."""

    _max_fps = 30

    def __init__(self, due: float) -> None:
        self.now = self._last_tick = 100.0
        self._dt = 0.0
        self.due = due  # from now on; 0: at the next frame
        self.quit, self.window = False, None
        self.input_events: list[tuple[str, object]] = []
        self.input_providers: list[Any] = []
        self.at: dict[float, Callable[[], None]] = {}
        self.beats: list[float] = []
        self.news = False

    def time(self) -> float:
        return self.now

    def get_time(self) -> float:
        return self._last_tick

    def get_min_timeout(self) -> float:
        return self.due and self._last_tick + self.due

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        for when in sorted(self.at):
            if self.now >= 100 + when:
                self.at.pop(when)()

    def beat(self) -> None:
        self.beats.append(self.now - 100)
        self.news = False

    def turn(self) -> float:
        """Wait for the next turn; seconds until it came."""
        return Loop(self.beat, lambda: self.news, self, self, self.sleep).idle() - 100


def touch(kivy: Kivy, kind: str) -> Callable[[], None]:
    return lambda: kivy.input_events.append((kind, object()))


@pytest.mark.parametrize(
    ("due", "comes"),
    [
        pytest.param(0.2, 0.2, id="something due later"),
        pytest.param(0.0, FRAME_S, id="something due at the next frame"),
        pytest.param(0.001, FRAME_S, id="no more turns than frames"),
    ],
)
def test_a_turn_comes_when_something_is_due(due: float, comes: float) -> None:
    kivy = Kivy(due)
    assert kivy.turn() == pytest.approx(comes, abs=1e-6)
    assert kivy._dt == pytest.approx(comes, abs=1e-6)


@pytest.mark.parametrize("kind", ["begin", "end"])
def test_a_finger_waits_for_nothing(kind: str) -> None:
    kivy = Kivy(10.0)
    kivy.at[0.005] = touch(kivy, kind)
    assert kivy.turn() <= LOOK_S + 1e-6


def test_a_finger_that_moves_gets_no_more_than_the_frames() -> None:
    kivy = Kivy(10.0)
    kivy.at[0.001] = touch(kivy, "update")
    assert kivy.turn() == pytest.approx(FRAME_S, abs=1e-6)


def test_beats_come_in_time_and_at_once_for_news() -> None:
    kivy = Kivy(0.2)

    def tell() -> None:
        kivy.news = True

    kivy.at[0.07] = tell
    kivy.turn()
    first, second, news, *_ = kivy.beats
    assert first == 0.0
    assert second == pytest.approx(BEAT_S, abs=LOOK_S)
    assert news == pytest.approx(0.07, abs=LOOK_S)


def test_a_beat_that_has_something_to_draw_gets_its_frame() -> None:
    kivy = Kivy(10.0)

    def draw() -> None:
        kivy.due = 0.0

    kivy.at[0.1] = draw
    assert kivy.turn() == pytest.approx(0.1, abs=LOOK_S)


def test_the_loop_ends_with_the_window() -> None:
    kivy = Kivy(10.0)
    kivy.at[0.02] = lambda: setattr(kivy, "quit", True)
    assert kivy.turn() == pytest.approx(0.02, abs=LOOK_S)
