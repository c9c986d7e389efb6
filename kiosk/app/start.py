"""Start the services: a table from its configuration, the director, the lesson of a deck."""

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hw.backlight import Backlight
from hw.errors import PinError
from hw.keyboard_reader import KeyboardReader
from hw.loudspeaker import AlsaOutput, Loudspeaker
from hw.panel import Panel
from hw.scanner import Scanner
from hw.stick import UdisksSticks
from kiosk.app.apart import apart
from kiosk.app.config import SoundConfig, TableConfig, load_table
from kiosk.app.confirm import Confirmer
from kiosk.app.decks import chosen_deck, fitting_deck
from kiosk.app.doorstep import ANEW, Doorstep, keep_others, keep_rulings, other_directors, start_anew, through_door
from kiosk.app.hardware_page import Configured, HardwarePage
from kiosk.app.held_lists import HeldLists
from kiosk.app.herald import Herald
from kiosk.app.inbox import Asked, DeckMissing, PinsMissing, Pressed, WordsAtFault
from kiosk.app.kept_seating import KeptSeating
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.keyboards import KeyboardDesk
from kiosk.app.kiosk import Kiosk
from kiosk.app.mended import MendedDesk
from kiosk.app.own_rounds import OwnRounds
from kiosk.app.recorder import Recorder
from kiosk.app.referee_code import RefereeCode
from kiosk.app.self_report import SelfReport
from kiosk.app.setup import SetUp
from kiosk.app.stick_desk import StickDesk
from kiosk.app.storage_desk import StorageDesk
from kiosk.app.updating import MakingWay, installed, say_healthy
from kiosk.app.watchdog import Watchdog
from kiosk.language import say
from kiosk.language.own_words import spoken_or_german, take_words
from kiosk.rules.books import BOOKS
from kiosk.rules.engine.book import RuleBook
from kiosk.sync.earlier import KeptLists
from kiosk.sync.line import Line
from kiosk.sync.outbox import EventSource
from kiosk.sync.state import GiveWay, ListHeld
from kiosk.sync.trust import Direction
from kiosk.table.clock import boot_id
from kiosk.table.evenings import note_sitting
from kiosk.table.events.chain import chain_over
from kiosk.table.events.codec import decode_opening, encode
from kiosk.table.events.emergency import open_anyway
from kiosk.table.events.log import Log, LogError, LogFile, Stand
from kiosk.table.events.values import RoundOpened
from kiosk.table.held_events import HeldEvents
from kiosk.table.recordings import Recordings
from kiosk.table.table import Table
from kiosk.table.taking_over import take_in
from vision.deck.folder import default_folder
from vision.mat.layout import MatLayout
from vision.messages import Command, VisionSettings
from vision.service.process import VisionProcess

log = logging.getLogger(__name__)

#: Key under which a log keeps the configuration's tournament, where the direction's plan named another one.
_HOME = "home"

#: Seconds between two beats of a table without a screen; lamps and buzzer want twenty a second.
BEAT_S = 0.05


def open_line(
    kiosk: Kiosk,
    events: EventSource,
    direction: Direction,
    tournament: str,
    table: int,
    round_number: int,
    kept: KeptLists | None = None,
) -> Line:
    """Open a line to the director for this round; it works once it is started.

    :param kept: all lists of this table.
    """
    line = Line(
        direction.url,
        direction.token,
        tournament,
        table,
        round_number,
        events,
        kiosk.deliver,
        ask_plan=True,
        authority=direction.authority,
        others=direction.others,
        kept=kept,
    )
    kiosk.outputs.line = line
    return line


def fit_deck(vision: VisionProcess, name: str, book: RuleBook, kiosk: Kiosk) -> None:
    """Make the camera use a deck that has the book's cards: the direction may have chosen another book."""
    deck = fitting_deck(book, name, vision.settings.deck_folder)
    if deck is None:
        log.error("no deck in %s has the cards of %s; learn one", vision.settings.deck_folder, book.name)
        kiosk.deliver(DeckMissing(say("setup_notices", "no_deck", kiosk.outputs.language)))
    elif deck != vision.settings.deck:
        log.warning("the deck %r has not all cards of %s; %r has", vision.settings.deck, book.name, deck)
        vision.take_deck(deck)


