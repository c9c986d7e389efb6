"""Measure what it costs to open a list, short and long, for ``stichwart bench screen``.

Run it in a process of its own, as ``kiosk.bench.screen``.
"""

import itertools
import statistics
import time
from dataclasses import replace

from kiosk.bench.screen import staged
from kiosk.table.view.table_view import TableView


def with_rows(view: TableView, games: int) -> TableView:
    """Return the view with a list of so many games, its own ones again and again."""
    assert view.sheet is not None
    played = itertools.islice(itertools.cycle(zip(view.rows, view.sheet.lines, strict=True)), games)
    rows, lines = zip(*played, strict=True)
    numbered = tuple(replace(row, game=number) for number, row in enumerate(rows, 1))
    return replace(view, rows=numbered, sheet=replace(view.sheet, lines=lines, marks=()))


def measure(view: TableView, games: int, times: int = 15, size: tuple[int, int] = (800, 480)) -> tuple[float, float]:
    """Open a list of so many games; median milliseconds of processor time, and until its picture is finished.

    It is made ready before, as at a table in play, where that takes a fifth of a second a row in view.
    """
    from kivy.graphics.opengl import glFinish

    stage = staged(size)
    app = stage.app
    app.show(with_rows(view, games))
    stage.step(2)
    processor, waited = [], []
    for _ in range(times):
        app.go("play")
        stage.step(3, draw=True)
        while not app.screen("list").rows.complete:
            app.screen("list").prepare(app.view)
        glFinish()
        used, began = time.process_time(), time.perf_counter()
        app.go("list")
        stage.step(draw=True)
        glFinish()
        processor.append(1000 * (time.process_time() - used))
        waited.append(1000 * (time.perf_counter() - began))
    return statistics.median(processor), statistics.median(waited)
