"""Flash the screen's frame where no loudspeaker and no buzzer gives a signal."""

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ColorProperty, StringProperty
from kivy.uix.widget import Widget

from kiosk.ui.parts.look import BLUE, GOLD, RED, kv

#: Seconds that the frame is lit, then dark: less than two flashes a second, far from what may harm anybody.
FLASH_S = 0.35

#: Signal → how often it flashes, and its colour; others flash three times in gold. The word beside it tells them apart.
_KINDS = {"taken": (1, BLUE), "breach": (3, RED), "time_up": (4, RED), "referee": (3, RED), "wrong": (1, RED)}


class Flash(Widget):
    """A frame round the whole screen with a word at its head.

    It is drawn above a widget without being its child, so it takes no touch.
    """

    word = StringProperty("")
    tone = ColorProperty(GOLD)
    lit = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._left = 0  # changes to come
        self._blinking: Any = None

    def over(self, widget: Any) -> "Flash":
        """Draw above a widget and all its children."""
        widget.bind(size=self.setter("size"), pos=self.setter("pos"))
        widget.canvas.after.add(self.canvas)
        return self

    def show(self, signal: str, word: str) -> None:
        """Flash for a signal, in place of the one before."""
        times, self.tone = _KINDS.get(signal, (3, GOLD))
        self.word, self.lit, self._left = word, True, 2 * times - 1
        if self._blinking is not None:
            self._blinking.cancel()
        self._blinking = Clock.schedule_interval(self._turn, FLASH_S)

    def _turn(self, *_: object) -> bool:
        self._left -= 1
        self.lit = self._left > 0 and not self.lit
        if self._left <= 0:
            self.lit = False
        return self._left > 0


kv(__file__)
