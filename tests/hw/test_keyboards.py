"""Scanners and number pads that are keyboards: one contract on made-up keyboards and on the kernel's own (uinput)."""

import os
import queue
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw import keyboard_reader as module
from hw.device import Condition, Health
from hw.key_layouts import LAYOUTS, key_of, sign_of
from hw.keyboard_reader import Bindings, KeyboardReader, KeyboardsSeen, PadKey, Taught
from hw.keyboards import EvdevSystem, Keyboard, socket_of
from hw.scanned import Badge, CardCode, Unreadable

ENTER, KP_ENTER, SHIFT, KP1, KP5 = 28, 96, 42, 79, 76

SCANNER = Keyboard(path="/dev/input/event3", name="Bar Code", vendor=0x05E0, product=0x1200, socket="usb-1.1")
PAD = Keyboard(path="/dev/input/event4", name="USB Keypad", vendor=0x062A, product=0x4101, socket="usb-1.2.1")
OTHER_PAD = replace(PAD, path="/dev/input/event5", socket="usb-1.2.2")
TYPEWRITER = Keyboard(path="/dev/input/event6", name="Keyboard", vendor=1, product=2, socket="usb-1.3")


class FakeKeyboard:
    """A keyboard whose keys the test presses."""

    def __init__(self) -> None:
        self.events: list[tuple[int, int]] = []
        self.reader, self.writer = os.pipe()
        self.plugged, self.grabbed, self.open, self.busy = True, False, False, False

    def press(self, *events: tuple[int, int]) -> None:
        self.events += events
        os.write(self.writer, b"x")

    def fileno(self) -> int:
        return self.reader

    def grab(self) -> None:
        if self.busy:
            raise OSError(16, "Device or resource busy")
        self.grabbed = True

    def read(self) -> list[tuple[int, int]]:
        os.read(self.reader, 1)
        if not self.plugged:
            raise OSError(19, "No such device")
        found, self.events = self.events, []
        return found

    def close(self) -> None:
        self.open = self.grabbed = False


class Desk:
    """A machine into which keyboards are plugged, and its reader, turned by hand."""

    def __init__(self, bindings: Bindings, *plugged: Keyboard) -> None:
        self.now = 0.0
        self.plugged = {keyboard.path: keyboard for keyboard in plugged}
        self.devices = {keyboard.path: FakeKeyboard() for keyboard in plugged}
        self.forbidden: set[str] = set()
        self.heard: list[object] = []
        self.reader = KeyboardReader(bindings, self.heard.append, system=self, clock=lambda: self.now, thread=False)

    def keyboards(self) -> list[Keyboard]:
        return list(self.plugged.values())

    def open(self, keyboard: Keyboard) -> FakeKeyboard:
        if keyboard.path in self.forbidden:
            raise PermissionError(13, "Permission denied")
        device = self.devices[keyboard.path]
        device.open = True
        return device

    def plug(self, keyboard: Keyboard) -> None:
        self.plugged[keyboard.path] = keyboard
        self.devices[keyboard.path] = FakeKeyboard()

    def pull(self, keyboard: Keyboard) -> None:
        del self.plugged[keyboard.path]
        self.devices[keyboard.path].plugged = False
        self.devices[keyboard.path].press()

    def turn(self, seconds: float = 0.0) -> list[object]:
        self.now += seconds
        self.reader.turn()
        heard, self.heard[:] = list(self.heard), []
        return heard

    def press(self, keyboard: Keyboard, *events: tuple[int, int]) -> list[object]:
        self.devices[keyboard.path].press(*events)
        return self.turn(0.01)


def typed(text: str, layout: str = "us", enter: int = ENTER) -> list[tuple[int, int]]:
    """Keys of a text as a scanner types it."""
    events = []
    for sign in text:
        key, shift = key_of(sign, layout)
        events += [(SHIFT, 1)] * shift + [(key, 1), (key, 0)] + [(SHIFT, 0)] * shift
    return [*events, (enter, 1), (enter, 0)]


