"""Drive the clock display: a chip that lights its digits by itself, bare digits on pins, or none.

A chip has a thread of its own: a bus that hangs, or a module that was pulled off, never holds the table up.
"""

import errno
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from gpiozero import Device, LEDCharDisplay, LEDMultiCharDisplay
from gpiozero.pins import Factory

from hw.chips.chip import Chip
from hw.chips.ht16k33 import Ht16k33
from hw.chips.max7219 import Max7219
from hw.chips.tm1637 import Tm1637
from hw.clock import now
from hw.device import Condition, Health
from hw.display import DARK, Characters, segments
from hw.display_settings import DisplaySettings
from hw.errors import PinError
from hw.pinmap import PinMap

#: Seconds after which everything is sent again, though nothing has changed: so that a module that lost its power, or
#: was pulled off and put back, is noticed and lit again.
REFRESH_S = 2.0

#: Seconds that each of the bare digits is lit in its turn: the whole 80 times a second.
CHARACTER_S = 0.003
#: The same at a mock, whose pins nobody sees; the value decides what the display shows.
MOCK_CHARACTER_S = 1.0

#: The header's I²C bus, on every Raspberry Pi since the B+.
I2C_BUS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayGone:
    """The clock display does not answer; told once until it is back."""

    at: float
    code: str  # with words of the subject hardware
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayBack:
    """The clock display answers again."""

    at: float


DisplayMessage: TypeAlias = DisplayGone | DisplayBack


class ClockDisplay(Protocol):
    """A display of four characters. Nothing here waits for it or raises because of it."""

    def show(self, characters: Characters, brightness: int) -> None:
        """Show this from now on, as soon as it can."""
        ...

    def shown(self) -> Characters:
        """Return the characters that it was told to show last."""
        ...

    def health(self) -> Health:
        """Say whether it answers."""
        ...

    def close(self) -> None:
        """Darken it and let its wires go; may be called twice."""
        ...


class NoDisplay:
    """What is shown where no display is wired, or the pins are a mock: the screen may draw it."""

    def __init__(self) -> None:
        self._shown = DARK

    def show(self, characters: Characters, brightness: int) -> None:
        """Keep the characters."""
        self._shown = characters

    def shown(self) -> Characters:
        """Return the characters."""
        return self._shown

    def health(self) -> Health:
        """Say that it cannot answer."""
        return Health(condition=Condition.SILENT)

    def close(self) -> None:
        """Do nothing."""


class ModuleDisplay:
    """A chip, sent what it shows by a thread that outlives its loss.

    :param open_chip: opens it, again after each failure; it may raise as the bus or the pins do.
    :param tell: called from the thread when the chip is lost and when it is back.
    :param thread: False: only ``turn`` sends, as a test does it.
    """

    def __init__(
        self,
        open_chip: Callable[[], Chip],
        tell: Callable[[DisplayMessage], None] = lambda message: None,
        *,
        clock: Callable[[], float] = now,
        thread: bool = True,
    ) -> None:
        self._open_chip, self._tell, self._clock = open_chip, tell, clock
        self._chip: Chip | None = None
        self._wanted: tuple[Characters, int] = DARK, 0
        self._health = Health(condition=Condition.SILENT)
        self._changed = threading.Event()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="clock display", daemon=True) if thread else None
        if self._thread is not None:
            self._thread.start()

    def show(self, characters: Characters, brightness: int) -> None:
        """Show this; a newer one takes the place of what was not sent yet."""
        if (characters, brightness) != self._wanted:
            self._wanted = characters, brightness
            self._changed.set()

    def shown(self) -> Characters:
        """Return the characters that it was told to show last."""
        return self._wanted[0]

    def health(self) -> Health:
        """Say how the last sending went."""
        return self._health

    def close(self) -> None:
        """Darken it, if it answers, and let it go."""
        self._stop.set()
        self._changed.set()
        if self._thread is not None:
            self._thread.join(timeout=2 * REFRESH_S)
            if self._thread.is_alive():  # a bus that hangs; the chip is its thread's
                return
        self._wanted = DARK, 0
        if self._chip is not None:
            self.turn()
        self._drop()

    def turn(self) -> None:
        """Send what is wanted once; a failure is told, and the chip opened anew at the next turn."""
        characters, brightness = self._wanted
        try:
            if self._chip is None:
                self._chip = self._open_chip()
            patterns, colon = segments(characters)
            self._chip.send(patterns, colon=colon, brightness=brightness)
        except Exception as error:  # noqa: BLE001 - of lgpio, gpiozero and the kernel; lgpio's is a plain Exception
            self._drop()
            self._lost(error)
        else:
            if self._health.condition is Condition.GONE:
                self._tell(DisplayBack(at=self._clock()))
            self._health = Health(condition=Condition.WORKS if self._chip.answers else Condition.SILENT)

    def _run(self) -> None:
        while not self._stop.is_set():
            self._changed.clear()
            self.turn()
            self._changed.wait(REFRESH_S)

    def _lost(self, error: Exception) -> None:
        code = _code(error)
        if self._health.code != code:
            self._health = Health(condition=Condition.GONE, code=code, detail=str(error))
            if not self._stop.is_set():
                self._tell(DisplayGone(at=self._clock(), code=code, detail=str(error)))

    def _drop(self) -> None:
        chip, self._chip = self._chip, None
        if chip is not None:
            try:
                chip.close()
            except Exception as error:  # noqa: BLE001 - as above; it is gone, and must not take the thread with it
                self._lost(error)


