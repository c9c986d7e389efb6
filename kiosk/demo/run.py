"""``stichwart demo``: a table at work, its camera simulated, its director real.

The table, its screen, line and director are those of the hall. Only the people are simulated: cards reach the table as
pixels of a simulated camera, words as requests, the release as the director's order.
"""

import contextlib
import queue
import secrets
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hw.panel import Panel
from hw.pinmap import PinMap
from kiosk.app import Asked, Kiosk
from kiosk.config import RecordingsConfig
from kiosk.confirm import Confirmer
from kiosk.demo.decks import deck_for, learned
from kiosk.demo.people import PLAUSIBLE
from kiosk.demo.play import checked_book, simulate
from kiosk.demo.report import Figures, Teller, misread_cards, silent_games, wrong_rows
from kiosk.demo.stage import FRAME, Stage
from kiosk.director.client import DirectorClient
from kiosk.director.serve import DirectorProcess
from kiosk.errors import KioskError
from kiosk.recorder import Recorder
from kiosk.start import open_line, pass_on, run_screen, set_up
from kiosk.table.clock import boot_id
from kiosk.table.events import parse
from kiosk.table.fold import fold
from kiosk.table.log import LogFile
from kiosk.table.recordings import Recordings
from kiosk.table.spielliste import text
from kiosk.table.table import Table
from vision.mat import MatLayout
from vision.messages import Acted, SimSettings, VisionSettings
from vision.process import VisionProcess
from vision.reports import Tick
from vision.sim.lights import LIGHTS
from vision.sim.wear import WEAR

