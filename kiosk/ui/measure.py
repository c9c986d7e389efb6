"""How many frames a second the screen draws while views arrive: ``python -m kiosk.ui.measure``.

Run it in a process of its own; it opens a window, or draws offscreen with ``SDL_VIDEODRIVER=offscreen``.
"""

import itertools
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from kiosk.table.view import TableView


@dataclass(frozen=True, slots=True)
class Frames:
    """What was measured."""

    width: int
    height: int
    seconds: float
    frames: int
    views: int
    per_second: float  # frames that were drawn in full, each second
    slowest_ms: float  # the 99th of 100 frames
    cpu_ms: float  # processor time a frame, all threads
    driver: str


def measure(
    views: Iterable[TableView], size: tuple[int, int] = (800, 480), seconds: float = 10.0, frames_a_view: int = 2
) -> Frames:
    """Draw as fast as it goes, every frame in full; a view comes with each second frame: 15 a second at 30 frames."""
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare, video_driver

    prepare(size)
    from kivy.config import Config

    Config.set("graphics", "maxfps", "0")
    app = build_app(lambda request: None, "de", size, strip=True)
    from kivy.core.window import Window

    from kiosk.ui.stage import Stage

    stage = Stage(app).up()
    coming = itertools.cycle(list(views))
    app.show(next(coming))
    stage.step(5, draw=True)
    took: list[float] = []
    shown = 0
    began, cpu = time.perf_counter(), time.process_time()
    while (now := time.perf_counter()) - began < seconds:
        if len(took) % frames_a_view == 0:
            app.show(next(coming))
            shown += 1
        Window.canvas.ask_update()
        stage.step(draw=True)
        took.append(time.perf_counter() - now)
    spent = time.perf_counter() - began
    return Frames(
        width=size[0],
        height=size[1],
        seconds=round(spent, 2),
        frames=len(took),
        views=shown,
        per_second=round(len(took) / spent, 1),
        slowest_ms=round(1000 * sorted(took)[int(len(took) * 0.99)], 1),
        cpu_ms=round(1000 * (time.process_time() - cpu) / len(took), 1),
        driver=video_driver(),
    )


def main() -> None:
    """Measure with a simulated round; arguments: width, height, seconds."""
    from kiosk.demo.play import simulate
    from kiosk.table.fold import fold
    from kiosk.table.show import view

    width, height, seconds = (*map(int, sys.argv[1:4]), *(800, 480, 10)[len(sys.argv[1:4]) :])
    events = list(simulate("eppstein", 1, 4))
    views = [view(fold(events[:count])) for count in range(1, len(events) + 1)]
    print(json.dumps(asdict(measure(views, (width, height), seconds))))


if __name__ == "__main__":
    main()
