"""Define the look of all screens: colours, type and their few parts."""

from functools import cache
from pathlib import Path
from typing import Any

from kivy.graphics import Canvas
from kivy.graphics.texture import Texture
from kivy.lang import Builder, builder
from kivy.metrics import dp, sp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.utils import escape_markup, get_color_from_hex

from kiosk.ui.parts.fit import FAR, NEAR, SMALL
from kiosk.ui.parts.fitted import Fitted
from kiosk.ui.parts.ground import ARC, KeyGround
from kiosk.ui.parts.label import Label
from kiosk.ui.parts.numbered import Numbered
from kiosk.ui.parts.touchable import Touchable

__all__ = ["ARC", "FAR", "NEAR", "SMALL", "dp", "hex", "sp"]

FELT = "#12332A"
FELT_DEEP = "#0B231C"
PLATE = "#1B463A"
PLATE_LIGHT = "#275A4B"
IVORY = "#F6F0DF"
SAND = "#B4C0AE"
INK = "#16241F"
GOLD = "#EDB93F"
GOLD_DARK = "#7D5600"  # on paper
RED = "#D9503C"
RED_DARK = "#A93524"  # ground of red keys and messages
RED_PALE = "#FFB3A5"  # the same on a green key, which is lighter
RED_LIGHT = "#FF8F7A"  # for lines and words on green, where the red of keys is too dark
BLUE = "#7FB4D6"
CARD = "#FFFDF6"
CARD_RED = "#C4271B"
CARD_BLACK = "#1A1A1A"

#: Kivy's own font has no suit signs; this one comes with Kivy and has them.
SIGNS = "DejaVuSans"

#: Tone of a key: its ground, its ground while pressed, its text.
TONES = {
    "ivory": (IVORY, "#D9CFB4", INK),
    "green": (PLATE_LIGHT, "#37715F", IVORY),
    "gold": (GOLD, "#C99A2B", INK),
    "red": (RED_DARK, "#8A2A1B", IVORY),
    "blue": (BLUE, "#5F94B6", INK),
    "dark": ("#0E2C23", "#1B463A", IVORY),
}


@cache
def hex(colour: str) -> tuple[float, ...]:
    """Return a colour's parts, 0 … 1: red, green, blue, opacity. Each key asks for five, each time it is built."""
    return tuple(get_color_from_hex(colour))


def kv(module_file: str) -> None:
    """Load the layout that stands beside a module."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))


def sign(text: str) -> str:
    """Return markup of a sign that only the second font has."""
    return f"[font={SIGNS}]{text}[/font]"


def two_lines(first: str, second: str, small: str = f"{NEAR}sp") -> str:
    """Return markup of a key with a word and a smaller line below it; both may hold markup."""
    return f"[b]{first}[/b]\n[size={small}]{second}[/size]" if second else f"[b]{first}[/b]"


def plain(text: str) -> str:
    """Return markup that shows ``text`` as it is; names come from people, and the first font has no arrow."""
    return str(escape_markup(text)).replace("→", sign("→"))


@cache
def felt() -> Texture:
    """Draw the cloth with a little light in its middle, small and stretched."""
    width, height = 64, 40
    middle, rim = get_color_from_hex("#1A4438"), get_color_from_hex(FELT_DEEP)
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            away = min(1.0, ((x / (width - 1) - 0.5) ** 2 + (y / (height - 1) - 0.5) ** 2) * 2.1)
            pixels += bytes(round(255 * (a + (b - a) * away)) for a, b in zip(middle[:3], rim[:3], strict=True))
    texture = Texture.create(size=(width, height), colorfmt="rgb")
    texture.blit_buffer(bytes(pixels), colorfmt="rgb", bufferfmt="ubyte")
    texture.mag_filter = "linear"
    return texture


def _set(args: tuple[Any, ...], _widget: object, _value: object) -> None:
    """Set a property to its expression in a layout, as Kivy does, which composes two lines of a log each time."""
    widget, name, expression, _rule, known = args
    setattr(widget, name, eval(expression, known))


builder.call_fn = _set


class Text(Fitted, Label):
    """A text in its place: what is too long for it is written smaller, then on more lines, at last shortened."""


class Para(Label):
    """Text that wraps and is as high as it needs."""


class Plate(BoxLayout):
    """A panel on the felt; ``edge`` draws a line around it."""

    fill = ColorProperty(PLATE)
    edge = ColorProperty("#00000000")
    radius = NumericProperty(12)


class Key(Fitted, Numbered, Touchable, Label):
    """A button for fingers; another text is another meaning, unless ``meaning`` says what a touch does."""

    tone = StringProperty("green")
    fill = ColorProperty(PLATE_LIGHT)
    ink = ColorProperty(IVORY)

    def __init__(self, **kwargs: Any) -> None:
        self.canvas = Canvas()
        self._ground = KeyGround(self.canvas.before, hex(FELT), hex(SAND))  # below what layouts add
        super().__init__(**kwargs)
        self.fbind("tone", self._paint)
        self.fbind("state", self._paint)
        self.fbind("text", self.look)
        for name in ("fill", "disabled"):
            self.fbind(name, self._paint_ground)
        for name in ("pos", "size"):
            self.fbind(name, self._lay_ground)
        self._paint()
        self._paint_ground()
        self._lay_ground()

    def means(self) -> object:
        return self.text if self.meaning is None else self.meaning

    def _paint(self, *_: object) -> None:
        up, down, ink = TONES[self.tone]
        self.fill = hex(down if self.state == "down" else up)
        self.ink = hex(ink)

    def _paint_ground(self, *_: object) -> None:
        self._ground.paint(None if self.disabled else self.fill)

    def _lay_ground(self, *_: object) -> None:
        self._ground.lay(self.pos, self.size)


class Sheet(FloatLayout):
    """A plate with a title above the table, closed by its key or by a touch beside it.

    ``show`` is called with each view while the sheet is open; a sheet whose subject is gone closes itself.
    """

    title = StringProperty("")
    wide = NumericProperty(600)  # dp; less where the stage is smaller
    high = NumericProperty(420)
    gap = NumericProperty(10)  # dp, between its parts
    closable = BooleanProperty(True)
    turns = BooleanProperty(False)  # it can be turned towards each seat: the screen lies flat
    kept = False  # it opens so often that it is built once, and shows all that it says by ``show``; it takes nothing
    degrees = NumericProperty(0)  # by which it is turned, counterclockwise
    upended = BooleanProperty(False)  # it is higher than wide

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        super().__init__(**kwargs)

    def add_widget(self, widget: Any, *args: Any, **kwargs: Any) -> None:
        """Add children of a sheet's own layout to its body."""
        body = self.ids.get("body")
        (super().add_widget if body is None else body.add_widget)(widget, *args, **kwargs)

    def on_size(self, *_: object) -> None:
        """Lay out anew where it is turned towards a side."""
        self.upended = self.height > self.width

    def face_next(self) -> None:
        """Turn towards the next seat."""
        self.app.sheets.turn_on()

    def show(self, view: Any) -> None:
        """Draw the view; most sheets override this."""

    def close(self) -> None:
        """Close the sheet."""
        self.app.sheets.close(self)

    def on_touch_down(self, touch: Any) -> bool:
        if super().on_touch_down(touch):
            return True
        if not self.collide_point(*touch.pos):
            return False
        if self.closable and not self.ids.plate.collide_point(*touch.pos):
            self.close()
        return True


kv(__file__)
