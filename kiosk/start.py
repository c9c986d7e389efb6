"""The services as they run in the hall: a table from its configuration, the director, the lesson of a deck."""

import logging
import signal
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hw.errors import PinError
from hw.panel import Panel
from hw.scanner import Scanner
from kiosk.app import Asked, CameraSaid, DeckMissing, Kiosk, PinsMissing, Planned, Pressed
from kiosk.config import TableConfig, load_table
from kiosk.confirm import Confirmer
from kiosk.decks import NO_DECK, chosen_deck, fitting_deck
from kiosk.recorder import Recorder
from kiosk.rules.book import RuleBook
from kiosk.rules.books import BOOKS
from kiosk.setup import SetUp
from kiosk.sync.errors import LineError
from kiosk.sync.line import Line, take_over
from kiosk.table.clock import boot_id
from kiosk.table.log import Log, LogFile, open_or_rescue
from kiosk.table.recordings import Recordings
from kiosk.table.table import Table
from kiosk.watchdog import Watchdog
from vision.deck import default_folder
from vision.mat import MatLayout
from vision.messages import VisionSettings
from vision.process import VisionProcess

log = logging.getLogger(__name__)

#: Key under which a log keeps the configuration's tournament, where the direction's plan named another one.
_HOME = "home"

#: Beats a second of the loop that owns the table.
BEATS = 30.0


def open_line(kiosk: Kiosk, events: Log, url: str, token: str, tournament: str, table: int, round_number: int) -> Line:
    """A line to the director for this round; it works as soon as it is started."""
    line = Line(
        url,
        token,
        tournament,
        table,
        round_number,
        events,
        kiosk.put,
        on_state=kiosk.put,
        on_plan=lambda plan: kiosk.put(Planned(plan)),
    )
    kiosk.line = line
    return line


def pass_on(vision: VisionProcess, kiosk: Kiosk) -> threading.Thread:
    """A thread that hands the camera's words to the kiosk, and what is wrong with it."""

    def work() -> None:
        said = ""
        while True:
            kiosk.put(vision.reports.get())
            if vision.trouble != said:
                said = vision.trouble
                kiosk.put(CameraSaid(said))

    thread = threading.Thread(target=work, name="camera's words", daemon=True)
    thread.start()
    return thread


def fit_deck(vision: VisionProcess, name: str, book: RuleBook, kiosk: Kiosk) -> None:
    """See that the camera goes by a deck that has the book's cards: the direction may have chosen another book."""
    deck = fitting_deck(book, name, vision.settings.deck_folder)
    if deck is None:
        log.error("no deck in %s has the cards of %s; learn one", vision.settings.deck_folder, book.name)
        kiosk.put(DeckMissing(NO_DECK[kiosk.language]))
    elif deck != vision.settings.deck:
        log.warning("the deck %r has not all cards of %s; %r has", vision.settings.deck, book.name, deck)
        vision.take_deck(deck)


def set_up(vision: VisionProcess, kiosk: Kiosk, configured: str, *, teachable: bool = True) -> SetUp:
    """What people may do to set this table up: look through the camera, teach a deck, choose one."""

    def book() -> RuleBook | None:
        if kiosk.table is not None:
            return kiosk.table.round.book
        return BOOKS.get(kiosk.screen.rules) if kiosk.screen is not None else None  # as people see it who sit down

    return SetUp(
        vision,
        lambda: kiosk.screen,
        folder=vision.settings.deck_folder or default_folder(),
        configured=configured,
        phase=lambda: kiosk.phase,
        language=lambda: kiosk.language,
        teachable=teachable,
        book=book,
        ring=lambda pattern: kiosk.panel.ring(pattern) if kiosk.panel is not None else None,
    )


