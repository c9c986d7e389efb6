"""Drive clock display, lamps, buzzer and button of a table as one panel.

What it shows goes down as a value (``PanelState``), what is lit comes back as one (``Lit``): the screen draws that
where no lamps are wired. Time is an input: the loop calls ``tick`` often, twenty times a second or more.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import Self

from gpiozero import LED, Button, Device
from gpiozero import Buzzer as BuzzerPin
from gpiozero.exc import GPIOZeroError
from gpiozero.pins import Factory
from gpiozero.pins.mock import MockFactory

from hw.buzzer import Ringer
from hw.clock_display import ClockDisplay, DisplayMessage, open_display
from hw.device import Condition, Health
from hw.display import ALL_LIT, DARK, NO_CLOCK, Characters
from hw.display_settings import DisplaySettings
from hw.errors import PinError
from hw.factory import open_factory
from hw.pinmap import PinMap

#: Seconds that a blinking lamp or display is lit, then dark.
BLINK_S = 0.4

#: Seconds that a press must last; shorter is a bounce.
DEBOUNCE_S = 0.02

#: Seconds that a part is lit which somebody tries out.
TEST_S = 3.0


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
    :param on_display: called when the clock display is lost and when it is back, from its thread.
    :raises PinError: pins that cannot be had, or a pin that is in use.
    """

    def __init__(
        self,
        pins: PinMap,
        *,
        display: DisplaySettings | None = None,
        factory: Factory | None = None,
        on_button: Callable[[], None] | None = None,
        on_display: Callable[[DisplayMessage], None] = lambda message: None,
    ) -> None:
        self.pins = pins
        settings = display or DisplaySettings()
        self._brightest = self.brightness = settings.brightness  # of the clock display, from the next tick on
        self._own_factory = factory is None
        self.factory = factory or open_factory()
        Device.pin_factory = self.factory  # lamps, buzzer and button ask there
        self._state = PanelState()
        self._told: tuple[object, Lit] | None = None  # what the pins were last told, and what was lit then
        self._ringer = Ringer()
        self._pattern = ""
        self._trying: dict[str, float | None] = {}  # part → until when it is tried out; None: from the next tick on
        self._devices: list[Device] = []
        self._display: ClockDisplay | None = None
        try:
            self._display = open_display(pins, settings, self.factory, on_display, mock=self.mock)
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

    def dim(self, percent: int) -> None:
        """Light the clock display with so much of its brightness from the next tick on; it stays lit at any."""
        self.brightness = round(self._brightest * percent / 100)

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
        tried = self._tried(at)
        display = ALL_LIT if "display" in tried else DARK if state.blink and not bright else state.display
        wanted = (state.lamps + (LampState.OFF,) * len(self._lamps))[: len(self._lamps)]
        lamps = tuple(
            lamp is LampState.TURN or (lamp is LampState.BREACH and bright) or f"lamp {seat}" in tried
            for seat, lamp in enumerate(wanted, 1)
        )
        referee = state.referee or "referee_lamp" in tried
        self._pattern, sounds = self._ringer.advance(at)
        told = (display, self.brightness, lamps, referee, sounds, self._pattern)
        if self._told is None or told != self._told[0]:  # pins are slow, and this is called at every turn of the loop
            if self._display is not None:
                self._display.show(display, self.brightness)
            for lamp, on in zip(self._lamps, lamps, strict=True):
                lamp.value = on
            if self._referee is not None:
                self._referee.value = referee
            if self._buzzer is not None:
                self._buzzer.value = sounds
            self._told = told, self.lit()
        return self._told[1]

    def lit(self) -> Lit:
        """Return the state of the pins now."""
        return Lit(
            display=self._display.shown() if self._display else DARK,
            lamps=tuple(bool(lamp.value) for lamp in self._lamps),
            referee=bool(self._referee and self._referee.value),
            buzzer=bool(self._buzzer and self._buzzer.value),
            pattern=self._pattern,
        )

    def parts(self) -> dict[str, Health]:
        """Describe each part that is wired: ``display``, ``lamp 1`` …, ``referee_lamp``, ``buzzer``, ``button``."""
        silent = Health(condition=Condition.SILENT)
        found: dict[str, Health] = {}
        if self._display is not None and self.pins.display != "none":
            found["display"] = self._display.health()
        found |= {f"lamp {seat}": silent for seat in range(1, len(self._lamps) + 1)}
        single = {"referee_lamp": self._referee, "buzzer": self._buzzer, "button": self._button}
        return found | {name: silent for name, device in single.items() if device is not None}

    def test(self, part: str) -> None:
        """Light a part of ``parts`` for some seconds, or sound the buzzer; a button is tried by pressing it."""
        if part == "buzzer":
            self.ring("test")
        else:
            self._trying[part] = None

    def _tried(self, at: float) -> set[str]:
        """The parts that are tried out at this moment."""
        until = {part: at + TEST_S if end is None else end for part, end in self._trying.items()}
        self._trying = {part: end for part, end in until.items() if at < end}
        return set(self._trying)

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
        if self._display is not None:
            self._display.close()
        for device in reversed(self._devices):
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