ALL = Bindings(scanner="05e0:1200", pads=("", PAD.socket, "", OTHER_PAD.socket))


@pytest.fixture
def desk():
    made = Desk(ALL, SCANNER, PAD, OTHER_PAD, TYPEWRITER)
    made.turn()
    yield made
    made.reader.close()
    assert not any(device.open for device in made.devices.values())


def test_bound_keyboards_are_grabbed_and_no_other(desk):
    assert [desk.devices[one.path].grabbed for one in (SCANNER, PAD, OTHER_PAD, TYPEWRITER)] == [
        True,
        True,
        True,
        False,
    ]
    assert not desk.devices[TYPEWRITER.path].open


@pytest.mark.parametrize("pattern", ["05e0:1200", "05E0:1200", "Bar Code", "bar*", "05e0:1200 Bar Code"])
def test_scanner_is_known_by_what_it_is(pattern):
    desk = Desk(Bindings(scanner=pattern), SCANNER, PAD)
    desk.turn()
    assert desk.devices[SCANNER.path].grabbed
    assert not desk.devices[PAD.path].open


def test_badge_card_and_anything_else(desk):
    assert desk.press(SCANNER, *typed("P:1234 Anna Muster")) == [Badge(at=0.01, number=1234, name="Anna Muster")]
    assert desk.press(SCANNER, *typed("ht", enter=KP_ENTER)) == [CardCode(at=0.02, card="HT")]
    odd = desk.press(SCANNER, *typed("4006381333931"))
    assert [(type(one), one.text) for one in odd] == [(Unreadable, "4006381333931")]


def test_german_scanner_has_umlauts():
    desk = Desk(Bindings(scanner="Bar Code", layout="de"), SCANNER)
    desk.turn()
    [badge] = desk.press(SCANNER, *typed("P:7 Jörg Weiß-Zöpfl", "de"))
    assert (badge.number, badge.name) == (7, "Jörg Weiß-Zöpfl")


def test_wrong_layout_is_seen_and_not_taken_for_a_badge():
    desk = Desk(Bindings(scanner="Bar Code", layout="de"), SCANNER)
    desk.turn()
    [odd] = desk.press(SCANNER, *typed("P:1234 Yvonne", "us"))
    assert isinstance(odd, Unreadable)


def test_code_in_pieces_and_one_that_breaks_off(desk):
    keys = typed("P:1234 Anna")
    assert desk.press(SCANNER, *keys[:7]) == []
    assert [one.number for one in desk.press(SCANNER, *keys[7:])] == [1234]
    desk.press(SCANNER, *keys[:7])
    desk.now += 3
    found = desk.press(SCANNER, *keys)
    assert [type(one) for one in found] == [Unreadable, Badge]


def test_pad_says_whose_key_and_how_long(desk):
    assert desk.press(PAD, (KP1, 1)) == [PadKey(at=0.01, seat=2, sign="1", down=True)]
    assert desk.press(PAD, (KP1, 0)) == [PadKey(at=0.02, seat=2, sign="1", down=False)]
    both = desk.press(OTHER_PAD, (KP_ENTER, 1), (KP_ENTER, 0))
    assert [(one.seat, one.sign, one.down) for one in both] == [(4, "enter", True), (4, "enter", False)]
    assert desk.press(PAD, (69, 1), (69, 0)) == [], "NumLock is no key of ours"


def test_what_a_pad_types_is_no_code_and_a_scanner_no_pad(desk):
    assert all(isinstance(one, PadKey) for one in desk.press(PAD, *typed("1234")))
    assert not any(isinstance(one, PadKey) for one in desk.press(SCANNER, *typed("1234")))


