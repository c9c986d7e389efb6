"""Call the referee from the screen, as the wired button does, or say that he is not needed any more."""

from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.look import Sheet, kv, plain
from kiosk.ui.referee.calling import CallReferee, WithdrawCall


class CallRefereeSheet(Sheet):
    """Who calls the referee; once he is called, who did and the key that withdraws it."""

    called = BooleanProperty(False)
    said = StringProperty("")

    def __init__(self, app: Any, **kwargs: Any) -> None:
        super().__init__(app, **kwargs)
        self.title = app.words["call_referee"]
        self._offered: tuple[str, ...] = ()

    def show(self, view: TableView) -> None:
        text, call = self.app.words, self.app.referee_call
        names = tuple(seat.name for seat in view.seats)
        self.called = call is not None
        if call is None:
            self.said = text["who_calls"]
        elif call.seat is None:
            self.said = text["button_called"]
        else:
            self.said = text["has_called"].format(name=plain(view.seat(call.seat).name))
        if names != self._offered:
            self._offered = names
            self.ids.seats.offer_all(view, self.call)

    def call(self, seat: int) -> None:
        """Call the referee for a seat."""
        self.close()
        self.app.request(CallReferee(seat))

    def withdraw(self) -> None:
        """Withdraw the call."""
        self.close()
        self.app.request(WithdrawCall())


kv(__file__)
