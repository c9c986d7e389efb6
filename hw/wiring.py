"""List every wire of a pin map with position, colour and resistor, the parts that are needed, and the currents."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hw.pinmap import HEADER, PinMap

#: Most that a pin may give or take, and all of them together (mA).
PIN_LIMIT_MA, PINS_LIMIT_MA = 16.0, 50.0

#: What 3V3 is asked for at most here (mA); the Raspberry Pi's regulator gives several hundred beside its own need.
RAIL_3V3_LIMIT_MA = 150.0

#: Current into an input of the ULN2803A: (3.3 V - 1.4 V) / 2.7 kΩ, its data sheet's base resistor.
ULN_INPUT_MA = 0.7
#: The Raspberry Pi's own 1.8 kΩ at SDA and SCL, and a module's 10 kΩ.
I2C_MA, PULL_UP_MA = 2.2, 0.4
#: A bare segment: (3.3 V - 2.0 V) / 330 Ω; the base of a digit's transistor: (3.3 V - 0.7 V) / 1 kΩ.
SEGMENT_MA, DIGIT_MA = 3.9, 2.6
#: A lamp: (5 V - 2.0 V - 0.9 V across the ULN2803A) / 220 Ω; a small active buzzer.
LAMP_MA, BUZZER_MA = 9.5, 30.0
#: A module with all segments lit at the brightest level (data sheets; Adafruit names about 40 mA in ordinary use).
MODULE_MA = {"ht16k33": 80.0, "tm1637": 80.0, "max7219": 320.0}

#: Colours of wires, none of them one of the rails'; twelve, so that those of bare digits differ as well.
COLOURS = ("green", "blue", "yellow", "violet", "brown", "grey", "white", "pink", "turquoise", "lime", "navy", "olive")
ORANGE, RED, BLACK = "orange", "red", "black"  # 3V3, 5 V, ground

#: Positions on the header that are no GPIO.
POWER = {
    **dict.fromkeys((1, 17), "3V3"),
    **dict.fromkeys((2, 4), "5 V"),
    **dict.fromkeys((6, 9, 14, 20, 25, 30, 34, 39), "ground"),
}

DRIVER, BUTTON, RAIL = "ULN2803A", "button", "5 V"
MODULES = {"ht16k33": "HT16K33", "max7219": "MAX7219", "tm1637": "TM1637", "digits": "4 digits"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A wire from the header to a terminal of a part."""

    name: str  # as ``PinMap.wires`` names it, or the rail
    gpio: int | None
    position: int
    colour: str
    part: str
    terminal: str
    through: str = ""  # what lies in it before the terminal
    milliamperes: float = 0.0  # from or into the pin, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What hangs between an output of the driver and 5 V."""

    terminal: str  # of the driver's input
    name: str
    through: str  # the resistor; empty: none
    milliamperes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A line of the list of parts."""

    count: int
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Wiring:
    """Everything that is wired for a pin map."""

    pins: PinMap
    wires: tuple[Wire, ...] = field(init=False)
    loads: tuple[Load, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wires", tuple(_wires(self.pins)))
        object.__setattr__(self, "loads", tuple(_loads(self.pins)))

    @property
    def pins_ma(self) -> float:
        """All GPIO together, every lamp, the buzzer and all segments at once; of bare digits one is lit at a time."""
        digits = [wire for wire in self.wires if wire.name.startswith("digits")]
        every = sum(wire.milliamperes for wire in self.wires if wire.gpio is not None)
        return every - DIGIT_MA * max(0, len(digits) - 1)

    @property
    def rail_3v3_ma(self) -> float:
        """What 3V3 gives: the module, and what the pins give, which comes from there too."""
        return self.pins_ma + (MODULE_MA[self.pins.display] if self.pins.display in ("ht16k33", "tm1637") else 0.0)

    @property
    def rail_5v_ma(self) -> float:
        """What 5 V gives: lamps, buzzer, and a MAX7219."""
        return sum(load.milliamperes for load in self.loads) + MODULE_MA["max7219"] * (self.pins.display == "max7219")

    def items(self) -> Iterator[Item]:
        """List the parts."""
        match self.pins.display:
            case "ht16k33":
                yield Item(
                    count=1,
                    what="four-digit display with HT16K33, red, green or yellow",
                    why="clock; laid out like Adafruit's seven-segment backpacks (0.56 or 1.2 inch)",
                )
            case "tm1637":
                yield Item(count=1, what="four-digit clock display with TM1637", why="clock")
            case "max7219":
                yield Item(count=1, what="eight-digit display with MAX7219", why="clock, on its right half")
                yield Item(count=1, what="74AHCT125", why="lifts the three signals from 3.3 V to 5 V")
            case "digits":
                yield Item(count=1, what="four digits, common cathode, with points", why="clock")
                yield Item(count=7 + (self.pins.dot is not None), what="resistor 330 Ω", why="segments")
                yield Item(count=4, what="transistor BC337", why="a digit's cathode to ground")
                yield Item(count=4, what="resistor 1 kΩ", why="the transistors' bases")
        lamps = [load for load in self.loads if load.through]
        if self.loads:
            yield Item(count=1, what="ULN2803A", why="switches lamps and buzzer")
        if lamps:
            yield Item(count=len(lamps), what="LED 5 mm", why="one a seat" + ", red: referee" * bool(self._referee))
            yield Item(count=len(lamps), what="resistor 220 Ω", why="before each LED")
        if self.pins.buzzer is not None:
            yield Item(count=1, what="active buzzer 5 V, at most 30 mA", why="signals; it sounds when it has power")
        if self.pins.button is not None:
            yield Item(count=1, what="push button", why="calls the referee")

    @property
    def _referee(self) -> bool:
        return self.pins.referee_lamp is not None


def _wires(pins: PinMap) -> Iterator[Wire]:
    colours = iter(COLOURS)
    yield from _display_wires(pins, colours)
    switched = [(name, pin) for name, pin in pins.wires() if name.startswith(("lamps", "referee", "buzzer"))]
    lamp_colours = iter(COLOURS)
    for number, (name, pin) in enumerate(switched, 1):
        yield Wire(
            name=name,
            gpio=pin,
            position=HEADER[pin],
            colour=next(lamp_colours),
            part=DRIVER,
            terminal=f"{number}B",
            milliamperes=ULN_INPUT_MA,
        )
    if switched:
        yield Wire(name="ground", gpio=None, position=6, colour=BLACK, part=DRIVER, terminal="GND")
        yield Wire(name="5 V", gpio=None, position=2, colour=RED, part=RAIL, terminal="rail")
    if pins.button is not None:
        yield Wire(
            name="button",
            gpio=pins.button,
            position=HEADER[pins.button],
            colour="blue",
            part=BUTTON,
            terminal="1",
            milliamperes=0.1,
        )
        yield Wire(name="ground", gpio=None, position=39, colour=BLACK, part=BUTTON, terminal="2")


def _display_wires(pins: PinMap, colours: Iterator[str]) -> Iterator[Wire]:
    if pins.display == "none":
        return
    part = MODULES[pins.display]
    if pins.display == "max7219":
        yield Wire(name="5 V", gpio=None, position=4, colour=RED, part=part, terminal="VCC")
    elif pins.display != "digits":
        yield Wire(name="3V3", gpio=None, position=1, colour=ORANGE, part=part, terminal="VCC")
    through, current = {
        "ht16k33": ("", I2C_MA),
        "tm1637": ("", PULL_UP_MA),
        "max7219": ("74AHCT125", 0.0),
        "digits": ("330 Ω", SEGMENT_MA),
    }[pins.display]
    for name, pin in pins.wires():
        kind, _, terminal = name.partition(" ")
        if kind not in ("display", "segments", "dot", "digits"):
            continue
        base = kind == "digits"
        yield Wire(
            name=name,
            gpio=pin,
            position=HEADER[pin],
            colour=next(colours),
            part=part,
            terminal=terminal or "dp",
            through="1 kΩ, BC337" if base else through,
            milliamperes=DIGIT_MA if base else current,
        )
    yield Wire(name="ground", gpio=None, position=9, colour=BLACK, part=part, terminal="GND")


def _loads(pins: PinMap) -> Iterator[Load]:
    switched = [name for name, _ in pins.wires() if name.startswith(("lamps", "referee", "buzzer"))]
    for number, name in enumerate(switched, 1):
        buzzer = name == "buzzer"
        yield Load(
            terminal=f"{number}B",
            name=name.removeprefix("lamps ").replace("_", " "),
            through="" if buzzer else "220 Ω",
            milliamperes=BUZZER_MA if buzzer else LAMP_MA,
        )


def wire_rows(wiring: Wiring) -> list[str]:
    """List the wires as rows of a Markdown table."""
    rows = [
        f"| `{wire.name}` | {wire.position} | {'' if wire.gpio is None else wire.gpio} | {wire.colour} | "
        f"{wire.through} | {wire.part} {wire.terminal} |"
        for wire in wiring.wires
    ]
    return ["| wire | position | GPIO | colour | through | to |", "|---|---|---|---|---|---|", *rows]


def part_rows(wiring: Wiring) -> list[str]:
    """List the parts as rows of a Markdown table."""
    rows = [f"| {item.count} | {item.what} | {item.why} |" for item in wiring.items()]
    return ["| pieces | part | for |", "|---|---|---|", *rows]


def current_rows(wiring: Wiring) -> list[str]:
    """List the currents as rows of a Markdown table."""
    most = max((wire.milliamperes for wire in wiring.wires), default=0.0)
    rows = [
        ("one pin, at most", most, PIN_LIMIT_MA),
        ("all GPIO together", wiring.pins_ma, PINS_LIMIT_MA),
        ("3V3 (position 1)", wiring.rail_3v3_ma, RAIL_3V3_LIMIT_MA),
    ]
    listed = [f"| {what} | {value:.1f} mA | {limit:.0f} mA |" for what, value, limit in rows]
    power = f"| 5 V (positions 2, 4) | {wiring.rail_5v_ma:.0f} mA | as the power supply gives beside the Pi |"
    return ["| current | all lit | allowed |", "|---|---|---|", *listed, power]