def set_up(vision: VisionProcess, kiosk: Kiosk, configured: str, *, teachable: bool = True) -> SetUp:
    """Build the set-up of this table: look through the camera, teach a deck, choose one."""

    def book() -> RuleBook | None:
        if kiosk.table is not None:
            return kiosk.table.round.book
        screen = kiosk.outputs.screen
        return BOOKS.get(screen.rules) if screen is not None else None  # as people see it who sit down

    return SetUp(
        vision,
        lambda: kiosk.outputs.screen,
        folder=vision.settings.deck_folder or default_folder(),
        configured=configured,
        phase=lambda: kiosk.phase,
        language=lambda: kiosk.outputs.language,
        teachable=teachable,
        book=book,
        ring=kiosk.outputs.signal,
    )


class _KeptLists:
    """The lists in a table's file, as its line compares them with the director's."""

    def __init__(self, file: LogFile, table: int) -> None:
        self._file, self._table = file, table

    def stands(self) -> Sequence[Stand]:
        return self._file.stands(self._table)

    def events(self, tournament: str, round: int) -> EventSource:
        return self._file.log(tournament, self._table, round)


@dataclass(slots=True)
class _Hall:
    """What a table of the hall keeps open."""

    config: TableConfig
    file: LogFile
    kiosk: Kiosk
    stack: ExitStack
    line: Line | None = None
    line_to: tuple[str, int] = ("", 0)  # tournament and round that it speaks for
    sent: HeldEvents | None = None  # what it sends

    def log_of(self, round_number: int, tournament: str = "") -> Log:
        """The round's log, connected to the director, who says what he holds beyond its end (``take``)."""
        table, director = self.config.table, self.config.director
        tournament = tournament or director.tournament
        events = self.file.log(tournament, table, round_number)
        if not director.url or self.line_to == (tournament, round_number):
            return events
        if self.line is not None:
            self.line.stop()
        direction = Direction(director.url, director.token, director.authority, other_directors(self.config))
        self.sent = HeldEvents(events)
        kept = _KeptLists(self.file, table)
        self.line = open_line(self.kiosk, self.sent, direction, tournament, table, round_number, kept)
        self.line_to = tournament, round_number
        self.line.start()
        self.stack.callback(self.line.stop)
        return events

    def fetching(self) -> bool:
        """Whether the director may hold a list of this table that nobody has begun here, and has not said so yet."""
        return self.line is not None and not self.line.asked and self.kiosk.table is None

    def take(self, held: ListHeld) -> Table | None:
        """Take in what the director holds of a list beyond the end of this table's own; it is played on here.

        :returns: the table, where it is the round that is played, or will be.
        :raises KioskError: it does not follow, or the log cannot be written; the line asks again after a while.
        """
        ours = (held.tournament, held.round) == self.line_to
        playing = self.kiosk.table if ours else None
        events = self.file.log(held.tournament, self.config.table, held.round)
        here = len(events.read())
        if here != held.after + 1 or (playing is not None and len(playing.events) != here):
            return None  # it has grown meanwhile, or its disk is behind: the line asks anew
        take_in(events, held.events, held.clock, time.monotonic(), boot_id())
        log.warning("%d events of round %d were taken over from the director", len(held.events), held.round)
        if not ours:
            return None
        table = self.open(None, held.round, held.tournament)
        if self.line is not None:
            self.line.ask()
        return table

    def give_way(self, decided: GiveWay) -> bool:
        """Put this table's own list by, for the one that the director holds; whether it was the one played.

        :raises LogError: the log cannot be written; all is as before.
        """
        number, ours = self.config.table, (decided.tournament, decided.round) == self.line_to
        playing = self.kiosk.table if ours else None
        events = HeldEvents(self.file.log(decided.tournament, number, decided.round))
        if playing is not None:
            events.follow(playing)
        if chain_over(body for at, body in events.read() if at <= decided.last) != decided.chain:
            log.warning("round %d: it is not this list that was decided about", decided.round)
            return False
        name = self.file.put_by(decided.tournament, number, decided.round)
        self.file.log(name, number, decided.round).keep(_HOME, "")  # it is not the one that goes on here
        log.warning("round %d was put by as %r", decided.round, name)
        if not ours:
            return False
        self.line_to = ("", 0)
        self.log_of(decided.round, decided.tournament)  # another line, for a list that is empty again
        return True

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

    def open(self, opening: RoundOpened | None, round_number: int, tournament: str = "") -> Table:
        """The table of a round: from its log if there is one."""
        config = self.config
        events = self.log_of(round_number, tournament)
        self._note(events, tournament)
        if opening is not None and (minutes := self._minutes(opening)) is not None:
            opening = decode_opening({**encode(opening), "minutes": minutes})
        layout = MatLayout(config.mat.paper, config.mat.seats)
        table = Table(
            events,
            now=time.monotonic(),
            opening=opening,
            centres=layout.seat_places,
            boot=boot_id(),
            directed=bool(config.director.url),
        )
        if self.line is not None and self.sent is not None:
            self.sent.follow(table)
            self.line.wake()
        return table

    def _note(self, events: Log, tournament: str) -> None:
        """Note beside the round that people sit down at it now; a full disk does not keep them from playing."""
        home = self.config.director
        try:
            note_sitting(self.file, events)
            if home.url and tournament not in ("", home.tournament):
                events.keep(_HOME, home.tournament)
        except LogError as error:
            log.error("which round was begun last is not kept: %s", error)

    def _minutes(self, opening: RoundOpened) -> float | None:
        """The file's playing time, where neither the direction nor the people at the table have set another."""
        director = self.config.director.url and opening.tournament is not None
        return None if director or {"minutes", "minutes_5"} & set(opening.options) else self.config.round.minutes


