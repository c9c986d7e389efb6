"""Start a table from its configuration: everything that it is made of, put together."""

import logging
import os
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from hw.backlight import Backlight
from hw.errors import PinError
from hw.keyboard_reader import KeyboardReader
from hw.loudspeaker import AlsaOutput, Loudspeaker
from hw.network_manager import NetworkManager
from hw.panel import Panel
from hw.scanner import Scanner
from hw.stick import UdisksSticks
from hw.wall_clock import TimedateClock
from kiosk.app.apart import apart
from kiosk.app.config import SoundConfig, TableConfig, load_table, take_own_books
from kiosk.app.device_tasks import DeviceTasks
from kiosk.app.doorstep import ANEW, Doorstep, SaidAtTheDoor, keep_others, start_anew, through_door
from kiosk.app.first_start import FirstStart, answered
from kiosk.app.given import GivenFolder
from kiosk.app.hardware_page import Configured, HardwarePage
from kiosk.app.herald import Herald
from kiosk.app.inbox import PinsMissing, Pressed, WordsAtFault
from kiosk.app.kept_seating import KeptSeating
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.keyboards import KeyboardDesk
from kiosk.app.kiosk import Kiosk
from kiosk.app.mended import MendedDesk
from kiosk.app.moved import Moved
from kiosk.app.own_rounds import OwnRounds
from kiosk.app.parcel_desk import ParcelDesk
from kiosk.app.referee_code import RefereeCode
from kiosk.app.release_desk import ReleaseDesk
from kiosk.app.replay_desk import ReplayDesk
from kiosk.app.running import run_headless, run_screen
from kiosk.app.self_report import SelfReport
from kiosk.app.sitting_down import follow_direction, play_alone
from kiosk.app.stick_desk import StickDesk
from kiosk.app.storage_desk import StorageDesk
from kiosk.app.table_lists import TableLists
from kiosk.app.updating import MakingWay, installed, kind_of_releases, say_healthy
from kiosk.app.wall_time import follow_direction_time
from kiosk.app.watchdog import Watchdog
from kiosk.app.watching import recordings_of, watch_mat
from kiosk.language import say
from kiosk.language.own_words import spoken_or_german, take_words
from kiosk.parcel.sounds import sound_of
from kiosk.rules.composed.known import put_books
from kiosk.table.events.emergency import go_back, open_anyway
from vision.messages import WatchCodes

log = logging.getLogger(__name__)


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


def give_signals(kiosk: Kiosk, settings: SoundConfig, sounds: Mapping[str, bytes] | None = None) -> Herald:
    """Have signals given by loudspeaker, buzzer or screen.

    :param sounds: WAV files of signals that sound otherwise than usual.
    """
    outputs = kiosk.outputs
    outputs.herald = Herald(
        lambda: outputs.panel,
        lambda: outputs.screen,
        settings,
        lambda device: Loudspeaker(
            AlsaOutput(device), kiosk.deliver, own=lambda signal: sound_of(sounds or {}, signal)
        ),
    )
    return outputs.herald


def own_words(config: TableConfig, *given: Path) -> tuple[str, str]:
    """Take the club's own words; return the screen's language, and what to tell people of faults.

    :param given: folders of those that the direction has given.
    """
    faults = take_words(config.words, *given)
    language, told = spoken_or_german(config.screen.language)
    for fault in faults:
        log.warning("%s", fault.told("en"))
    said = [told] if told else []
    said += [fault.told(language) for fault in faults if not fault.code.startswith("unknown")]
    if len(said) > 1:
        return language, say("words", "and_more", language, fault=said[0], n=len(said) - 1)
    return language, "".join(said)


def show_hardware(kiosk: Kiosk, configured: Configured, kept: KeptSettings) -> HardwarePage:
    """Build the hardware page's other side."""
    page = HardwarePage(
        kiosk.outputs,
        configured,
        kept,
        blind=lambda: kiosk.blind,
        screen=lambda: kiosk.outputs.screen,
    )
    return kiosk.add(page)


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