@dataclass(slots=True)
class _Hall:
    """What a table of the hall keeps open."""

    config: TableConfig
    file: LogFile
    kiosk: Kiosk
    stack: ExitStack
    line: Line | None = None
    line_to: tuple[str, int] = ("", 0)  # tournament and round that it speaks for

    def log_of(self, round_number: int, tournament: str = "") -> Log:
        """The round's log, connected to the director; an empty one takes over what he holds of this table."""
        table, director = self.config.table, self.config.director
        tournament = tournament or director.tournament
        events = self.file.log(tournament, table, round_number)
        if not director.url or self.line_to == (tournament, round_number):
            return events
        if self.line is not None:
            self.line.stop()
        where = (director.url, director.token, tournament, table, round_number)
        try:
            if taken := take_over(events, *where):
                log.warning("%d events of round %d were taken over from the director", taken, round_number)
        except LineError as error:
            log.info("nothing is taken over: %s", error)
        self.line, self.line_to = open_line(self.kiosk, events, *where), (tournament, round_number)
        self.line.start()
        self.stack.callback(self.line.stop)
        return events

    def resume(self, tournament: str, round_number: int) -> Table | None:
        """The table of a round that was begun here, or by a device that broke; None where nobody sat down yet."""
        begun = self.log_of(round_number, tournament).read()
        return self.open(None, round_number, tournament) if begun else None

    def last_begun(self) -> tuple[str, int]:
        """Tournament and round that were begun here last, or the configuration's round if that is later."""
        home, first = self.config.director.tournament, self.config.round.number
        last = (home, first)
        for tournament, table, number in self.file.logs():
            events = self.file.log(tournament, table, number)
            ours = number >= first if tournament == home else events.kept(_HOME) == home
            if table == self.config.table and ours and events.read():
                last = (tournament, number)
        return last

    def open(self, opening: dict[str, Any] | None, round_number: int, tournament: str = "") -> Table:
        """The table of a round: from its log if there is one."""
        config = self.config
        events = self.log_of(round_number, tournament)
        if tournament not in ("", config.director.tournament):
            events.keep(_HOME, config.director.tournament)
        if opening is not None and config.round.minutes is not None and "tournament" not in opening:
            opening = {**opening, "minutes": config.round.minutes}
        layout = MatLayout(config.mat.paper, config.mat.seats)
        table = Table(events, now=time.monotonic(), opening=opening, centres=layout.seat_places, boot=boot_id())
        if self.line is not None:
            self.line.wake()
        return table


