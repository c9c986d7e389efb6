"""Light the four right-hand digits of a Maxim MAX7219 module on the SPI bus.

Registers by Maxim's data sheet 19-4452: sixteen bits a word, the register's address first. The chip cannot answer.
"""

from typing import Protocol

from hw.chips.chip import Patterns

DECODE_MODE, INTENSITY, SCAN_LIMIT, SHUTDOWN, DISPLAY_TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F
DIGIT_0 = 0x01  # the rightmost
DIGITS = 8
POINT = 0x80


class SpiBus(Protocol):
    """What is used of a bus, as ``gpiozero.SPI`` has it: one transfer, one word for the chip."""

    def transfer(self, data: list[int]) -> object: ...
    def close(self) -> None: ...


class Max7219:
    """The chip on its own bus, which is closed with it. The second digit's point stands for the colon."""

    answers = False

    def __init__(self, bus: SpiBus) -> None:
        self._bus = bus

    def send(self, patterns: Patterns, *, colon: bool, brightness: int) -> None:
        """Light these digits; that nobody listens is not noticed.

        :raises OSError: the bus itself fails.
        """
        lit = list(patterns)
        words = [(DISPLAY_TEST, 0), (DECODE_MODE, 0), (SCAN_LIMIT, DIGITS - 1), (INTENSITY, brightness)]
        for place in range(DIGITS):
            pattern = _in_order(lit[3 - place]) if place < len(lit) else 0
            words.append((DIGIT_0 + place, pattern | (POINT if colon and place == 2 else 0)))
        for register, value in (*words, (SHUTDOWN, 1)):
            self._bus.transfer([register, value])

    def close(self) -> None:
        """Close the bus."""
        self._bus.close()


def _in_order(pattern: int) -> int:
    """Turn bits a … g from 0 … 6 to 6 … 0, as this chip has them."""
    return sum(1 << (6 - bit) for bit in range(7) if pattern >> bit & 1)
