"""Let the screen's loop sleep until something comes, in place of a hundred questions a second.

News for the table, the threads in which Kivy reads touch panels, and the connection to the X server wake it. Whatever
else Kivy can read (Wayland, TUIO …) tells nobody, and has to be asked.
"""

import ctypes
import os
import select
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any

from kiosk.ui.display import BLIND_DRIVERS, video_driver

#: Kivy's readers of touch panels, each in a thread of its own that puts touches into a queue.
PANEL_READERS = ("mtdev", "hidinput")

#: Video drivers of SDL that bring no touch: Kivy reads the panel itself. A mouse waits for the next beat.
WITHOUT_TOUCH = {*BLIND_DRIVERS, "KMSDRM"}


class Waker:
    """What the loop sleeps on."""

    def __init__(self) -> None:
        self._rung = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        weakref.finalize(self, os.close, self._rung)  # not before: another thread may be about to wake
        self._poll = select.poll()
        self._poll.register(self._rung, select.POLLIN)
        self.hears_window = False  # it is told of what comes by the window

    def wake(self) -> None:
        """End the sleep that is on, or else the next one; from any thread."""
        os.eventfd_write(self._rung, 1)

    def sleep(self, seconds: float) -> None:
        """Sleep until something comes, so long at most."""
        for number, what in self._poll.poll(1000 * seconds):
            if number == self._rung:
                os.eventfd_read(number)
            elif what & ~select.POLLIN:  # closed: it would wake for ever
                self._poll.unregister(number)
                self.hears_window = False

    def hears(self, readers: Iterable[Any]) -> bool:
        """Report whether all that may come wakes it.

        :param readers: Kivy's ``input_providers``.
        """
        return self.hears_window and all(getattr(one, "tells", False) for one in readers)

    def attend(self, window: Any) -> None:
        """Wake for what comes by Kivy's window, where its driver has anything that can be waited for."""
        driver = video_driver()
        if driver == "x11":
            self._poll.register(_x_connection(window), select.POLLIN)
        self.hears_window = driver == "x11" or driver in WITHOUT_TOUCH


class TellingQueue(deque[Any]):
    """A queue that tells of each thing that is put into it."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__()
        self._tell = tell

    def append(self, thing: Any) -> None:
        super().append(thing)
        self._tell()


def telling(reader: type[Any], tell: Callable[[], None]) -> type[Any]:
    """Make of one of Kivy's readers of touch panels one that tells of each touch that it has read."""

    class Telling(reader):
        tells = True

        @property
        def queue(self) -> Any:
            return self._queue

        @queue.setter
        def queue(self, _: Any) -> None:
            self._queue = TellingQueue(tell)

    return Telling


def let_readers_tell(tell: Callable[[], None]) -> None:
    """Have Kivy read with such readers the touch panels that it finds when the app runs."""
    from kivy.input.factory import MotionEventFactory

    for name in PANEL_READERS:
        reader = MotionEventFactory.get(name)
        if reader is not None:
            MotionEventFactory.register(name, telling(reader, tell))
    MotionEventFactory.get("mouse").tells = True  # it reads nothing: the window hands over what it has got


def _x_connection(window: Any) -> int:
    """Return the file descriptor of the X server's connection."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XConnectionNumber.argtypes = [ctypes.c_void_p]
    return int(x11.XConnectionNumber(window.get_window_info().display))
