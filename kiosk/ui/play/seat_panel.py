"""Show a seat's panel: its player, the words spoken, and the keys for what the seat may do now."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from kiosk.table.view.table_view import SeatView, TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.fit import FAR, NEAR, first_fitting, fit_name, height_of, width_of
from kiosk.ui.parts.fitted import Fitted
from kiosk.ui.parts.hold import FaceKey
from kiosk.ui.parts.label import Label
from kiosk.ui.parts.look import dp, kv, plain, sp
from kiosk.ui.parts.seen import Seen
from kiosk.ui.play import seat_menu
from kiosk.ui.play.key_faces import MOST_KEYS, KeyFace, key_faces, own_word
from kiosk.ui.play.seat_words import SeatWords, seat_words

#: Width of the key to the seat's menu, in units.
MENU_UNITS = 54

#: So long the key stands that takes back what was just said, seconds.
TAKE_BACK_S = 8


class SeatMark(Seen, Label):
    """A sign beside a player's name."""

    shown = BooleanProperty(False)
    ground = StringProperty(look.GOLD)


class SeatSaid(Fitted, Label):
    """What a player has said, to be read from every chair: on two lines rather than smaller."""

    side = StringProperty("")


class SeatInfo(Fitted, Label):
    """What is left to a player, or what he owes."""


class SeatKey(FaceKey):
    """A key in a seat's panel."""


def _unmarked(text: str) -> str:
    return re.sub(r"\[[^\]]*\]", "", text)


def _narrow(choices: Iterable[str]) -> Iterator[str]:
    """Write words below each other, and where that is still too wide break them at their hyphens."""
    for said in choices:
        below = said.replace(" · ", "\n")
        yield below
        yield below.replace("-", "-\n")


class SeatPanel(BoxLayout):
    """One seat at its side of the table."""

    seat = NumericProperty(0)
    name = StringProperty("")
    info = StringProperty("")
    said = StringProperty("")
    said_room = NumericProperty(0)  # its width in a row
    said_below = BooleanProperty(False)  # in a row it has a line of its own
    most_high = NumericProperty(0)  # height of its seat's room, px
    total = StringProperty("")
    clock = StringProperty("")  # where the rail's is upside down or on its side
    turned = BooleanProperty(False)  # away from who sits before the screen: it has a menu of its own
    dealer = BooleanProperty(False)
    away = BooleanProperty(False)
    turn = BooleanProperty(False)
    breach = BooleanProperty(False)
    owes = BooleanProperty(False)  # the info says what is owed
    busy = BooleanProperty(False)  # there are keys
    tall = BooleanProperty(True)  # room for keys, where the panel is a row
    side = StringProperty("")
    shape = OptionProperty("row", options=("row", "column"))
    act: Callable[..., None] | None = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._keys = [SeatKey() for _ in range(MOST_KEYS)]
        self._faces: tuple[KeyFace, ...] | None = None
        self._words: SeatWords | None = None
        self._among: tuple[str, ...] = ()  # all players
        self._drawn: tuple[Any, SeatView, TableView] | None = None
        self._just_said: int | None = None  # event of the word that it may take back
        self._too_late = False  # the key for that has stood long enough
        self._forgetting = Clock.create_trigger(self._forget_word, TAKE_BACK_S)
        for name in ("width", "shape", "clock", "turned", "most_high"):
            self.fbind(name, self._write)
        self.ids.key_box.fbind("height", self._write)

    def show(self, app: Any, seat: SeatView, view: TableView) -> None:
        """Draw the seat; only what changed is redrawn."""
        self.seat = seat.seat
        self.dealer, self.away = seat.dealer or view.next_dealer == seat.seat, seat.sits_out
        finding = view.phase in ("asking", "bidding", "declaring")
        self.turn = seat.turn and not seat.sits_out and (finding or view.phase == "playing")
        self.breach = any(one.seat == seat.seat and one.claimants for one in view.offences)
        self.side = seat.side or ""
        self._words, self._among = seat_words(app, seat, view), view.names
        self._write()
        self._drawn = app, seat, view
        self._draw_keys()

    def _draw_keys(self) -> None:
        """Draw the keys; the one that takes a word back stands for some seconds."""
        if self._drawn is None:
            return
        app, seat, view = self._drawn
        word = own_word(seat, view)
        said = None if word is None or word.word is None else word.event
        if said != self._just_said:
            self._just_said, self._too_late = said, False
            self._forgetting.cancel()
            if said is not None:
                self._forgetting()
        self._lay_keys(key_faces(app, seat, view, None if self._too_late else word) if not seat.sits_out else ())

    def _forget_word(self, _: float) -> None:
        self._too_late = True
        self._draw_keys()

    def _write(self, *_: object) -> None:
        """Write what is known of the seat as it fits."""
        words = self._words
        if words is None:
            return
        room = self.width - 2 * dp(8) - (dp(MENU_UNITS + 6) if self.turned else 0)
        far, near = sp(FAR), sp(NEAR)
        self.total = words.total
        marks = dp(34) * (self.dealer + (self.turn or self.breach)) + width_of(words.total, far) + dp(8)
        if self.shape == "row":
            self.name = plain(fit_name(words.name, room - marks, far, among=self._among))
            room -= width_of(_unmarked(self.clock), far) + dp(16) if self.clock else 0
            self.said = first_fitting(words.said, room, far, True)
            self.said_below = width_of(max(self.said.split(), key=len, default=""), far, True) > room
            self.said_room = min(room, width_of(self.said, far, True) + dp(1)) * (not self.said_below)
            room -= self.said_room + dp(8)
        else:
            self.name = plain(fit_name(words.name, room, far, among=self._among))
            self.said_below = False
            narrow = list(_narrow(words.said))
            few = [said for said in narrow if said.count("\n") < self._lines_for_said()]
            self.said = first_fitting(few or narrow, room, far, True)
            room -= marks
        self.owes = words.owes
        # What is owed may stand on two lines; where a word of it has no room, only the message below the cards says it.
        broken = words.owes and all(width_of(word, near, True) <= room for word in words.info[0].split())
        self.info = words.info[0] if broken else first_fitting((*words.info, ""), room, near, words.owes)

    def _lines_for_said(self) -> int:
        """So many lines have room between name and keys of a column; one is always there."""
        others = [one for one in self.children if one.size_hint_y is None and one is not self.ids.spoken]
        used = sum(one.height for one in others) + self.padding[1] + self.padding[3] + self.spacing * (len(others) + 1)
        return max(1, int((self.most_high - used) / height_of("X", self.width, sp(FAR), True)))

    def _lay_keys(self, faces: tuple[KeyFace, ...]) -> None:
        if faces == self._faces:
            return
        self._faces = faces
        self.busy = bool(faces)
        box = self.ids.key_box
        for key, face in zip(self._keys, faces, strict=False):
            key.meaning = face.means
            key.binds, key.calm_tone, key.calm_text = face.binds, face.tone, face.text
            key.go = self._going(face)
        wanted = self._keys[: len(faces)]
        if [key for key in self._keys if key.parent] != wanted:
            box.clear_widgets()
            for key in wanted:
                box.add_widget(key)

    def menu(self) -> None:
        """Open the seat's menu."""
        if self.act is not None:
            self.act(self.seat, KeyFace("", "dark", ("menu",)))

    def _going(self, face: KeyFace) -> Callable[[], None]:
        def go() -> None:
            if self.act is not None:
                self.act(self.seat, face)

        return go


kv(__file__)
assert look and seat_menu  # the layout names its colours, and has its key