def run_table(path: Path, *, headless: bool = False) -> int:
    """The kiosk of one table until its window is closed or systemd ends it."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would write a line for each event sent
    config = load_table(path)
    watchdog = Watchdog()
    with ExitStack() as stack:
        file, rescued = open_or_rescue(config.data / "table.sqlite")
        stack.enter_context(file)
        if rescued:
            log.error("%s", rescued)
        kiosk = Kiosk(None, now=time.monotonic, watchdog=watchdog, language=config.screen.language)
        kept = config.recordings
        recordings = Recordings(config.data / "recordings", megabytes=kept.megabytes, days=kept.days)
        if kept.keep:
            kiosk.recorder = Recorder(recordings, lambda command: vision.send(command), time.monotonic)
        else:
            recordings.begin("")  # what was kept before it was turned off goes
        if config.deck.improve:
            kiosk.confirmer = Confirmer(lambda command: vision.send(command))
        hall = _Hall(config, file, kiosk, stack)
        kiosk.tournament, kiosk.mat_seats = config.director.tournament, config.mat.seats
        tournament, number = hall.last_begun() if config.director.url else (kiosk.tournament, config.round.number)
        opening = {
            "event": "open",
            "format": 1,
            "rules": config.round.rules,
            "table": config.table,
            "round": number,
            "players": list(config.round.players),
            **({"options": dict(config.round.options)} if config.round.options else {}),
        }
        if hall.log_of(number, tournament).read():
            kiosk.sit(hall.open(None, number, tournament))
        elif headless and not config.director.url:
            kiosk.sit(hall.open(opening, number))
        kiosk.open_table = lambda request: hall.open(request, int(request["round"]), request.get("tournament", ""))
        if config.director.url:
            kiosk.resume_table = hall.resume
            kiosk.unattended = opening if headless else None
        try:
            kiosk.panel = stack.enter_context(Panel(config.pins, on_button=lambda: kiosk.put(Pressed())))
        except PinError as error:
            log.error("%s", error)
            kiosk.put(PinsMissing(str(error)))
        if config.scanner.port:
            stack.enter_context(Scanner(config.scanner.port, config.scanner.baud, kiosk.put))
        camera = config.camera
        deck = chosen_deck(config.deck_folder, config.deck.name)
        if not deck:
            log.error("no deck %r in %s: learn it on the screen", config.deck.name, config.deck_folder)
            kiosk.put(DeckMissing(NO_DECK[kiosk.language]))
        vision = VisionProcess(
            VisionSettings(
                deck=deck,
                deck_folder=config.deck_folder,
                source=camera.source,
                size=(camera.width, camera.height),
                fps=camera.fps,
                paper=config.mat.paper,
                seats=config.mat.seats,
                recent=kept.seconds if kept.keep else 0.0,
            )
        )
        stack.enter_context(vision)
        pass_on(vision, kiosk)
        kiosk.on_sit = lambda table: fit_deck(
            vision, chosen_deck(config.deck_folder, config.deck.name), table.round.book, kiosk
        )
        kiosk.setup = set_up(vision, kiosk, config.deck.name)
        if kiosk.table is not None:
            kiosk.on_sit(kiosk.table)
        if headless:
            return run_headless(kiosk, watchdog)
        from kiosk.ui import Seating

        seating = Seating(
            table=config.table,
            round=number,
            rules=config.round.rules,
            books=tuple((name, book.title) for name, book in BOOKS.items()),
            players=config.round.players,
            options=dict(config.round.options),
            mat_seats=config.mat.seats,
        )
        size = None if config.screen.fullscreen else (config.screen.width, config.screen.height)
        return run_screen(
            kiosk,
            language=config.screen.language,
            size=size,
            seating=seating,
            # Without a code the director's page rules; a table on its own opens by a long touch.
            referee_pin=config.referee.pin or ("" if config.director.url else None),
            ready=watchdog.ready,
        )


def run_headless(kiosk: Kiosk, watchdog: Watchdog | None = None, until: Callable[[], bool] = lambda: False) -> int:
    """Beat without a screen until SIGTERM, Ctrl-C or ``until``."""
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    if watchdog is not None:
        watchdog.ready()
    while not stopped.is_set() and not until():
        kiosk.wait(1 / BEATS)
        kiosk.beat()
    return 0


def run_screen(
    kiosk: Kiosk,
    *,
    language: str,
    size: tuple[int, int] | None,
    ready: Callable[[], None] = lambda: None,
    each_beat: Callable[[], None] = lambda: None,
    **screen: Any,
) -> int:
    """Beat from the screen's loop until its window is closed.

    :param ready: called once the first picture is up.
    :param each_beat: called after every beat.
    :raises KioskError: there is no screen to be seen on.
    """
    from kiosk.ui import build_app, check_visible, keep_drawing

    check_visible()
    app = build_app(
        lambda request: kiosk.put(Asked(request)),
        language,
        size,
        strip=kiosk.panel is not None and kiosk.panel.mock,
        on_language=lambda chosen: setattr(kiosk, "language", chosen),
        **screen,
    )
    kiosk.screen = app
    from kivy.clock import Clock

    signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda *_: app.stop()))

    def beat(_: float) -> None:
        kiosk.beat()
        each_beat()

    Clock.schedule_interval(beat, 1 / BEATS)
    Clock.schedule_once(lambda *_: ready(), 0.5)
    keep_drawing()
    app.run()
    return 0