def test_pulling_a_pad_lets_its_keys_go_and_is_told_once(desk):
    desk.press(PAD, (KP_ENTER, 1))
    desk.pull(PAD)
    released = desk.turn(0.01)
    assert [(one.sign, one.down) for one in released if isinstance(one, PadKey)] == [("enter", False)]
    seen = [one for one in released + desk.turn(0.01) if isinstance(one, KeyboardsSeen)]
    assert [one.pads[2] for one in seen] == [Health(condition=Condition.GONE, code="pad_gone")]
    assert desk.turn(5) == []
    back = replace(PAD, path="/dev/input/event9")  # the same socket, another number
    desk.plug(back)
    [seen] = desk.turn(2)
    assert seen.pads[2].condition is Condition.WORKS
    assert [one.seat for one in desk.press(back, (KP5, 1))] == [2]


def test_pulling_the_scanner_in_the_middle_of_a_code(desk):
    desk.press(SCANNER, *typed("P:1234")[:6])
    desk.pull(SCANNER)
    heard = desk.turn(0.01) + desk.turn(0.01)
    assert [type(one) for one in heard] == [Unreadable, KeyboardsSeen]
    assert heard[1].scanner == Health(condition=Condition.GONE, code="scanner_gone")
    again = replace(SCANNER, path="/dev/input/event8", socket="usb-1.4")  # any socket: it is known by its model
    desk.plug(again)
    [seen] = desk.turn(2)
    assert seen.scanner.condition is Condition.WORKS
    assert [one.number for one in desk.press(again, *typed("P:5"))] == [5]


def test_start_tells_what_is_missing_once():
    desk = Desk(ALL, PAD)
    [seen] = desk.turn()
    assert seen.scanner.code == "scanner_gone"
    assert {seat: health.condition for seat, health in seen.pads.items()} == {2: Condition.WORKS, 4: Condition.GONE}
    assert desk.turn(10) == []


@pytest.mark.parametrize("trouble", ["forbidden", "busy"])
def test_keyboard_that_cannot_be_had(trouble):
    desk = Desk(Bindings(scanner="Bar Code"), SCANNER)
    if trouble == "forbidden":
        desk.forbidden.add(SCANNER.path)
    else:
        desk.devices[SCANNER.path].busy = True
    [seen] = desk.turn()
    assert seen.scanner.code == f"keyboards_{trouble}"
    assert desk.turn(5) == []
    desk.forbidden.clear()
    desk.devices[SCANNER.path].busy = False
    [seen] = desk.turn(5)
    assert seen.scanner.condition is Condition.WORKS


def test_evdev_that_is_missing_is_told(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "evdev", None)
    heard = []
    reader = KeyboardReader(Bindings(scanner="x"), heard.append, thread=False)
    reader.turn()
    assert [one.scanner.code for one in heard] == ["keyboards_no_evdev"]
    idle = KeyboardReader(Bindings(), heard.append, thread=False)
    idle.turn()
    assert heard[1:] == [KeyboardsSeen(at=heard[1].at)], "nobody misses it where no keyboard is bound"


def test_teaching_a_scanner_tells_its_layout_and_lets_the_others_go():
    desk = Desk(Bindings(), SCANNER, PAD, TYPEWRITER)
    desk.turn()
    desk.reader.teach("scanner")
    desk.turn()
    assert all(device.grabbed for device in desk.devices.values()), "whatever is pressed lands here"
    for key, value in typed("12345"):  # a person
        assert desk.press(TYPEWRITER, (key, value)) == []
        desk.now += 0.2
    [taught] = desk.press(SCANNER, *typed("P:12 Zoe", "de"))
    assert taught == Taught(at=desk.now, lesson="scanner", keyboard=SCANNER, text="P:12 Zoe", layout="de")
    desk.turn(2)
    assert not any(device.open for device in desk.devices.values())


