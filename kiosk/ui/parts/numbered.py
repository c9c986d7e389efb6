"""Mark a key with the small number by which a seat's number pad presses it, and as chosen by one."""

from functools import cache
from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.graphics import Color, Ellipse, InstructionGroup, Rectangle, SmoothLine
from kivy.graphics.texture import Texture
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, StringProperty
from kivy.utils import get_color_from_hex

GROUND, INK, EDGE = "#0B231C", "#F6F0DF", "#EDB93F"
NUMBER_SP, ROUND_DP = 15, 22
ARC = 8  # lines round a corner, as a key has


@cache
def number_texture(number: str) -> Texture:
    """Draw a number."""
    label = CoreLabel(text=number, font_size=sp(NUMBER_SP), bold=True)
    label.refresh()
    return label.texture


class Numbered:
    """What a number pad can press; nothing is drawn, nor bound, as long as none is there."""

    pad_number = StringProperty("")
    pad_chosen = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        self._mark: InstructionGroup | None = None
        super().__init__(**kwargs)
        me: Any = self
        for name in ("pad_number", "pad_chosen"):
            me.fbind(name, self._draw_mark)

    def _draw_mark(self, *_: object) -> None:
        me: Any = self
        if self._mark is not None:
            me.canvas.after.remove(self._mark)
            self._mark = None
            for name in ("pos", "size"):
                me.funbind(name, self._draw_mark)
        if not (self.pad_number or self.pad_chosen):
            return
        for name in ("pos", "size"):
            me.fbind(name, self._draw_mark)
        self._mark = mark = InstructionGroup()
        if self.pad_chosen:
            mark.add(Color(*get_color_from_hex(EDGE)))
            box = (me.x + dp(3), me.y + dp(3), me.width - dp(6), me.height - dp(6), dp(8), ARC)
            mark.add(SmoothLine(rounded_rectangle=box, width=dp(2.5)))
        if self.pad_number:
            x, y, size = me.x - dp(8), me.top - dp(ROUND_DP - 8), dp(ROUND_DP)  # over the corner, beside the words
            texture = number_texture(self.pad_number)
            mark.add(Color(*get_color_from_hex(GROUND)))
            mark.add(Ellipse(pos=(x, y), size=(size, size)))
            mark.add(Color(*get_color_from_hex(INK)))
            wide, high = texture.size
            mark.add(Rectangle(texture=texture, size=(wide, high), pos=(x + (size - wide) / 2, y + (size - high) / 2)))
        me.canvas.after.add(mark)
