"""What comes wakes the loop: from another thread, from a touch panel, from the X server."""

import os
import threading
import weakref
from collections import deque
from typing import Any

import pytest

from kiosk.ui import waking
from kiosk.ui.waking import PANEL_READERS, Waker, let_readers_tell, telling

#: Longer than any test waits for what comes, seconds.
LONG_S = 60.0


def ready(waker: Waker) -> bool:
    """Whether the next sleep ends at once."""
    return bool(waker._poll.poll(0))


def test_it_wakes_from_another_thread() -> None:
    waker = Waker()
    thread = threading.Thread(target=waker.wake)
    thread.start()
    waker.sleep(LONG_S)  # else the whole suite hangs here
    thread.join()
    assert not ready(waker)


def test_what_came_while_it_was_awake_ends_the_next_sleep_and_no_other() -> None:
    waker = Waker()
    for _ in range(3):
        waker.wake()
    assert ready(waker)
    waker.sleep(LONG_S)
    assert not ready(waker)


def test_its_descriptor_goes_with_the_last_who_may_wake() -> None:
    waker = Waker()
    number, wake, gone = waker._rung, waker.wake, weakref.ref(waker)
    del waker
    wake()
    assert os.eventfd_read(number) == 1
    del wake
    assert gone() is None
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(number)


class Window:
    """A window of a driver, and the connection to its server."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, driver: str) -> None:
        self.read, self.write = os.pipe()
        monkeypatch.setattr(waking, "video_driver", lambda: driver)
        monkeypatch.setattr(waking, "_x_connection", lambda window: window.read)


def test_what_comes_from_the_x_server_wakes_it_until_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    window, waker = Window(monkeypatch, "x11"), Waker()
    waker.attend(window)
    assert waker.hears([]) and not ready(waker)
    os.write(window.write, b"a button")
    waker.sleep(LONG_S)
    assert ready(waker), "whoever owns the connection reads it"
    os.read(window.read, 100)
    assert not ready(waker)
    os.close(window.write)
    waker.sleep(LONG_S)
    assert not ready(waker), "a server that is gone would wake it for ever"
    assert not waker.hears([])
    os.close(window.read)


@pytest.mark.parametrize(("driver", "hears"), [("KMSDRM", True), ("offscreen", True), ("wayland", False), ("", False)])
def test_where_nothing_tells_of_the_window_it_is_asked(
    monkeypatch: pytest.MonkeyPatch, driver: str, hears: bool
) -> None:
    waker = Waker()
    assert not waker.hears([]), "before there is a window nobody knows"
    waker.attend(Window(monkeypatch, driver))
    assert waker.hears([]) is hears


class Reader:
    """As Kivy's readers of touch panels: a new queue for each start."""

    queue: deque[Any]

    def start(self) -> None:
        self.queue = deque()


def test_a_reader_tells_of_each_touch_and_the_queue_holds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    waker = Waker()
    waker.attend(Window(monkeypatch, "KMSDRM"))
    reader, deaf = telling(Reader, waker.wake)(), Reader()
    assert waker.hears([reader]) and not waker.hears([reader, deaf])
    for touch in ("begin", "end"):
        reader.start()
        assert not ready(waker)
        reader.queue.append(touch)
        waker.sleep(LONG_S)
        assert reader.queue.popleft() == touch


@pytest.mark.render
def test_kivys_own_readers_of_a_panel_tell(hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.input.factory import MotionEventFactory
    from kivy.input.providers import hidinput, mtdev  # noqa: F401  # they register

    before = dict(MotionEventFactory.list())
    woken: list[str] = []
    try:
        let_readers_tell(lambda: woken.append("touch"))
        for name in PANEL_READERS:
            kind = MotionEventFactory.get(name)
            assert issubclass(kind, before[name])
            monkeypatch.setattr(kind, "_thread_run", lambda self, **given: given or vars(self), raising=True)
            panel = kind("panel", "/dev/input/event99")
            panel.start()
            panel.thread.join()
            assert not woken
            panel.queue.append(("begin", object()))
            assert woken.pop() == "touch"
            got: list[str] = []
            panel.update(lambda what, _, got=got: got.append(what))
            assert got == ["begin"]
        assert MotionEventFactory.get("mouse").tells
    finally:
        MotionEventFactory.list().update(before)
        del MotionEventFactory.get("mouse").tells
