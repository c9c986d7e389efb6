"""Find a touch panel again that was plugged in anew, also under another number; the program goes on meanwhile.

Kivy looks for panels once, when it starts. Its reader of a panel that has gone waits for the same number for ever
(mtdev), or ends (hidinput).
"""

import os
from collections.abc import Callable, Mapping
from typing import Any

#: Seconds between two looks; a look reads a line of sysfs for each device.
LOOK_S = 2.0

#: The configuration's name for what Kivy finds by itself.
_FOUND = "%(name)s"

#: A device as it was plugged in: inode and time of its node.
Plugged = tuple[int, int]


class Panels:
    """The readers of all panels that are there now; on the screen's thread.

    :param events: Kivy's ``EventLoop``.
    :param present: the panels' nodes (``/dev/input/event3``), and when each was plugged in.
    :param make: makes the reader of a panel, not started, and gives it to ``events``.
    """

    def __init__(
        self,
        events: Any,
        present: Callable[[], Mapping[str, Plugged]],
        make: Callable[[str], None],
    ) -> None:
        self._events, self._present, self._make = events, present, make
        self._readers = {one.input_fn: one for one in events.input_providers if getattr(one, "input_fn", None)}
        self._known = dict(present())

    def look(self, *_: object) -> None:
        """Read what was plugged in since the last look, and forget what has gone."""
        now = self._present()
        for path in self._known.keys() - now.keys():
            self._gone(path)
        for path, plugged in now.items():
            if self._known.get(path) != plugged:
                self._gone(path)
                self._came(path)
        self._known = dict(now)

    def _gone(self, path: str) -> None:
        """Read a panel no more, and lift the fingers that were on it."""
        reader = self._readers.get(path)
        if reader is None:
            return
        self._events.remove_input_provider(reader)
        for touch in [one for one in self._events.touches if one.device == reader.device]:
            self._events.post_dispatch_input("end", touch)

    def _came(self, path: str) -> None:
        """Read a panel; a reader that was waiting for it has gone on by itself (mtdev)."""
        reader = self._readers.get(path)
        if reader is None:
            before = list(self._events.input_providers)
            self._make(path)
            made = [one for one in self._events.input_providers if one not in before]
            self._readers |= {one.input_fn: one for one in made}
            for one in made:
                one.start()
            return
        if reader.thread.is_alive():
            reader.queue.clear()  # what came while nobody looked
        else:
            reader.start()
        self._events.add_input_provider(reader)


def watched(events: Any) -> Panels | None:
    """Watch the panels that Kivy reads by itself; None where it reads none: there the desktop hands touches over."""
    from kivy.config import Config

    wanted = Config.getdefault("input", _FOUND, "")
    if not wanted.startswith("probesysfs"):
        return None
    from kivy.input.factory import MotionEventFactory
    from kivy.input.providers import probesysfs

    def make(path: str) -> None:
        # Kivy's own probing with what was configured for it, of this one device.
        probesysfs._cache_input = [probesysfs.Input(f"/sys/class/input/{os.path.basename(path)}")]
        MotionEventFactory.get("probesysfs")(_FOUND, wanted.partition(",")[2])

    return Panels(events, plugged_panels, make)


def plugged_panels(root: str = "/sys/class/input", nodes: str = "/dev/input") -> dict[str, Plugged]:
    """List the panels that this user may read, with when each was plugged in: whatever reports several fingers."""
    from kivy.input.providers.probesysfs import ABS_MT_POSITION_X, Input

    found = {}
    for name in sorted(os.listdir(root)) if os.path.isdir(root) else ():
        path = os.path.join(nodes, name)
        if not name.startswith("event") or not Input(os.path.join(root, name)).has_capability(ABS_MT_POSITION_X):
            continue
        try:
            node = os.stat(path)
        except OSError:  # it goes as we look
            continue
        if os.access(path, os.R_OK):  # udev gives the rights a moment after the node
            found[path] = (node.st_ino, node.st_ctime_ns)
    return found