def _read_keyboards(config: TableConfig, kiosk: Kiosk, kept: KeptSettings, stack: ExitStack) -> KeyboardDesk:
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
    return kiosk.add(desk)


#: People who enter everything by hand: they get the table's kiosk, and what they return is called after each beat.
ByHand = Callable[[Kiosk], Callable[[], None]]

#: Runs a kiosk from a screen's loop, as ``run_screen``; returns the exit status.
RunScreen = Callable[..., int]


def run_table(
    path: Path, *, headless: bool = False, by_hand: ByHand | None = None, show: RunScreen = run_screen
) -> int:
    """Run the kiosk of one table until its window is closed or systemd ends it.

    :param by_hand: simulated people play at a table without a screen and without a camera.
    :param show: runs the kiosk from a screen's loop.
    """
    status = _run(path, headless, by_hand, show)
    if status == ANEW:
        start_anew()
    return status


def _run(path: Path, headless: bool, by_hand: ByHand | None, show: RunScreen) -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would write a line for each event sent
    logging.getLogger("zeroconf").setLevel(logging.ERROR)  # it would tell of each address that is no way out
    take_own_books(path)  # here, too: what a fork puts on its shelf is not on ours
    of_file = apart(load_table, path)
    given = GivenFolder(of_file.data, of_file.deck_folder)
    have = given.lay()
    for wrong in put_books(given.books):
        log.error("a book that the direction has given is not taken: %s", wrong)
    configured, first = answered(of_file, path, headless=headless or by_hand is not None)
    config, rulings = through_door(configured)
    language, at_fault = own_words(config, given.words)
    watchdog = Watchdog(healthy=say_healthy("table"))
    with ExitStack() as stack:
        home = config.data / "table.sqlite"
        file, found = open_anyway(home)
        stack.enter_context(file)
        kiosk = Kiosk(None, now=time.monotonic, watchdog=watchdog, language=language)
        kiosk.add(
            StorageDesk(
                found,
                kiosk.outputs,
                directed=bool(config.director.url),
                table=lambda: kiosk.table,
                go_back=None if file.path == home else lambda: go_back(file, home),
            )
        )
        if at_fault:
            kiosk.deliver(WordsAtFault(at_fault))
        lists = TableLists(config, file, kiosk, stack)
        report = SelfReport(config.data, config.camera.source, lambda: lists.line.director_time if lists.line else None)
        stack.callback(follow_direction_time(TimedateClock(), lambda: lists.line.director_time if lists.line else None))
        _take_releases(kiosk)
        parcels = ParcelDesk(
            given,
            have,
            config.deck_folder,
            UdisksSticks(),
            deliver=kiosk.deliver,
            screen=lambda: kiosk.outputs.screen,
            at_rest=kiosk.at_rest,
            anew=kiosk.begin_anew,
        )
        kiosk.add(parcels)
        kiosk.add(DeviceTasks(config, report.now))
        kiosk.outputs.machine = lambda: {**report.now(), **kiosk.report}
        opener = kiosk.opener
        opener.tournament, opener.mat_seats = config.director.tournament, config.mat.seats
        rounds = OwnRounds(
            kiosk,
            file,
            config,
            reopen=lambda key: rounds.released(lists.open(None, key.round, key.evening)),
            screen=lambda: kiosk.outputs.screen,
        )
        kiosk.add(rounds)
        kiosk.add(
            ReplayDesk(
                kiosk.outputs,
                kiosk.deliver,
                recordings_of(config) if config.recordings.keep else None,
                number=config.table,
                held=lambda: opener.tournament,
                folded=rounds.folded,
            )
        )
        kiosk.add(MendedDesk(file, config.table, kiosk.outputs, table=lambda: kiosk.table, up=rounds.up))
        sticks = StickDesk(
            UdisksSticks(),
            file,
            deliver=kiosk.deliver,
            table=lambda: kiosk.table,
            screen=lambda: kiosk.outputs.screen,
            language=lambda: kiosk.outputs.language,
            stored=report.stored,
        )
        kiosk.add(sticks)
        doorstep = Doorstep(config, kiosk.deliver)
        stack.callback(doorstep.stop)
        if config.director.url and config.director.token:
            follow_direction(lists, headless=headless)
            kiosk.rulings_allowed = rulings  # until it says otherwise
            kiosk.add(SaidAtTheDoor(config))
            kiosk.add(doorstep)
            if config.director.authority:
                kiosk.add(_look_where_it_went(config, lists, stack))
        elif config.director.url:
            doorstep.ask()
        else:
            play_alone(lists, rounds, headless=headless)
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
        starting = FirstStart(
            of_file,
            config,
            kept,
            doorstep,
            first=first,
            screen=lambda: kiosk.outputs.screen,
            may_change=lambda: kiosk.table is None or kiosk.at_rest(),
            anew=kiosk.begin_anew,
            deliver=kiosk.deliver,
            networks=NetworkManager(),
        )
        kiosk.add(starting)
        stack.callback(starting.stop)
        stack.callback(give_signals(kiosk, kept.over("sound", config.sound), given.sounds()).close)
        hardware = show_hardware(kiosk, _hardware_of(config), kept)
        hardware.keyboards = _read_keyboards(config, kiosk, kept, stack).parts
        report.scanner = lambda: hardware.scanner_state
        if config.scanner.port:
            stack.enter_context(Scanner(config.scanner.port, config.scanner.baud, kiosk.deliver))
        if by_hand is not None:
            return run_headless(kiosk, watchdog, each_beat=by_hand(kiosk))
        vision = watch_mat(config, kiosk, stack)
        starting.read_codes = lambda on: vision.send(WatchCodes(on=on))
        if headless:
            return run_headless(kiosk, watchdog)
        size = None if config.screen.fullscreen else (config.screen.width, config.screen.height)
        return show(
            kiosk,
            language=language,
            size=size,
            seating=rounds.seating(),
            gate=_gate(config),
            backlight=_light(kiosk),
            ready=watchdog.ready,
            kept_seating=KeptSeating(config.data),
            **_place(of_file, kept),
        )


