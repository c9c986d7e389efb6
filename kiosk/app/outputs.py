"""Show a table's view on the screen, to the director, with lamps, clock display and buzzer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from hw.panel import Lit, Panel
from kiosk.app.herald import Herald
from kiosk.app.panel import drawn, panel_state
from kiosk.app.signals import signal_of, signals_of_change, words_of, words_of_change
from kiosk.errors import Refused
from kiosk.sync.line import Line
from kiosk.table.events.values import Event
from kiosk.table.preview import Preview
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.view.table_view import TableView
from kiosk.ui.camera.camera_view import CameraView
from kiosk.ui.camera.deck_check_view import DeckCheckView
from kiosk.ui.devices.devices_view import DevicesView
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.earlier.stick_view import StickView
from kiosk.ui.enrol.enrol_view import EnrolView
from kiosk.ui.first_start.start_view import StartView
from kiosk.ui.hardware.hardware_view import HardwareView, LightChoice, NoticeView
from kiosk.ui.hardware.parcels_view import ParcelsView
from kiosk.ui.hardware.release_view import ReleaseView
from kiosk.ui.parts.played_view import PlayedView
from kiosk.ui.play.claim_question import HandSeen, RestChecked
from kiosk.ui.referee.calling import RefereeCall
from kiosk.ui.requests import ScreenRequest
from kiosk.ui.seats.seats_view import SeatsView
from vision.messages import LessonStep, MatPicture


class Screen(Protocol):
    """What the kiosk calls on a screen, as ``kiosk.ui.app.KioskApp`` implements it."""

    def show(self, view: TableView | None) -> None: ...
    def refused(
        self,
        code: str,
        section: str = "",
        detail: str = "",
        way: Mapping[str, Any] | None = None,
        request: ScreenRequest | None = None,
    ) -> None: ...
    def preview(self, preview: Preview) -> None: ...
    def rest_checked(self, answer: RestChecked) -> None: ...
    def hand_seen(self, seen: HandSeen) -> None: ...
    def claim(self, seat: int) -> None: ...
    def claim_left(self, claim: StandingClaim) -> None: ...
    def played(self, view: PlayedView) -> None: ...
    def deck_check(self, view: DeckCheckView) -> None: ...
    def notice(self, kind: str, text: str) -> None: ...
    def enrol(self, view: EnrolView | None) -> None: ...
    def badge(self, name: str) -> None: ...
    def scanned(self, kind: str, text: str) -> None: ...
    def devices(self, view: DevicesView) -> None: ...
    def pad_key(self, seat: int, sign: str, down: bool) -> None: ...
    def lamps(self, value: dict[str, Any]) -> None: ...
    def plan(self, plan: dict[str, Any] | None) -> None: ...
    def taking_over(self, state: str) -> None: ...
    @property
    def somebody_writes(self) -> bool: ...
    def mat(self, picture: MatPicture) -> None: ...
    def camera(self, view: CameraView) -> None: ...
    def sit_down(self, seating: SeatsView) -> None: ...
    def rounds(self, lines: tuple[RoundLine, ...]) -> None: ...
    def earlier(self, earlier: EarlierView) -> None: ...
    def stick(self, view: StickView) -> None: ...
    def releases(self, view: ReleaseView) -> None: ...
    def parcels(self, view: ParcelsView) -> None: ...
    def lesson(self, step: LessonStep | None, bavarian: bool = False) -> None: ...
    def flash(self, signal: str) -> None: ...
    def start(self, view: StartView | None) -> None: ...
    def hardware(self, view: HardwareView) -> None: ...
    def light(self, choice: LightChoice) -> None: ...
    def packages(self, notices: tuple[NoticeView, ...]) -> None: ...
    def referee_called(self, call: RefereeCall | None) -> None: ...
    def code_checked(self, right: bool, wait: float) -> None: ...
    @property
    def rules(self) -> str: ...


class Outputs:
    """Screen, line and pins of a table; a missing one is None, and the others work without it."""

    def __init__(self, screen: Screen | None, panel: Panel | None, language: str) -> None:
        self.screen, self.panel, self.language = screen, panel, language
        self.line: Line | None = None
        self.refusals: list[Refused] = []  # the last ones, for whoever wants to know
        self.herald = Herald(lambda: self.panel, lambda: self.screen)
        self.storage = ""  # where the list lies while this table's storage is broken, see ``StorageDesk``
        self.rescued = False  # this table's file was damaged
        self.machine: Callable[[], dict[str, Any]] = dict  # what the direction is told of this machine
        self._notices: dict[str, Callable[[str], str]] = {}  # standing ones that have words in each language
        self._signalled: TableView | None = None  # the view that signals were given for last
        self._lit: Lit | None = None

    def forget(self) -> None:
        """Forget the table shown so far."""
        self._signalled = None

    def refused(self, refusal: Refused, request: ScreenRequest) -> None:
        """Show that this request was refused."""
        self.refusals = [*self.refusals[-99:], refusal]
        if self.screen is not None:
            self.screen.refused(refusal.code, refusal.section, refusal.detail, refusal.way, request)

    def preview(self, preview: Preview) -> None:
        """Show what a request would change."""
        if self.screen is not None:
            self.screen.preview(preview)

    def rest_checked(self, answer: RestChecked) -> None:
        """Show whether a claimed rest holds."""
        if self.screen is not None:
            self.screen.rest_checked(answer)

    def claim_left(self, claim: StandingClaim) -> None:
        """Go on with what was claimed when the program ended."""
        if self.screen is not None:
            self.screen.claim_left(claim)

    def hand_seen(self, seen: HandSeen) -> None:
        """Show what the camera sees of a hand that is laid open."""
        if self.screen is not None:
            self.screen.hand_seen(seen)

    def played(self, view: PlayedView) -> None:
        """Show a game as it was played."""
        if self.screen is not None:
            self.screen.played(view)

    def deck_check(self, view: DeckCheckView) -> None:
        """Show what the check of a deck has found so far."""
        if self.screen is not None:
            self.screen.deck_check(view)

    def notice(self, kind: str, text: str | Callable[[str], str]) -> None:
        """Show a text under its kind until an empty one removes it.

        :param text: or what words it in a language: then it follows the screen's.
        """
        self._notices.pop(kind, None)
        if not isinstance(text, str):
            self._notices[kind] = text
        if self.screen is not None:
            self.screen.notice(kind, text if isinstance(text, str) else text(self.language))

    def speak(self, language: str) -> None:
        """Speak this language from now on; what stands on the screen is said in it too."""
        self.language = language
        for kind, text in list(self._notices.items()):
            self.notice(kind, text)

    def enrol(self, view: EnrolView | None) -> None:
        """Show the code by which the direction admits this device; None: it knows it."""
        if self.screen is not None:
            self.screen.enrol(view)

    def badge(self, name: str) -> None:
        """Show that a player's badge was scanned."""
        if self.screen is not None:
            self.screen.badge(name)

    def scanned(self, kind: str, text: str) -> None:
        """Answer something scanned that is no player's badge."""
        if self.screen is not None:
            self.screen.scanned(kind, text)

    def plan(self, plan: dict[str, Any] | None) -> None:
        """Show the planned seats."""
        if self.screen is not None:
            self.screen.plan(plan)

    def mat(self, picture: MatPicture) -> None:
        """Show the mat as the camera sees it."""
        if self.screen is not None:
            self.screen.mat(picture)

    def signal(self, name: str) -> None:
        """Give a signal of ``hw.signals.SIGNALS``."""
        self.herald.give(name)

    def event(self, event: Event, players: Sequence[str], was: Event | None = None) -> None:
        """Let people hear that an event was noted; ``was`` is the one that it corrects."""
        if name := signal_of(event):
            self.signal(name)
        self.herald.say(words_of(event, players, self.language, was), self.language)

    def has_sent(self, events: int) -> bool:
        """Report whether the director has received this many events; True where nothing is sent."""
        return self.line is None or self.line.state.acknowledged >= events - 1

    def answer(self, order_number: int, refused: Refused | None) -> None:
        """Answer an order of the director: carried out, or the reason why not."""
        if self.line is not None:
            self.line.answer(order_number, refused)

    def show(self, view: TableView | None, *, call: RefereeCall | None, mat_seats: int, blind: str = "") -> None:
        """Show the state of the table; None: nobody sits there.

        :param blind: why the camera sees nothing; "": it does.
        """
        if view is not None:
            for name in signals_of_change(self._signalled, view):
                self.signal(name)
            self.herald.say(words_of_change(self._signalled, view, self.language), self.language)
            self._signalled = view
        if self.screen is not None:
            self.screen.show(view)
        if self.line is not None:
            status = _status(view, call) if view is not None else {}
            self.line.tell(
                {**status, "seats": mat_seats, "no_camera": blind or None, **self._broken(), **self.machine()}
            )
        if self.panel is not None:
            self.panel.show(panel_state(view, referee=call is not None))

    def _broken(self) -> dict[str, Any]:
        told: dict[str, Any] = {"storage": self.storage} if self.storage else {}
        return {**told, "rescued": True} if self.rescued else told

    def move_panel(self, view: TableView | None, *, referee: bool, now: float) -> None:
        """Blink lamps and buzzer; without pins the screen draws them."""
        if self.panel is None:
            return
        lit = self.panel.tick(now)
        if self.panel.mock and self.screen is not None and lit != self._lit:
            self._lit = lit
            self.screen.lamps(drawn(lit, panel_state(view, referee=referee)))


def _status(view: TableView, call: RefereeCall | None) -> dict[str, Any]:
    """What the director should know of the table now and need not keep."""
    clock = view.clock
    return {
        "clock": {
            "of": view.opened,
            "running": clock.running,
            "remaining": round(clock.remaining, 1),
            "extra": round(clock.extra, 1),
            "over": clock.over,
            "limited": clock.limited,
            "given": round(clock.given, 1),
            "cut": round(clock.cut, 1),
        },
        "camera": view.blind,
        "referee": call is not None or view.objection is not None,
        "called_by": call.seat if call is not None else None,
        "coming": call is not None and call.coming,
        "unsaved": view.unsaved,
    }
