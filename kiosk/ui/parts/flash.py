"""Flash the screen's frame where no loudspeaker and no buzzer gives a signal."""

from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ColorProperty, StringProperty
from kivy.uix.widget import Widget

from kiosk.ui.parts.look import BLUE, GOLD, RED, dp, kv
from kiosk.ui.parts.shown import in_window, labels, targets, words_in_window

#: Seconds that the frame is lit, then dark: less than two flashes a second, far from what may harm anybody.
FLASH_S = 0.35

#: Signal → how often it flashes, and its colour; others flash three times in gold. The word beside it tells them apart.
_KINDS = {"taken": (1, BLUE), "breach": (3, RED), "time_up": (4, RED), "referee": (3, RED), "wrong": (1, RED)}


#: The places that are looked at for the word lie so far apart, in units.
STEP_UNITS = 8

Place = tuple[float, float]
Rect = tuple[float, float, float, float]


class Flash(Widget):
    """A frame round the whole screen, and a word at the right, where it covers nothing that is read or touched.

    It is drawn above a widget without being its child, so it takes no touch.
    """

    #: Width of the word's lines, no wider than the rail, in units.
    WORD_UNITS = 132

    word = StringProperty("")
    tone = ColorProperty(GOLD)
    lit = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._left = 0  # changes to come
        self._blinking: Any = None
        self._below: Any = None
        self._gives_way: Any = None

    def over(self, widget: Any, gives_way: Any) -> "Flash":
        """Draw above a widget and all its children.

        :param gives_way: one of these, whose words may be covered while the frame is lit; the word's own place.
        """
        self._below, self._gives_way = widget, gives_way
        widget.bind(size=self.setter("size"), pos=self.setter("pos"))
        widget.canvas.after.add(self.canvas)
        return self

    def show(self, signal: str, word: str) -> None:
        """Flash for a signal, in place of the one before."""
        times, self.tone = _KINDS.get(signal, (3, GOLD))
        self.word, self.lit, self._left = word, True, 2 * times - 1
        self._stop()
        self._blinking = Clock.schedule_interval(self._turn, FLASH_S)
        self._place()

    def end(self) -> None:
        """Go dark at once."""
        self._stop()
        self.lit = False

    def _stop(self) -> None:
        if self._blinking is not None:
            self._blinking.cancel()

    def _turn(self, *_: object) -> bool:
        self._left -= 1
        self.lit = self._left > 0 and not self.lit
        if self._left <= 0:
            self.lit = False
        elif self.lit:
            self._place()  # a screen or sheet may have come meanwhile
        return self._left > 0

    def _place(self) -> None:
        """Put the word where nothing important is, as near as can be to its own place."""
        plate, root, way = self.ids.plate, self._below, self._gives_way
        plate.texture_update()
        wide, high = plate.size
        given = {id(label) for label in labels(way)}
        words = [words_in_window(one) for one in labels(root) if id(one) not in given]
        keys = [place for _, place in targets(root)]
        left, low, across, up = in_window(way)
        home = min(root.right - wide, left + (across - wide) / 2), low + up - high
        step = dp(STEP_UNITS)
        columns, rows = int((home[0] - root.x) // step), int((root.height - high) // step)
        places = [(home[0] - step * x, root.y + step * y) for x in range(columns + 1) for y in range(rows + 1)]
        places = [home, *sorted(places, key=lambda at: abs(at[0] - home[0]) + abs(at[1] - home[1]))]
        # Where keys are everywhere it stands on one, beside its words.
        plate.pos = _free(places, plate.size, [*words, *keys]) or _free(places, plate.size, words) or home


def _free(
    places: list[tuple[float, float]], size: tuple[float, float], taken: list[Rect]
) -> tuple[float, float] | None:
    """Find the first place where a plate of that size covers nothing that is taken."""
    return next((at for at in places if not any(_overlap((*at, *size), one) for one in taken)), None)


def _overlap(one: Rect, other: Rect) -> bool:
    (x, y, wide, high), (left, low, across, up) = one, other
    return x < left + across and left < x + wide and y < low + up and low < y + high


kv(__file__)
