"""Unfold choices in a seat's own area: no other seat's keys are ever covered, and several seats may choose at once."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import NEAR, fit_name, width_of
from kiosk.ui.parts.hold import FaceKey
from kiosk.ui.parts.look import dp, kv, plain, sp
from kiosk.ui.play.choices import CHOICES, STANDING
from kiosk.ui.play.key_faces import KeyFace

#: Height of a key, and the gaps between them and around them, in units.
KEY_UNITS, GAP_UNITS, PAD_UNITS = 51, 6, (4, 3)


class ChoiceOfSeat(FaceKey):
    """One choice."""


class Unfolded(BoxLayout):
    """The choices of one seat; more than there is room for are behind the last key, page by page."""

    HEAD_UNITS = 30

    seat = NumericProperty(0)
    title = StringProperty("")

    def __init__(
        self, app: Any, seat: int, kind: str, act: Callable[[int, KeyFace], None], close: Callable[[], None]
    ) -> None:
        super().__init__(size_hint=(None, None))
        self.app, self.seat, self.kind, self.act, self.close = app, seat, kind, act, close
        self._stands = kind in STANDING
        self._faces: tuple[KeyFace, ...] = ()
        self._room = self._least = (0.0, 0.0)
        self._page, self._rows, self._inner = 0, 1, 0.0
        self._pages: list[list[int]] = [[]]  # places of the choices on each page
        self._widths: list[float] = []
        self._game: tuple[int, int] | None = None  # which it is about
        self._name = ""

    def show(self, view: TableView) -> bool:
        """Draw the choices that are left; False: there are none any more, or another game has begun."""
        seat = view.seat(int(self.seat))
        game = view.game, len(view.rows)
        self._game = self._game or game
        faces = CHOICES[self.kind](self.app, seat, view) if game == self._game else ()
        if not faces:
            return False
        self._name = seat.name
        if faces != self._faces:
            again = [face.means for face in faces] == [face.means for face in self._faces]
            self._faces = faces
            self._arrange()
            self._rewrite() if again else self._lay(0)
        return True

    def fit(self, room: tuple[float, float], least: tuple[float, float]) -> None:
        """Take as much of the seat's area as the choices need.

        :param room: width and height of the area, as the seat sees it.
        :param least: the size of the seat's panel, which it covers.
        """
        if (room, least) == (self._room, self._least):
            return
        self._room, self._least = room, least
        self._arrange()
        self._lay(0)

    def on_touch_down(self, touch: Any) -> bool:
        """Keep every touch on it from what it covers."""
        return bool(super().on_touch_down(touch) or self.collide_point(*touch.pos))

    def _arrange(self) -> None:
        """Share the choices out to pages of as many rows as there is room for, each key as wide as its words."""
        if not self._faces or not self._room[0]:
            return
        gap, key = dp(GAP_UNITS), dp(KEY_UNITS)
        width, height = self._room
        self._inner = inner = width - 2 * dp(PAD_UNITS[0])
        self._widths = [min(inner, _width(face.text)) for face in self._faces]
        head = dp(self.HEAD_UNITS) + 2 * dp(PAD_UNITS[1])
        most = max(1, int((height - head + gap) / (key + gap)))
        self._share_out(most)
        rows = max(len(rows_of(self._page_widths(page), inner, gap)) for page in self._pages)
        self._rows = rows
        self.size = width, min(height, max(self._least[1], head + rows * (key + gap) - gap))
        self.title = plain(fit_name(self._name, inner, sp(NEAR)))

    def _share_out(self, most: int) -> None:
        """Make the pages: the places of the choices on each."""
        whole = range(len(self._faces))
        self._pages = [[*whole]]
        if len(rows_of(self._page_widths(self._pages[0]), self._inner, dp(GAP_UNITS))) <= most:
            return
        self._pages = [[], []]  # of several, so that there is room for the key that turns them
        page: list[int] = []
        pages = []
        for place in whole:
            if page and len(rows_of(self._page_widths([*page, place]), self._inner, dp(GAP_UNITS))) > most:
                pages.append(page)
                page = []
            page.append(place)
        self._pages = [*pages, page]

    def _page_widths(self, page: list[int]) -> list[float]:
        """Widths of the keys on a page, with the one to the next page and the one that closes."""
        turning = [_width(self._turning_words(9, 9))] if len(self._pages) > 1 else []
        closing = [] if self._stands else [float(dp(KEY_UNITS))]
        return [*(self._widths[place] for place in page), *turning, *closing]

    def _turning_words(self, page: int, pages: int) -> str:
        return f"{self.app.words['more_choices']} {page}/{pages}"

    def _lay(self, page: int) -> None:
        """Lay out a page of choices, the key to the next page and the one that closes; not before there is room."""
        if not self._room[0]:
            return
        pages = len(self._pages)
        self._page = page % pages
        places = self._pages[self._page]
        box = self.ids.choices
        box.clear_widgets()
        keys = []
        for face in (self._faces[place] for place in places):
            keys.append(self._key(face.text, face.tone, self._going(face), face.binds))
            keys[-1].meaning = face.means
        if pages > 1:
            keys.append(self._key(self._turning_words(self._page + 1, pages), "dark", self._turn))
            keys[-1].meaning = ("page",)
        if not self._stands:
            keys.append(self._key(look.sign("✕"), "dark", self.close))
            keys[-1].meaning = ("close",)
        self._stretch(keys, self._page_widths(places))

    def _turn(self) -> None:
        self._lay(self._page + 1)

    def _stretch(self, keys: list[ChoiceOfSeat], widths: list[float]) -> None:
        """Let the keys fill their rows."""
        gap = dp(GAP_UNITS)
        room = self.height - dp(self.HEAD_UNITS) - 2 * dp(PAD_UNITS[1])
        high = (room + gap) / self._rows - gap
        left = iter(keys)
        for row in rows_of(widths, self._inner, gap):
            spare = (self._inner - sum(row) - gap * (len(row) - 1)) / len(row)
            for width in row:
                next(left).size = int(width + spare), int(high)

    def _key(self, text: str, tone: str, go: Callable[[], None], binds: bool = False) -> ChoiceOfSeat:
        key = ChoiceOfSeat(calm_text=text, calm_tone=tone, go=go, binds=binds, size_hint=(None, None))
        self.ids.choices.add_widget(key)
        return key

    def _rewrite(self) -> None:
        """Write the same choices anew, in other words; rings go on."""
        faces = {face.means: face for face in self._faces}
        for key in self.ids.choices.children:
            face = faces.get(key.meaning)
            if face is not None:
                key.calm_text, key.calm_tone, key.go = face.text, face.tone, self._going(face)

    def _going(self, face: KeyFace) -> Callable[[], None]:
        def go() -> None:
            self.close()
            self.act(int(self.seat), face)

        return go


def rows_of(widths: Iterable[float], room: float, gap: float) -> list[list[float]]:
    """Lay widths into rows, one after the other, as many in each as there is room for."""
    rows: list[list[float]] = []
    for width in widths:
        if rows and sum(rows[-1]) + gap * len(rows[-1]) + width <= room:
            rows[-1].append(width)
        else:
            rows.append([width])
    return rows


def _width(text: str) -> float:
    """How wide a key with these words is."""
    return float(max(dp(KEY_UNITS), width_of(_bare(text), sp(NEAR), True) + dp(16)))


def _bare(text: str) -> str:
    """Take the markup away, to measure; a sign of another font is about as wide as a letter."""
    return re.sub(r"\[/?\w+[^]]*]", "", text)


kv(__file__)
assert look  # the layout names its colours
