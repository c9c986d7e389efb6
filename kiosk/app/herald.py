"""Give each signal by whatever way out there is: the loudspeaker, else the buzzer, else a flash of the screen."""

import datetime
from collections.abc import Callable
from typing import Protocol

from hw.loudspeaker import Loudspeaker, LoudspeakerState, Unheard
from hw.panel import Panel
from kiosk.app.config import SoundConfig


class FlashScreen(Protocol):
    """What the herald calls on a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def flash(self, signal: str) -> None: ...


#: Opens a loudspeaker on a device of ALSA.
OpenLoudspeaker = Callable[[str], Loudspeaker]


class Herald:
    """Giver of signals and speaker of words.

    :param settings: as the file and the screen have them.
    :param open_speaker: opens a loudspeaker on a device; None: this table has none.
    :param wall: the time of day, for the quiet hours.
    """

    def __init__(
        self,
        panel: Callable[[], Panel | None],
        screen: Callable[[], FlashScreen | None],
        settings: SoundConfig | None = None,
        open_speaker: OpenLoudspeaker | None = None,
        wall: Callable[[], datetime.time] = lambda: datetime.datetime.now().time(),
    ) -> None:
        self._panel, self._screen, self._open, self._wall = panel, screen, open_speaker, wall
        self.settings = settings or SoundConfig()
        self.state: LoudspeakerState | None = None  # None: not known yet, or no loudspeaker is meant to be here
        self._speaker = self._opened()

    def change(self, settings: SoundConfig) -> None:
        """Go by these settings from now on."""
        other = settings.device != self.settings.device
        self.settings = settings
        if other:
            self.close()
            self._speaker = self._opened()

    def heard(self, message: LoudspeakerState | Unheard) -> None:
        """Process a message of the loudspeaker: a signal that it could not play goes another way."""
        match message:
            case LoudspeakerState():
                self.state = message
            case Unheard(signal=signal):
                self._without_speaker(signal)

    def give(self, signal: str) -> None:
        """Give a signal of ``hw.signals.SIGNALS``; in the quiet hours the screen alone does it."""
        if self.quiet:
            self._flash(signal)
        elif self._speaker is not None and self._speaker.works and self.settings.volume:
            self._speaker.play(signal, self.settings.volume)
        else:
            self._without_speaker(signal)

    def say(self, text: str, language: str) -> None:
        """Speak a text where spoken words are wanted and can be heard."""
        if text and self.settings.speak and not self.quiet and self._speaker is not None and self._speaker.works:
            self._speaker.say(text, language, self.settings.volume)

    def try_out(self, text: str, language: str) -> None:
        """Let whoever sets up hear how signals are given here, in the quiet hours too."""
        if self._speaker is None:
            self._without_speaker("test")
            return
        self._speaker.play("test", self.settings.volume)
        if self.settings.speak:
            self._speaker.say(text, language, self.settings.volume)

    @property
    def quiet(self) -> bool:
        """Whether it is a quiet hour now."""
        return in_hours(self.settings.quiet, self._wall())

    def close(self) -> None:
        """End the loudspeaker; may be called twice."""
        if self._speaker is not None:
            self._speaker.close()
        self._speaker, self.state = None, None

    def _opened(self) -> Loudspeaker | None:
        return self._open(self.settings.device) if self._open is not None and self.settings.device else None

    def _without_speaker(self, signal: str) -> None:
        panel = self._panel()
        if panel is not None and panel.pins.buzzer is not None:
            panel.ring(signal)
            if not panel.mock:  # a mock's buzzer is drawn, and nobody hears it
                return
        self._flash(signal)

    def _flash(self, signal: str) -> None:
        screen = self._screen()
        if screen is not None:
            screen.flash(signal)


def in_hours(hours: str, at: datetime.time) -> bool:
    """Report whether a time of day lies in hours like ``22:00-07:00``, the end not included; "" are none."""
    if not hours:
        return False
    begin, end = (datetime.time.fromisoformat(part) for part in hours.split("-"))
    return begin <= at < end if begin <= end else at >= begin or at < end
