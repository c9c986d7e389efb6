"""Draw the mat as the camera sees it: each card with its name and margin, the change, the frame rate."""

import math
import time
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from kivy.core.text.markup import MarkupLabel
from kivy.graphics import Color, Line, Rectangle, RoundedRectangle
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.parts.look import BLUE, GOLD, IVORY, SAND, dp, hex, kv, sp
from kiosk.ui.parts.pictures import live_texture
from vision.messages import CardInPicture, MatPicture, Point

#: Seconds without a picture after which one is asked for again: the process may have been started anew.
SILENT_S = 2.0
#: Pixels across the picture at most: the camera's own picture is little wider, and each costs the screen's thread time.
LARGEST_PICTURE_PX = 960
#: Seconds for which a card that was just read is drawn in bold, of the camera's time.
JUST_READ_S = 1.0
#: Readings that are listed below the picture at most.
LISTED_READINGS = 24
#: Width in pixels from which on the panel stands beside the table, and its share of it.
SPLIT_FROM_PX, SPLIT_SHARE = 1600, 0.4
#: Colours of a card read surely, in doubt, face down.
SURE_COLOUR, DOUBT_COLOUR, BACK_COLOUR = "#7CE38B", "#F39B33", "#B4C0AE"


@lru_cache(maxsize=512)
def _label_texture(markup: str, size: float) -> Texture:
    label = MarkupLabel(text=markup, font_size=size, bold=True, color=hex(IVORY))
    label.refresh()
    return label.texture


class MatPictureView(Widget):
    """The newest ``MatPicture``, as large as there is room, with what was read drawn over it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.names: Any = None  # kiosk.ui.parts.cards.Faces
        self._texture: Texture | None = None
        self._picture: MatPicture | None = None
        self._read_at: dict[int, float] = {}  # by card
        self.bind(pos=self._draw, size=self._draw)

    def show(self, picture: MatPicture) -> None:
        """Draw a picture with its cards and changes."""
        texture = live_texture(picture.picture, self._texture)
        if texture is None:
            return
        self._texture = texture
        self._picture = picture
        self._read_at = {card.card: self._read_at.get(card.card, picture.at) for card in picture.cards}
        self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        picture = self._picture
        if picture is None:
            return
        scale = min(self.width / picture.size[0], self.height / picture.size[1])
        width, height = picture.size[0] * scale, picture.size[1] * scale
        left, top = self.x + (self.width - width) / 2, self.top  # below it, the readings

        def on_screen(points: Sequence[Point]) -> list[float]:
            return [value for x, y in points for value in (left + x * scale, top - y * scale)]

        with self.canvas:
            Color(1, 1, 1, 1)
            Rectangle(texture=self._texture, pos=(left, top - height), size=(width, height))
            for outlines, colour, thick in ((picture.changed, GOLD, 1.4), (picture.moving, BLUE, 1.0)):
                Color(*hex(colour)[:3], 0.85)
                for outline in outlines:
                    Line(points=on_screen(outline), close=True, width=dp(thick))
            for card in picture.cards:
                fresh = picture.at - self._read_at[card.card] < JUST_READ_S
                Color(*hex(BACK_COLOUR if card.face_down else DOUBT_COLOUR if card.doubt else SURE_COLOUR))
                Line(points=on_screen(card.quad), close=True, width=dp(2.4 if fresh else 1.2))
            open_cards = [card for card in picture.cards if not card.face_down]
            trick = _mean([_mean(card.quad) for card in open_cards])
            for card in open_cards:
                x, y = on_screen([_outer_half(card, trick)])
                self._write(self.reading(card), x, y)

    def _write(self, markup: str, x: float, y: float) -> None:
        """Write a reading on a dark plate whose middle is there."""
        texture = _label_texture(markup, sp(14))
        width, height = texture.size
        Color(0.04, 0.14, 0.11, 0.86)
        RoundedRectangle(
            pos=(x - width / 2 - dp(5), y - height / 2 - dp(1)),
            size=(width + dp(10), height + dp(2)),
            radius=[dp(6)],
        )
        Color(1, 1, 1, 1)
        Rectangle(texture=texture, pos=(x - width / 2, y - height / 2), size=texture.size)

    def reading(self, card: CardInPicture) -> str:
        """Format a card's likeliest name and its margin as markup."""
        name = self.names.name(card.label) if card.label and len(card.label) == 2 else "?"
        return f"{name}{' ?' if card.doubt else ''}  [color={SAND}]{card.margin:.2f}[/color]"


def _mean(points: Sequence[Point]) -> Point:
    count = max(1, len(points))
    return sum(x for x, _ in points) / count, sum(y for _, y in points) / count


