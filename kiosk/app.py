"""A table at work: camera, fingers, scanner, director and pins meet in one inbox; only here is the table touched."""

import logging
import queue
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from hw.panel import Lit, Panel
from hw.scanned import Badge, CardCode, Unreadable
from hw.scanner import Plugged, Unplugged
from kiosk.confirm import Confirmer
from kiosk.errors import BadEvent, KioskError, Refused
from kiosk.panel import drawn, panel_state, rings
from kiosk.recorder import Recorder
from kiosk.sync.line import Line
from kiosk.sync.state import LineState, Order
from kiosk.table.table import Table
from kiosk.table.view import TableView
from kiosk.watchdog import Watchdog
from vision.messages import Acted, LessonStep, Recording, Snapshot
from vision.reports import Blind, CardGone, CardLaid, HandInTheWay, Tick, TrickTaken

log = logging.getLogger(__name__)

#: Seconds for which a list that was handed in stays on the screen before the next round's seats come.
LOOK_BACK = 20.0

#: Seconds for which a table without a screen waits for the director's plan before it opens with what it has.
PATIENCE = 15.0

#: Seconds after which the view is made anew though nothing came: the clock has gone on.
STALE = 0.25


@dataclass(frozen=True, slots=True)
class Asked:
    """A person's request from the screen."""

    request: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pressed:
    """The push button: it calls the referee, or says that he is there."""


@dataclass(frozen=True, slots=True)
class PinsMissing:
    """The table goes on without lamps, clock display, buzzer and button, and says why."""

    why: str


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """How the camera's process stands; empty: well."""

    text: str


@dataclass(frozen=True, slots=True)
class DeckMissing:
    """No deck that was learned has the cards that are played with; empty: there is one."""

    text: str


@dataclass(frozen=True, slots=True)
class Planned:
    """Who shall sit here and by which rules, as the director has it; None: he has set nothing for this table."""

    plan: dict[str, Any] | None


Seen: TypeAlias = CardLaid | CardGone | TrickTaken | HandInTheWay | Blind
Scanner: TypeAlias = Badge | CardCode | Unreadable | Plugged | Unplugged
Said: TypeAlias = Asked | Pressed | Order | LineState | Scanner | PinsMissing | CameraSaid | DeckMissing | Planned
Message: TypeAlias = Seen | Tick | Acted | Snapshot | LessonStep | Recording | Said


class Screen(Protocol):
    """What the kiosk says to a screen; ``kiosk.ui.app.KioskApp`` is one."""

    def show(self, view: TableView | None) -> None: ...
    def refused(self, code: str, section: str = "", detail: str = "") -> None: ...
    def notice(self, kind: str, text: str) -> None: ...
    def badge(self, name: str) -> None: ...
    def lamps(self, value: dict[str, Any]) -> None: ...
    def plan(self, plan: dict[str, Any] | None) -> None: ...
    def camera(self, view: Any) -> None: ...
    def lesson(self, state: Any, frame: Any = None, bavarian: bool = False, rivals: Any = ()) -> None: ...
    @property
    def rules(self) -> str: ...


class SettingUp(Protocol):
    """The people who set the table up; ``kiosk.setup.SetUp`` is one."""

    def takes(self, request: dict[str, Any]) -> bool: ...
    def heard(self, message: object) -> None: ...
    def beat(self) -> None: ...