def _opening(config: TableConfig, number: int) -> dict[str, Any]:
    """The event that opens the round as the configuration has it."""
    return {
        "event": "open",
        "format": 1,
        "rules": config.round.rules,
        "table": config.table,
        "round": number,
        "players": list(config.round.players),
        **({"options": dict(config.round.options)} if config.round.options else {}),
    }


def _follow_direction(hall: _Hall, *, headless: bool) -> None:
    """Play the rounds that the direction seats; until it is heard of, the one that was begun last."""
    kiosk, opener = hall.kiosk, hall.kiosk.opener
    tournament, number = hall.last_begun()
    if hall.log_of(number, tournament).read():
        kiosk.sit(hall.open(None, number, tournament))
    opener.open_table = lambda opened: hall.open(opened, opened.round, opened.tournament or "")
    opener.resume_table, opener.fetching = hall.resume, hall.fetching
    kiosk.held_lists = HeldLists(kiosk, hall, lambda: kiosk.outputs.screen)
    opener.unattended = _opening(hall.config, number) if headless else None


def _play_alone(hall: _Hall, rounds: OwnRounds, *, headless: bool) -> None:
    """Play the rounds that the people at the table begin; the last one is up, a closed list too."""

    def open_table(opening: RoundOpened) -> Table:
        opening = rounds.checked(opening)
        return rounds.released(hall.open(opening, opening.round, opening.tournament or ""))

    kiosk, last = hall.kiosk, rounds.last()
    kiosk.opener.open_table = open_table
    if last is not None:
        kiosk.sit(rounds.released(hall.open(None, last.round, last.evening)))
    elif headless:
        kiosk.sit(open_table(decode_opening(_opening(hall.config, hall.config.round.number))))


def _watch_by_film(config: TableConfig, kiosk: Kiosk, send: Callable[[Command], None]) -> None:
    """Have doubts filmed and certain cards confirmed, as far as the configuration wants it."""
    kept = config.recordings
    recordings = Recordings(config.data / "recordings", megabytes=kept.megabytes, days=kept.days)
    if kept.keep:
        kiosk.recorder = Recorder(recordings, send, kiosk.deliver, time.monotonic)
    else:
        recordings.begin("")  # what was kept before it was turned off goes
    if config.deck.improve:
        kiosk.confirmer = Confirmer(send)