class BareDigits:
    """Four bare digits, lit one after the other from the pins by gpiozero's thread; they flicker on a busy machine."""

    def __init__(self, pins: PinMap, factory: Factory, *, mock: bool) -> None:
        Device.pin_factory = factory  # gpiozero's displays ask only there
        character = LEDCharDisplay(*pins.segments, dp=pins.dot)
        character.font["-"] = (0, 0, 0, 0, 0, 0, 1)  # gpiozero's has letters and digits only
        self._character = character
        try:
            self._display = LEDMultiCharDisplay(character, *pins.digits)
        except Exception:
            character.close()
            raise
        self._display.plex_delay = MOCK_CHARACTER_S if mock else CHARACTER_S
        self._dotted = pins.dot is not None
        self._shown = DARK

    def show(self, characters: Characters, brightness: int) -> None:
        """Show this; there is but one brightness."""
        if not self._dotted:
            characters = tuple(character[0] for character in characters)  # type: ignore[assignment]
        if characters != self._shown:
            self._shown = characters
            self._display.value = characters

    def shown(self) -> Characters:
        """Return what gpiozero shows."""
        first, second, third, fourth = self._display.value
        return first, second, third, fourth

    def health(self) -> Health:
        """Say that it cannot answer."""
        return Health(condition=Condition.SILENT)

    def close(self) -> None:
        """Darken it and release the pins."""
        if not self._display.closed:
            self._display.value = DARK  # ends the thread that lights one character after the other
            self._display.off()
            self._character.off()
        self._display.close()
        self._character.close()


def open_chip(pins: PinMap, settings: DisplaySettings, factory: Factory) -> Chip:
    """Open the chip that the pin map names.

    :raises OSError: its bus is not there, or not for this user.
    :raises PinError: the pin map names no chip.
    """
    match pins.display:
        case "ht16k33":
            from smbus2 import SMBus

            return Ht16k33(SMBus(I2C_BUS), settings.address, point=settings.colon == "point")
        case "max7219":
            Device.pin_factory = factory  # without /dev/spidev gpiozero clocks the pins itself, and asks there
            return Max7219(factory.spi(port=0, device=0))
        case "tm1637":
            return Tm1637(factory, *pins.two_wires)
        case other:
            raise PinError(f'display = "{other}": no chip')


def open_display(
    pins: PinMap,
    settings: DisplaySettings,
    factory: Factory,
    tell: Callable[[DisplayMessage], None],
    *,
    mock: bool,
) -> ClockDisplay:
    """Open what the pin map names; behind a mock's pins there is no chip."""
    if pins.display == "digits":
        return BareDigits(pins, factory, mock=mock)
    if pins.display == "none" or mock:
        return NoDisplay()
    return ModuleDisplay(lambda: open_chip(pins, settings, factory), tell)


def _code(error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number in (errno.ENOENT, errno.ENODEV) or isinstance(error, FileNotFoundError):
        return "display_no_bus"
    if number in (errno.EACCES, errno.EPERM):
        return "display_forbidden"
    if isinstance(error, OSError):  # ENXIO or EREMOTEIO by the bus's driver, EIO, ETIMEDOUT; a TM1637 that is silent
        return "display_silent"
    return "display_pins"
