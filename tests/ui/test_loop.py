"""The screen's loop sleeps until something is due, and wakes for a finger and for news."""

from collections.abc import Callable
from typing import Any, cast

import pytest

from kiosk.ui.loop import BEAT_S, LOOK_S, Loop
from kiosk.ui.waking import Waker

FRAME_S = 1 / 30


class Kivy:
    """Clock, EventLoop and what wakes the loop at once, with a time that only sleeping moves on."""

    _max_fps = 30

    def __init__(self, due: float, told: bool = True) -> None:
        self.now = self._last_tick = 100.0
        self._dt = 0.0
        self.due = due  # from now on; 0: at the next frame
        self.told = told  # of what comes; else the loop has to look
        self.quit, self.window = False, None
        self.input_events: list[tuple[str, object]] = []
        self.input_providers: list[Any] = []
        self.at: dict[float, Callable[[], None]] = {}
        self.beats: list[float] = []
        self.news = False
        self.slept: list[float] = []

    def time(self) -> float:
        return self.now

    def get_time(self) -> float:
        return self._last_tick

    def get_min_timeout(self) -> float:
        return self.due and self._last_tick + self.due

    def hears(self, readers: list[Any]) -> bool:
        assert readers is self.input_providers
        return self.told

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        until = self.now + seconds
        for when in sorted(self.at):
            if 100 + when <= until:
                self.at.pop(when)()
                if self.told:
                    until = 100 + when
                    break
        self.now = until

    def beat(self) -> None:
        self.beats.append(self.now - 100)
        self.news = False

    def turn(self) -> float:
        """Wait for the next turn; seconds until it came."""
        return Loop(self.beat, lambda: self.news, self, self, cast(Waker, self)).idle() - 100


@pytest.fixture(params=[True, False], ids=["told", "looks"])
def told(request: pytest.FixtureRequest) -> bool:
    """Whether the loop is told of what comes, or has to look."""
    return bool(request.param)


def late(told: bool) -> float:
    """By how much the loop may come too late for something, seconds."""
    return 1e-6 if told else LOOK_S + 1e-6


def touch(kivy: Kivy, kind: str) -> Callable[[], None]:
    return lambda: kivy.input_events.append((kind, object()))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("due", "comes"),
    [
        pytest.param(0.2, 0.2, id="something due later"),
        pytest.param(0.0, FRAME_S, id="something due at the next frame"),
        pytest.param(0.001, FRAME_S, id="no more turns than frames"),
    ],
)
def test_a_turn_comes_when_something_is_due(told: bool, due: float, comes: float) -> None:
    kivy = Kivy(due, told)
    assert kivy.turn() == pytest.approx(comes, abs=1e-6)
    assert kivy._dt == pytest.approx(comes, abs=1e-6)


@pytest.mark.parametrize("kind", ["begin", "end"])
def test_a_finger_waits_for_nothing(told: bool, kind: str) -> None:
    kivy = Kivy(10.0, told)
    kivy.at[0.004] = touch(kivy, kind)
    assert 0.004 - 1e-6 <= kivy.turn() <= 0.004 + late(told)


def test_a_finger_that_moves_gets_no_more_than_the_frames(told: bool) -> None:
    kivy = Kivy(10.0, told)
    kivy.at[0.001] = touch(kivy, "update")
    assert kivy.turn() == pytest.approx(FRAME_S, abs=1e-6)


def test_beats_come_in_time_and_at_once_for_news(told: bool) -> None:
    kivy = Kivy(0.2, told)

    def tell() -> None:
        kivy.news = True

    kivy.at[0.07] = tell
    kivy.turn()
    first, second, news, *_ = kivy.beats
    assert first == 0.0
    assert second == pytest.approx(BEAT_S, abs=1e-6)
    assert 0.07 - 1e-6 <= news <= 0.07 + late(told)


def test_a_beat_that_has_something_to_draw_gets_its_frame(told: bool) -> None:
    kivy = Kivy(10.0, told)

    def draw() -> None:
        kivy.due, kivy.news = 0.0, True

    kivy.at[0.1] = draw
    assert 0.1 - 1e-6 <= kivy.turn() <= 0.1 + late(told)


def test_the_loop_ends_with_the_window(told: bool) -> None:
    kivy = Kivy(10.0, told)
    kivy.at[0.02] = lambda: setattr(kivy, "quit", True)
    assert 0.02 - 1e-6 <= kivy.turn() <= 0.02 + late(told)


def test_between_two_beats_it_sleeps_at_a_stretch_where_it_is_told_of_what_comes() -> None:
    kivy = Kivy(1.0)
    kivy.turn()
    assert kivy.slept[:19] == pytest.approx([BEAT_S] * 19)
    assert len(kivy.slept) <= 21  # what is rounded off may be slept at the end
