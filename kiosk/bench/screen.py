"""Measure the frames per second that the screen draws while views arrive, for ``stichwart bench``.

Run it in a process of its own; it opens a window, or draws offscreen with ``SDL_VIDEODRIVER=offscreen``.
"""

import itertools
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from kiosk.table.view.table_view import TableView


@dataclass(frozen=True, slots=True)
class Frames:
    """Measured frame times."""

    width: int
    height: int
    seconds: float
    frames: int
    views: int
    per_second: float  # frames that were drawn in full, each second
    slowest_ms: float  # the 99th of 100 frames
    cpu_ms: float  # processor time a frame, all threads
    driver: str


def staged(size: tuple[int, int]) -> Any:
    """Put a new app on the stage (``kiosk.ui.stage.Stage``), at a size in pixels."""
    from kiosk.ui import build_app
    from kiosk.ui.display import prepare

    prepare(size)
    app = build_app(lambda request: None, "de", size, strip=True)
    from kivy.core.window import Window

    from kiosk.ui.stage import Stage

    stage = Stage(app).up()
    if tuple(Window.size) != size:  # the process's one window stands since an earlier measurement
        stage.size(*size)
    return stage


def measure(
    views: Iterable[TableView], size: tuple[int, int] = (800, 480), seconds: float = 10.0, frames_a_view: int = 2
) -> Frames:
    """Draw every frame in full at full speed; a view comes with each second frame: 15 per second at 30 frames."""
    from kivy.core.window import Window

    from kiosk.ui.display import video_driver

    stage = staged(size)
    app = stage.app
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
        width=Window.width,
        height=Window.height,
        seconds=round(spent, 2),
        frames=len(took),
        views=shown,
        per_second=round(len(took) / spent, 1),
        slowest_ms=round(1000 * sorted(took)[int(len(took) * 0.99)], 1),
        cpu_ms=round(1000 * (time.process_time() - cpu) / len(took), 1),
        driver=video_driver(),
    )
