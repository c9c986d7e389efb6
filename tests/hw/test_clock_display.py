"""The clock display's contract, the same for each chip.

On fakes that understand bytes, bits and edges as the data sheets say, on the kernel's stub of a bus where there is one,
and byte for byte beside libraries that are widely used.
"""

import glob
import json
import queue
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPin, MockSPIDevice
from hypothesis import given, settings
from hypothesis import strategies as st

from hw import clock_display as module
from hw.chips.chip import BRIGHTEST
from hw.chips.ht16k33 import Ht16k33
from hw.chips.max7219 import Max7219
from hw.chips.tm1637 import Tm1637
from hw.clock_display import (
    BareDigits,
    DisplayBack,
    DisplayGone,
    ModuleDisplay,
    NoDisplay,
    open_chip,
    open_display,
)
from hw.device import Condition
from hw.display import ALL_LIT, DARK, NO_CLOCK, SEGMENTS, clock_characters
from hw.display_settings import DisplaySettings
from hw.errors import PinError
from hw.panel import Panel, PanelState
from hw.pinmap import BARE_DIGITS, NO_PINS, PinMap

LIBRARIES = json.loads((Path(__file__).parents[1] / "data" / "display_libraries.json").read_text(encoding="utf-8"))

#: Letters of the lit segments → the character, as the data sheets of displays draw it.
FACES = dict(
    zip(
        ["", "g", "abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg"],
        " -0123456789",
        strict=True,
    )
)


def face(bits: int, order: str = "abcdefg") -> str:
    """The character that these bits light; ``order`` names the segment of bit 0, 1 …"""
    return FACES["".join(sorted(letter for bit, letter in enumerate(order) if bits >> bit & 1))]


class FakeHt16k33:
    """An SMBus with an HT16K33 at 0x70, as Holtek's data sheet has it."""

    answers, levels = True, 16

    def __init__(self) -> None:
        self.sent: list[list[int]] = []
        self.opened = self.closed = 0
        self.plugged = True
        self.power_up()

    def power_up(self) -> None:
        self.memory = [0xA5] * 16  # whatever it holds
        self.oscillator = self.on = False
        self.dimming = 15

    def plug(self) -> None:
        self.plugged = True
        self.power_up()

    def unplug(self) -> None:
        self.plugged = False

    def chip(self) -> Ht16k33:
        self.opened += 1
        return Ht16k33(self)

    def write_byte(self, i2c_addr: int, value: int) -> None:
        self._acknowledge(i2c_addr)
        self.sent.append([value])
        if value & 0xF0 == 0x20:
            self.oscillator = bool(value & 1)
        elif value & 0xF0 == 0x80:
            assert not value & 0x06, "it blinks by itself"
            self.on = bool(value & 1)
        elif value & 0xF0 == 0xE0:
            self.dimming = value & 0x0F
        else:
            raise AssertionError(f"no command of the chip: {value:#x}")

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None:
        self._acknowledge(i2c_addr)
        self.sent.append([register, *data])
        for offset, value in enumerate(data):
            self.memory[(register + offset) % 16] = value

    def close(self) -> None:
        self.closed += 1

    def _acknowledge(self, address: int) -> None:
        assert self.closed < self.opened, "used after it was closed"
        if not self.plugged or address != 0x70:
            raise OSError(121, "Remote I/O error")

    def lit(self) -> str:
        if not (self.plugged and self.oscillator and self.on):
            return "    "
        first, second, third, fourth = (face(self.memory[place] & 0x7F) for place in (0, 2, 6, 8))
        assert not any(self.memory[1::2]), "segments that no digit has"
        return first + second + (":" if self.memory[4] & 0x02 else "") + third + fourth

    def brightness(self) -> int:
        return self.dimming


class Max7219Registers(MockSPIDevice):
    """A MAX7219 behind gpiozero's simulated SPI: takes a word when it is let go."""

    def __init__(self, factory: MockFactory) -> None:
        super().__init__(11, 10, 9, 8, pin_factory=factory)
        self.plugged = True
        self.sent: list[list[int]] = []
        self.power_up()

    def power_up(self) -> None:
        self.registers = dict.fromkeys(range(16), 0)  # shut down, as the data sheet says

    def on_select(self) -> None:
        super().on_select()
        if self.select_pin.state != self.select_high and self.rx_bit:
            assert self.rx_bit == 16, "a word has sixteen bits"
            word = self.rx_word()
            self.rx_bit = 0
            self.sent.append([word >> 8, word & 0xFF])
            if self.plugged:
                self.registers[word >> 8 & 0x0F] = word & 0xFF