def test_teaching_a_pad_by_a_finger_and_not_by_a_scanner():
    desk = Desk(ALL, SCANNER, PAD, OTHER_PAD)
    desk.turn()
    desk.reader.teach(3)
    desk.turn()
    assert desk.press(SCANNER, *typed("1234")) == []
    assert desk.press(OTHER_PAD, (KP5, 1)) == []
    desk.now += 0.1
    [taught] = desk.press(OTHER_PAD, (KP5, 0))
    assert (taught.lesson, taught.keyboard.socket) == (3, OTHER_PAD.socket)
    desk.reader.bind(replace(ALL, pads=("", PAD.socket, OTHER_PAD.socket)))
    desk.turn()
    assert [one.seat for one in desk.press(OTHER_PAD, (KP1, 1))] == [3]
    assert [one.number for one in desk.press(SCANNER, *typed("P:9"))] == [9]


def test_teaching_that_is_given_up():
    desk = Desk(ALL, SCANNER, PAD)
    desk.turn()
    desk.reader.teach(1)
    desk.turn()
    desk.reader.teach(None)
    desk.turn()
    assert [one.seat for one in desk.press(PAD, (KP1, 1), (KP1, 0))] == [2, 2]


def test_a_device_of_several_parts_is_one():
    assert (
        socket_of("usb-0000:01:00.0-1.2/input0") == socket_of("usb-0000:01:00.0-1.2/input1") == "usb-0000:01:00.0-1.2"
    )
    assert socket_of("") == ""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_sign_is_typed_back(layout):
    for sign in "P:1234 Anna Zypern-07/_;.,!?":
        key, shift = key_of(sign, layout)
        assert sign_of(key, shift=shift, layout=layout) == sign
    with pytest.raises(KeyError):
        key_of("漢", layout)


@given(st.lists(st.tuples(st.integers(0, 250), st.integers(0, 1)), max_size=80))
@settings(deadline=None, max_examples=60)
def test_any_keys_are_survived_and_a_badge_after_them_read(keys):
    desk = Desk(ALL, SCANNER, PAD)
    desk.turn()
    desk.press(SCANNER, *keys, (SHIFT, 0), (54, 0), (ENTER, 1))
    desk.press(PAD, *keys)
    assert desk.press(SCANNER, *typed("P:1234 Anna"))[-1] == Badge(at=desk.now, number=1234, name="Anna")
    desk.reader.close()


def test_thread_reads_and_ends(monkeypatch):
    monkeypatch.setattr(module, "WAIT_S", 0.02)
    heard: queue.Queue = queue.Queue()
    desk = Desk(ALL, SCANNER)
    reader = KeyboardReader(ALL, heard.put, system=desk)
    assert isinstance(heard.get(timeout=5), KeyboardsSeen)
    desk.devices[SCANNER.path].press(*typed("P:5"))
    assert heard.get(timeout=5).number == 5
    reader.close()
    assert not desk.devices[SCANNER.path].open


UINPUT = Path("/dev/uinput")


@pytest.mark.skipif(
    not os.access(UINPUT, os.W_OK), reason="there is no /dev/uinput here: modprobe uinput as root, outside a container"
)
def test_a_keyboard_of_the_kernel_s_own():
    import evdev

    with evdev.UInput(name="stichwart test scanner", vendor=0x1234, product=0x5678) as made:
        heard: list[object] = []
        reader = KeyboardReader(Bindings(scanner="1234:5678"), heard.append, system=EvdevSystem(), thread=False)
        until = time.monotonic() + 5
        while time.monotonic() < until and not any(
            isinstance(one, KeyboardsSeen) and one.scanner.condition is Condition.WORKS for one in heard
        ):
            reader.turn(0.1)
        with pytest.raises(OSError):  # grabbed
            evdev.InputDevice(made.device.path).grab()
        for key, value in typed("P:1234 Anna"):
            made.write(evdev.ecodes.EV_KEY, key, value)
            made.syn()
        while time.monotonic() < until and not isinstance(heard[-1], Badge):
            reader.turn(0.1)
        assert heard[-1].number == 1234
        reader.close()