class Kiosk:
    """One table with all that is wired to it.

    Workers call ``put`` from any thread; the loop that owns the table calls ``beat`` often. Parts that are not there
    are None, and the rest goes on without them.

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
        self.open_table: Callable[[dict[str, Any]], Table] | None = None  # once people have sat down
        #: The table of a round that was begun here before, or that a broken device had begun.
        self.resume_table: Callable[[str, int], Table | None] | None = None
        self.mat_seats = 5  # places on the mat: more people than these are not sat down
        self.tournament = ""  # of a table that was opened without the direction
        self.unattended: dict[str, Any] | None = None  # what opens the table by itself, but for the plan
        self.plan: Planned | None = None  # the director's last word; None: not heard of him yet
        self.line: Line | None = None
        self.recorder: Recorder | None = None  # films for the referee
        self.confirmer: Confirmer | None = None  # tells the camera's process which cards were certain
        self.screen, self.panel = screen, panel
        self.language = language
        self.refusals: list[Refused] = []  # the last ones, for whoever wants to tell
        self.on_sit: Callable[[Table], None] | None = None  # hears of each table, the first one too if set before
        self.on_message: Callable[[Any], None] | None = None  # hears the camera's process, after the table
        self.setup: SettingUp | None = None
        self._now = now
        self._watchdog = watchdog or Watchdog({})
        self._inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._referee = False  # called by the button
        self._calls = ""  # what the director called for
        self._heard: TableView | None = None  # what the buzzer has rung for
        self._view: TableView | None = None
        self._viewed_at = float("-inf")
        self._fresh = True  # something has come that may show
        self._lit: Lit | None = None
        self._blind: Blind | None = None  # the camera's last word on whether it sees
        self._followed: Planned | None = None  # the plan that was acted on
        self._closed_at: float | None = None
        self._since = now()
        if table is not None:
            self.sit(table)

    def sit(self, table: Table) -> None:
        """This is the table from now on."""
        self._closed_at = None
        self.table = table
        table.listen(lambda number, event: self.line.wake() if self.line is not None else None)
        if self._blind is not None:
            table.observe(self._blind, self._now())
        if self.recorder is not None:
            self.recorder.sit(table, str(table.events[0].get("tournament") or self.tournament))
        if self.confirmer is not None:
            self.confirmer.sit(table)
        if self.on_sit is not None:
            self.on_sit(table)

    @property
    def phase(self) -> str | None:
        """The table's phase as shown last; None while nobody sits there."""
        return self._view.phase if self._view is not None else None

    def put(self, message: Message) -> None:
        """Hand a message in; from any thread."""
        self._inbox.put(message)

    def wait(self, seconds: float) -> None:
        """Sleep until a message comes, at most so long: for a loop without a screen."""
        try:
            message = self._inbox.get(timeout=seconds)
        except queue.Empty:
            return
        self._take(message)

    def beat(self) -> None:
        """Work off what came in, let time pass, and show what has changed."""
        while True:
            try:
                self._take(self._inbox.get_nowait())
            except queue.Empty:
                break
        self._watchdog.beat()
        if self.setup is not None:
            self.setup.beat()
        now = self._now()
        if self.recorder is not None:
            self.recorder.beat()
        if self.table is not None:
            self._fresh |= bool(self.table.tick(now))
        self._follow_plan(now)
        if self._fresh or now - self._viewed_at >= STALE:
            self._fresh, self._viewed_at = False, now
            self._view = self.table.view(now) if self.table is not None else None
            if self._view is not None:
                self._ring(self._view)
                self._watchdog.status(_in_a_line(self._view))
            self._show(self._view)
        self._move_panel(now)

    # --- what comes in

    def _take(self, message: Message) -> None:
        self._fresh |= not isinstance(message, Tick)
        match message:
            case Asked(request):
                self._asked(request)
            case Order():
                self._ordered(message)
            case LineState():
                self._notice(
                    "director", "" if message.connected and not message.trouble else message.text(self.language)
                )
            case Pressed():
                self._referee = not self._referee
                if self._referee and self.recorder is not None:
                    self.recorder.call()
            case Badge():
                if self.screen is not None:
                    self.screen.badge(message.name or str(message.number))
            case CardCode(card=card):
                self._scanned_card(card)
            case Unreadable():
                self._notice("scanner", f"{message.text!r}: {message.why}")
            case Plugged():
                self._notice("scanner", "")
            case Unplugged():
                self._notice("scanner", message.why)
            case PinsMissing(why):
                self._notice("pins", why)
            case Planned():
                self.plan = message
            case Recording():
                if self.recorder is not None:
                    self.recorder.take(message)
            case CameraSaid(text):
                self._notice("camera", text)
            case DeckMissing(text):
                self._notice("deck", text)
            case _:
                if isinstance(message, Blind):
                    self._blind = message
                if self.table is not None and isinstance(message, Seen):
                    self.table.observe(message, self._now())
                if self.setup is not None:
                    self.setup.heard(message)
                if self.on_message is not None:
                    self.on_message(message)

    def _asked(self, request: dict[str, Any]) -> None:
        if self.setup is not None and self.setup.takes(request):
            return
        try:
            if self.table is None:
                self._sit_down(request)
            else:
                self.table.request(request, self._now())
        except Refused as refusal:
            self._refused(refusal)
        except (BadEvent, KioskError) as error:
            self._refused(Refused("not_now", "", str(error)))

    def _sit_down(self, request: dict[str, Any]) -> None:
        if request.get("event") != "open" or self.open_table is None:
            raise Refused("not_now", "", "nobody sits at this table yet")
        if wrong := self._mat_too_small(request):
            raise Refused("not_now", "", wrong)
        self.sit(self.open_table(request))

    def _mat_too_small(self, seating: dict[str, Any]) -> str:
        """Why these people cannot sit down at this table's mat, with the way out; "" if they can."""
        many = len(seating.get("players") or ())
        if many <= self.mat_seats:
            return ""
        return (
            f"{many} players, but this table's mat has {self.mat_seats} seats: print another with 'stichwart mat print "
            f"--seats {many}' and set mat.seats = {many} in the table's file, or seat {self.mat_seats} here"
        )

    # --- the director's plan

    def _follow_plan(self, now: float) -> None:
        """Go on to the round that the director has seated, once the one before is handed in and sent."""
        heard = self.plan
        if self.table is not None:
            if heard is None or not self._done_with(self.table, heard, now):
                return
            self.table, self._view, self._heard, self._fresh = None, None, None, True
        if heard is not None and heard != self._followed:
            self._followed = heard
            number = heard.plan.get("round") if heard.plan else None
            resumed = None
            if number and heard.plan and self.resume_table is not None:
                resumed = self.resume_table(heard.plan["tournament"], number)
            if resumed is not None:
                self.sit(resumed)
                return
            if self.screen is not None:
                self.screen.plan(heard.plan)
            if wrong := self._mat_too_small(heard.plan or {}):
                log.error("the table cannot be opened as the direction has set: %s", wrong)
        if heard is not None and self._mat_too_small(heard.plan or {}):
            return  # another plan, or another mat, is waited for
        if self.unattended is not None and (heard is not None or now - self._since >= PATIENCE):
            opening, self._since = {**self.unattended, **_opening(heard)}, now
            try:
                self._sit_down(opening)
            except KioskError as error:  # tried again after a while, or with another plan
                self.plan = None
                log.error("the table cannot be opened: %s", error)

    def _done_with(self, table: Table, heard: Planned, now: float) -> bool:
        """Whether this round is over here and a later one has been seated."""
        if heard.plan is None or not heard.plan["round"]:
            return False
        if heard.plan["tournament"] == (table.round.log[0][1].get("tournament") or self.tournament):
            over = table.round.closed and heard.plan["round"] > table.round.round
        else:
            over = not table.round.running  # the direction holds another tournament: this list was forgotten
        if not over:
            self._closed_at = None
            return False
        if self._closed_at is None:
            self._closed_at = now
        sent = self.line is None or self.line.state.acknowledged >= len(table.events) - 1
        return sent and (self.unattended is not None or now - self._closed_at >= LOOK_BACK)

    def _ordered(self, order: Order) -> None:
        if order.call is not None:
            self._calls = order.text or order.call
            self._notice("call", self._calls)
            self._ring_pattern("director")
            self._answer(order, None)
            return
        if self.table is None or order.event is None:
            self._answer(order, "nobody sits at this table yet")
            return
        try:
            self.table.order(order.event, self._now())
        except (Refused, BadEvent) as error:
            self._answer(order, str(error))
        else:
            self._answer(order, None)

    def _answer(self, order: Order, refused: str | None) -> None:
        if self.line is not None:
            self.line.answer(order.number, refused)

    def _scanned_card(self, card: str) -> None:
        """A barcoded card was laid: it is the card of whoever has to lay one."""
        game = self.table.round.game if self.table is not None else None
        if game is not None and game.next_to_lay is not None:
            self._asked({"event": "card", "seat": game.next_to_lay, "card": card})

    # --- what goes out

    def _refused(self, refusal: Refused) -> None:
        self.refusals = [*self.refusals[-99:], refusal]
        if self.screen is not None:
            self.screen.refused(refusal.code, refusal.section, refusal.detail)

    def _notice(self, kind: str, text: str) -> None:
        if self.screen is not None:
            self.screen.notice(kind, text)

    def _ring_pattern(self, pattern: str) -> None:
        if self.panel is not None:
            self.panel.ring(pattern)

    def _ring(self, view: TableView) -> None:
        for pattern in rings(self._heard, view):
            self._ring_pattern(pattern)
        self._heard = view

    def _show(self, view: TableView | None) -> None:
        if self.screen is not None:
            self.screen.show(view)
        if self.line is not None and view is not None:
            self.line.tell({**_status(view, referee=self._referee), "seats": self.mat_seats})
        elif self.line is not None:
            self.line.tell({"seats": self.mat_seats})
        if self.panel is not None:
            self.panel.show(panel_state(view, referee=self._referee))

    def _move_panel(self, now: float) -> None:
        """Lamps and buzzer blink by themselves; without pins the screen draws what is lit."""
        if self.panel is None:
            return
        lit = self.panel.tick(now)
        if self.panel.mock and self.screen is not None and lit != self._lit:
            self._lit = lit
            self.screen.lamps(drawn(lit, panel_state(self._view, referee=self._referee)))


def _opening(heard: Planned | None) -> dict[str, Any]:
    """What the director's plan says of the event ``open``."""
    plan = (heard.plan if heard is not None else None) or {}
    keys = ["tournament", "rules", "options", "minutes"]
    if plan.get("players"):
        keys += ["round", "players", "substitutes"]
    return {key: plan[key] for key in keys if plan.get(key)}


def _in_a_line(view: TableView) -> str:
    """How the table stands, for ``systemctl status``."""
    blind = f", camera: {view.blind}" if view.blind else ""
    return f"table {view.table}, round {view.round}, game {view.game}: {view.phase}{blind}"


def _status(view: TableView, *, referee: bool) -> dict[str, Any]:
    """What the director should know of the table now and need not keep."""
    clock = view.clock
    return {
        "clock": {
            "running": clock.running,
            "remaining": round(clock.remaining, 1),
            "extra": round(clock.extra, 1),
            "over": clock.over,
            "limited": clock.limited,
        },
        "camera": view.blind,
        "referee": referee or view.objection is not None,
        "unsaved": view.unsaved,
    }