def _gate(config: TableConfig) -> str:
    """How the referee is admitted: by his code; without one the director's page rules, or a long touch does."""
    if config.referee.code or config.referee.pin:
        return "code"
    return "shut" if config.director.url else "hold"


def _admit_referee(config: TableConfig, kiosk: Kiosk) -> None:
    """Have the referee's code checked, where there is one."""
    referee = config.referee
    if referee.pin:
        log.warning("referee.pin is the code in plain text: replace the line by what 'stichwart referee-code' prints")
    if referee.code or referee.pin:
        kiosk.referee.code = RefereeCode(referee.code or referee.pin, config.data, kiosk.deliver)


def give_signals(kiosk: Kiosk, settings: SoundConfig) -> Herald:
    """Have signals given by loudspeaker, buzzer or screen."""
    outputs = kiosk.outputs
    outputs.herald = Herald(
        lambda: outputs.panel,
        lambda: outputs.screen,
        settings,
        lambda device: Loudspeaker(AlsaOutput(device), kiosk.deliver),
    )
    return outputs.herald


def own_words(config: TableConfig) -> tuple[str, str]:
    """Take the club's own words; return the screen's language, and what to tell people of faults."""
    faults = take_words(config.words)
    language, told = spoken_or_german(config.screen.language)
    for fault in faults:
        log.warning("%s", fault.told("en"))
    said = [told] if told else []
    said += [fault.told(language) for fault in faults if not fault.code.startswith("unknown")]
    if len(said) > 1:
        return language, say("words", "and_more", language, fault=said[0], n=len(said) - 1)
    return language, "".join(said)


def show_hardware(kiosk: Kiosk, configured: Configured, kept: KeptSettings) -> None:
    """Build the hardware page's other side, and let it hear that the camera works."""
    kiosk.hardware = HardwarePage(
        kiosk.outputs,
        configured,
        kept,
        blind=lambda: kiosk.blind,
        screen=lambda: kiosk.outputs.screen,
    )
    kiosk.vision_listeners.append(kiosk.hardware.heard_vision)


def _hardware_of(config: TableConfig) -> Configured:
    """What the table's file says of the hardware."""
    return Configured(
        data=config.data,
        seats=len(config.pins.lamps) or config.mat.seats,
        sound=config.sound,
        light=config.light,
        scanner=bool(config.scanner.port),
        director=bool(config.director.url),
        code="hash" if config.referee.code else "plain" if config.referee.pin else "",
    )


def _read_keyboards(config: TableConfig, kiosk: Kiosk, kept: KeptSettings, stack: ExitStack) -> None:
    """Read the scanner and the number pads that are keyboards, and those that will be taught."""
    desk = KeyboardDesk(
        config.scanner,
        config.pads,
        kept,
        lambda: kiosk.outputs.screen,
        lambda: kiosk.outputs.language,
    )
    reader = KeyboardReader(desk.bindings, kiosk.deliver)
    stack.callback(reader.close)
    desk.reader = reader
    kiosk.keyboards = desk
    if kiosk.hardware is not None:
        kiosk.hardware.keyboards = desk.parts


def _watch_mat(config: TableConfig, kiosk: Kiosk, stack: ExitStack) -> None:
    """Start the camera's process, and set it up on the screen."""
    camera = config.camera
    deck = chosen_deck(config.deck_folder, config.deck.name)
    if not deck:
        log.error("no deck %r in %s: learn it on the screen", config.deck.name, config.deck_folder)
        kiosk.deliver(DeckMissing(say("setup_notices", "no_deck", kiosk.outputs.language)))
    vision = VisionProcess(
        VisionSettings(
            deck=deck,
            deck_folder=config.deck_folder,
            source=camera.source,
            size=(camera.width, camera.height),
            fps=camera.fps,
            paper=config.mat.paper,
            seats=config.mat.seats,
            recent=config.recordings.seconds if config.recordings.keep else 0.0,
        ),
        kiosk.deliver,
    )
    _watch_by_film(config, kiosk, vision.send)
    stack.enter_context(vision)

    def fit(table: Table) -> None:
        fit_deck(vision, chosen_deck(config.deck_folder, config.deck.name), table.round.book, kiosk)

    kiosk.on_sit = fit
    kiosk.setup = set_up(vision, kiosk, config.deck.name)
    if kiosk.table is not None:
        fit(kiosk.table)


