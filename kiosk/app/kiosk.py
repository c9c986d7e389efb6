"""Run a table: camera, touches, scanner, director and pins meet in one inbox; only here is the table changed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from hw.panel import Panel
from kiosk.app.desk import Desk
from kiosk.app.enrol_desk import EnrolDesk
from kiosk.app.inbox import Asked, Inbox, KioskMessage
from kiosk.app.opener import TableOpener, book_is_known
from kiosk.app.outputs import Outputs, Screen
from kiosk.app.referee_desk import RefereeDesk
from kiosk.app.rest_desk import RestDesk
from kiosk.app.scanner_desk import ScannerDesk
from kiosk.app.trouble_desk import TroubleDesk
from kiosk.app.watchdog import Watchdog
from kiosk.errors import BadEvent, KioskError, Refused
from kiosk.language import say
from kiosk.sync.state import Order, Planned, RulingsAllowed
from kiosk.table.consent import check_opening
from kiosk.table.events.codec import request_for
from kiosk.table.events.values import (
    AnswerForRest,
    CardPlayed,
    Consent,
    Event,
    FinishGame,
    GameStruck,
    PlayerSubstituted,
    PlayingTimeEnded,
    Request,
    RoundOpened,
    RulingGiven,
    WordCorrected,
)
from kiosk.table.table import Table
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.preview_request import ShowPreview
from kiosk.ui.requests import ScreenRequest
from vision.messages import Blind, MatPicture, Report, Tick, VisionMessage

#: Seconds after which the view is made anew though nothing came: the clock has gone on.
VIEW_INTERVAL_S = 0.25

#: What the direction decides, unless it lets a referee do so on this screen.
_DECISIONS = (RulingGiven, GameStruck, PlayerSubstituted, PlayingTimeEnded)

#: What people do to the list that they see.
_OF_A_LIST = (Request, FinishGame, AnswerForRest)

SomeDesk = TypeVar("SomeDesk", bound=Desk)


class Kiosk:
    """One table with all devices and lines wired to it.

    Workers call ``deliver`` from any thread; the loop that owns the table calls ``beat`` often.

    :param now: seconds; the table's time.
    """

    def __init__(
        self,
        table: Table | None,
        *,
        now: Callable[[], float],
        screen: Screen | None = None,
        panel: Panel | None = None,
        watchdog: Watchdog | None = None,
        language: str = "de",
    ) -> None:
        self.table: Table | None = None
        self.opener = TableOpener(now())
        self.outputs = Outputs(screen, panel, language)
        self.anew = False  # the program is to start anew, with what it was set to meanwhile
        self.rulings_allowed = True  # a referee may rule here; a table of a direction waits to hear so
        self.vision_listeners: list[Callable[[VisionMessage], None]] = []  # hear the camera's process, after the table
        self.on_news: Callable[[], None] = lambda: None  # wakes who sleeps until the next beat; called on any thread
        self._now = now
        self._watchdog = watchdog or Watchdog({})
        self._inbox = Inbox[KioskMessage]()
        self._desks: list[Desk] = []
        self._view: TableView | None = None
        self._viewed_at = float("-inf")
        self._fresh = True  # something has come that may show
        self._blind: Blind | None = None  # the camera's last word on whether it sees
        self.referee = self.add(RefereeDesk(self.outputs, now))
        self.rest = self.add(RestDesk(self.outputs, self.deliver, now))
        self._trouble = self.add(TroubleDesk(self.outputs))
        self.add(EnrolDesk(self.outputs, self.begin_anew))
        self.add(ScannerDesk(self.outputs, self.referee, self.opener.name_of, self._lay))
        if table is not None:
            self.sit(table)

    def add(self, desk: SomeDesk) -> SomeDesk:
        """Have a desk served from now on, in the loop that owns the table; what several want the first one gets."""
        self._desks.append(desk)
        if self.table is not None:
            desk.sit(self.table)
        return desk

    def begin(self) -> None:
        """Tell the desks that the screen is up."""
        for desk in self._desks:
            desk.begin()

    @property
    def report(self) -> dict[str, Any]:
        """What the desks tell the direction of the device."""
        return {key: told for desk in self._desks for key, told in desk.report.items()}

    def sit(self, table: Table) -> None:
        """Play at this table from now on."""
        self.opener.seated()
        self.table = table
        table.listen(lambda _, event: self._noted(table, event))
        if self._blind is not None:
            table.observe(self._blind, self._now())
        for desk in self._desks:
            desk.sit(table)

    def _noted(self, table: Table, event: Event) -> None:
        """A new event counts."""
        if self.outputs.line is not None:
            self.outputs.line.wake()
        was = table.events[event.of] if isinstance(event, WordCorrected) else None
        self.outputs.event(event, table.round.players, was)

    def speak(self, language: str) -> None:
        """Speak this language from now on, in what stands on the screen too."""
        self.outputs.speak(language)
        for desk in self._desks:
            desk.tell_again()

    def leave(self) -> None:
        """Leave the table: people sit down anew. Its round stays in the log as it is."""
        self.table, self._view, self._fresh = None, None, True
        self.outputs.forget()

    def begin_anew(self) -> None:
        """Have the program start anew after this beat, with what it was set to."""
        self.anew = True

    def at_rest(self) -> bool:
        """Report whether nobody minds a restart: no list is open, and nobody is writing names or teaching a deck."""
        if any(desk.busy for desk in self._desks):
            return False
        if self.table is not None:
            return self._view is not None and self._view.closed
        return self.outputs.screen is None or not self.outputs.screen.somebody_writes

    @property
    def blind(self) -> str:
        """Why the camera does not see the mat; "" if it does, or has said nothing."""
        return self._blind.why if self._blind is not None else ""

    @property
    def phase(self) -> str | None:
        """The table's phase as shown last; None while nobody sits there."""
        return self._view.phase if self._view is not None else None

    def deliver(self, message: KioskMessage) -> None:
        """Deliver a message, from any thread."""
        self._inbox.deliver(replace(message, upon=self.table) if isinstance(message, Asked) else message)
        self.on_news()

    def has_news(self) -> bool:
        """Report whether messages wait for the next beat."""
        return not self._inbox.empty()

    def wait(self, seconds: float) -> None:
        """Sleep until a message comes, at most the given time: for a loop without a screen."""
        message = self._inbox.wait(seconds)
        if message is not None:
            self._take(message)

    def beat(self) -> None:
        """Process new messages, let time pass, and show what has changed."""
        for message in self._inbox.drain():
            self._take(message)
        self._watchdog.beat()
        now = self._now()
        for desk in self._desks:
            desk.beat()
        if self.table is not None:
            self._fresh |= bool(self.table.tick(now))
        self._follow_plan(now)
        if self._fresh or now - self._viewed_at >= VIEW_INTERVAL_S:
            self._fresh, self._viewed_at = False, now
            self._view = self.table.view(now) if self.table is not None else None
            if self._view is not None:
                self._watchdog.status(_in_a_line(self._view))
            blind = self._trouble.camera or self.blind
            self.outputs.show(self._view, call=self.referee.call, mat_seats=self.opener.mat_seats, blind=blind)
        self.outputs.move_panel(self._view, referee=self.referee.call is not None, now=now)

    def _follow_plan(self, now: float) -> None:
        """Go on to the round that the director has seated, once the one before is handed in and sent."""
        if self.table is not None:
            if not self.opener.done_with(self.table, self.outputs.has_sent, now):
                return
            self.leave()
        table = self.opener.planned_table(now, self.outputs.plan)
        if table is not None:
            self.sit(table)

    # --- what comes in

    def _take(self, message: KioskMessage) -> None:
        self._fresh |= not isinstance(message, Tick | MatPicture)
        if any(desk.keeps(message) for desk in self._desks):
            return
        self._act(message)
        for desk in self._desks:
            if isinstance(message, desk.hears):
                desk.heard(message)
        if isinstance(message, VisionMessage):
            for hear in self.vision_listeners:
                hear(message)

    def _act(self, message: KioskMessage) -> None:
        """Do what concerns play itself."""
        match message:
            case Asked(request, upon):
                self._asked(request, upon)
            case Order():
                self._ordered(message)
            case Planned(plan=plan):
                if book_is_known(plan):
                    self.opener.plan = message
            case RulingsAllowed(allowed):
                self.rulings_allowed = allowed
            case MatPicture():
                self.outputs.mat(message)
            case Blind():
                self._blind = message
        if self.table is not None and isinstance(message, Report):
            self.table.observe(message, self._now())

    def _asked(self, request: ScreenRequest, upon: Table | None) -> None:
        try:
            if upon is not None and upon is not self.table and isinstance(request, _OF_A_LIST):
                raise Refused("list_renewed", "", "another list lies here than when this was asked")
            if any(desk.takes(request) for desk in self._desks):
                return
            match request:
                case Request(event=RoundOpened() as opening, consent=consent):
                    self._open(opening, consent)
                case ShowPreview(request=wanted) if self.table is not None:
                    self.outputs.preview(self.table.preview(wanted))
                case Request() | FinishGame() | AnswerForRest() if self.table is not None:
                    self._check_right(request)
                    self.table.request(request, self._now())
                case _ if self.table is None:
                    raise Refused("not_now", "", "nobody sits at this table yet")
                case _:
                    raise Refused("bad_request", "", f"nothing that a table in play does: {request}")
        except Refused as refusal:
            self.outputs.refused(refusal, request)
        except (BadEvent, KioskError) as error:
            self.outputs.refused(Refused("not_now", "", str(error)), request)

    def _open(self, opening: RoundOpened, consent: Consent) -> None:
        """Begin the round that people have sat down for; asked for twice, it is the same round."""
        if self.table is None:
            check_opening(consent)
            self.sit(self.opener.sit_down(opening))
        elif self.table.round.opening.players != opening.players:
            raise Refused("bad_request", "", f"a round is played here: {opening}")

    def _check_right(self, request: Request | FinishGame | AnswerForRest) -> None:
        """:raises Refused: only the direction decides this, and it has not let this table decide by itself."""
        if self.rulings_allowed or not isinstance(request, Request):
            return
        event = request.event
        decided = isinstance(event, _DECISIONS)
        if isinstance(event, WordCorrected):
            decided = request.consent.referee or isinstance(event.word, _DECISIONS)
        if decided:
            raise Refused("direction_decides", "", "only the direction decides this, on its page")

    def _ordered(self, order: Order) -> None:
        if order.call == "referee":
            self.referee.comes()
            self.outputs.answer(order.number, None)
            return
        if order.call is not None:
            self.outputs.notice("call", order.text or order.call)
            self.outputs.signal("director")
            self.outputs.herald.say(
                order.text or say("spoken", "direction", self.outputs.language), self.outputs.language
            )
            self.outputs.answer(order.number, None)
            return
        if self.table is None or order.request is None:
            self.outputs.answer(order.number, Refused("not_now", "", "nobody sits at this table yet"))
            return
        try:
            self.table.order(order.request, self._now())
        except Refused as refused:
            self.outputs.answer(order.number, refused)
        except BadEvent as error:
            self.outputs.answer(order.number, Refused("not_now", "", str(error)))
        else:
            self.outputs.answer(order.number, None)

    def _lay(self, card: str) -> bool:
        """Lay a barcoded card for whoever has to lay one; return False if nobody has."""
        game = self.table.round.game if self.table is not None else None
        if game is None or game.next_to_lay is None:
            return False
        self._asked(request_for(CardPlayed, seat=game.next_to_lay, card=card), self.table)
        return True


def _in_a_line(view: TableView) -> str:
    """How the table stands, for ``systemctl status``."""
    blind = f", camera: {view.blind}" if view.blind else ""
    return f"table {view.table}, round {view.round}, game {view.game}: {view.phase}{blind}"
