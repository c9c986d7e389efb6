"""The circuit's picture, tables and currents: made from the pin map that the program uses, and true to it."""

import itertools
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hw.circuit import PAINT, draw_circuit
from hw.pinmap import BARE_DIGITS, FEW_PINS, HEADER, NO_PINS, PinMap
from hw.wiring import PIN_LIMIT_MA, PINS_LIMIT_MA, POWER, RAIL_3V3_LIMIT_MA, Wiring, current_rows, part_rows, wire_rows
from kiosk.app.commands.wiring import TITLES, level_pins

DOCS = Path(__file__).parents[2] / "docs"

MAPS = {
    "all": PinMap(),
    "few": FEW_PINS,
    "none": NO_PINS,
    "max7219": PinMap(display="max7219"),
    "tm1637": PinMap(display="tm1637"),
    "bare": BARE_DIGITS,
    "bare without points": replace(BARE_DIGITS, dot=None),
    "elsewhere": PinMap(lamps=(20, 21, 7, 26), buzzer=19, button=None, referee_lamp=None),
}


@pytest.fixture(params=MAPS.values(), ids=MAPS)
def pins(request):
    return request.param


def drawn(pins: PinMap) -> ElementTree.Element:
    text = draw_circuit(Wiring(pins), "a & b").replace('xmlns="http://www.w3.org/2000/svg"', "")
    return ElementTree.fromstring(text)


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if element.get("class") == name]


def corners(wire: ElementTree.Element) -> list[tuple[int, int]]:
    path = wire.find("path").get("d")
    return [tuple(map(int, point.split())) for point in path.removeprefix("M").split("L")]


def centre(circle: ElementTree.Element) -> tuple[int, int]:
    return int(circle.get("cx")), int(circle.get("cy"))


def test_picture_has_the_pin_map_s_wires_and_no_other(pins):
    wires = of_class(drawn(pins), "wire")
    signals = {wire.get("data-wire"): int(wire.get("data-gpio")) for wire in wires if wire.get("data-gpio")}
    assert signals == dict(pins.wires())
    assert all(int(wire.get("data-position")) == HEADER[signals[wire.get("data-wire")]]
               for wire in wires if wire.get("data-gpio"))  # fmt: skip


def test_each_wire_is_drawn_from_its_pin_to_its_terminal(pins):
    root = drawn(pins)
    pin_at = {circle.get("data-position"): centre(circle) for circle in of_class(root, "pin")}
    terminal_at = {
        (circle.get("data-part"), circle.get("data-terminal")): centre(circle) for circle in of_class(root, "terminal")
    }
    assert len(pin_at) == 40
    ends = []
    for wire in of_class(root, "wire"):
        line = corners(wire)
        assert line[0] == pin_at[wire.get("data-position")]
        assert line[-1] == terminal_at[wire.get("data-part"), wire.get("data-terminal")]
        assert wire.findall("path")[1].get("stroke") == PAINT[wire.get("data-colour")]
        assert f"pin {wire.get('data-position')}, {wire.get('data-colour')}" in wire.find("text").text
        ends.append(line[-1])
    assert sorted(ends) == sorted(terminal_at.values()), "a terminal without a wire"


def test_no_two_wires_lie_on_each_other(pins):
    pieces = [
        (number, *sorted(piece))
        for number, wire in enumerate(of_class(drawn(pins), "wire"))
        for piece in itertools.pairwise(corners(wire))
    ]
    for (one, a, b), (other, c, d) in itertools.combinations(pieces, 2):
        if one == other:
            continue
        for axis in (0, 1):
            along = 1 - axis
            same_line = a[axis] == b[axis] == c[axis] == d[axis]
            assert not (same_line and max(a[along], c[along]) < min(b[along], d[along])), (a, b, c, d)


def test_power_goes_where_it_may(pins):
    for wire in Wiring(pins).wires:
        if wire.gpio is None:
            assert POWER[wire.position] == wire.name
        else:
            assert HEADER[wire.gpio] == wire.position
    positions = [wire.position for wire in Wiring(pins).wires]
    assert len(set(positions)) == len(positions), "two wires at one pin"
    rails = {(wire.name, wire.part) for wire in Wiring(pins).wires if wire.name in ("3V3", "5 V")}
    assert ("5 V", "HT16K33") not in rails
    assert ("5 V", "TM1637") not in rails, "its signals would be 5 V as well"


def test_wires_of_a_part_differ_in_colour(pins):
    for part in {wire.part for wire in Wiring(pins).wires}:
        colours = [wire.colour for wire in Wiring(pins).wires if wire.part == part]
        assert len(set(colours)) == len(colours), part
        assert set(colours) <= set(PAINT)


def test_currents_are_allowed(pins):
    wiring = Wiring(pins)
    assert all(wire.milliamperes <= PIN_LIMIT_MA for wire in wiring.wires)
    assert wiring.pins_ma <= PINS_LIMIT_MA
    assert wiring.rail_3v3_ma <= RAIL_3V3_LIMIT_MA
    assert not any(wire.milliamperes for wire in wiring.wires if wire.gpio is None)


def test_segments_at_220_ohm_as_they_once_were_would_be_too_much():
    wiring = Wiring(BARE_DIGITS)
    segments = sum(wire.milliamperes for wire in wiring.wires if wire.through == "330 Ω")
    assert wiring.pins_ma + segments * (330 / 220 - 1) > PINS_LIMIT_MA


def test_every_load_has_its_part():
    wiring = Wiring(PinMap())
    counted = {item.what: item.count for item in wiring.items()}
    assert counted["LED 5 mm"] == counted["resistor 220 Ω"] == len(PinMap().lamps) + 1
    assert [load.name for load in wiring.loads] == [*(f"seat {n}" for n in range(1, 6)), "referee lamp", "buzzer"]
    assert not list(Wiring(NO_PINS).items())


def test_document_says_what_the_pin_map_says():
    text = (DOCS / "hardware.md").read_text(encoding="utf-8")
    for rows in (wire_rows, part_rows, current_rows):
        assert "\n".join(rows(Wiring(PinMap()))) in text, f"{rows.__name__}: print them by ./stichwart wiring"


@pytest.mark.parametrize(("name", "level"), [("wiring.svg", 3), ("wiring-display.svg", 2)])
def test_pictures_in_the_documents_are_drawn_anew(name, level):
    picture = draw_circuit(Wiring(level_pins(level, None)), f"Stichwart: {TITLES[level]}")
    assert (DOCS / name).read_text(encoding="utf-8") == picture, f"./stichwart wiring --level {level} --svg docs/{name}"


@pytest.mark.parametrize("display", ["ht16k33", "max7219", "tm1637", "digits", "none"])
def test_levels_with_each_display(display):
    for level in (2, 3):
        pins = level_pins(level, display)
        assert pins.display == display
        assert (pins.button is None) == (level == 2)


def test_table_in_the_file_that_is_delivered_is_that_of_the_document():
    text = (Path(__file__).parents[2] / "systemd" / "table.toml").read_text(encoding="utf-8")
    written = dict(
        re.findall(r"^(\w+) = (\[[^\]]*\]|\"[^\"]*\"|\d+)", text[text.index("[pins]") : text.index("[display]")], re.M)
    )
    for name in ("lamps", "referee_lamp", "buzzer", "button", "two_wires"):
        value = getattr(PinMap(), name)
        assert written[name] == (str(list(value)) if isinstance(value, tuple) else str(value))
