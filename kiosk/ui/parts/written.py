"""Write words once: labels that say the same in the same look share a picture, which is painted when it is first drawn.

Most of what a sheet says was written when it was open before, and on screens that are not up nobody sees it.
"""

from collections import OrderedDict
from copy import copy
from typing import Any

from kivy.core.text.markup import MarkupLabel
from kivy.metrics import sp

#: Options of words on which their picture depends; those that no label sets are the same of all.
LOOK = ("font_size", "font_name_r", "bold", "color", "halign", "valign", "padding", "line_height")

#: What is known of words once they are laid out.
KNOWN = ("texture", "_size", "_size_texture", "_internal_size", "_cached_lines", "is_shortened")

BYTES_PER_PIXEL = 4


class Written:
    """Words that are laid out, by their look; those used longest ago go first."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[tuple[object, ...], Any] = OrderedDict()

    def write(self, words: Any) -> None:
        """Lay words out, unless others are that look alike, and give them the picture."""
        words.resolve_font_name()
        looks = _looks(words)
        painter = self._kept.get(looks)
        if painter is None:
            painter = _painter(words)
            self._keep(looks, painter)
        else:
            self._kept.move_to_end(looks)
        for name in KNOWN:
            setattr(words, name, getattr(painter, name))

    def _keep(self, looks: tuple[object, ...], painter: Any) -> None:
        self._kept[looks] = painter
        self._bytes += _bytes(painter)
        while self._bytes > self.most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= _bytes(oldest)


def _looks(words: Any) -> tuple[object, ...]:
    """All that a picture of words depends on; sizes within a text are in units of the window."""
    options = words.options
    chosen = (tuple(one) if isinstance(one, list) else one for one in (options[name] for name in LOOK))
    return (words.text, tuple(words.text_size), sp(1), *chosen)


def _painter(words: Any) -> Any:
    """Words that stay as these are now, whatever these become until their picture is drawn."""
    painter = copy(words)
    painter.options, painter.texture = dict(words.options), None
    _lay_out(painter)  # makes a picture that asks it for its pixels
    return painter


def _bytes(painter: Any) -> int:
    return int(painter.texture.width * painter.texture.height) * BYTES_PER_PIXEL


#: The words of all labels. With four times as much sheets open no sooner, and a table takes 4 MB more.
WRITTEN = Written(512 * 1024)


def _write(words: Any) -> None:
    WRITTEN.write(words)


_lay_out = MarkupLabel.refresh
MarkupLabel.refresh = _write
