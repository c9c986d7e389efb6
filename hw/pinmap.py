"""Map wires to pins of the Raspberry Pi's header."""

from collections.abc import Iterator
from dataclasses import dataclass

from hw.errors import PinError

#: Pins that this table leaves alone, and why.
RESERVED = {
    0: "reads a HAT's memory at start",
    1: "reads a HAT's memory at start",
    14: "is the serial console's TXD",
    15: "is the serial console's RXD",
}

#: GPIO number → position on the 40-pin header, the same on every Raspberry Pi since the B+ (its documentation).
# fmt: off
HEADER = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22,
    11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# fmt: on


#: The clock displays that can be wired. An I²C or SPI bus has its pins by the chip of the Raspberry Pi.
DISPLAYS = ("ht16k33", "max7219", "tm1637", "digits", "none")
I2C_PINS = {"SDA": 2, "SCL": 3}
SPI_PINS = {"DIN": 10, "CLK": 11, "CS": 8}
#: Pins that the kernel takes with the SPI bus, though a MAX7219 has no wire for them.
SPI_TAKES = (7, 9)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinMap:
    """GPIO numbers (BCM) of everything that is wired; ``None`` or an empty tuple: not there.

    The defaults leave both buses, the serial console and the pins of I²S sound alone, and choose for lamps and buzzer
    pins that are pulled low until the program starts (GPIO 9 to 27).

    :raises PinError: a number that the header does not have, a reserved pin, a pin used twice, bare digits that have
        not seven segments and four digits.
    """

    display: str = "ht16k33"  # the clock display, one of DISPLAYS
    two_wires: tuple[int, ...] = (5, 6)  # CLK and DIO of a TM1637
    segments: tuple[int, ...] = ()  # a b c d e f g of bare digits
    dot: int | None = None  # their decimal points, used as colon
    digits: tuple[int, ...] = ()  # transistors of the four characters, from the left
    lamps: tuple[int, ...] = (23, 24, 25, 17, 27)  # one a seat, seat 1 first
    referee_lamp: int | None = 12
    buzzer: int | None = 16
    button: int | None = 4  # to ground; calls the referee

    def __post_init__(self) -> None:
        self._check_display()
        if len(self.lamps) not in (0, 4, 5):
            raise PinError(f"lamps = {list(self.lamps)}: name a pin for each of four or five seats, or none: []")
        users: dict[int, str] = {}
        for name, pin in self.wires():
            if pin in RESERVED:
                raise PinError(f"{name} = {pin}: GPIO {pin} {RESERVED[pin]}; choose another pin")
            if pin not in HEADER:
                raise PinError(
                    f"{name} = {pin}: the header has GPIO 2 to 27 (BCM numbers, not positions on the header)"
                )
            if self.display == "max7219" and pin in SPI_TAKES:
                raise PinError(f"{name} = {pin}: GPIO {pin} goes with the SPI bus of the MAX7219; choose another pin")
            if pin in users:
                raise PinError(f"{name} = {pin}: GPIO {pin} is already {users[pin]}; give each its own pin")
            users[pin] = name

    def _check_display(self) -> None:
        if self.display not in DISPLAYS:
            raise PinError(f'display = "{self.display}": known are {", ".join(DISPLAYS)}')
        if len(self.two_wires) != 2:
            raise PinError(f"two_wires = {list(self.two_wires)}: a TM1637 has two, CLK and DIO")
        bare = self.display == "digits"
        if not bare and (self.segments or self.digits or self.dot is not None):
            raise PinError(f'display = "{self.display}": segments, dot and digits are for display = "digits"')
        if bare and len(self.segments) != 7:
            raise PinError(f"segments = {list(self.segments)}: name seven pins (a b c d e f g)")
        if bare and len(self.digits) != 4:
            raise PinError(f"digits = {list(self.digits)}: there are four characters; name a pin for each")

    def wires(self) -> Iterator[tuple[str, int]]:
        """List wires with GPIO numbers: ``("display SDA", 2)``, ``("lamps seat 1", 23)``, ``("buzzer", 16)`` …"""
        yield from self._display_wires()
        yield from ((f"lamps seat {seat}", pin) for seat, pin in enumerate(self.lamps, 1))
        single = {"referee_lamp": self.referee_lamp, "buzzer": self.buzzer, "button": self.button}
        yield from ((name, pin) for name, pin in single.items() if pin is not None)

    def _display_wires(self) -> Iterator[tuple[str, int]]:
        match self.display:
            case "ht16k33":
                yield from ((f"display {name}", pin) for name, pin in I2C_PINS.items())
            case "max7219":
                yield from ((f"display {name}", pin) for name, pin in SPI_PINS.items())
            case "tm1637":
                yield from zip(("display CLK", "display DIO"), self.two_wires, strict=True)
            case "digits":
                yield from ((f"segments {name}", pin) for name, pin in zip("abcdefg", self.segments, strict=True))
                if self.dot is not None:
                    yield "dot", self.dot
                yield from ((f"digits {number}", pin) for number, pin in enumerate(self.digits, 1))


#: Nothing wired: a table with screen and camera alone.
NO_PINS = PinMap(display="none", lamps=(), referee_lamp=None, buzzer=None, button=None)

#: Clock display and buzzer.
FEW_PINS = PinMap(lamps=(), referee_lamp=None, button=None)

#: Bare digits on pins that nothing else has by default.
BARE_DIGITS = PinMap(display="digits", segments=(13, 19, 26, 20, 21, 18, 22), dot=9, digits=(5, 6, 10, 11))
