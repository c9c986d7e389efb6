"""Light four digits by a Holtek HT16K33 on the I²C bus, wired as on Adafruit's seven-segment backpacks.

Commands by Holtek's data sheet HT16K33 v1.10: system set-up 0x2X, display set-up 0x8X, dimming 0xEX, and the display
memory from 0x00 on, one word a common line. On the backpacks the digits are at lines 0, 1, 3 and 4, the colon at 2.
"""

from typing import Protocol

from hw.chips.chip import Patterns

OSCILLATOR_ON, DISPLAY_ON, DIMMING = 0x21, 0x81, 0xE0
MEMORY = 0x00
DIGITS, COLON = (0x00, 0x02, 0x06, 0x08), 0x04
COLON_DOTS = 0x02  # of the memory at COLON
POINT = 0x80  # of a digit


class I2cBus(Protocol):
    """What is used of a bus, as ``smbus2.SMBus`` has it; the kernel's stub of a bus knows these as well."""

    def write_byte(self, i2c_addr: int, value: int) -> None: ...
    def write_i2c_block_data(self, i2c_addr: int, register: int, data: list[int]) -> None: ...
    def close(self) -> None: ...


class Ht16k33:
    """The chip at an address of the bus, which is closed with it.

    :param point: the module has no colon; the second digit's point stands for it.
    """

    answers = True

    def __init__(self, bus: I2cBus, address: int = 0x70, *, point: bool = False) -> None:
        self._bus, self._address, self._point = bus, address, point

    def send(self, patterns: Patterns, *, colon: bool, brightness: int) -> None:
        """Light these digits.

        :raises OSError: it does not acknowledge its address.
        """
        memory = [0] * 16
        for place, pattern in zip(DIGITS, patterns, strict=True):
            memory[place] = pattern
        if colon and self._point:
            memory[DIGITS[1]] |= POINT
        elif colon:
            memory[COLON] = COLON_DOTS
        self._bus.write_byte(self._address, OSCILLATOR_ON)
        self._bus.write_i2c_block_data(self._address, MEMORY, memory)
        self._bus.write_byte(self._address, DIMMING | brightness)
        self._bus.write_byte(self._address, DISPLAY_ON)  # last: what the memory held at power-up is never seen

    def close(self) -> None:
        """Close the bus."""
        self._bus.close()
