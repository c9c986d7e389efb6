"""Play at a table in a virtual machine: cards before its camera, words by a finger on its screen.

The finger finds its keys on a screen of the same size here, that of a table with the same list; it touches both.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import cv2
import numpy as np

from kiosk.bench.vm.machine import Machine, Picture
from kiosk.demo.finger import Finger
from kiosk.demo.touching import Event
from kiosk.errors import KioskError
from kiosk.table.events.codec import decode
from kiosk.table.events.log import MemoryLog
from kiosk.table.round.fold import Round
from kiosk.table.table import Table
from kiosk.ui.seats.seats_view import SeatsView
from tests.vm.booted import changed
from vision.mat.layout import MatLayout
from vision.messages import SimSettings
from vision.simulation.source import open_table

#: Pictures a second of the webcam.
RATE = 5
#: How such a webcam compresses: OpenCV's own quality makes twice the bytes, which the machine copies three times.
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 85]
#: Seconds for which a key is touched there: its screen is drawn anew in one or two.
_TOUCHED_S = 1.5
#: Share of the pixels that another page changes.
_PAGE = 0.1
#: Mean difference of a key's pixels, of 255, below which it is the same key.
_ALIKE = 10.0
#: Seconds of the screen's own time here in which what unfolds has unfolded.
_UNFOLDING_S = 1.0
#: Seconds for which a key takes no touches after it has come, and a picture in which that time begins.
_NEW_S = 1.5
#: Seconds that people take between two tricks at most, in which the bare mat is seen there: a card that is laid before
#: is read together with those that go, as a whole scene, which takes the machine up to 100 s instead of 20. A machine
#: that notes a card sooner sees the mat sooner.
_BETWEEN_TRICKS_S = 8.0
#: Seconds for a key to come there.
_COMING_S = 300.0
#: Seconds for an event: a card is read, a key is held until its ring is full, the page of play is built.
_PATIENCE_S = 600.0
#: Seconds after which a key that still stands there as before has not felt the finger: it was just being drawn anew.
_FELT_S = 60.0


@contextmanager
def seen(machine: Machine, share: float, timeout: float = _COMING_S) -> Iterator[None]:
    """Wait afterwards until what was done has changed so much of the machine's screen, a share of its pixels."""
    before = machine.picture()
    yield
    machine.wait_for_screen(lambda now: changed(before, now) >= share, timeout)


class Film:
    """The simulated table as a webcam sees it: a picture each time that one is asked for."""

    def __init__(self, art: str, seed: int = 1) -> None:
        self._camera = open_table(SimSettings(art=art, seed=seed), MatLayout(), (1280, 720), RATE)
        self._lock = threading.Lock()
        self._laid = time.monotonic()  # when the last card was, s

    def picture(self) -> bytes:
        """Return the next picture as JPEG."""
        with self._lock:
            return cv2.imencode(".jpg", next(self._camera).image, _JPEG)[1].tobytes()

    def lay(self, event: Event) -> None:
        """Have a hand lay a card."""
        self._laid = time.monotonic()
        self._act("lay", event["card"], event["seat"])

    def taken(self, round_: Round) -> None:
        """Have a hand take the trick whose last card has just been noted, and all their piles when the game is over."""
        assert round_.game is not None
        noted_s = time.monotonic() - self._laid
        self._act("collect", round_.game.tricks[-1].winner)
        if not round_.running:
            self._act("clear")
        time.sleep(min(noted_s, _BETWEEN_TRICKS_S))

    def _act(self, name: str, *arguments: Any) -> None:
        with self._lock:
            getattr(self._camera, name)(*arguments)
        while self._camera.busy:
            time.sleep(0.05)


