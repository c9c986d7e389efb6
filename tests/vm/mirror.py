"""Play at a table in a virtual machine: cards by its camera, words by a finger on its screen.

The finger finds its keys on a screen of the same size here, whose table is told what is played; it touches both.
"""

import os
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import cv2

from kiosk.bench.vm.machine import Machine
from kiosk.demo.finger import Finger
from kiosk.demo.touching import Event
from kiosk.errors import KioskError
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request
from kiosk.table.events.log import MemoryLog
from kiosk.table.table import Table
from vision.mat.layout import MatLayout
from vision.messages import SimSettings
from vision.simulation.source import open_table

#: Seconds for which a key is touched, and held, there: it counts frames, of which there is one in a second or two.
_TOUCHED_S, _HELD_S = 1.0, 10.0
#: Seconds after which a key that was held in vain is held again, longer.
_AGAIN_S, _LONGER_S = 15.0, 30.0


class Film:
    """The simulated table as a webcam sees it; where nothing moves the same picture is given again."""

    def __init__(self, art: str, seed: int = 1) -> None:
        self._camera = open_table(SimSettings(art=art, seed=seed), MatLayout(), (1280, 720), 10.0)
        self._lock = threading.Lock()
        self._last = b""

    def picture(self) -> bytes:
        """Return the next picture as JPEG."""
        with self._lock:
            if self._camera.busy or not self._last:
                self._last = cv2.imencode(".jpg", next(self._camera).image)[1].tobytes()
            return self._last

    def act(self, name: str, *arguments: Any) -> None:
        """Have a hand do something, and wait until it has."""
        with self._lock:
            getattr(self._camera, name)(*arguments)
        while self._camera.busy:
            time.sleep(0.1)


class FarFinger(Finger):
    """A finger that touches the same place of another table's screen as well."""

    def __init__(self, stage: Any, table: Table, machine: Machine) -> None:
        super().__init__(stage, table)
        self._machine = machine
        self._held: tuple[float, float] | None = None

    def touch(self, key: Any, seconds: float = 0.0) -> None:
        x, y = self.stage.middle_of(key)
        place = x, self._machine.screen[1] - y
        self._held = place if seconds else None
        self._machine.touch(*place, _HELD_S if seconds else _TOUCHED_S)
        super().touch(key, seconds)

    def again(self) -> None:
        """Hold the key that was held last there once more; it is gone if it has done its work."""
        if self._held is not None:
            self._machine.touch(*self._held, _LONGER_S)


class Mirror:
    """A table here that shows what the one in the machine is to show.

    :param opening: the event with which its list was opened.
    """

    def __init__(self, machine: Machine, opening: Event) -> None:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        from kiosk.ui import build_app
        from kiosk.ui.display import prepare

        prepare(machine.screen)
        from kiosk.ui.stage import Stage

        self.table = Table(MemoryLog(), opening=decode_opening(dict(opening)), now=0.0)
        self._app = build_app(self._send, "de", machine.screen)
        self._stage = Stage(self._app, still=True).up()
        self._show()
        self.finger = FarFinger(self._stage, self.table, machine)

    def _send(self, request: Any) -> None:
        from kiosk.ui.parts.previewing import ShowPreview

        if not isinstance(request, ShowPreview):
            self.table.request(request, 1.0)
            self._show()

    def _show(self) -> None:
        self._app.show(self.table.view(1.0))
        self._stage.step(3)

    def hear(self, event: Event) -> None:
        """Note what happened without a finger."""
        self._send(decode_request(dict(event), BY_ALL))


def play(
    mirror: Mirror, film: Film, script: Sequence[Event], noted: Callable[[], Sequence[Event]], timeout: float
) -> None:
    """Play a script at both tables.

    :param noted: the list of the table in the machine, as far as it is known. :param timeout: seconds for an event.
    :raises KioskError: something was not noted.
    """
    for event in script:
        if event["event"] == "card":
            film.act("lay", event["card"], event["seat"])
            mirror.hear(event)
        else:
            mirror.finger.do(event)
        until, again = time.monotonic() + timeout, time.monotonic() + _HELD_S + _AGAIN_S
        while len(noted()) < len(mirror.table.events):
            if event["event"] != "card" and time.monotonic() > again:
                mirror.finger.again()
                again = time.monotonic() + _LONGER_S + _AGAIN_S
            if time.monotonic() > until:
                raise KioskError(f"{dict(event)} was not noted within {timeout} s; last: {noted()[-1:]}")
            time.sleep(0.5)
        game = mirror.table.round.game
        if event["event"] == "card" and game is not None and game.tricks and not game.open_trick:
            film.act("collect", game.tricks[-1].winner)
            if not mirror.table.round.running:
                film.act("clear")
