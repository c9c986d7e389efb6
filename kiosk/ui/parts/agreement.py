"""Collect the agreement of everybody at the table, each with a finger on his own seat's key; or ask the referee."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.events.values import Consent, Request
from kiosk.table.preview import Preview
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.hold import HoldKey
from kiosk.ui.parts.look import Sheet, dp, kv, plain, two_lines
from kiosk.ui.parts.previewing import PREVIEWED, preview_told


class SeatAgrees(HoldKey):
    """A seat's key, at its side of the table; it says once that the seat has agreed."""

    agreed = BooleanProperty(False)


class AgreementSheet(Sheet):
    """A question to all seats: each holds its own key, several may at once; the last one sends the request.

    Nothing is asked for while one does not agree. The question goes when the game or its phase does: what was agreed
    to was about how things stood.

    :param request: what all are to agree to.
    :param question: it in words.
    :param seats: who is to agree; all at the table if none are named.
    """

    KEY_UNITS = (158, 64)

    question = StringProperty("")
    change = StringProperty("")  # what it would change in the list
    refereed = BooleanProperty(False)  # the referee's code opens it as well

    def __init__(self, app: Any, request: Request, question: str, seats: tuple[int, ...] = (), **kwargs: Any) -> None:
        self._request = request
        self._about, self._players = _state(app.view), len(app.view.seats)
        self._keys: dict[int, SeatAgrees] = {}
        super().__init__(app, **kwargs)
        text, view = app.words, app.view
        self.title = text["agree_title"]
        self.question = f"[b]{question}[/b]"
        self.refereed = app.gate == "code"
        for seat in seats or tuple(one.seat for one in view.seats):
            key = self._keys[seat] = SeatAgrees(size_hint=(None, None), size=tuple(map(dp, self.KEY_UNITS)))
            key.calm_text = two_lines(plain(view.seat(seat).name), text["agree"])
            key.calm_tone = "ivory"
            key.go = self._agreeing(seat)
            self.ids.around.add_widget(key)
        # As it goes once all have agreed: what is shown before is what it would change then.
        self._agreed = replace(request, consent=Consent(deliberate=True, seats=frozenset(self._keys)))
        self.ids.around.bind(pos=self._place, size=self._place)
        self.bind(degrees=self._place)
        self._place()
        if isinstance(request.event, PREVIEWED):
            app.ask_preview(self._agreed)

    def preview(self, preview: Preview) -> None:
        """Show what all would agree to."""
        if preview.request == self._agreed:
            self.change = preview_told(self.app, preview)

    def show(self, view: TableView) -> None:
        if _state(view) != self._about:
            self.close()

    def ask_referee(self) -> None:
        """Let the referee decide by his code."""
        self.app.sheets.open("referee", then=lambda: self.app.as_referee(self._request, ""))

    def _place(self, *_: object) -> None:
        around = self.ids.around
        places = self.app.place.places(self._players)
        for seat, key in self._keys.items():
            x, y = _as_turned(places[seat], int(self.degrees))
            key.center_x = around.center_x + x * (around.width - key.width) / 2
            key.center_y = around.center_y + y * (around.height - key.height) / 2

    def _agreeing(self, seat: int) -> Callable[[], None]:
        def agree() -> None:
            key = self._keys[seat]
            key.go = None
            key.agreed = True
            key.calm_tone = "green"
            key.calm_text = look.sign("✓") + " " + plain(self.app.view.seat(seat).name)
            if all(one.agreed for one in self._keys.values()):
                self.close()
                self.app.request(self._agreed)

        return agree


def _as_turned(place: tuple[float, float], degrees: int) -> tuple[float, float]:
    """Where a place of the screen lies on what is turned counterclockwise by so much."""
    x, y = place
    return {0: (x, y), 90: (y, -x), 180: (-x, -y), 270: (-y, x)}[degrees]


def _state(view: TableView) -> tuple[object, ...]:
    return view.game, view.phase, len(view.rows)


kv(__file__)