class FakeMax7219:
    """A MAX7219 module of eight digits; it cannot answer."""

    answers, levels = False, 16

    def __init__(self) -> None:
        self.factory = MockFactory()
        self.device = Max7219Registers(self.factory)

    @property
    def sent(self) -> list[list[int]]:
        return self.device.sent

    def plug(self) -> None:
        self.device.plugged = True
        self.device.power_up()

    def unplug(self) -> None:
        self.device.plugged = False

    def chip(self) -> Max7219:
        return open_chip(PinMap(display="max7219"), DisplaySettings(), self.factory)

    def lit(self) -> str:
        registers = self.device.registers
        if not (self.device.plugged and registers[0x0C] & 1):
            return "    "
        assert (registers[0x09], registers[0x0B], registers[0x0F]) == (0, 7, 0)
        assert [registers[digit] for digit in (5, 6, 7, 8)] == [0] * 4
        signs = [face(registers[digit] & 0x7F, "gfedcba") for digit in (4, 3, 2, 1)]
        return signs[0] + signs[1] + (":" if registers[3] & 0x80 else "") + signs[2] + signs[3]

    def brightness(self) -> int:
        return self.device.registers[0x0A]


class ClockPin(MockPin):
    """The wire CLK."""

    heard = None

    def _change_state(self, value: bool) -> bool:
        changed = super()._change_state(value)
        if changed and self.heard is not None:
            self.heard.clock(value)
        return changed


class DataPin(MockPin):
    """The wire DIO; the chip holds it low while it acknowledges."""

    heard = None

    def _change_state(self, value: bool) -> bool:
        changed = super()._change_state(value)
        if changed and self.heard is not None:
            self.heard.data(value)
        return changed

    def _get_state(self) -> bool:
        held = self.heard is not None and self.function == "input" and self.heard.acknowledges
        return False if held else super()._get_state()


class FakeTm1637:
    """A TM1637 at two wires, edge by edge."""

    answers, levels = True, 8

    def __init__(self) -> None:
        self.factory = MockFactory()
        self.clk = self.factory.pin(5, pin_class=ClockPin)
        self.dio = self.factory.pin(6, pin_class=DataPin)
        self.clk.heard = self.dio.heard = self
        self.plugged, self.acknowledges = True, False
        self.sent: list[list[int]] = []
        self.message: list[int] | None = None
        self.bits: list[bool] = []
        self.power_up()

    def power_up(self) -> None:
        self.memory = [0] * 6
        self.control = 0

    def plug(self) -> None:
        self.plugged = True
        self.power_up()

    def unplug(self) -> None:
        self.plugged, self.message = False, None

    def chip(self) -> Tm1637:
        return open_chip(PinMap(display="tm1637"), DisplaySettings(), self.factory)

    def data(self, high: bool) -> None:
        if not self.clk.state or self.dio.function != "output" or self.clk.function != "output":
            return
        if not high:
            self.message, self.bits = [], []
        elif self.message is not None:
            self._take(self.message)
            self.message = None

    def clock(self, high: bool) -> None:
        if self.message is None:
            return
        if high and len(self.bits) < 8:
            self.bits.append(bool(self.dio.state))
        elif high:
            self.bits = []
            self.message.append(self.byte)
        else:
            if len(self.bits) == 8:
                self.byte = sum(bit << place for place, bit in enumerate(self.bits))
            self.acknowledges = self.plugged and (len(self.bits) == 8)

    def _take(self, message: list[int]) -> None:
        self.sent.append(message)
        if not self.plugged or not message:
            return
        if message[0] & 0xC0 == 0xC0:
            for offset, value in enumerate(message[1:]):
                self.memory[(message[0] & 0x07) + offset] = value
        elif message[0] & 0xC0 == 0x80:
            self.control = message[0]
        else:
            assert message == [0x40], "write, address counted up"

    def lit(self) -> str:
        if not (self.plugged and self.control & 0x08):
            return "    "
        signs = [face(value & 0x7F) for value in self.memory[:4]]
        return signs[0] + signs[1] + (":" if self.memory[1] & 0x80 else "") + signs[2] + signs[3]

    def brightness(self) -> int:
        return self.control & 0x07


FAKES = {"ht16k33": FakeHt16k33, "max7219": FakeMax7219, "tm1637": FakeTm1637}


