"""Set up the demo's table: camera and people simulated, all else as in the hall.

Cards reach the table as pixels of a simulated camera, words as requests, the release as the director's order.
"""

import secrets
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hw.panel import Panel
from hw.pinmap import PinMap
from kiosk.app.config import RecordingsConfig, SoundConfig
from kiosk.app.confirm import Confirmer
from kiosk.app.hardware_page import Configured
from kiosk.app.inbox import Asked
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.kiosk import Kiosk
from kiosk.app.mended import MendedDesk
from kiosk.app.played_deck_desk import PlayedDeckDesk
from kiosk.app.recorder import Recorder
from kiosk.app.replay_desk import ReplayDesk
from kiosk.app.start import give_signals, show_hardware
from kiosk.app.table_lists import open_line
from kiosk.app.watching import set_up
from kiosk.demo.accused import Accused
from kiosk.demo.decks import deck_for, simulated_deck_file
from kiosk.demo.known_deck import knows_deck
from kiosk.demo.manners import Manners, manners_named
from kiosk.demo.passing_folder import passing_folder
from kiosk.demo.people import PLAUSIBLE
from kiosk.demo.play import checked_book, simulate
from kiosk.demo.report import Figures, Teller, misnoted_cards, silent_games, wrong_rows
from kiosk.demo.stage import DemoStage
from kiosk.director.access.passwords import hashed
from kiosk.director.client import DirectorClient
from kiosk.director.process import DirectorProcess
from kiosk.errors import KioskError, shorten
from kiosk.rules.books import BOOKS, DEFAULT
from kiosk.rules.composed.known import ENDING
from kiosk.rules.composed.new import written_out
from kiosk.rules.engine.cards import Card
from kiosk.sync.trust import Direction
from kiosk.table.clock import boot_id
from kiosk.table.consent import BY_ALL
from kiosk.table.evenings import RoundKey
from kiosk.table.events.codec import decode_opening, decode_request, parse
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.values import CardPlayed, CardSeen
from kiosk.table.recordings import Recordings
from kiosk.table.round.fold import fold
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.table import Table
from kiosk.ui.play.claim_question import ShowHand
from vision.mat.layout import MatLayout
from vision.messages import Acted, HandRead, PlayedFaces, SimSettings, Tick, VisionMessage, VisionSettings
from vision.service.process import VisionProcess
from vision.service.stepped import SteppedVision
from vision.simulation.lights import LIGHTS
from vision.simulation.wear import WEAR