SIMULATED = "sim:"
TOURNAMENT = "demo"
TABLE = 1
#: Pixels of the demo's window.
SCREEN = (1280, 720)
#: Seconds of the camera's time between two ticks while nothing happens, where nobody looks at a clock.
TICKS = 0.3
#: Real seconds to wait for the director before the demo gives up.
PATIENCE = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What is to be played; ``games`` None: the whole round, ``speed`` None: as the mode has it.

    ``deck`` None: the project's own that the book is played with. ``offences``: chance of a breach for each card.
    ``mishaps``: chance, for each deal, that it is void, and the like; ``time_up``: the playing time ends early.
    ``light`` and ``wear`` are names of ``vision.sim.lights.LIGHTS`` and ``vision.sim.wear.WEAR``, None: new cards.
    ``jpeg``: quality of the pictures that the camera gives, 1 … 100; None: as they are drawn.
    """

    rules: str = "eppstein"
    seed: int = 1
    games: int | None = None
    players: int = 4
    offences: float = 0.0
    mishaps: float = 0.0
    time_up: bool = False
    deck: str | None = None
    camera: str = SIMULATED
    light: str = "lamp"
    wear: str | None = None
    jpeg: int | None = None
    speed: float | None = None
    headless: bool = False
    language: str = "de"


def run(demo: Demo) -> int:
    """Play a demo; the exit status is 0 only if every row of the director's list is right.

    :raises KioskError: an unknown book, light or wear, a number of players or a deck that it is not played with; a
        director that does not start.
    """
    book = checked_book(demo.rules, demo.players)
    if demo.camera == SIMULATED or demo.deck is None:
        demo = replace(demo, deck=deck_for(book, demo.deck))
    if not demo.headless:
        from kiosk.ui import check_visible

        try:
            check_visible()
        except KioskError as error:
            print(f"stichwart: {error}\nstichwart: going on with --headless", file=sys.stderr)
            demo = replace(demo, headless=True)
    print(f"{demo.rules}, seed {demo.seed}, deck {demo.deck}: table, camera and director are starting", flush=True)
    with DemoTable(demo) as table:
        return table.play_headless() if demo.headless else table.play_on_screen()


def _start_director(demo: Demo, folder: Path, token: str) -> DirectorProcess:
    settings = folder / "director.toml"
    settings.write_text(f'tournament = "{TOURNAMENT}"\nhost = "127.0.0.1"\nrules = "{demo.rules}"\ntoken = "{token}"\n')
    return DirectorProcess(["--config", settings, "--port", "0", "--data", folder], log_file=folder / "director.log")


class DemoTable:
    """The demo's table with everything around it; a context manager."""

    def __init__(self, demo: Demo) -> None:
        self.book = checked_book(demo.rules, demo.players, time_up=demo.time_up)
        if demo.light not in LIGHTS:
            raise KioskError(f"no light {demo.light!r}; choose one of {', '.join(LIGHTS)}")
        if demo.wear is not None and demo.wear not in WEAR:
            raise KioskError(f"no wear {demo.wear!r}; choose one of {', '.join(WEAR)}")
        if demo.jpeg is not None and not 1 <= demo.jpeg <= 100:
            raise KioskError(f"no JPEG quality {demo.jpeg}; choose one from 1 to 100, such as 90")
        self.demo = replace(demo, deck=deck_for(self.book, demo.deck)) if demo.camera == SIMULATED else demo
        self.script = list(
            simulate(
                demo.rules,
                demo.seed,
                demo.games,
                demo.players,
                demo.offences,
                shorten=PLAUSIBLE.shorten,
                mishaps=demo.mishaps,
                time_up=demo.time_up,
            )
        )
        self.now = 0.0
        self.notes: list[str] = []  # what was not as it was played, in words
        self.figures = Figures(cards=sum(event["event"] == "card" for event in self.script))

    def __enter__(self) -> "DemoTable":
        with ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self, stack: ExitStack) -> None:
        demo = self.demo
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stichwart-demo-")))
        token = secrets.token_hex(8)
        with ThreadPoolExecutor() as pool:  # the director starts while the deck is learned
            director = pool.submit(_start_director, demo, folder, token)
            try:
                self.vision = stack.enter_context(VisionProcess(self._vision_settings()))
            finally:
                self.director = stack.enter_context(director.result())
        self.client = stack.enter_context(DirectorClient(self.director.url))
        log = stack.enter_context(LogFile(folder / "table.sqlite")).log(TOURNAMENT, TABLE, 1)
        centres = MatLayout(seats=demo.players).seat_places
        self.table = Table(log, now=self.now, opening=self.script[0], centres=centres, boot=boot_id())
        panel = stack.enter_context(Panel(PinMap()))
        self.kiosk = Kiosk(self.table, now=lambda: self.now, panel=panel, language=demo.language)
        self.kiosk.on_message = self._heard
        if not demo.headless:
            films = Recordings(folder / "recordings")
            recorder = Recorder(films, lambda command: self.vision.send(command), lambda: self.now)
            recorder.sit(self.table, TOURNAMENT)
            self.kiosk.recorder = recorder
            Confirmer(lambda command: self.vision.send(command)).sit(self.table)
        self.kiosk.setup = set_up(self.vision, self.kiosk, demo.deck or "", teachable=False)
        self.line = open_line(self.kiosk, log, self.director.url, token, TOURNAMENT, TABLE, 1)
        self.line.start()
        stack.callback(self.line.stop)
        self.stage = Stage(self.script, self.vision, self._ask, self._order, self.table, demo.seed)

    def _vision_settings(self) -> VisionSettings:
        demo = self.demo
        assert demo.deck is not None
        if demo.camera != SIMULATED:
            return VisionSettings(deck=demo.deck, source=demo.camera, seats=demo.players)
        return VisionSettings(
            deck=demo.deck,
            deck_folder=learned(demo.deck, self.book).parent,
            source=SIMULATED,
            seats=demo.players,
            recent=0.0 if demo.headless else RecordingsConfig().seconds,
            sim=SimSettings(
                art=demo.deck,
                seed=demo.seed,
                light=demo.light,
                wear=demo.wear,
                jpeg=demo.jpeg,
                ticks=TICKS if demo.headless else 0.0,
            ),
            speed=demo.speed if demo.headless else demo.speed or 1.0,
        )

    # --- what is played

    def _ask(self, request: dict[str, Any]) -> None:
        self.kiosk.put(Asked(request))

    def _order(self, order: dict[str, Any]) -> None:
        """The direction says its word at the director's."""
        self.client.order(TOURNAMENT, 1, TABLE, order)

    def _heard(self, message: object) -> None:
        """A word of the camera's process: time goes on, and the players with it."""
        if isinstance(message, Acted):
            self.stage.acted(message.uncovered, message.end)
        elif isinstance(message, Tick):
            self.now = message.at
            if self.table.round.released and self.demo.camera == SIMULATED:
                self.stage.step(message.at)

    def release(self) -> None:
        """The director releases the round, as by the button of his page."""
        deadline = time.monotonic() + PATIENCE
        while not self.line.wait_sent(1.0):
            if time.monotonic() > deadline:
                raise KioskError(
                    f"the director at {self.director.url} did not take the table's events: {self.line.state}"
                )
        self.client.release(TOURNAMENT, 1)

    # --- without a screen

    def play_headless(self) -> int:
        """Progress, a line a game, the list, the figures."""
        began = time.monotonic()
        print(f"director: {self.director.url}", flush=True)
        if self.demo.camera != SIMULATED:
            return self._watch()
        with Teller(self.figures.cards, self.script[0]["players"]) as teller:
            self.release()
            while not self.table.round.released:
                self.kiosk.wait(0.2)
                self.kiosk.beat()
            while not self.stage.done:
                if self.stage.direction_asked:  # the order comes over the line, in this machine's time
                    self.kiosk.wait(0.02)
                until = self.now + FRAME if self.stage.waiting else max(self.stage.due, self.now + FRAME)
                self.vision.advance(until)
                for message in self.vision.until(until):
                    self.kiosk.put(message)
                    self.kiosk.beat()
                teller.cards(self.stage.cards)
                teller.games(self.table.round)
            self.kiosk.beat()
            self.figures.seconds = time.monotonic() - began
            return self._verdict(teller)

    def _watch(self) -> int:
        """Another camera than the simulated one: what it sees is the round; nobody knows better."""
        self.release()
        while not (self.vision.ended and self.vision.reports.empty()):
            with contextlib.suppress(queue.Empty):
                self.kiosk.put(self.vision.reports.get(timeout=0.2))
            self.kiosk.beat()
        print(text(self.table.round))
        print(f"cards seen {sum(event['event'] == 'card' for event in self.table.events)}; {self.vision.trouble}")
        return 0

    # --- with a screen

    def play_on_screen(self) -> int:
        """The table's own screen, until it is closed; figures on the terminal once the round is over."""
        began = time.monotonic()
        print(f"director: {self.director.url}", flush=True)
        pass_on(self.vision, self.kiosk)
        self.release()
        status: list[int] = []

        def verdict() -> None:
            if self.stage.done and not status:
                self.figures.seconds = time.monotonic() - began
                with Teller(self.figures.cards, self.script[0]["players"]) as teller:
                    status.append(self._verdict(teller))

        run_screen(self.kiosk, language=self.demo.language, size=SCREEN, title="Stichwart", each_beat=verdict)
        return status[0] if status else 0

    # --- what came of it

    def _verdict(self, teller: Teller) -> int:
        """Compare what the director holds with what was played."""
        if not self.line.wait_sent(PATIENCE):
            raise KioskError(f"the director did not take all events: {self.line.state}")
        told = fold(parse(line) for line in self.client.events(TOURNAMENT, 1, TABLE).splitlines())
        truth, figures = self.stage.truth, self.figures
        wrong = wrong_rows(truth, told)
        figures.silent = len(silent_games(truth, told, {doubt.game for doubt in self.table.view().doubts}))
        figures.games = len(truth.games)
        figures.wrong = len(wrong)
        figures.seen = sum(event["event"] == "card" for event in self.table.events)
        figures.asked = sum(bool(event.get("doubt")) for event in self.table.events)
        figures.answered = self.stage.answered
        figures.refused = len(self.kiosk.refusals)
        teller.end(told, figures)
        self.notes = [*misread_cards(truth, told), *(f"refused: {one}" for one in self.kiosk.refusals)]
        for line in (*wrong, *self.notes):
            teller.say(line)
        return 0 if not wrong else 1