@pytest.fixture(params=FAKES)
def fake(request):
    return FAKES[request.param]()


def shown(text: str) -> tuple[str, str, str, str]:
    """Characters of a text in which the colon is written."""
    signs = text.replace(":", "")
    return tuple(sign + ("." if place == 1 and ":" in text else "") for place, sign in enumerate(signs))


def send(chip, text: str) -> None:
    patterns, colon = module.segments(shown(text))
    chip.send(patterns, colon=colon, brightness=8)


def at_hand(fake, told=None) -> ModuleDisplay:
    return ModuleDisplay(fake.chip, (told if told is not None else []).append, clock=lambda: 7.0, thread=False)


@pytest.mark.parametrize("text", ["12:34", " 9:05", " 0:59", "00:00", " 120", "----", "    ", "88:88", "67:89"])
def test_time_colon_and_blank(fake, text):
    display = at_hand(fake)
    display.show(shown(text), 8)
    display.turn()
    assert fake.lit() == text
    assert display.shown() == shown(text)


@given(st.floats(-100, 10_000))
@settings(deadline=None, max_examples=25)
def test_every_time_is_read_back(remaining):
    characters = clock_characters(remaining)
    for kind in FAKES.values():
        fake = kind()
        display = at_hand(fake)
        display.show(characters, 8)
        display.turn()
        assert fake.lit() == "".join(characters).replace(".", ":")


def test_brightness_goes_from_dim_to_full(fake):
    display = at_hand(fake)
    levels = []
    for level in range(BRIGHTEST + 1):
        display.show(ALL_LIT, level)
        display.turn()
        levels.append(fake.brightness())
    assert levels[0] == 0
    assert levels[-1] == fake.levels - 1
    assert levels == sorted(levels)
    assert set(levels) == set(range(fake.levels))
    assert fake.lit() == "88:88"


def test_loss_is_told_once_and_the_way_back_too(fake):
    told = []
    display = at_hand(fake, told)
    display.show(shown("12:34"), 8)
    display.turn()
    assert display.health().condition is (Condition.WORKS if fake.answers else Condition.SILENT)
    fake.unplug()
    for _ in range(3):
        display.turn()
    display.show(shown("12:33"), 8)
    display.turn()
    fake.plug()
    assert fake.lit() == "    ", "it comes back without set-up"
    display.turn()
    assert fake.lit() == "12:33"
    assert told == (
        [DisplayGone(at=7.0, code="display_silent", detail=told[0].detail), DisplayBack(at=7.0)] if fake.answers else []
    )
    assert display.health().code == ""


def test_power_that_was_lost_between_two_sendings_is_made_good(fake):
    told = []
    display = at_hand(fake, told)
    display.show(shown("12:34"), 8)
    display.turn()
    fake.plug()
    display.turn()
    assert (fake.lit(), told) == ("12:34", [])


def test_closing_darkens_and_lets_go(fake):
    display = at_hand(fake)
    display.show(ALL_LIT, 15)
    display.turn()
    display.close()
    display.close()
    assert fake.lit() == "    "
    again = at_hand(fake)
    again.show(shown("12:34"), 8)
    again.turn()
    assert fake.lit() == "12:34"


def test_closing_one_that_is_gone(fake):
    told = []
    display = at_hand(fake, told)
    display.turn()
    fake.unplug()
    display.close()
    assert told == [] or isinstance(told[-1], DisplayGone)


@pytest.mark.parametrize("text", ["12:34", " 9:05", "    ", "----", " 120", "00:00", "88:88"])
@pytest.mark.parametrize("kind", FAKES)
def test_bytes_are_those_of_widely_used_libraries(kind, text):
    """The same register values in the end; the order of setting up is each library's own."""
    fake = FAKES[kind]()
    send(fake.chip(), text)
    theirs = [list(map(int, row)) for row in LIBRARIES[kind]["sent"][text]]

    def state(sent):
        return {row[0] if kind == "max7219" else row[0] & 0xF0 if len(row) == 1 else row[0]: row for row in sent}

    assert state(fake.sent) == state(theirs)


