"""Unfold choices in a seat's own area: no other seat's keys are ever covered, and several seats may choose at once."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import NEAR, fit_name, height_of, width_of
from kiosk.ui.parts.hold import FaceKey
from kiosk.ui.parts.look import dp, kv, plain, sp
from kiosk.ui.play.choices import CHOICES, STANDING
from kiosk.ui.play.key_faces import KeyFace

#: Height of a key, and the gaps between them and around them, in units.
KEY_UNITS, GAP_UNITS, PAD_UNITS = 51, 6, (4, 3)

#: Width and height of a key, px.
Size = tuple[float, float]


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
        self._page, self._inner = 0, 0.0
        self._spare = 0.0  # what each row is higher than its words need
        self._pages: list[list[int]] = [[]]  # places of the choices on each page
        self._sizes: list[Size] = []
        self._game: tuple[int, int] | None = None  # which it is about
        self._name = ""
        self._among: tuple[str, ...] = ()

    def show(self, view: TableView) -> bool:
        """Draw the choices that are left; False: there are none any more, or another game has begun."""
        seat = view.seat(int(self.seat))
        game = view.game, len(view.rows)
        self._game = self._game or game
        faces = CHOICES[self.kind](self.app, seat, view) if game == self._game else ()
        if not faces:
            return False
        self._name, self._among = seat.name, view.names
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
        """Share the choices out to pages with rows that there is room for, each key as large as its words."""
        if not self._faces or not self._room[0]:
            return
        width, height = self._room
        self._inner = inner = width - 2 * dp(PAD_UNITS[0])
        self._sizes = [_size(face.text, inner) for face in self._faces]
        head = dp(self.HEAD_UNITS) + 2 * dp(PAD_UNITS[1])
        self._share_out(height - head)
        rows = max((self._page_rows(page) for page in self._pages), key=_high)
        self.size = width, min(height, max(self._least[1], head + _high(rows)))
        self._spare = max(0.0, self.height - head - _high(rows)) / len(rows)
        self.title = plain(fit_name(self._name, inner, sp(NEAR), among=self._among))

    def _share_out(self, room: float) -> None:
        """Make the pages, each no higher than the room: the places of the choices on each."""
        whole = range(len(self._faces))
        self._pages = [[*whole]]
        if _high(self._page_rows(self._pages[0])) <= room:
            return
        self._pages = [[], []]  # of several, so that there is room for the key that turns them
        page: list[int] = []
        pages = []
        for place in whole:
            if page and _high(self._page_rows([*page, place])) > room:
                pages.append(page)
                page = []
            page.append(place)
        self._pages = [*pages, page]

    def _page_rows(self, page: list[int]) -> list[list[Size]]:
        """Sizes of the keys on a page, row by row, with the one to the next page and the one that closes."""
        turning = [_size(self._turning_words(9, 9), self._inner)] if len(self._pages) > 1 else []
        closing = [] if self._stands else [(float(dp(KEY_UNITS)), float(dp(KEY_UNITS)))]
        return rows_of([*(self._sizes[place] for place in page), *turning, *closing], self._inner, dp(GAP_UNITS))

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
        self._stretch(keys, self._page_rows(places))

    def _turn(self) -> None:
        self._lay(self._page + 1)

    def _stretch(self, keys: list[ChoiceOfSeat], rows: list[list[Size]]) -> None:
        """Let the keys fill their rows, and the rows of the fullest page the panel."""
        left = iter(keys)
        for row in rows:
            spare = (self._inner - sum(width for width, _ in row) - dp(GAP_UNITS) * (len(row) - 1)) / len(row)
            high = max(height for _, height in row) + self._spare
            for width, _ in row:
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


def rows_of(sizes: Iterable[Size], room: float, gap: float) -> list[list[Size]]:
    """Lay keys into rows, one after the other, as many in each as there is room for."""
    rows: list[list[Size]] = []
    for size in sizes:
        if rows and sum(width for width, _ in rows[-1]) + gap * len(rows[-1]) + size[0] <= room:
            rows[-1].append(size)
        else:
            rows.append([size])
    return rows


def _high(rows: list[list[Size]]) -> float:
    """How high these rows are, with the gaps between them."""
    return sum(max(height for _, height in row) for row in rows) + float(dp(GAP_UNITS)) * (len(rows) - 1)


def _size(text: str, room: float) -> Size:
    """How wide and high a key with these words is, no wider than the room: there its words take more lines."""
    least = float(dp(KEY_UNITS))
    width = min(room, max(least, width_of(_bare(text), sp(NEAR), True) + dp(16)))
    return width, max(least, height_of(text, width, sp(NEAR)) + dp(2))


def _bare(text: str) -> str:
    """Take the markup away, to measure; a sign of another font is about as wide as a letter."""
    return re.sub(r"\[/?\w+[^]]*]", "", text)


kv(__file__)
assert look  # the layout names its colours
