"""Unfold choices in a seat's own area: no other seat's keys are ever covered, and several seats may choose at once."""

import re
from collections.abc import Callable
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
        self._page, self._shape = 0, (1, 1)  # columns, rows
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
        if not self._faces or not self._room[0]:
            return
        gap, key = dp(GAP_UNITS), dp(KEY_UNITS)
        width, height = self._room
        inner = width - 2 * dp(PAD_UNITS[0])
        widest = max(width_of(_bare(face.text), sp(NEAR), True) for face in self._faces) + dp(14)
        head = dp(self.HEAD_UNITS) + 2 * dp(PAD_UNITS[1])
        most = max(1, int((height - head + gap) / (key + gap)))
        keys = len(self._faces) + (not self._stands)  # and the one that closes
        columns = min(max(1, int((inner + gap) / (widest + gap))), max(2, -(-keys // most)))
        rows = min(most, -(-keys // columns))
        self._shape = columns, rows
        self.size = width, min(height, max(self._least[1], head + rows * (key + gap) - gap))
        self.title = plain(fit_name(self._name, inner, sp(NEAR)))

    def _lay(self, page: int) -> None:
        """Lay out a page of choices, the key to the next page and the one that closes."""
        columns, rows = self._shape
        room, faces = columns * rows - (not self._stands), self._faces
        if len(faces) > room:
            room = max(1, room - 1)
        pages = -(-len(faces) // room)
        self._page = page % pages
        box = self.ids.choices
        box.clear_widgets()
        box.cols = columns
        for face in faces[self._page * room : (self._page + 1) * room]:
            key = self._key(face.text, face.tone, self._going(face), face.binds)
            key.meaning = face.means
        if pages > 1:
            words = f"{self.app.words['more_choices']} {self._page + 1}/{pages}"
            self._key(words, "dark", lambda: self._lay(self._page + 1)).meaning = ("page",)
        if not self._stands:
            self._key(look.sign("✕"), "dark", self.close).meaning = ("close",)

    def _key(self, text: str, tone: str, go: Callable[[], None], binds: bool = False) -> ChoiceOfSeat:
        key = ChoiceOfSeat(calm_text=text, calm_tone=tone, go=go, binds=binds)
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


def _bare(text: str) -> str:
    """Take the markup away, to measure; a sign of another font is about as wide as a letter."""
    return re.sub(r"\[/?\w+[^]]*]", "", text)


kv(__file__)
assert look  # the layout names its colours