class FarFinger(Finger):
    """A finger that touches the same place of another table's screen as well."""

    def __init__(self, stage: Any, machine: Machine, wait: Callable[[int, float], None]) -> None:
        super().__init__(stage, None)
        self._machine, self._wait = machine, wait

    def follow(self, table: Table) -> None:
        """Look at this table's list from now on."""
        self._table = table

    def touch(self, key: Any, seconds: float = 0.0) -> None:
        self.stage.wait(_UNFOLDING_S)
        x, y = self.stage.middle_of(key)
        place = x, self._machine.screen[1] - y
        seen_there = self._look(key, place)
        super().touch(key, seconds)
        noted = len(self.table.events)
        if seconds:
            with self._machine.finger(*place):  # until the key has done its work
                self._wait(noted, _PATIENCE_S)
            return
        self._machine.touch(*place, _TOUCHED_S)
        for _ in range(round(_PATIENCE_S / _FELT_S)):
            with suppress(KioskError):
                self._wait(noted, _FELT_S)
                break
            if seen_there(self._machine.picture()):
                self._machine.touch(*place, _TOUCHED_S)
        self._wait(noted, _FELT_S)

    def _look(self, key: Any, place: tuple[float, float]) -> Callable[[Picture], bool]:
        """Wait until the key is seen there as it is here, and takes touches; return what sees it."""
        width, height, rows = self.stage.frame()
        here = np.frombuffer(rows, np.uint8).reshape(height, width, 3)[..., ::-1].astype(int)
        (x, y), (half_width, half_height) = place, (key.width / 2, key.height / 2)
        box = np.s_[round(y - half_height) : round(y + half_height), round(x - half_width) : round(x + half_width)]

        def seen_there(picture: Picture) -> bool:
            return float(np.mean(abs(picture[box] - here[box]))) < _ALIKE

        self._machine.wait_for_screen(seen_there, _COMING_S)
        time.sleep(_NEW_S)
        return seen_there


class Mirror:
    """A table here that shows what the one in the machine shows.

    :param seating: what is known there before people sit down.
    :param noted: gives the lines of the list of the table in the machine, as far as they are known.
    """

    def __init__(self, machine: Machine, seating: SeatsView, noted: Callable[[], Sequence[str]]) -> None:
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
        from kiosk.ui import build_app
        from kiosk.ui.display import prepare

        prepare(machine.screen)
        from kiosk.ui.stage import Stage

        self._machine, self._noted = machine, noted
        self._app = build_app(self._send, "de", machine.screen, seating=seating)
        self._stage = Stage(self._app, still=True).up()
        self._finger = FarFinger(self._stage, machine, self.wait)
        self.table: Table | None = None

    def sit_down(self) -> None:
        """Begin the round as people do who sit there."""
        x, y = self._stage.middle_of(self._stage.key(self._app.words["start"]))
        with self._machine.finger(x, self._machine.screen[1] - y):
            self.wait(1)
        self.follow()

    def say(self, event: Event) -> None:
        """Do by finger what an event says."""
        self.follow()
        self._finger.do(event)

    def follow(self) -> Table:
        """Show the list of the table in the machine, as far as it is known."""
        log = MemoryLog()
        for line in self._noted():
            log.append(json.loads(line))
        self.table = Table(log, now=0.0)
        self._finger.follow(self.table)
        self._show()
        return self.table

    def wait(self, number: int, patience: float = _PATIENCE_S) -> None:
        """Wait until the table in the machine has noted so many events.

        :param patience: seconds. :raises KioskError: it has not.
        """
        until = time.monotonic() + patience
        while len(lines := self._noted()) < number:
            if time.monotonic() > until:
                raise KioskError(f"{len(lines)} of {number} events were noted after {patience} s: {lines[-1:]}")
            time.sleep(0.3)

    def turn_to_list(self) -> None:
        """Look at the list."""
        self.follow()
        with seen(self._machine, _PAGE):
            self._finger.touch(self._finger.saying(self._app.root.rail, self._app.words["list"]))

    def _send(self, request: Any) -> None:
        from kiosk.ui.parts.preview_request import ShowPreview

        if self.table is not None and not isinstance(request, ShowPreview):
            self.table.request(request, 1.0)
            self._show()

    def _show(self) -> None:
        assert self.table is not None
        self._app.show(self.table.view(1.0))
        self._stage.step(3)


def play(
    mirror: Mirror,
    script: Sequence[Event],
    lay: Callable[[Event], None],
    taken: Callable[[Round], None] = lambda _: None,
) -> None:
    """Play what a script says: words by finger, cards as ``lay`` does it.

    A card waits for the one before: of two that come between two pictures nobody knows which was first.

    :param taken: has a trick that is whole taken, of the round as it stands.
    :raises KioskError: something was not noted.
    """
    table = mirror.follow()
    truth, awaited = table.round, len(table.events)
    for event in script:
        truth, awaited = truth.apply(decode(event)), awaited + 1
        if event["event"] != "card":
            mirror.say(event)
            continue
        lay(event)
        mirror.wait(awaited)
        if truth.game is not None and not truth.game.open_trick:
            taken(truth)