def _light(kiosk: Kiosk) -> Callable[[int], bool]:
    """Set the light of the screen, and of the clock display with it: neither shines into a room that rests."""
    backlight = Backlight()

    def light(percent: int) -> bool:
        if kiosk.outputs.panel is not None:
            kiosk.outputs.panel.dim(percent)
        return backlight.set(percent)

    return light


def _take_releases(kiosk: Kiosk) -> None:
    """Make way for another release at rest, and take those that a stick or the direction brings."""
    layout = installed()
    if layout is None:
        return
    kiosk.add(MakingWay(layout, kiosk.at_rest, lambda: os.kill(os.getpid(), signal.SIGTERM)))
    if kind_of_releases() is not None:
        desk = ReleaseDesk(
            layout,
            UdisksSticks(),
            deliver=kiosk.deliver,
            screen=lambda: kiosk.outputs.screen,
            at_rest=kiosk.at_rest,
        )
        kiosk.add(desk)


def _look_where_it_went(config: TableConfig, lists: TableLists, stack: ExitStack) -> Moved:
    """Look for the direction while it is away."""

    def tell(urls: Sequence[str]) -> None:
        keep_others(config, urls)
        if lists.line is not None:
            lists.line.look_at(urls)

    moved = Moved(config.director.authority, tell)
    stack.callback(moved.stop)
    return moved


def _place(config: TableConfig, kept: KeptSettings) -> dict[str, Any]:
    """How the screen stands at the table, and where it is kept when people set it."""
    from kiosk.ui import ScreenPlace

    chosen = kept.over("screen", config.screen)

    def keep(place: ScreenPlace) -> None:
        others = kept.over("screen", config.screen)
        kept.keep("screen", config.screen, replace(others, seat=place.seat, flat=place.flat))

    stands = {"turned": chosen.turn, "touch_map": chosen.touch}
    return {"place": ScreenPlace(chosen.seat, chosen.flat), "on_place": keep, **stands}
