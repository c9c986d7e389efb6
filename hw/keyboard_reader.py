"""Read the keyboards that are something else: a scanner, and the number pads at the seats. One thread reads them all.

A scanner is known by its model, wherever it is plugged in; a pad by its socket, for all pads are of one model. Each is
grabbed as long as it is read. While something is taught every keyboard is read, so that whatever is pressed lands here.
"""

import errno
import select
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from hw.clock import now
from hw.device import Condition, Health
from hw.key_layouts import BACKSPACE, ENTER, ESCAPE, KEYPAD
from hw.keyboards import EvdevSystem, Keyboard, KeyboardSystem, OpenKeyboard
from hw.scanned import Scanned
from hw.typed_codes import Pupil, Typist

#: Seconds between two looks at what is plugged in.
LOOK_INTERVAL_S = 1.0
#: Seconds that a turn waits for keys, and so the longest that closing, binding and teaching take.
WAIT_S = 0.2
#: A key that is taught as a pad's was down so long, seconds; a scanner's keys are not.
FINGER_S = 0.03

SEATS = range(1, 6)

#: A key of a pad → its sign; ``enter`` says that it is meant, ``back`` closes what is open.
PAD_SIGNS: dict[int, str] = {
    **{number: sign for number, sign in KEYPAD.items() if sign.isdigit() or sign in "+-"},
    **{2 + place: str((place + 1) % 10) for place in range(10)},
    **dict.fromkeys(ENTER, "enter"),
    **dict.fromkeys((BACKSPACE, ESCAPE, 83), "back"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bindings:
    """What the keyboards are."""

    scanner: str = ""  # model, vendor and product, or name; empty: none
    layout: str = "us"  # the scanner's keyboard layout
    pads: tuple[str, ...] = ()  # sockets, seat 1 first; empty: none there


#: What is taught: the scanner, or the pad of a seat.
Lesson: TypeAlias = Literal["scanner"] | int


@dataclass(frozen=True, slots=True, kw_only=True)
class PadKey:
    """A key of a seat's pad was pressed or let go."""

    at: float
    seat: int
    sign: str
    down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught:
    """Somebody has shown which keyboard it is."""

    at: float
    lesson: Lesson
    keyboard: Keyboard
    text: str = ""  # the code that the scanner has read
    layout: str = ""  # and its keyboard layout


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyboardsSeen:
    """Which of the bound keyboards are there; told when it changes."""

    at: float
    scanner: Health | None = None  # None: none is bound
    pads: Mapping[int, Health] = field(default_factory=dict)


KeyboardMessage: TypeAlias = PadKey | Taught | KeyboardsSeen


@dataclass(slots=True)
class _Hand:
    """A keyboard that is read, and what it is."""

    keyboard: Keyboard
    device: OpenKeyboard
    role: str  # scanner, pad, any
    seat: int = 0
    typist: Typist | None = None
    pupil: Pupil = field(default_factory=Pupil)
    down: dict[int, float] = field(default_factory=dict)  # keys that are held, since when


class KeyboardReader:
    """Reader of all bound keyboards until it is closed.

    :param deliver: called from the reader's thread with each message and each code that was scanned.
    :param system: the machine's keyboards; None: evdev's.
    :param thread: False: only ``turn`` reads, as a test does it.
    """

    def __init__(
        self,
        bindings: Bindings,
        deliver: Callable[[KeyboardMessage | Scanned], None],
        *,
        system: KeyboardSystem | None = None,
        clock: Callable[[], float] = now,
        thread: bool = True,
    ) -> None:
        self._bindings, self._deliver, self._clock = bindings, deliver, clock
        self._system, self._broken = system, ""
        self._lesson: Lesson | None = None
        self._hands: dict[str, _Hand] = {}  # by path
        self._refused: dict[str, Health] = {}  # by path: bound, but not to be had
        self._told: KeyboardsSeen | None = None
        self._looked = float("-inf")
        self._changed = False  # bindings or lesson
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="keyboards", daemon=True) if thread else None
        if self._thread is not None:
            self._thread.start()

    def bind(self, bindings: Bindings) -> None:
        """Read these from now on; from any thread."""
        self._bindings, self._changed = bindings, True

    def teach(self, lesson: Lesson | None) -> None:
        """Listen for a scanner's code or a pad's key from any keyboard, until it came or None; from any thread."""
        self._lesson, self._changed = lesson, True

    def close(self) -> None:
        """Let all keyboards go; may be called twice."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10 * WAIT_S)
        self._let_go(list(self._hands))

    def turn(self, wait: float = 0.0) -> None:
        """Look at what is plugged in when it is time, and take the keys that have come, waiting so long for them."""
        at = self._clock()
        if self._changed or at - self._looked >= LOOK_INTERVAL_S:
            self._changed, self._looked = False, at
            self._look(at)
        hands = {hand.device.fileno(): hand for hand in self._hands.values()}
        ready = select.select(list(hands), [], [], wait)[0] if hands else self._stop.wait(wait) and ()
        for number in ready or ():
            self._read(hands[number])

    def _run(self) -> None:
        while not self._stop.is_set():
            self.turn(WAIT_S)

    # what is plugged in

    def _look(self, at: float) -> None:
        found = {keyboard.path: keyboard for keyboard in self._keyboards()}
        wanted = {path: self._role(keyboard) for path, keyboard in found.items()}
        gone = [
            path
            for path, hand in self._hands.items()
            if wanted.get(path) != (hand.role, hand.seat) or found[path] != hand.keyboard
        ]
        self._let_go(gone)
        self._refused = {}
        for path, (role, seat) in wanted.items():
            if role and path not in self._hands:
                self._open(found[path], role, seat)
        for hand in self._hands.values():
            if hand.typist is not None:
                hand.typist.layout = self._bindings.layout
        self._tell(at, list(found.values()))

    def _keyboards(self) -> list[Keyboard]:
        bindings = self._bindings
        if self._lesson is None and not bindings.scanner and not any(bindings.pads):
            return []
        if self._system is None and not self._broken:
            try:
                self._system = EvdevSystem()
            except ImportError as error:
                self._broken = str(error)
        return [] if self._system is None else list(self._system.keyboards())

    def _role(self, keyboard: Keyboard) -> tuple[str, int]:
        """What a keyboard is by the bindings, and whose; nothing for one that is none of ours."""
        if self._lesson is not None:
            return "any", 0
        if keyboard.socket in self._bindings.pads:
            return "pad", self._bindings.pads.index(keyboard.socket) + 1
        return ("scanner", 0) if keyboard.is_model(self._bindings.scanner) else ("", 0)

    def _open(self, keyboard: Keyboard, role: str, seat: int) -> None:
        assert self._system is not None
        try:
            device = self._system.open(keyboard)
        except OSError as error:
            self._refused[keyboard.path] = _health(error)
            return
        try:
            device.grab()
        except OSError as error:
            device.close()
            self._refused[keyboard.path] = _health(error)
            return
        typist = Typist(self._bindings.layout) if role == "scanner" else None
        self._hands[keyboard.path] = _Hand(keyboard, device, role, seat, typist)

    def _let_go(self, paths: list[str]) -> None:
        for path in paths:
            hand = self._hands.pop(path)
            at = self._clock()
            for key in hand.down:  # nobody will hear that it was let go
                self._pad_key(hand, key, False, at)
            for scanned in hand.typist.give_up() if hand.typist is not None else ():
                self._deliver(scanned)
            hand.device.close()

    def _tell(self, at: float, found: list[Keyboard]) -> None:
        if self._lesson is not None:  # all are read, none as what it is
            return
        bindings = self._bindings
        scanners = [keyboard for keyboard in found if self._role(keyboard)[0] == "scanner"]
        pads = {
            seat: self._condition([keyboard for keyboard in found if keyboard.socket == socket], "pad_gone")
            for seat, socket in zip(SEATS, bindings.pads, strict=False)
            if socket
        }
        scanner = self._condition(scanners, "scanner_gone") if bindings.scanner else None
        if self._told is None or (self._told.scanner, self._told.pads) != (scanner, pads):
            self._told = KeyboardsSeen(at=at, scanner=scanner, pads=pads)
            self._deliver(self._told)

    def _condition(self, keyboards: list[Keyboard], gone: str) -> Health:
        if self._broken:
            return Health(condition=Condition.GONE, code="keyboards_no_evdev", detail=self._broken)
        if any(keyboard.path in self._hands for keyboard in keyboards):
            return Health(condition=Condition.WORKS)
        refused = [self._refused[keyboard.path] for keyboard in keyboards if keyboard.path in self._refused]
        return refused[0] if refused else Health(condition=Condition.GONE, code=gone)

    # what is pressed

    def _read(self, hand: _Hand) -> None:
        try:
            events = hand.device.read()
        except OSError:  # unplugged
            self._let_go([hand.keyboard.path])
            self._changed = True
            return
        at = self._clock()
        for key, value in events:
            if hand.role == "any":
                self._learn(hand, key, value, at)
            elif hand.typist is not None:
                for scanned in hand.typist.key(key, value, at):
                    self._deliver(scanned)
            else:
                self._pad_key(hand, key, bool(value), at)
            _hold(hand, key, value, at)

    def _pad_key(self, hand: _Hand, key: int, down: bool, at: float) -> None:
        if hand.role == "pad" and key in PAD_SIGNS:
            self._deliver(PadKey(at=at, seat=hand.seat, sign=PAD_SIGNS[key], down=down))

    def _learn(self, hand: _Hand, key: int, value: int, at: float) -> None:
        lesson = self._lesson
        if lesson is None:
            return
        taught: Taught | None = None
        if lesson == "scanner":
            read = hand.pupil.key(key, value, at, self._bindings.layout)
            if read is not None:
                taught = Taught(at=at, lesson=lesson, keyboard=hand.keyboard, text=read[0], layout=read[1])
        elif not value and key in PAD_SIGNS and at - hand.down.get(key, at) >= FINGER_S:
            taught = Taught(at=at, lesson=lesson, keyboard=hand.keyboard)
        if taught is not None:
            self.teach(None)
            self._told = None  # say anew what is there
            self._deliver(taught)


def _hold(hand: _Hand, key: int, value: int, at: float) -> None:
    if value:
        hand.down[key] = at
    else:
        hand.down.pop(key, None)


def _health(error: OSError) -> Health:
    code = {errno.EACCES: "keyboards_forbidden", errno.EPERM: "keyboards_forbidden", errno.EBUSY: "keyboards_busy"}
    return Health(condition=Condition.GONE, code=code.get(error.errno or 0, "keyboards_failed"), detail=str(error))
