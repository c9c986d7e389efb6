"""Show what the rail has, turned towards a seat from which the rail is upside down or on its side."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.look import Key, Sheet, kv, plain


class SeatMenuKey(Key):
    """The key in a turned panel that opens its seat's menu."""


class SeatMenuSheet(Sheet):
    """The game as the rail tells it, and the rail's keys, for one seat."""

    told = StringProperty("")
    kind = StringProperty("")
    alarm = StringProperty("")
    last = StringProperty("")
    limited = BooleanProperty(True)  # there is a playing time

    def __init__(self, app: Any, seat: int, **kwargs: Any) -> None:
        self.seat = seat
        super().__init__(app, **kwargs)
        self.title = plain(app.view.seat(seat).name)

    def show(self, view: TableView) -> None:
        rail = self.app.root.rail
        self.told = " · ".join(one for one in (rail.game, rail.left, rail.bock) if one)
        self.limited = rail.limited
        self.kind, self.alarm = rail.kind, rail.alarm
        self.last = self.app.words["last_trick"] if rail.last else ""

    def complain(self) -> None:
        """Open what the rail's red key opens."""
        self.app.root.rail.complain(self.app, self.seat)


kv(__file__)
assert look  # the layout names its sizes