#: People who enter everything by hand: they get the table's kiosk, and what they return is called after each beat.
ByHand = Callable[[Kiosk], Callable[[], None]]


def run_table(path: Path, *, headless: bool = False, by_hand: ByHand | None = None) -> int:
    """Run the kiosk of one table until its window is closed or systemd ends it.

    :param by_hand: simulated people play at a table without a screen and without a camera.
    """
    status = _run(path, headless, by_hand)
    if status == ANEW:
        start_anew()
    return status


def _run(path: Path, headless: bool, by_hand: ByHand | None) -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would write a line for each event sent
    config, rulings = through_door(apart(load_table, path))
    language, at_fault = own_words(config)
    watchdog = Watchdog(healthy=say_healthy("table"))
    with ExitStack() as stack:
        file, found = open_anyway(config.data / "table.sqlite")
        stack.enter_context(file)
        kiosk = Kiosk(None, now=time.monotonic, watchdog=watchdog, language=language)
        kiosk.storage = StorageDesk(found, kiosk.outputs, directed=bool(config.director.url), table=lambda: kiosk.table)
        if at_fault:
            kiosk.deliver(WordsAtFault(at_fault))
        if (layout := installed()) is not None:
            kiosk.making_way = MakingWay(layout, kiosk.at_rest, lambda: os.kill(os.getpid(), signal.SIGTERM))
        hall = _Hall(config, file, kiosk, stack)
        report = SelfReport(config.data, config.camera.source, lambda: hall.line.director_time if hall.line else None)
        kiosk.outputs.machine = report.now
        opener = kiosk.opener
        opener.tournament, opener.mat_seats = config.director.tournament, config.mat.seats
        rounds = OwnRounds(
            kiosk,
            file,
            config,
            reopen=lambda key: rounds.released(hall.open(None, key.round, key.evening)),
            screen=lambda: kiosk.outputs.screen,
        )
        kiosk.rounds = rounds
        kiosk.mended = MendedDesk(file, config.table, kiosk.outputs, table=lambda: kiosk.table, up=rounds.up)
        kiosk.sticks = StickDesk(
            UdisksSticks(),
            file,
            deliver=kiosk.deliver,
            table=lambda: kiosk.table,
            screen=lambda: kiosk.outputs.screen,
            language=lambda: kiosk.outputs.language,
        )
        doorstep = Doorstep(config, kiosk.deliver)
        stack.callback(doorstep.stop)
        if config.director.url and config.director.token:
            _follow_direction(hall, headless=headless)
            _keep_what_is_said(config, kiosk, rulings)
            kiosk.on_line = doorstep.heard
        elif config.director.url:
            doorstep.ask()
        else:
            _play_alone(hall, rounds, headless=headless)
        try:
            panel = Panel(
                config.pins,
                display=config.display,
                on_button=lambda: kiosk.deliver(Pressed()),
                on_display=kiosk.deliver,
            )
            kiosk.outputs.panel = stack.enter_context(panel)
        except PinError as error:
            log.error("%s", error)
            kiosk.deliver(PinsMissing(say("setup_notices", "pins", language)))
        _admit_referee(config, kiosk)
        kept = KeptSettings(config.data)
        stack.callback(give_signals(kiosk, kept.over("sound", config.sound)).close)
        show_hardware(kiosk, _hardware_of(config), kept)
        _read_keyboards(config, kiosk, kept, stack)
        if config.scanner.port:
            stack.enter_context(Scanner(config.scanner.port, config.scanner.baud, kiosk.deliver))
        if by_hand is not None:
            return run_headless(kiosk, watchdog, each_beat=by_hand(kiosk))
        _watch_mat(config, kiosk, stack)
        if headless:
            return run_headless(kiosk, watchdog)
        size = None if config.screen.fullscreen else (config.screen.width, config.screen.height)
        return run_screen(
            kiosk,
            language=language,
            size=size,
            seating=rounds.seating(),
            gate=_gate(config),
            backlight=_light(kiosk),
            ready=watchdog.ready,
            kept_seating=KeptSeating(config.data),
            **_place(config, kept),
        )


