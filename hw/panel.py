"""Drive clock display, lamps, buzzer and button of a table as one panel.

What it shows goes down as a value (``PanelState``), what is lit comes back as one (``Lit``): the screen draws that
where no lamps are wired. Time is an input: the loop calls ``tick`` often, twenty times a second or more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self

from gpiozero import LED, Button, Device, LEDCharDisplay, LEDMultiCharDisplay
from gpiozero import Buzzer as BuzzerPin
from gpiozero.exc import GPIOZeroError
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from hw.buzzer import Ringer
from hw.display import DARK, NO_CLOCK, Characters
from hw.errors import PinError
from hw.factory import open_factory
from hw.pinmap import PinMap

#: Seconds that a blinking lamp or display is lit, then dark.
BLINK_S = 0.4

#: Seconds that a press must last; shorter is a bounce.
DEBOUNCE_S = 0.02

#: Seconds that each of the display's characters is lit in its turn: the whole 80 times a second.
CHARACTER_S = 0.003
#: The same at a mock, whose pins nobody sees; the value decides what the display shows.
MOCK_CHARACTER_S = 1.0


class LampState(Enum):
    """State of a seat's lamp."""

    OFF = "off"
    TURN = "turn"  # steady
    BREACH = "breach"  # blinking


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """State that the panel is to show."""

    display: Characters = NO_CLOCK
    blink: bool = False  # the display, at the end of time
    lamps: tuple[LampState, ...] = ()  # seat 1 first; seats left out are dark
    referee: bool = False  # the referee has been called


@dataclass(frozen=True, slots=True, kw_only=True)
class Lit:
    """Lit and sounding parts of the panel at this moment."""

    display: Characters
    lamps: tuple[bool, ...]  # one a lamp that is wired, seat 1 first
    referee: bool
    buzzer: bool
    pattern: str  # the buzzer's, or empty


class Panel:
    """The wired panel. Wires that the pin map leaves out are left out here.

    :param on_button: called at each press, from the pins' own thread: put it into the inbox there.
    :raises PinError: pins that cannot be had, or a pin that is in use.
    """

    def __init__(
        self, pins: PinMap, *, factory: Factory | None = None, on_button: Callable[[], None] | None = None
    ) -> None:
        self.pins = pins
        self._own_factory = factory is None
        self.factory = factory or open_factory()
        Device.pin_factory = self.factory  # gpiozero's displays ask only there
        self._state = PanelState()
        self._shown = DARK
        self._told: tuple[object, Lit] | None = None  # what the pins were last told, and what was lit then
        self._ringer = Ringer()
        self._pattern = ""
        self._devices: list[Device] = []
        try:
            self._display = self._open_display(pins)
            self._lamps = tuple(self._open(LED(pin)) for pin in pins.lamps)
            self._referee = None if pins.referee_lamp is None else self._open(LED(pins.referee_lamp))
            self._buzzer = None if pins.buzzer is None else self._open(BuzzerPin(pins.buzzer))
            self._button = None if pins.button is None else self._open(Button(pins.button, bounce_time=DEBOUNCE_S))
        except Exception as error:
            self.close()
            if isinstance(error, GPIOZeroError | OSError) or type(error).__module__ == "lgpio":
                raise PinError(f"the pins cannot be had: {error}; is another program using them?") from error
            raise
        if self._button is not None and on_button is not None:
            self._button.when_pressed = on_button

    def show(self, state: PanelState) -> None:
        """Show this from the next tick on."""
        self._state = state

    def ring(self, pattern: str) -> None:
        """Play a buzzer pattern of ``hw.buzzer.PATTERNS`` once, after those before it."""
        self._ringer.ring(pattern)

    def silence(self) -> None:
        """Stop the buzzer."""
        self._ringer.silence()

    def tick(self, at: float) -> Lit:
        """Bring the pins to their state at this moment, in seconds of ``hw.clock.now``, and return what is lit."""
        bright = at % (2 * BLINK_S) < BLINK_S
        state = self._state
        display = DARK if state.blink and not bright else state.display
        wanted = (state.lamps + (LampState.OFF,) * len(self._lamps))[: len(self._lamps)]
        lamps = tuple(lamp is LampState.TURN or (lamp is LampState.BREACH and bright) for lamp in wanted)
        self._pattern, sounds = self._ringer.advance(at)
        told = (display, lamps, state.referee, sounds, self._pattern)
        if self._told is None or told != self._told[0]:  # pins are slow, and this is called at every turn of the loop
            self._set_display(display)
            for lamp, on in zip(self._lamps, lamps, strict=True):
                lamp.value = on
            if self._referee is not None:
                self._referee.value = state.referee
            if self._buzzer is not None:
                self._buzzer.value = sounds
            self._told = told, self.lit()
        return self._told[1]

    def lit(self) -> Lit:
        """Return the state of the pins now."""
        return Lit(
            display=tuple(self._display.value) if self._display else self._shown,
            lamps=tuple(bool(lamp.value) for lamp in self._lamps),
            referee=bool(self._referee and self._referee.value),
            buzzer=bool(self._buzzer and self._buzzer.value),
            pattern=self._pattern,
        )

    @property
    def mock(self) -> bool:
        """Whether the pins are a mock, so that the screen may draw the panel."""
        return isinstance(self.factory, MockFactory)

    def press(self) -> None:
        """Press the mock's button and let it go, as the demo's drawn button does.

        :raises PinError: on a wired panel, where fingers do that, or without a button.
        """
        if not self.mock or self._button is None:
            raise PinError("only a mock's button can be pressed by the program")
        self._button.pin.drive_low()
        self._button.pin.drive_high()

    def close(self) -> None:
        """Switch everything off and release the pins; may be called twice."""
        for device in reversed(self._devices):
            if isinstance(device, LEDMultiCharDisplay):
                device.value = DARK  # ends the thread that lights one character after the other
            if not device.closed and hasattr(device, "off"):
                device.off()  # a pin may stay as it was when it is let go
            device.close()
        self._devices.clear()
        if self._own_factory:
            self.factory.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self, device: Device) -> Device:
        self._devices.append(device)
        return device

    def _open_display(self, pins: PinMap) -> LEDMultiCharDisplay | None:
        if not pins.segments:
            return None
        character = LEDCharDisplay(*pins.segments, dp=pins.dot)
        character.font["-"] = (0, 0, 0, 0, 0, 0, 1)  # gpiozero's has letters and digits only
        self._devices.append(character)
        display = self._open(LEDMultiCharDisplay(character, *pins.digits))
        display.plex_delay = MOCK_CHARACTER_S if self.mock else CHARACTER_S
        return display

    def _set_display(self, characters: Characters) -> None:
        if self._display is not None and self.pins.dot is None:
            characters = tuple(character[0] for character in characters)  # type: ignore[assignment]
        if characters != self._shown:
            self._shown = characters
            if self._display is not None:
                self._display.value = characters