class Broken:
    """A bus or pins that cannot be had, in the ways of the kernel and of lgpio."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __call__(self):
        raise self.error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (FileNotFoundError(2, "No such file or directory: '/dev/i2c-1'"), "display_no_bus"),
        (PermissionError(13, "Permission denied"), "display_forbidden"),
        (OSError(121, "Remote I/O error"), "display_silent"),
        (TimeoutError(110, "Connection timed out"), "display_silent"),
        (RuntimeError("GPIO busy"), "display_pins"),
    ],
)
def test_whatever_goes_wrong_is_told_in_a_word_and_once(error, code):
    told = []
    display = ModuleDisplay(Broken(error), told.append, thread=False)
    for _ in range(3):
        display.turn()
    assert [(message.code, message.detail) for message in told] == [(code, str(error))]
    assert display.health().condition is Condition.GONE
    display.close()


def test_thread_shows_what_is_newest_and_survives_a_module_that_is_pulled_off(monkeypatch):
    monkeypatch.setattr(module, "REFRESH_S", 0.02)
    fake, told = FakeHt16k33(), queue.Queue()
    lit = queue.Queue()

    class Watched(Ht16k33):
        def send(self, patterns, *, colon, brightness):
            super().send(patterns, colon=colon, brightness=brightness)
            lit.put(fake.lit())

    def open_it():
        fake.opened += 1
        return Watched(fake)

    display = ModuleDisplay(open_it, told.put)
    display.show(shown("12:34"), 8)
    while lit.get(timeout=5) != "12:34":
        pass
    fake.unplug()
    assert isinstance(told.get(timeout=5), DisplayGone)
    display.show(shown("12:33"), 8)
    fake.plug()
    assert isinstance(told.get(timeout=5), DisplayBack)
    while lit.get(timeout=5) != "12:33":
        pass
    display.close()
    assert fake.lit() == "    "
    assert fake.closed == fake.opened


STUBS = [
    path
    for path in glob.glob("/sys/class/i2c-dev/i2c-*/name")
    if Path(path).read_text(encoding="ascii").startswith("SMBus stub")
]


@pytest.mark.skipif(not STUBS, reason="the kernel has no i2c-stub here: modprobe i2c-stub chip_addr=0x70 as root")
def test_real_bus_of_the_kernel():
    from smbus2 import SMBus

    number = int(STUBS[0].split("i2c-")[-1].split("/")[0])
    with SMBus(number) as bus:
        send(Ht16k33(SMBus(number)), "12:34")
        assert bus.read_i2c_block_data(0x70, 0, 16) == [6, 0, 91, 0, 2, 0, 79, 0, 102, 0, 0, 0, 0, 0, 0, 0]


def test_point_stands_for_the_colon_where_there_is_none():
    fake = FakeHt16k33()
    fake.opened = 1
    send(Ht16k33(fake, point=True), "12:34")
    assert fake.memory[2] & 0x80
    assert not fake.memory[4]


@pytest.mark.parametrize(
    ("pins", "mock", "kind"),
    [
        (PinMap(), True, NoDisplay),
        (PinMap(display="tm1637"), True, NoDisplay),
        (NO_PINS, False, NoDisplay),
        (BARE_DIGITS, True, BareDigits),
        (PinMap(display="max7219"), False, ModuleDisplay),
    ],
    ids=["mock", "mock of two wires", "none", "bare digits", "chip"],
)
def test_kinds(pins, mock, kind):
    display = open_display(pins, DisplaySettings(), MockFactory(), lambda message: None, mock=mock)
    assert isinstance(display, kind)
    assert display.shown() == DARK
    display.show(NO_CLOCK, 8)
    assert display.shown() == NO_CLOCK
    display.close()
    display.close()


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"address": 0x3C}, "address = 0x3c"),
        ({"brightness": 16}, "brightness = 16"),
        ({"brightness": -1}, "brightness = -1"),
        ({"colon": "dots"}, 'colon = "dots"'),
    ],
)
def test_settings_that_cannot_be(keys, told):
    with pytest.raises(PinError) as caught:
        DisplaySettings(**keys)
    assert told in str(caught.value)


def test_every_character_of_the_clock_has_its_face():
    assert {character: face(bits) for character, bits in SEGMENTS.items()} == {sign: sign for sign in SEGMENTS}


@pytest.mark.parametrize("percent", [0, 1, 30, 100])
def test_it_dims_with_the_screen_and_stays_lit(fake, percent):
    with Panel(NO_PINS, factory=MockFactory()) as panel:
        panel._display = display = at_hand(fake)
        panel.show(PanelState(display=shown("12:34")))
        levels = []
        for share in (100, percent, 100):
            panel.dim(share)
            panel.tick(0.0)
            display.turn()
            levels.append(fake.brightness())
            assert fake.lit() == "12:34"
    assert levels[0] == levels[2] > 0
    assert (levels[1] < levels[0]) == (percent < 100)