def _light(kiosk: Kiosk) -> Callable[[int], bool]:
    """Set the light of the screen, and of the clock display with it: neither shines into a room that rests."""
    backlight = Backlight()

    def light(percent: int) -> bool:
        if kiosk.outputs.panel is not None:
            kiosk.outputs.panel.dim(percent)
        return backlight.set(percent)

    return light


def _keep_what_is_said(config: TableConfig, kiosk: Kiosk, allowed: bool) -> None:
    """Keep what the direction says: whether a referee may rule on this screen, which until then counts as before, and
    where other directors are.
    """
    kiosk.rulings_allowed, kiosk.on_rulings = allowed, lambda now: keep_rulings(config, now)
    kiosk.on_directors = lambda urls: keep_others(config, urls)


def _place(config: TableConfig, kept: KeptSettings) -> dict[str, Any]:
    """How the screen stands at the table, and where it is kept when people set it."""
    from kiosk.ui import ScreenPlace

    chosen = kept.over("screen", config.screen)

    def keep(place: ScreenPlace) -> None:
        kept.keep("screen", config.screen, replace(chosen, seat=place.seat, flat=place.flat))

    return {"place": ScreenPlace(chosen.seat, chosen.flat), "on_place": keep}


def run_headless(
    kiosk: Kiosk,
    watchdog: Watchdog | None = None,
    until: Callable[[], bool] = lambda: False,
    each_beat: Callable[[], None] = lambda: None,
) -> int:
    """Run the kiosk without a screen until SIGTERM, Ctrl-C or ``until``; ``each_beat`` is called after every beat."""
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    if watchdog is not None:
        watchdog.ready()
    while not stopped.is_set() and not kiosk.anew and not until():
        kiosk.wait(BEAT_S)
        kiosk.beat()
        each_beat()
    return ANEW if kiosk.anew else 0


def run_screen(
    kiosk: Kiosk,
    *,
    language: str,
    size: tuple[int, int] | None,
    ready: Callable[[], None] = lambda: None,
    each_beat: Callable[[], None] = lambda: None,
    **screen: Any,
) -> int:
    """Run the kiosk from the screen's loop until its window is closed.

    :param ready: called once the first picture is up.
    :param each_beat: called after every beat.
    :raises KioskError: there is no screen to be seen on.
    """
    from kiosk.ui import build_app, check_visible, show_each_picture
    from kiosk.ui.loop import Loop
    from kiosk.ui.tidying import share_one_heap
    from kiosk.ui.waking import Waker, let_readers_tell

    check_visible()
    share_one_heap()
    app = build_app(
        lambda request: kiosk.deliver(Asked(request)),
        language,
        size,
        strip=kiosk.outputs.panel is not None and kiosk.outputs.panel.mock,
        on_language=kiosk.speak,
        **screen,
    )
    kiosk.outputs.screen = app
    kiosk.referee.tell()
    if kiosk.hardware is not None:
        kiosk.hardware.begin()
    from kivy.base import EventLoop
    from kivy.clock import Clock

    signal.signal(signal.SIGTERM, lambda *_: Clock.schedule_once(lambda *_: app.stop()))

    def beat() -> None:
        kiosk.beat()
        each_beat()
        if kiosk.anew:
            app.stop()

    waker = Waker()
    loop = Loop(beat, kiosk.has_news, Clock, EventLoop, waker)
    let_readers_tell(waker.wake)
    kiosk.on_news = waker.wake

    def up(_: float) -> None:
        waker.attend(EventLoop.window)
        loop.settled()
        ready()

    loop.begin()
    Clock.schedule_once(up, 0.5)
    show_each_picture()
    app.run()
    return ANEW if kiosk.anew else 0
