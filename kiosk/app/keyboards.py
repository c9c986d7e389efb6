"""Keep which keyboard is the scanner and which a seat's number pad: by the file, or as taught on the screen."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from hw.device import Condition, Health
from hw.keyboard_reader import Bindings, KeyboardMessage, KeyboardsSeen, Lesson, PadKey, Taught
from kiosk.app.config import PadsConfig, ScannerConfig
from kiosk.app.desk import Desk
from kiosk.app.kept_settings import KeptSettings
from kiosk.language import say
from kiosk.ui.devices.device_requests import Forget, Teach
from kiosk.ui.devices.devices_view import DevicesView
from kiosk.ui.requests import ScreenRequest

log = logging.getLogger(__name__)

#: Seconds that a lesson listens to every keyboard.
LESSON_S = 30.0
SEATS = 5


class KeyboardScreen(Protocol):
    """What is called on a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def devices(self, view: DevicesView) -> None: ...
    def pad_key(self, seat: int, sign: str, down: bool) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...


class Reader(Protocol):
    """What reads the keyboards, as ``hw.keyboard_reader.KeyboardReader`` does."""

    def bind(self, bindings: Bindings) -> None: ...
    def teach(self, lesson: Lesson | None) -> None: ...


class KeyboardDesk(Desk):
    """Answers the requests about scanner and pads, and hands their keys to the screen.

    :param scanner: as the file has it; what the screen has set stands over it.
    :param kept: where it is kept what the screen has set.
    """

    hears = (PadKey, KeyboardsSeen, Taught)

    def __init__(
        self,
        scanner: ScannerConfig,
        pads: PadsConfig,
        kept: KeptSettings,
        screen: Callable[[], KeyboardScreen | None],
        language: Callable[[], str],
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._configured = scanner, pads
        self._scanner, self._pads = kept.over("scanner", scanner), kept.over("pads", pads)
        self._kept, self._screen, self._language, self._now = kept, screen, language, now
        self.reader: Reader | None = None
        self._seen: KeyboardsSeen | None = None
        self._lesson: Lesson | None = None
        self._until = 0.0  # the lesson ends
        self._learned = ""

    @property
    def bindings(self) -> Bindings:
        """Give what the reader is to read."""
        return Bindings(scanner=self._scanner.keyboard, layout=self._scanner.layout, pads=self._pads.sockets)

    def parts(self) -> dict[str, Health]:
        """Describe what is bound, as it was seen last: ``scanner``, ``pad 1`` … by seat."""
        unseen = Health(condition=Condition.SILENT)
        seen = self._seen or KeyboardsSeen(at=0.0)
        found = {"scanner": seen.scanner or unseen} if self._scanner.keyboard else {}
        bound = (seat for seat, socket in enumerate(self._pads.sockets, 1) if socket)
        return found | {f"pad {seat}": seen.pads.get(seat, unseen) for seat in bound}

    def takes(self, request: ScreenRequest) -> bool:
        """Carry out a request about scanner or pads; return False if it is none."""
        match request:
            case Teach(what):
                self._teach(what)
            case Forget("scanner"):
                self._bind(replace(self._scanner, keyboard=""), self._pads)
            case Forget(int() as seat):
                self._bind(self._scanner, _with_pad(self._pads, seat, ""))
            case _:
                return False
        return True

    def heard(self, message: KeyboardMessage) -> None:
        """Process a message of the reader."""
        match message:
            case PadKey(seat=seat, sign=sign, down=down):
                screen = self._screen()
                if screen is not None:
                    screen.pad_key(seat, sign, down)
            case KeyboardsSeen():
                self._seen = message
                self.tell_again()
            case Taught():
                self._learn(message)

    def beat(self) -> None:
        """End a lesson to which nobody came."""
        if self._lesson is not None and self._now() >= self._until:
            self._teach(None)

    def _teach(self, lesson: Lesson | None) -> None:
        self._lesson, self._learned = lesson, ""
        self._until = self._now() + LESSON_S
        if self.reader is not None:
            self.reader.teach(lesson)
        self.tell_again()

    def _learn(self, taught: Taught) -> None:
        if taught.lesson != self._lesson:  # given up meanwhile
            return
        self._lesson = None
        if isinstance(taught.lesson, int):
            pads = _with_pad(self._pads, taught.lesson, taught.keyboard.socket)
            self._bind(self._scanner, pads, learned=self._say("learned_pad", n=taught.lesson))
        else:
            scanner = replace(self._scanner, keyboard=taught.keyboard.model, layout=taught.layout)
            self._bind(scanner, self._pads, learned=self._say("learned_scanner", text=taught.text))

    def _bind(self, scanner: ScannerConfig, pads: PadsConfig, learned: str = "") -> None:
        self._scanner, self._pads, self._learned = scanner, pads, learned
        configured_scanner, configured_pads = self._configured
        self._kept.keep("scanner", configured_scanner, scanner)
        self._kept.keep("pads", configured_pads, pads)
        if self.reader is not None:
            self.reader.bind(self.bindings)
        self.tell_again()

    def tell_again(self) -> None:
        screen = self._screen()
        if screen is None:
            return
        seen = self._seen
        pads = seen.pads if seen is not None else {}
        bound = {seat: socket for seat, socket in enumerate(self._pads.sockets, 1) if socket}
        scanner = seen.scanner if seen is not None and self._scanner.keyboard else None
        screen.devices(
            DevicesView(
                scanner=self._scanner.keyboard,
                scanner_works=_works(scanner),
                pads={seat: _works(pads.get(seat)) for seat in bound},
                lesson=self._lesson,
                learned=self._learned,
            )
        )
        screen.notice("scanner_keyboard", self._trouble(scanner))
        lost = [seat for seat in bound if seat in pads and not _works(pads[seat])]
        screen.notice("pads", self._trouble(pads[lost[0]], ", ".join(map(str, lost))) if lost else "")

    def _trouble(self, health: Health | None, seats: str = "") -> str:
        if health is None or not health.code:
            return ""
        log.warning("keyboard: %s %s %s", health.code, seats, health.detail)
        return self._say(health.code, seats=seats, detail=health.detail)

    def _say(self, code: str, **fill: object) -> str:
        return say("hardware", code, self._language(), **fill)


def _works(health: Health | None) -> bool:
    return health is not None and health.condition is Condition.WORKS


def _with_pad(pads: PadsConfig, seat: int, socket: str) -> PadsConfig:
    """The pads with another one at a seat; a socket has one seat."""
    sockets = [old if old != socket else "" for old in (*pads.sockets, *[""] * SEATS)][:SEATS]
    sockets[seat - 1] = socket
    return PadsConfig(sockets=tuple(sockets))
