"""Go between the screens of the table's app, one up at a time, and send what people ask for there."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from kiosk.table.consent import by_referee, held
from kiosk.table.events.values import Consent, Request
from kiosk.table.view.table_view import TableView
from kiosk.ui.camera.set_up_requests import ShowCamera
from kiosk.ui.earlier.earlier_requests import NextRound, ResumeRound
from kiosk.ui.first_start.start_view import ShowStep
from kiosk.ui.fitted_app import FittedApp
from kiosk.ui.parts.preview_request import ShowPreview
from kiosk.ui.parts.toast import Toast
from kiosk.ui.parts.turning_screen import TurningScreen
from kiosk.ui.play.claim_question import CheckRest, ShowHand
from kiosk.ui.play.messages_text import MENDED
from kiosk.ui.requests import ScreenRequest
from kiosk.ui.root import BARE
from kiosk.ui.sheets import Sheets

_PLAIN = Consent()


class ScreensApp(FittedApp):
    """App with named screens; what people ask for goes up as requests."""

    refusal: Toast

    def __init__(self, send: Callable[[ScreenRequest], None], *, gate: str, **window: Any) -> None:
        super().__init__(**window)
        self._send = send
        self.gate = gate  # how the referee is admitted: code, hold, shut
        self.sheets = Sheets(self)
        self.view: TableView | None = None
        self.notices: dict[str, str] = {}

    def draw(self, view: TableView) -> None:
        """Draw a view on what is up."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw once more what is known."""
        raise NotImplementedError

    # going

    @property
    def current(self) -> str:
        """Name of the screen that is up."""
        return self.root.current if self.root else ""

    def screen(self, name: str) -> Any:
        """A screen by its name."""
        return self.root.screen(name)

    def go(self, name: str, by: int = 0) -> None:
        """Go to a screen; what was open closes.

        :param by: the seat that it, and what is opened from it, is turned towards; 0: who sits before the screen.
        """
        self.sheets.close()
        self.sheets.face(by)
        if name == "list":
            self.notices.pop(MENDED, None)  # people look at what was put right
        self.root.go(name)
        screen = self.screen(name)
        if isinstance(screen, TurningScreen):
            screen.face(by)
        if self.view is not None and name not in BARE:
            self.draw(self.view)

    def set_up(self) -> None:
        """Open the camera's picture."""
        self.go("camera")
        self.screen("camera").open()

    def set_up_done(self) -> None:
        """Go back from the camera to the table, or to the seats while nobody sits."""
        self.request(ShowCamera(False))
        self.leave_setting_up()

    def leave_setting_up(self) -> None:
        """Go back to the table, or to the seats while nobody sits."""
        self.go("play" if self.view is not None else "seats")
        self.redraw()

    def earlier_rounds(self) -> None:
        """Open the rounds that were begun at this table."""
        self.go("earlier")
        self.screen("earlier").open()

    def next_round(self, evening: str, consent: Consent = _PLAIN) -> None:
        """Sit down for the next round of an evening; "": of a new evening."""
        self.begin_elsewhere(NextRound(evening, consent))

    def begin_elsewhere(self, request: NextRound | ResumeRound) -> None:
        """Ask for another round than the one that is up, and go back to the table, where it will be seen."""
        self.request(request)
        self.leave_setting_up()

    def open_hardware(self) -> None:
        """Open the page of the table's hardware."""
        if self.current == "camera":
            self.request(ShowCamera(False))
        self.go("hardware")
        self.screen("hardware").open()

    def open_start(self) -> None:
        """Open what the first start has asked for, for whom it is allowed: the referee, where he has a code."""
        if self.gate == "code":
            self.sheets.open("referee", by=0, then=self._open_start)
        else:
            self._open_start()

    def _open_start(self) -> None:
        self.request(ShowStep("language"))

    # asking

    def request(self, request: ScreenRequest) -> None:
        """Send a person's request up."""
        self._send(request)

    def for_referee(self, request: Request) -> Request:
        """Return a request with the consent that it will have once the referee, or all without a code, have agreed."""
        if self.gate == "code":
            return by_referee(request)
        seats = frozenset(seat.seat for seat in self.view.seats) if self.view is not None else frozenset()
        return replace(request, consent=Consent(deliberate=True, seats=seats))

    def ask_preview(self, request: Request) -> None:
        """Ask what a request would change in the list; the answer comes by ``preview``."""
        self._send(ShowPreview(request))

    def check_rest(self, asked: CheckRest) -> None:
        """Ask whether a claimed rest holds; the answer comes by ``rest_checked``."""
        self._send(asked)

    def show_hand(self, shown: ShowHand) -> None:
        """Tell whose hand is laid open; what is seen of it comes by ``hand_seen``."""
        self._send(shown)

    def as_referee(self, request: Request, question: str) -> None:
        """Send what the referee has entered behind his gate; without a code the gate knows nobody, so all are asked."""
        if self.gate == "code":
            self.request(by_referee(request))
        else:
            self.sheets.open("agree", request=request, question=question)

    def insist(self) -> None:
        """Send the refused request as one that stands: an unclaimed breach is a valid move (eppstein 8.8.3)."""
        request = self.refusal.argued
        self.refusal.hide()
        if request is not None:
            self.request(held(request))
