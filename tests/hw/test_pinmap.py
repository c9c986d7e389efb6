"""The pin map, and the table in docs/hardware.md that shows it."""

from pathlib import Path

import pytest

from hw.errors import PinError
from hw.pinmap import HEADER, NO_PINS, RESERVED, PinMap

DOCUMENT = Path(__file__).parents[2] / "docs" / "hardware.md"


def test_default_wires_each_part_once():
    wires = dict(PinMap().wires())
    assert len(wires) == 7 + 1 + 4 + 5 + 3
    assert len(set(wires.values())) == len(wires)
    assert list(NO_PINS.wires()) == []


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
        ({"segments": (5, 6)}, "name seven pins"),
        ({"digits": (17, 27, 22)}, "name a pin for each"),
        ({"segments": ()}, "or none of segments"),
        ({"segments": (), "digits": ()}, "there is no display"),
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


def test_document_wires_as_the_default_does():
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `") and line.count("|") == 4
    ]
    written = {row[0].strip("`"): (int(row[1]), int(row[2])) for row in rows}
    assert written == {name: (pin, HEADER[pin]) for name, pin in PinMap().wires()}