SIMULATED = "sim:"
TOURNAMENT = "demo"
TABLE = 1
#: Seconds of the camera's time between two ticks while nothing happens, where nobody looks at a clock.
TICKS = 0.3
#: Real seconds to wait for the director before the demo gives up.
PATIENCE = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What is to be played; ``games`` None: the whole round, ``speed`` None: as the mode has it.

    ``deck`` None: the project's own that the book is played with. ``offences``: chance of a breach for each card.
    ``mishaps``: chance, for each deal, that it is void, and the like; ``time_up``: the playing time ends early.
    ``light`` and ``wear`` are names of ``LIGHTS`` and ``WEAR`` in ``vision.simulation``, None: new cards.
    ``people``: what people do besides, a name of ``MANNERS`` or ``all``; None: they lay cards, one after the other.
    ``jpeg``: quality of the pictures that the camera gives, 1 … 100; None: as they are drawn.
    ``untaught``: nobody has taught the deck; the table learns it in play.
    ``fps``: pictures a second that the camera gives.
    ``record``: file of an animation of the first ``seconds`` of play, of table and mat; then nothing is shown.
    """

    rules: str = DEFAULT
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
    fps: float = 15.0
    people: str | None = None
    speed: float | None = None
    headless: bool = False
    language: str = "de"
    untaught: bool = False
    record: Path | None = None
    seconds: float = 20.0


def _start_director(demo: Demo, folder: Path, pin: str) -> DirectorProcess:
    settings = folder / "director.toml"
    own = BOOKS[demo.rules].own
    if own is not None:
        books = folder / "books"
        books.mkdir()
        (books / f"{own.name}{ENDING}").write_text(written_out(own.content), encoding="utf-8")
    settings.write_text(
        f'tournament = "{TOURNAMENT}"\nhost = "127.0.0.1"\nrules = "{own.name if own else demo.rules}"\nguests = true\n'
        f'pin = "{hashed(pin)}"\n'
    )
    return DirectorProcess(["--config", settings, "--port", "0", "--data", folder], log_file=folder / "director.log")


class DemoTable:
    """The demo's table with everything around it; a context manager."""

    def __init__(self, demo: Demo) -> None:
        self.book = checked_book(demo.rules, demo.players, time_up=demo.time_up)
        if demo.light not in LIGHTS:
            raise KioskError(f"no light {shorten(demo.light)}; choose one of {', '.join(LIGHTS)}")
        if demo.wear is not None and demo.wear not in WEAR:
            raise KioskError(f"no wear {shorten(demo.wear)}; choose one of {', '.join(WEAR)}")
        if demo.jpeg is not None and not 1 <= demo.jpeg <= 100:
            raise KioskError(f"no JPEG quality {demo.jpeg}; choose one from 1 to 100, such as 90")
        if not 5 <= demo.fps <= 60:
            raise KioskError(f"no camera with {demo.fps:g} pictures a second; choose 5 to 60, such as 15")
        seats = range(1, demo.players + 1)
        self.manners = Manners(manners_named(demo.people), demo.seed, seats) if demo.people is not None else None
        demo = replace(demo, rules=self.book.name)
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
        self._open_hands: list[tuple[Card, ...]] = []  # laid open with claims
        self._hands_read: dict[int, tuple[int, int]] = {}  # by their number: cards read rightly, and wrong names
        self.notes: list[str] = []  # what was not as it was played, in words
        self._accused = Accused()
        self.figures = Figures(cards=sum(event["event"] == "card" for event in self.script), untaught=demo.untaught)

    def __enter__(self) -> "DemoTable":
        with ExitStack() as stack:
            self._open(stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self, stack: ExitStack) -> None:
        demo = self.demo
        panel = stack.enter_context(Panel(PinMap()))
        self.kiosk = Kiosk(None, now=lambda: self.now, panel=panel, language=demo.language)
        folder = stack.enter_context(passing_folder("stichwart-demo-"))
        pin = str(secrets.randbelow(10**8) + 10**8)
        with ThreadPoolExecutor() as pool:  # the director starts while the deck is learned
            director = pool.submit(_start_director, demo, folder, pin)
            try:
                self.vision = stack.enter_context(self._vision(folder))
            finally:
                self.director = stack.enter_context(director.result())
        self.client = stack.enter_context(DirectorClient(self.director.url, pin))
        self.page = f"{self.director.url}/#pin={pin}"
        file = stack.enter_context(LogFile(folder / "table.sqlite"))
        log, key = file.log(TOURNAMENT, TABLE, 1), RoundKey(evening=TOURNAMENT, table=TABLE, round=1)
        centres = MatLayout(seats=demo.players).seat_places
        self.table = Table(log, now=self.now, opening=decode_opening(self.script[0]), centres=centres, boot=boot_id())
        self.kiosk.sit(self.table)
        self.kiosk.add(MendedDesk(file, TABLE, self.kiosk.outputs, table=lambda: self.kiosk.table, up=lambda: key))
        self.kiosk.vision_listeners.append(self._heard)
        self.kiosk.rest.send = self.vision.send
        if not demo.headless:
            films = Recordings(folder / "recordings")
            recorder = Recorder(films, self.vision.send, self.kiosk.deliver, lambda: self.now, lambda: TOURNAMENT)
            self.kiosk.referee.on_call = self.kiosk.add(recorder).call
            self.kiosk.add(
                ReplayDesk(self.kiosk.outputs, self.kiosk.deliver, films, number=TABLE, held=lambda: TOURNAMENT)
            )
            self.kiosk.add(Confirmer(self.vision.send))
        stack.callback(give_signals(self.kiosk, SoundConfig()).close)
        show_hardware(self.kiosk, Configured(data=folder, seats=demo.players, director=True), KeptSettings(None))
        self.kiosk.add(set_up(self.vision, self.kiosk, demo.deck or "", teachable=False))
        self.learning: PlayedDeckDesk | None = None
        if demo.untaught:
            assert self.vision.settings.deck_folder is not None
            desk = PlayedDeckDesk(self.vision, self.vision.settings.deck_folder, self.kiosk.outputs.notice)
            self.learning = self.kiosk.add(desk)
            self.learning.sit(self.table)
        direction = Direction(self.director.url, self.client.enrol(TABLE, rulings=True))
        self.line = open_line(self.kiosk, log, direction, TOURNAMENT, TABLE, 1, pictures=not demo.headless)
        self.line.start()
        stack.callback(self.line.stop)
        claims = self._claims if self.manners is not None or not demo.headless else None
        tell = knows_deck(demo.deck or "") if demo.untaught else lambda picture: None
        self.stage = DemoStage(
            self.script, self.vision, self._ask, self._order, self.table, demo.seed, self.manners, claims, tell
        )

    def _vision(self, folder: Path) -> VisionProcess:
        """Make the camera's process: in step with granted time, or at its own pace where there is a screen."""
        settings = self._vision_settings()
        if self.demo.untaught:
            settings = replace(settings, deck="", deck_folder=folder / "decks")
        stepped = self.demo.headless or self.demo.record is not None
        return SteppedVision(settings) if stepped else VisionProcess(settings, self.kiosk.deliver)

    def _vision_settings(self) -> VisionSettings:
        demo = self.demo
        assert demo.deck is not None
        if demo.camera != SIMULATED:
            return VisionSettings(deck=demo.deck, source=demo.camera, seats=demo.players, fps=demo.fps)
        return VisionSettings(
            deck=demo.deck,
            deck_folder=None if demo.untaught else simulated_deck_file(demo.deck, self.book).parent,
            source=SIMULATED,
            seats=demo.players,
            fps=demo.fps,
            recent=0.0 if demo.headless else RecordingsConfig().seconds,
            sim=SimSettings(
                art=demo.deck,
                seed=demo.seed,
                light=demo.light,
                wear=demo.wear,
                jpeg=demo.jpeg,
                ticks=TICKS if demo.headless else 0.0,
            ),
            speed=demo.speed if demo.headless or demo.record is not None else demo.speed or 1.0,
        )

    # --- what is played

    def _ask(self, request: dict[str, Any]) -> None:
        self.kiosk.deliver(Asked(decode_request(request, BY_ALL)))

    def _claims(self, seat: int, cards: tuple[Card, ...]) -> None:
        """A player claims the rest: on the screen, where there is one, and holds the key that he shows his cards."""
        self._open_hands.append(cards)
        screen, round = self.kiosk.outputs.screen, self.table.round
        if screen is not None:
            screen.claim(seat)
        elif round.game is not None:
            claim = StandingClaim(seat=seat, game=(round.game.number, len(round.games)))
            self.kiosk.deliver(Asked(ShowHand(claim=claim)))

    def _hand_read(self, read: HandRead) -> None:
        """The camera's process has read the hand that was laid open last."""
        if self._open_hands:
            named = Counter(one.label for one in read.cards if one.label is not None)
            cards = Counter(self._open_hands[-1])
            self._hands_read[len(self._open_hands)] = (cards & named).total(), (named - cards).total()

    def _order(self, order: dict[str, Any]) -> None:
        """The direction says its word at the director's."""
        self.client.order(TOURNAMENT, 1, TABLE, order)

    def _heard(self, message: VisionMessage) -> None:
        """A word of the camera's process: time goes on, and the players with it."""
        if isinstance(message, Acted):
            self.stage.acted(message.uncovered, message.end)
        elif isinstance(message, PlayedFaces) and message.deck:
            self.figures.learned_after = len(self.stage.truth.games)
            self.figures.answered_untaught = self.stage.answered
        elif isinstance(message, HandRead):
            self._hand_read(message)
        elif isinstance(message, Tick):
            self.now = message.at
            if self.table.round.released and self.demo.camera == SIMULATED:
                self._accused.watch(self.table, self.stage.truth, message.at)
                self.stage.step(message.at)
                if self.manners is not None:
                    self.manners.watch(self.stage.truth, self.table.round, message.at)

    def release(self) -> None:
        """The director releases the round, as by the button of his page."""
        deadline = time.monotonic() + PATIENCE
        while not self.line.wait_sent(1.0):
            if time.monotonic() > deadline:
                raise KioskError(
                    f"the director at {self.director.url} did not take the table's events: {self.line.state}"
                )
        self.client.release(TOURNAMENT, 1)

    # --- in granted time

    def begin(self) -> None:
        """Release the round and wait until the table has heard it."""
        self.release()
        while not self.table.round.released:
            self.kiosk.wait(0.2)
            self.kiosk.beat()

    def advance(self, until: float) -> None:
        """Let the camera's time run on, and do all that comes of it."""
        if self.stage.direction_asked:  # the order comes over the line, in this machine's time
            self.kiosk.wait(0.02)
        assert isinstance(self.vision, SteppedVision)
        self.vision.advance(until)
        for message in self.vision.until(until):
            self.kiosk.deliver(message)
            self.kiosk.beat()

    # --- what came of it

    def verdict(self, teller: Teller) -> int:
        """Compare what the director holds with what was played."""
        if not self.line.wait_sent(PATIENCE):
            raise KioskError(f"the director did not take all events: {self.line.state}")
        told = fold(parse(line) for line in self.client.events(TOURNAMENT, 1, TABLE).splitlines())
        truth, figures = self.stage.truth, self.figures
        wrong = wrong_rows(truth, told)
        view = self.table.view()
        figures.silent = len(silent_games(truth, told, {doubt.game for doubt in view.doubts}))
        asked = {of for doubt in view.doubts for of in (doubt.event, *doubt.perhaps)}
        asked |= {one.event for one in view.notices if one.event is not None}
        misnoted = misnoted_cards(truth, told, asked)
        figures.misnoted = sum(not card.asked for card in misnoted)
        figures.misplaced = sum(card.other_seat and not card.asked for card in misnoted)
        if self.manners is not None:
            doubted = {number for number, one in self.table.round.log if isinstance(one, CardSeen) and one.doubt}
            figures.people = self.manners.figures(told, {(one.game, one.trick, one.seat) for one in misnoted}, doubted)
        figures.shown = sum(map(len, self._open_hands))
        figures.shown_read, figures.shown_wrong = (sum(one[n] for one in self._hands_read.values()) for n in (0, 1))
        figures.games = len(truth.games)
        figures.wrong = len(wrong)
        figures.seen = sum(isinstance(event, CardPlayed) for event in self.table.events)
        figures.asked = sum(isinstance(event, CardSeen) and bool(event.doubt) for event in self.table.events)
        figures.answered = self.stage.answered
        figures.refused = len(self.kiosk.outputs.refusals)
        if self.learning is not None and not figures.learned_after:
            figures.answered_untaught = figures.answered
        teller.end(told, figures)
        falsely = self._accused.falsely()
        figures.accused = len(falsely)
        self.notes = [*map(str, misnoted), *falsely, *(f"refused: {one}" for one in self.kiosk.outputs.refusals)]
        for line in (*wrong, *self.notes):
            teller.say(line)
        return 0 if not wrong and not figures.misnoted else 1
