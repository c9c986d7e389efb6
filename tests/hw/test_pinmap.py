"""The pin map."""

import pytest

from hw.errors import PinError
from hw.pinmap import BARE_DIGITS, FEW_PINS, HEADER, NO_PINS, RESERVED, PinMap


def test_default_wires_each_part_once():
    for pins, display in [
        (PinMap(), 2),
        (PinMap(display="max7219"), 3),
        (PinMap(display="tm1637"), 2),
        (BARE_DIGITS, 12),
    ]:
        wires = dict(pins.wires())
        assert len(wires) == display + 5 + 3
        assert len(set(wires.values())) == len(wires)
    assert [name for name, _ in FEW_PINS.wires()] == ["display SDA", "display SCL", "buzzer"]
    assert list(NO_PINS.wires()) == []


def test_lamps_and_buzzer_leave_the_buses_alone_and_stay_dark_before_the_program_starts():
    quiet = [pin for name, pin in PinMap().wires() if name.startswith("lamps") or name in ("referee_lamp", "buzzer")]
    assert not set(quiet) & {2, 3, 7, 8, 9, 10, 11, 14, 15, 18, 19, 20, 21}  # I²C, SPI, console, I²S
    assert all(9 <= pin <= 27 for pin in quiet)  # pulled low at power-up (BCM2835 ARM Peripherals, table 6-31)


def test_header_is_whole():
    assert set(HEADER) == set(range(28))
    assert len(set(HEADER.values())) == 28
    power_and_ground = {1, 2, 4, 6, 9, 14, 17, 20, 25, 30, 34, 39}
    assert set(HEADER.values()) == set(range(1, 41)) - power_and_ground


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"buzzer": 4}, "button = 4: GPIO 4 is already buzzer"),
        ({"lamps": (23, 24, 25, 23)}, "lamps seat 4 = 23: GPIO 23 is already lamps seat 1"),
        ({"button": 14}, "button = 14: GPIO 14 is the serial console's TXD"),
        ({"buzzer": 28}, "buzzer = 28: the header has GPIO 2 to 27"),
        ({"buzzer": -1}, "buzzer = -1"),
        ({"display": "digits", "segments": (5, 6)}, "name seven pins"),
        ({"display": "digits", "segments": BARE_DIGITS.segments, "digits": (10, 9, 11)}, "name a pin for each"),
        ({"segments": BARE_DIGITS.segments}, 'are for display = "digits"'),
        ({"dot": 7}, 'are for display = "digits"'),
        ({"display": "lcd"}, 'display = "lcd": known are ht16k33'),
        ({"buzzer": 3}, "buzzer = 3: GPIO 3 is already display SCL"),
        ({"display": "max7219", "buzzer": 8}, "GPIO 8 is already display CS"),
        ({"display": "max7219", "buzzer": 9}, "GPIO 9 goes with the SPI bus"),
        ({"display": "tm1637", "two_wires": (5,)}, "a TM1637 has two"),
        ({"lamps": (23, 24)}, "each of four or five seats"),
    ],
)
def test_conflicts(keys, told):
    with pytest.raises(PinError) as caught:
        PinMap(**keys)
    assert told in str(caught.value)


@pytest.mark.parametrize("pin", RESERVED)
def test_reserved_pins(pin):
    with pytest.raises(PinError, match="choose another pin"):
        PinMap(button=pin)
