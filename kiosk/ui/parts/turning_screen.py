"""Turn a screen towards the seat that has opened it, where the screen lies flat."""

from typing import Any

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.screenmanager import Screen

from kiosk.ui.parts.look import Key, kv
from kiosk.ui.parts.touchable import moved_away
from kiosk.ui.parts.turned import Turned, turn


class TurnKey(Key):
    """The key that turns its screen on to the next seat, where the screen lies flat."""

    screen = ObjectProperty(None, rebind=True, allownone=True)
    shown = BooleanProperty(False)


class TurningScreen(Screen):
    """A screen whose layout lies over all of it; turned towards a side it is as wide as the screen is high."""

    turns = BooleanProperty(False)  # it can be turned towards each seat: the screen lies flat
    upended = BooleanProperty(False)  # it is higher than wide
    degrees = NumericProperty(0)  # by which it is turned, counterclockwise

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self.app = app
        self.reader = 0  # the seat that it is turned towards; 0: who sits before the screen
        self._holder: Turned | None = None
        super().__init__(**kwargs)
        self.bind(size=self._lay)

    def add_widget(self, widget: Any, *args: Any, **kwargs: Any) -> None:
        """Hold the screen's layout, so that it can be turned."""
        widget.size_hint = None, None
        self._holder = Turned(widget)
        super().add_widget(self._holder, *args, **kwargs)

    def face(self, seat: int) -> None:
        """Turn towards a seat; 0: towards who sits before the screen."""
        self.reader = seat
        self.face_reader()

    def face_reader(self) -> None:
        """Turn as the reader sits and the screen stands now; what has moved takes no touch at once."""
        self.turns, degrees = self.app.place.flat, self.app.degrees_to(self.reader)
        if degrees != self.degrees:
            self.degrees = degrees
            self._lay()
            moved_away(self.walk(restrict=True))

    def face_next(self) -> None:
        """Turn towards the next seat, and so what is opened from here."""
        self.face(self.app.next_reader(self.reader))
        self.app.sheets.face(self.reader)

    def _lay(self, *_: object) -> None:
        if self._holder is None:
            return
        self._holder.content.size = self.size if self.degrees in (0, 180) else self.size[::-1]
        turn(self._holder, self.degrees)
        self._holder.put(0, 0)
        self.upended = self._holder.content.height > self._holder.content.width


kv(__file__)
