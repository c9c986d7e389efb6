"""Measure the delay from a card at rest to disk and director's page, while the table's screen is drawn."""

import contextlib
import json
import threading
import time
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from kiosk.app.running import run_screen
from kiosk.demo.demo_table import TABLE, TOURNAMENT, Demo, DemoTable
from kiosk.table.events.values import CardPlayed, Event
from vision.messages import Acted, Tick, VisionMessage


@dataclass(slots=True)
class Latency:
    """Seconds by card, and the frames that the screen drew meanwhile."""

    rest_to_disk: list[float] = field(default_factory=list)
    rest_to_page: list[float] = field(default_factory=list)
    frames_a_second: float = 0.0


class Watch:
    """Recorder of the times when cards come to rest, are on disk, and are shown on a page.

    The camera's time is tied to this machine's by the tick of the frame: a card rests when the first frame that shows
    it at rest comes.
    """

    def __init__(self, demo: DemoTable) -> None:
        self.latency = Latency()
        self._demo = demo
        self._waiting: list[Acted] = []
        self._ticks: list[tuple[float, float]] = []
        self._cards: list[tuple[float, int]] = []  # wall time on disk, events then
        self._page: dict[int, float] = {}
        demo.table.listen(self._noted)

        def hear(message: VisionMessage) -> None:
            if isinstance(message, Acted) and message.name == "lay":
                self._waiting.append(message)
            elif isinstance(message, Tick):
                self._ticks.append((message.at, time.monotonic()))

        demo.kiosk.vision_listeners.insert(0, hear)  # before the demo's players act on it

    def _noted(self, number: int, event: Event) -> None:
        if isinstance(event, CardPlayed):
            self._cards.append((time.monotonic(), number + 1))

    def look_at_page(self) -> None:
        """Open a page in a thread of its own."""
        threading.Thread(target=self._look, name="page", daemon=True).start()

    def _look(self) -> None:
        live = self._demo.director.url.replace("http", "ws", 1) + "/live"
        with connect(live, proxy=None) as page:
            page.send(json.dumps({"tournament": TOURNAMENT, "round": 1, "table": TABLE}))
            with contextlib.suppress(ConnectionClosed):  # the director ends with the measurement
                for message in page:
                    now = time.monotonic()
                    content = json.loads(message)
                    for card in content.get("cards") or content.get("hall") or []:
                        self._page.setdefault(card["events"], now)

    def _wall(self, at: float) -> float:
        """When the frame of this camera time was there."""
        return next(wall for camera, wall in self._ticks if camera >= at - 1e-6)

    def result(self) -> Latency:
        """Collect all cards that could be followed to the end."""
        found = self.latency
        for act, (noted, events) in zip(self._waiting, self._cards, strict=False):
            rest = self._wall(act.at_rest)
            found.rest_to_disk.append(noted - rest)
            shown = [wall for count, wall in self._page.items() if count >= events]
            if shown:
                found.rest_to_page.append(min(shown) - rest)
        return found


def measure(demo: Demo, seconds: float) -> Latency:
    """Play ``demo`` on its screen for the given time."""
    with DemoTable(demo) as table:
        watch = Watch(table)
        watch.look_at_page()
        table.release()
        frames = 0
        began = 0.0

        def each_beat() -> None:
            nonlocal frames, began
            from kivy.app import App
            from kivy.clock import Clock
            from kivy.core.window import Window

            now = time.monotonic()
            if not began:
                began = now
                Window.bind(on_flip=drawn)
                Clock.schedule_interval(lambda _: Window.canvas.ask_update(), 1 / 32)  # else only changes are drawn
            if now - began > seconds or table.stage.done:
                watch.latency.frames_a_second = frames / (now - began)
                App.get_running_app().stop()

        def drawn(*_: object) -> None:
            nonlocal frames
            frames += 1

        run_screen(table.kiosk, language="de", size=(1280, 720), each_beat=each_beat)
        return watch.result()
