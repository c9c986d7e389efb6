"""Map wires to pins of the Raspberry Pi's header."""

from collections.abc import Iterator
from dataclasses import dataclass, fields

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PinMap:
    """GPIO numbers (BCM) of everything that is wired; ``None`` or an empty tuple: not there.

    :raises PinError: a number that the header does not have, a reserved pin, a pin used twice, a display that has
        not seven segments and four digits.
    """

    segments: tuple[int, ...] = (5, 6, 13, 19, 26, 21, 20)  # a b c d e f g of the clock display
    dot: int | None = 16  # its decimal points, used as colon
    digits: tuple[int, ...] = (17, 27, 22, 10)  # transistors of its four characters, from the left
    lamps: tuple[int, ...] = (23, 24, 25, 8, 7)  # one a seat, seat 1 first
    referee_lamp: int | None = 12
    buzzer: int | None = 18
    button: int | None = 4  # to ground; calls the referee

    def __post_init__(self) -> None:
        if self.segments and len(self.segments) != 7:
            raise PinError(f"segments = {list(self.segments)}: name seven pins (a b c d e f g), or none: []")
        if len(self.digits) != (4 if self.segments else 0):
            raise PinError(
                f"digits = {list(self.digits)}: the clock display has four characters; name a pin for each, "
                "or none of segments, dot and digits"
            )
        if self.dot is not None and not self.segments:
            raise PinError(f"dot = {self.dot}: there is no display without segments; leave the dot out too")
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
            if pin in users:
                raise PinError(f"{name} = {pin}: GPIO {pin} is already {users[pin]}; give each its own pin")
            users[pin] = name

    def wires(self) -> Iterator[tuple[str, int]]:
        """List wires with GPIO numbers: ``("segments a", 5)``, ``("lamps seat 1", 23)``, ``("buzzer", 18)`` …"""
        names = {"segments": "abcdefg", "digits": "1234", "lamps": [f"seat {seat}" for seat in range(1, 6)]}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, tuple):
                yield from ((f"{field.name} {part}", pin) for part, pin in zip(names[field.name], value, strict=False))
            elif value is not None:
                yield field.name, value


#: Nothing wired.
NO_PINS = PinMap(segments=(), dot=None, digits=(), lamps=(), referee_lamp=None, buzzer=None, button=None)
