"""Fit words to their place: smaller as far as eyes allow, then on more lines, and only then cut with …"""

from functools import lru_cache
from typing import Any

from kivy.core.text.markup import MarkupLabel
from kivy.metrics import sp
from kivy.properties import BooleanProperty, NumericProperty
from kivy.utils import get_hex_from_color

from kiosk.ui.parts.fit import NEAR, height_of, width_of
from kiosk.ui.parts.markup import begin, plain_words, sized_words

#: Rounding of a font's widths, px.
_ROUNDING = 1.0


class Fitted:
    """A label with markup and a place of its own (``text_size``); it stands first among the bases of its class.

    ``text`` stays whole, whatever is shown of it. A height of None is as high as the words need, on ``lines`` at most.
    """

    least = NumericProperty(NEAR)  # no smaller than this, in units, where it is larger by itself
    lines = NumericProperty(0)  # so many at most where the height is None; 0: as many as it takes
    shown_size = NumericProperty(0)  # in which it is written now, px
    is_shortened = BooleanProperty(False)  # the end is left out

    text: str
    text_size: Any
    font_size: float
    disabled: bool
    _label: Any

    def texture_update(self, *now: Any) -> None:
        """Write the words as they fit."""
        label: Any = self
        width, height = self.text_size
        words, size = self.text, float(self.font_size)
        if width and width > 0 and (height is None or height > 0):
            least = min(size, float(sp(self.least)))
            if height is None and self.lines:
                height = self.lines * height_of("X", width, size)
            words, size = fitted(words, (width, height), (size, least), bool(label.bold))
        self._label.options["font_size"] = size
        super().texture_update(*now)  # type: ignore[misc]  # a label's
        if words != self.text:
            ink = get_hex_from_color(label.disabled_color if self.disabled else label.color)
            self._label.text = f"[color={ink}]{words}[/color]"
            self._label.refresh()
            label.texture = self._label.texture
            label.texture_size = list(label.texture.size)
        self.shown_size, self.is_shortened = size, words != self.text


@lru_cache(maxsize=1024)  # a screen shows some hundred; a round brings 200 new ones
def fitted(
    text: str, room: tuple[float, float | None], sizes: tuple[float, float], bold: bool = False
) -> tuple[str, float]:
    """Return the words, with markup, and the size in px in which they fit; the end is left out where none does.

    :param room: width and height, px; the height None for as many lines as there are.
    :param sizes: the size wanted and the least one, px.
    """
    size, least = sizes
    while not _fits(text, room, size, bold):
        if size <= least:
            return _shortened(text, room, size, bold), size
        size = max(least, size - sp(1))
    return text, size


def _fits(text: str, room: tuple[float, float | None], size: float, bold: bool) -> bool:
    """Whether all lines have room, and no word is so wide that it would be broken."""
    width, height = room
    label = MarkupLabel(text=text, font_size=size, bold=bold, text_size=(width, None))
    label.resolve_font_name()
    if height is not None and label.render()[1] > height + _ROUNDING:
        return False
    return all(width_of(word, at, bold) <= width + _ROUNDING for word, at in sized_words(text, size, sp(1)))


def _shortened(text: str, room: tuple[float, float | None], size: float, bold: bool) -> str:
    """Leave out as little of the end as fits; at least a letter stays."""
    least, most = 1, len(plain_words(text))
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if _fits(begin(text, middle), room, size, bold) else (least, middle - 1)
    return begin(text, least)
