"""Play ``stichwart demo`` on the table's screen, without a screen, or recorded.

It is a table at work, its camera simulated, its director real.
"""

import contextlib
import os
import queue
import signal
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from kiosk.app.running import run_screen
from kiosk.demo.decks import deck_for
from kiosk.demo.demo_table import SIMULATED, Demo, DemoTable
from kiosk.demo.play import checked_book
from kiosk.demo.report import Teller
from kiosk.errors import KioskError
from kiosk.table.events.values import CardPlayed
from kiosk.table.scoresheet.spielliste import text
from vision.messages import WatchMat
from vision.service.stepped import SteppedVision

if TYPE_CHECKING:
    from kiosk.ui import Spectator

#: Pixels of the demo's window: the first that the desktop has room for, with its frame and a bar of the desktop. From
#: 1600 px on the mat stands beside the table.
WINDOWS_PX = ((1600, 900), (1280, 720), (1024, 600))
FRAME_PX = (10, 80)


def run(demo: Demo) -> int:
    """Play a demo; the exit status is 0 only if every row of the director's list and every card noted is right.

    :raises KioskError: an unknown book, light or wear, a number of players or a deck that it is not played with; a
        director that does not start.
    """
    book = checked_book(demo.rules, demo.players)
    if demo.camera == SIMULATED or demo.deck is None:
        demo = replace(demo, deck=deck_for(book, demo.deck))
    if demo.record is not None:
        from kiosk.demo.record import check_kind

        check_kind(demo.record)
        os.environ["SDL_VIDEODRIVER"] = "offscreen"
    if not demo.headless:
        from kiosk.ui import check_visible

        try:
            check_visible()
        except KioskError as error:
            print(f"stichwart: {error}\nstichwart: going on with --headless", file=sys.stderr)
            demo = replace(demo, headless=True)
    print(f"{demo.rules}, seed {demo.seed}, deck {demo.deck}: table, camera and director are starting", flush=True)
    with _ended_by_signals(), DemoTable(demo) as table:
        if demo.record is not None:
            from kiosk.demo.record import record

            return record(table, spectator(table), demo.record, demo.seconds)
        return play_headless(table) if demo.headless else play_on_screen(table)


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let what ends the process end what it has started, first: SIGTERM, and a terminal that is closed."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:  # as nohup wants it
            signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def window_for(desktop: tuple[int, int] | None) -> tuple[int, int] | None:
    """Choose the size of the demo's window, px; None: it fills the screen, which is small, or not known."""
    if desktop is None:
        return None
    room = desktop[0] - FRAME_PX[0], desktop[1] - FRAME_PX[1]
    return next((size for size in WINDOWS_PX if size[0] <= room[0] and size[1] <= room[1]), None)


def play_headless(table: DemoTable) -> int:
    """Play without a screen; print progress, a line a game, the list and the figures."""
    began, frame = time.monotonic(), 1 / table.demo.fps
    print(f"director: {table.director.url}", flush=True)
    assert isinstance(table.vision, SteppedVision)
    if table.demo.camera != SIMULATED:
        return _watch(table, table.vision)
    with Teller(table.figures.cards, table.script[0]["players"]) as teller:
        table.begin()
        while not table.stage.done:
            table.advance(table.now + frame if table.stage.waiting else max(table.stage.due, table.now + frame))
            teller.cards(table.stage.cards)
            teller.games(table.table.round)
            teller.silences(table.vision.silences)
        table.kiosk.beat()
        table.figures.seconds = time.monotonic() - began
        return table.verdict(teller)


def _watch(table: DemoTable, vision: SteppedVision) -> int:
    """Follow another camera than the simulated one: what it sees is the round; nobody knows better."""
    table.release()
    while not (vision.ended and vision.messages.empty()):
        with contextlib.suppress(queue.Empty):
            table.kiosk.deliver(vision.messages.get(timeout=0.2))
        table.kiosk.beat()
    print(text(table.table.round))
    print(f"cards seen {sum(isinstance(event, CardPlayed) for event in table.table.events)}; {table.vision.trouble}")
    return 0


def play_on_screen(table: DemoTable) -> int:
    """Show the table's own screen until it is closed; print figures on the terminal once the round is over."""
    began = time.monotonic()
    print(f"director: {table.director.url}", flush=True)
    table.release()
    status: list[int] = []

    def verdict() -> None:
        if table.stage.done and not status:
            table.figures.seconds = time.monotonic() - began
            with Teller(table.figures.cards, table.script[0]["players"]) as teller:
                status.append(table.verdict(teller))

    from kiosk.ui.display import desktop_size

    run_screen(
        table.kiosk,
        language=table.demo.language,
        size=window_for(desktop_size()),
        title="Stichwart",
        each_beat=verdict,
        spectator=spectator(table),
    )
    return status[0] if status else 0


def spectator(table: DemoTable) -> "Spectator":
    """Wire the panel that shows the mat as the camera sees it."""
    from kiosk.ui import Spectator

    def watch(width: int) -> None:
        table.vision.send(WatchMat(on=width > 0, width=width))

    return Spectator(watch=watch, page=table.director.url, open_page=lambda: _open_page(table.page))


def _open_page(url: str) -> None:
    """Open the director's page, not on this thread: a browser may take its time."""

    def work() -> None:
        if not webbrowser.open(url):
            print(f"stichwart: no browser here; open {url} in one", file=sys.stderr)

    threading.Thread(target=work, name="browser", daemon=True).start()
