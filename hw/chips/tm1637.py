"""Light four digits by a Titan Micro TM1637 on two wires of its own.

By the data sheet TM1637 v2.4: a start is DIO falling while CLK is high, a stop DIO rising while CLK is high; bits go
lowest first and are taken while CLK is high; after eight of them the chip pulls DIO low for one clock. It is no I²C.
"""

from gpiozero.pins import Factory, Pin

from hw.chips.chip import BRIGHTEST, Patterns

WRITE_DATA, FIRST_ADDRESS, DISPLAY_ON = 0x40, 0xC0, 0x88
LEVELS = 8
POINT = 0x80  # of the second digit: the colon of clock modules


class Tm1637:
    """The chip at two pins, which are reserved for it until it is closed.

    :raises gpiozero.GPIOPinInUse: a pin is in use.
    """

    answers = True

    def __init__(self, factory: Factory, clock: int, data: int) -> None:
        self._factory = factory
        factory.reserve_pins(self, clock, data)
        self._clock: Pin = factory.pin(clock)
        self._data: Pin = factory.pin(data)
        for pin in (self._clock, self._data):
            pin.output_with_state(True)

    def send(self, patterns: Patterns, *, colon: bool, brightness: int) -> None:
        """Light these digits.

        :raises OSError: it does not acknowledge.
        """
        first, second, third, fourth = patterns
        digits = (first, second | (POINT if colon else 0), third, fourth)
        self._message(WRITE_DATA)
        self._message(FIRST_ADDRESS, *digits)
        self._message(DISPLAY_ON | brightness * LEVELS // (BRIGHTEST + 1))

    def close(self) -> None:
        """Let the pins go."""
        for pin in (self._clock, self._data):
            pin.close()
        self._factory.release_all(self)

    def _message(self, *data: int) -> None:
        self._data.state = False  # start
        self._clock.state = False
        try:
            for byte in data:
                self._byte(byte)
        finally:
            self._data.output_with_state(False)
            self._clock.state = True
            self._data.state = True  # stop

    def _byte(self, byte: int) -> None:
        for bit in range(8):
            self._data.state = bool(byte >> bit & 1)
            self._clock.state = True
            self._clock.state = False
        self._data.function = "input"
        self._data.pull = "up"
        self._clock.state = True
        taken = not self._data.state
        self._clock.state = False
        self._data.output_with_state(False)
        if not taken:
            raise OSError("the TM1637 does not acknowledge")
