"""Put a card right; where its game is in the list already, people see before what that changes there."""

from collections.abc import Callable
from typing import Any

from kivy.properties import BooleanProperty, StringProperty

from kiosk.table.events.values import CardCorrected, Request
from kiosk.table.preview import Preview
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts import look
from kiosk.ui.parts.look import Sheet, kv
from kiosk.ui.parts.previewing import preview_told


def put_right(app: Any, request: Request, told: str, noted: bool, then: Callable[[], None] | None = None) -> None:
    """Send the correction of a card, or ask whether the list shall change as it says.

    :param told: the correction in words.
    :param noted: its game is in the list.
    :param then: what follows once it is sent.
    """
    if noted:
        app.sheets.open("change", request=request, told=told, then=then)
        return
    app.request(request)
    if then is not None:
        then()


def game_noted(view: TableView) -> bool:
    """Report whether the game whose cards can be touched now has ended."""
    return view.result is not None


class ChangeSheet(Sheet):
    """What a correction would change in the list; one that changes nothing there is sent at once."""

    told = StringProperty("")
    change = StringProperty("")
    possible = BooleanProperty(False)  # it can be sent, and people have been told what it changes

    def __init__(
        self, app: Any, request: Request, told: str, then: Callable[[], None] | None = None, **kwargs: Any
    ) -> None:
        self._request, self._then = request, then
        self._asked = request  # as it would stand: of a signed list everybody is behind it
        self._rows: object = None
        super().__init__(app, **kwargs)
        self.title, self.told = app.words["change_title"], told

    def show(self, view: TableView) -> None:
        if view.rows != self._rows:  # what it was told about has changed
            self._rows, self.possible, self.change = view.rows, False, ""
            signed = CardCorrected.name in view.needs_all
            self._asked = self.app.for_referee(self._request) if signed else self._request
            self.app.ask_preview(self._asked)

    def preview(self, preview: Preview) -> None:
        """Show what would change."""
        if preview.request != self._asked:
            return
        self.possible = preview.refused is None
        if self.possible and not preview.rows and preview.total is None and preview.euros is None:
            self.send()
        else:
            self.change = preview_told(self.app, preview)

    def send(self) -> None:
        """Send the correction, or ask everybody where somebody has signed the list."""
        self.close()
        if CardCorrected.name in self.app.view.needs_all:
            self.app.sheets.open("agree", request=self._request, question=self.told)
            return
        self.app.request(self._request)
        if self._then is not None:
            self._then()


kv(__file__)
assert look  # the layout names its sizes