def _outer_half(card: CardInPicture, trick: Point) -> Point:
    """The middle of that half of a card that lies away from the trick's middle: the others leave it free."""
    a, b, c, d = card.quad
    ends = _mean((a, b)), _mean((c, d))
    return _mean((_mean(card.quad), max(ends, key=lambda end: math.dist(end, trick))))


class ReadingRow(BoxLayout):
    """A card that was read, and how far its name is ahead of the next one."""

    name = StringProperty("")
    margin = NumericProperty(0)
    tone = ListProperty([1, 1, 1, 1])


class MatPanel(BoxLayout):
    """The mat, live; its frame rate; the last readings; a key for the director's page.

    :param split: the table stands beside it; else a key at the table's foot changes between the two.
    :param in_menu: there is no room for such a key: the menu brings the mat, a key beside it the table.
    """

    status = StringProperty("")
    page = StringProperty("")
    split = BooleanProperty(True)
    in_menu = BooleanProperty(False)

    def __init__(self, app: Any, spectator: Spectator, *, split: bool, in_menu: bool = False) -> None:
        self.app, self._spectator = app, spectator
        self._watching = False
        self._picture_px = 0
        self._bar: MatBar | None = None
        self._root: Any = None
        self._heard_at = 0.0
        self._readings: OrderedDict[int, CardInPicture] = OrderedDict()
        self._listed: tuple[object, ...] = ()
        super().__init__()
        self.page, self.split, self.in_menu = spectator.page, split, in_menu and not split

    def put_beside(self, root: Any, width: float) -> None:
        """Stand beside the table, ``width`` px wide, or get a key at its foot that brings it into the table's place."""
        self._root, self._picture_px = root, min(LARGEST_PICTURE_PX, round(width))
        if self.split:
            self.size_hint_x, self.width = None, width
            root.add_widget(self)
            self._watch(True)
        elif not self.in_menu:
            self._bar = MatBar(panel=self)
            root.ids.table.add_widget(self._bar)

    def take_place(self, shown: bool) -> None:
        """Take the table's place, or give it back."""
        table, screen_and_rail = self._root.ids.table, self._root.ids.screen_and_rail
        old, new = (screen_and_rail, self) if shown else (self, screen_and_rail)
        if self.split or old not in table.children:
            return
        place = table.children.index(old)
        table.remove_widget(old)
        table.add_widget(new, index=place)
        if self._bar is not None:
            self._bar.shown = shown
        self._watch(shown)

    def _watch(self, on: bool) -> None:
        """Ask for pictures, or for none any more: nobody sees them."""
        self._watching = on
        self._heard_at = time.monotonic()
        self._spectator.watch(self._picture_px if on else 0)

    def tick(self) -> None:
        """Request pictures again where they have stopped coming."""
        if self._watching and time.monotonic() - self._heard_at > SILENT_S:
            self._watch(True)

    def show(self, picture: MatPicture) -> None:
        """Show what the camera sees now."""
        self._heard_at = time.monotonic()
        if not self._watching:
            return
        self.ids.view.names = self.app.faces
        self.ids.view.show(picture)
        words = self.app.words
        state = "mat_moving" if picture.moving else "mat_change" if picture.changed else "mat_rest"
        self.status = f"{words['mat_fps'].format(fps=round(picture.fps))}   ·   {words[state]}"
        for card in picture.cards:
            if not card.face_down and card.label is not None:
                self._readings.setdefault(card.card, card)
                self._readings[card.card] = card
        while len(self._readings) > LISTED_READINGS:
            self._readings.popitem(last=False)
        self._list_readings()

    def _list_readings(self) -> None:
        """List the newest readings first, as many as there is room for."""
        rows = self.ids.readings
        room = max(0, int((rows.height + dp(4)) // dp(30)))
        newest = list(self._readings.values())[::-1][:room]
        listed = tuple((card.card, card.label, card.doubt, round(card.margin, 2)) for card in newest)
        if listed == self._listed:
            return
        self._listed = listed
        rows.clear_widgets()
        for card in newest:
            rows.add_widget(
                ReadingRow(
                    name=self.app.faces.name(card.label) if card.label and len(card.label) == 2 else "?",
                    margin=max(0.0, min(1.0, card.margin)),
                    tone=hex(DOUBT_COLOUR if card.doubt else SURE_COLOUR),
                )
            )
        rows.add_widget(Widget())  # takes what is left below

    def open_page(self) -> None:
        """Open the director's page in a browser."""
        self._spectator.open_page()


class MatBar(BoxLayout):
    """Where the window is too narrow for both: a key that changes between table and mat, and the director's page."""

    shown = BooleanProperty(False)  # the mat, not the table
    panel: MatPanel = ObjectProperty(rebind=True)

    #: Height in the units that the screens are drawn for.
    UNITS = 56


kv(__file__)
