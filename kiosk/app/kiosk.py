"""Run a table: camera, touches, scanner, director and pins meet in one inbox; only here is the table changed."""

import logging
from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeAlias

from hw.clock_display import DisplayBack, DisplayGone, DisplayMessage
from hw.device import Condition, Health
from hw.keyboard_reader import KeyboardMessage, KeyboardsSeen, PadKey, Taught
from hw.loudspeaker import LoudspeakerState, Unheard
from hw.panel import Panel
from hw.scanned import Badge, CardCode, RefereeBadge, Unreadable
from hw.scanner import Plugged, ScannerMessage, Unplugged
from kiosk.app.bringing import Brought, SticksSearched
from kiosk.app.first_start import StartMessage
from kiosk.app.hardware_page import HardwarePage
from kiosk.app.inbox import (
    Asked,
    DeckMissing,
    FilmKept,
    HelperMessage,
    Inbox,
    KioskMessage,
    PinsMissing,
    Pressed,
    WordsAtFault,
)
from kiosk.app.network_desk import NetworkSeen, NetworkTold
from kiosk.app.opener import TableOpener
from kiosk.app.outputs import Outputs, Screen
from kiosk.app.parcel_desk import DeckGone, OwnDecks, ParcelBrought, ParcelDesk
from kiosk.app.recorder import Recorder
from kiosk.app.referee_code import CodeChecked
from kiosk.app.referee_desk import RefereeDesk
from kiosk.app.release_desk import ReleaseDesk
from kiosk.app.stick_desk import StickDesk, SticksSeen, StickTold
from kiosk.app.storage_desk import StorageDesk
from kiosk.app.updating import MakingWay
from kiosk.app.watchdog import Watchdog
from kiosk.errors import BadEvent, KioskError, Refused
from kiosk.language import has, say
from kiosk.sync.enrolling import Enrolling
from kiosk.sync.state import (
    DeviceTask,
    DirectionsFound,
    GiveWay,
    LineMessage,
    LineState,
    ListHeld,
    ListsMended,
    Order,
    OtherDirectors,
    ParcelsWished,
    Planned,
    ReleaseWished,
    RulingsAllowed,
)
from kiosk.table.consent import check_opening
from kiosk.table.enrolment import spoken
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
from kiosk.ui.enrol.enrol_view import EnrolView
from kiosk.ui.parts.previewing import ShowPreview
from kiosk.ui.requests import ScreenRequest
from vision.messages import (
    Blind,
    CameraTrouble,
    CardGone,
    CardLaid,
    HandInTheWay,
    MatPicture,
    Recording,
    Tick,
    TrickTaken,
    VisionMessage,
)

log = logging.getLogger(__name__)

#: Seconds after which the view is made anew though nothing came: the clock has gone on.
VIEW_INTERVAL_S = 0.25

#: The reports that the table takes.
TableReport: TypeAlias = CardLaid | CardGone | TrickTaken | HandInTheWay | Blind


class Taking(Protocol):
    """Whoever carries out requests that no table in play does, as ``kiosk.app.own_rounds.OwnRounds``."""

    def takes(self, request: ScreenRequest) -> bool: ...


class Keyboards(Taking, Protocol):
    """Scanner and number pads that are keyboards, as ``kiosk.app.keyboards.KeyboardDesk``."""

    def heard(self, message: KeyboardMessage) -> None: ...
    def beat(self) -> None: ...
    def tell(self) -> None: ...


class SettingUp(Taking, Protocol):
    """Setting up by people, as ``kiosk.app.setup.SetUp`` does it."""

    @property
    def teaches(self) -> bool: ...
    def heard(self, message: VisionMessage) -> None: ...
    def beat(self) -> None: ...
    def tell_again(self) -> None: ...


class TakingOver(Taking, Protocol):
    """Taking in what the direction holds of this table's lists, as ``kiosk.app.held_lists.HeldLists``."""

    def heard(self, message: ListHeld | GiveWay) -> None: ...
    def beat(self) -> None: ...


class Starting(Taking, Protocol):
    """The first start, as ``kiosk.app.first_start.FirstStart`` carries it out."""

    def begin(self) -> None: ...
    def heard(self, message: StartMessage) -> None: ...


class Mending(Protocol):
    """Taking in what the direction puts right, as ``kiosk.app.mended.MendedDesk`` does it."""

    def heard(self, message: ListsMended) -> None: ...


class Confirming(Protocol):
    """Confirming certain cards, as ``kiosk.app.confirm.Confirmer`` does it."""

    def sit(self, table: Table) -> None: ...


#: What the direction decides, unless it lets a referee do so on this screen.
_DECISIONS = (RulingGiven, GameStruck, PlayerSubstituted, PlayingTimeEnded)

#: Kind and word of a notice about what was found when the program started.
_IN_WORDS: Final[dict[type, tuple[str, str]]] = {PinsMissing: ("pins", "pins"), DeckMissing: ("deck", "no_deck")}


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
        self.recorder: Recorder | None = None  # films for the referee
        self.confirmer: Confirming | None = None  # tells the camera's process which cards were certain
        self.setup: SettingUp | None = None
        self.hardware: HardwarePage | None = None
        self.keyboards: Keyboards | None = None
        self.rounds: Taking | None = None  # the rounds of this table, the next and those before
        self.sticks: StickDesk | None = None  # USB sticks that lists are taken away with
        self.mended: Mending | None = None  # what the direction puts right of this table's lists
        self.storage: StorageDesk | None = None  # whether what is noted is on the disk
        self.releases: ReleaseDesk | None = None  # other releases, from sticks or the direction
        self.parcels: ParcelDesk | None = None  # decks, words, sounds and settings that the direction gives
        self.on_task: Callable[[DeviceTask], None] = lambda _: None  # what the direction asks of the device
        self.making_way: MakingWay | None = None  # for another release, once the table rests
        self.first_start: Starting | None = None  # language, screen, network, direction, as people answer
        self.held_lists: TakingOver | None = None  # what the direction holds beyond the end of this table's lists
        self.anew = False  # the direction has given this table its number: the program starts anew with it
        self.rulings_allowed = True  # a referee may rule here; a table of a direction waits to hear so
        self.on_rulings: Callable[[bool], None] | None = None  # hears what the direction says of that
        self.on_directors: Callable[[Sequence[str]], None] = lambda _: None  # hears where other directors are
        self.on_line: Callable[[LineState], None] = lambda _: None  # hears how the line to the direction stands
        self.on_sit: Callable[[Table], None] | None = None  # hears of each table, the first one too if set before
        self.vision_listeners: list[Callable[[VisionMessage], None]] = []  # hear the camera's process, after the table
        self.on_news: Callable[[], None] = lambda: None  # wakes who sleeps until the next beat; called on any thread
        self._now = now
        self._watchdog = watchdog or Watchdog({})
        self._inbox = Inbox[KioskMessage]()
        self.referee = RefereeDesk(self.outputs, self._film_call)
        self._view: TableView | None = None
        self._viewed_at = float("-inf")
        self._fresh = True  # something has come that may show
        self._blind: Blind | None = None  # the camera's last word on whether it sees
        self._camera_trouble = ""  # code of what is wrong with the camera itself
        if table is not None:
            self.sit(table)

    def sit(self, table: Table) -> None:
        """Play at this table from now on."""
        self.opener.seated()
        self.table = table
        table.listen(lambda _, event: self._noted(table, event))
        if self._blind is not None:
            table.observe(self._blind, self._now())
        if self.recorder is not None:
            self.recorder.sit(table, table.round.opening.tournament or self.opener.tournament)
        if self.confirmer is not None:
            self.confirmer.sit(table)
        self.referee.sit(table)
        if self.on_sit is not None:
            self.on_sit(table)

    def _noted(self, table: Table, event: Event) -> None:
        """A new event counts."""
        if self.outputs.line is not None:
            self.outputs.line.wake()
        was = table.events[event.of] if isinstance(event, WordCorrected) else None
        self.outputs.event(event, table.round.players, was)

    def speak(self, language: str) -> None:
        """Speak this language from now on, in what stands on the screen too."""
        self.outputs.speak(language)
        self.referee.tell()
        if self.keyboards is not None:
            self.keyboards.tell()
        if self.setup is not None:
            self.setup.tell_again()

    def leave(self) -> None:
        """Leave the table: people sit down anew. Its round stays in the log as it is."""
        self.table, self._view, self._fresh = None, None, True
        self.outputs.forget()

    def begin_anew(self) -> None:
        """Have the program start anew after this beat, with what it was set to."""
        self.anew = True

    def at_rest(self) -> bool:
        """Report whether nobody minds a restart: no list is open, and nobody is writing names or teaching a deck."""
        if self.setup is not None and self.setup.teaches:
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
        self._inbox.deliver(message)
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
        self._beat_desks(now)
        if self.recorder is not None:
            self.recorder.beat()
        if self.table is not None:
            self._fresh |= bool(self.table.tick(now))
        self._follow_plan(now)
        if self._fresh or now - self._viewed_at >= VIEW_INTERVAL_S:
            self._fresh, self._viewed_at = False, now
            self._view = self.table.view(now) if self.table is not None else None
            if self._view is not None:
                self._watchdog.status(_in_a_line(self._view))
            blind = self._camera_trouble or self.blind
            self.outputs.show(self._view, call=self.referee.call, mat_seats=self.opener.mat_seats, blind=blind)
        self.outputs.move_panel(self._view, referee=self.referee.call is not None, now=now)

    def _beat_desks(self, now: float) -> None:
        for desk in (self.setup, self.hardware, self.keyboards, self.held_lists, self.storage, self.making_way):
            if desk is not None:
                desk.beat()
        for timed in (self.sticks, self.releases, self.parcels):
            if timed is not None:
                timed.beat(now)

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
        match message:
            case Asked(request):
                self._asked(request)
            case Order() | LineState() | Planned() | RulingsAllowed() | ListsMended() | OtherDirectors():
                self._from_line(message)
            case ReleaseWished() | SticksSearched() | Brought() | DeviceTask():
                self._about_device(message)
            case ParcelsWished() | ParcelBrought() | DeckGone() | OwnDecks():
                self._about_parcels(message)
            case ListHeld() | GiveWay() | DirectionsFound() | NetworkSeen() | NetworkTold():
                self._about_this_table(message)
            case Badge() | RefereeBadge() | CardCode() | Unreadable() | Plugged() | Unplugged():
                self._from_scanner(message)
            case DisplayGone() | DisplayBack() | PadKey() | Taught() | KeyboardsSeen() | LoudspeakerState() | Unheard():
                self._from_device(message)
            case Pressed() | CodeChecked():
                self._about_referee(message)
            case Enrolling() | PinsMissing() | DeckMissing() | WordsAtFault() | FilmKept() | SticksSeen() | StickTold():
                self._from_helpers(message)
            case _:
                self._from_vision(message)

    def _about_this_table(self, message: ListHeld | GiveWay | StartMessage) -> None:
        """Take what was found out of whose this table is, and what the direction holds of it."""
        if isinstance(message, ListHeld | GiveWay):
            if self.held_lists is not None:
                self.held_lists.heard(message)
        elif self.first_start is not None:
            self.first_start.heard(message)

    def _from_helpers(self, message: HelperMessage) -> None:
        match message:
            case Enrolling(table=table) if table is not None:
                self.anew = True
            case Enrolling(over=True):
                self.outputs.notice("enrol", "")
                self.outputs.enrol(None)
            case Enrolling(code):
                self._asks_to_enter(code, message)
            case PinsMissing(text) | DeckMissing(text):
                if isinstance(message, PinsMissing) and self.hardware is not None:
                    self.hardware.pins_missing(text)
                kind, code = _IN_WORDS[type(message)]
                known = text == say("setup_notices", code, self.outputs.language)
                self.outputs.notice(kind, (lambda language: say("setup_notices", code, language)) if known else text)
            case WordsAtFault(text):
                self.outputs.notice("words", text)
            case FilmKept(table, event, path):
                table.keep_film(event, path)
            case SticksSeen() | StickTold():
                self._from_sticks(message)

    def _from_sticks(self, message: SticksSeen | StickTold) -> None:
        if self.sticks is not None:
            self.sticks.heard(message)
        for desk in (self.releases, self.parcels):
            if desk is not None and isinstance(message, SticksSeen):
                desk.plugged(message.sticks)

    def _about_parcels(self, message: ParcelsWished | ParcelBrought | DeckGone | OwnDecks) -> None:
        if self.parcels is None:
            return
        if isinstance(message, ParcelsWished):
            self.parcels.wished(message)
        else:
            self.parcels.heard(message)

    def _about_device(self, message: ReleaseWished | SticksSearched | Brought | DeviceTask) -> None:
        if isinstance(message, DeviceTask):
            self.on_task(message)
        elif self.releases is None:
            return
        elif isinstance(message, ReleaseWished):
            self.releases.offered(message.offer)
        else:
            self.releases.heard(message)

    def _asks_to_enter(self, code: str, message: Enrolling) -> None:
        """Show the code of a device that the direction does not know, or why it is not to be had."""
        log.warning("code for the direction's page: %s %s %s", spoken(code), message.trouble, message.why)
        if code:
            self.outputs.notice("enrol", lambda language: say("line", "enrol", language, code=spoken(code)))
        else:
            self.outputs.notice("enrol", lambda language: say("line", "away", language))
        self.outputs.enrol(EnrolView(code, message.address, message.trouble, message.why, message.changed))

    def _from_vision(self, message: VisionMessage) -> None:
        if isinstance(message, CameraTrouble):
            self._camera_troubled(message)
            return
        if isinstance(message, Recording):
            if self.recorder is not None:
                self.recorder.take(message)
            return
        if isinstance(message, MatPicture):
            self.outputs.mat(message)
            return
        if isinstance(message, Blind):
            self._blind = message
        if self.table is not None and isinstance(message, TableReport):
            self.table.observe(message, self._now())
        if self.setup is not None:
            self.setup.heard(message)
        for hear in self.vision_listeners:
            hear(message)

    def _camera_troubled(self, message: CameraTrouble) -> None:
        self._camera_trouble = (message.code or "camera") if message.text else ""
        if not message.text:
            self.outputs.notice("camera", "")
            return
        log.warning("camera: %s", message.text)
        found = next((one for one in ("camera", "notices") if has(one, message.code)), "")
        subject, code = (found, message.code) if found else ("camera", "camera")
        self.outputs.notice("camera", lambda language: say(subject, code, language))

    def _from_line(self, message: LineMessage) -> None:
        match message:
            case Order():
                self._ordered(message)
            case LineState(connected=connected, trouble=trouble):
                self.on_line(message)
                if self.hardware is not None:
                    self.hardware.heard_line(message)
                self.outputs.notice("director", "" if connected and not trouble else message.text)
            case Planned():
                self.opener.plan = message
            case ListsMended() if self.mended is not None:
                self.mended.heard(message)
            case OtherDirectors(urls):
                self.on_directors(urls)
            case RulingsAllowed(allowed):
                self.rulings_allowed = allowed
                if self.on_rulings is not None:
                    self.on_rulings(allowed)

    def _from_scanner(self, message: ScannerMessage) -> None:
        if self.hardware is not None and self.hardware.heard_scanner(message):
            return
        match message:
            case Badge():
                self.outputs.badge(message.name or self.opener.name_of(message.number) or str(message.number))
            case RefereeBadge(code=code) if self.referee.code is not None:
                self.referee.enter(code)
            case RefereeBadge():
                self.outputs.scanned("referee", "")
            case CardCode(card=card):
                self._scanned_card(card)
            case Unreadable():
                log.info("scanner: %r: %s", message.text, message.why)
                self.outputs.scanned("unreadable", message.text)
            case Plugged():
                self.outputs.notice("scanner", "")
            case Unplugged():
                log.warning("scanner: %s", message.why)
                self.outputs.notice("scanner", lambda language: say("scanner", "unplugged", language))

    def _from_device(self, message: DisplayMessage | KeyboardMessage | LoudspeakerState | Unheard) -> None:
        match message:
            case DisplayGone() | DisplayBack():
                self._from_display(message)
            case LoudspeakerState() | Unheard():
                self._from_loudspeaker(message)
            case _ if self.keyboards is not None:
                self.keyboards.heard(message)
                if isinstance(message, KeyboardsSeen) and message.scanner is not None and self.hardware is not None:
                    self.hardware.heard_scanner(self._as_scanner(message.at, message.scanner))

    def _as_scanner(self, at: float, health: Health) -> ScannerMessage:
        """Say of a scanner that is a keyboard what one at a serial port would say."""
        if health.condition is Condition.WORKS:
            return Plugged(at=at, port="keyboard")
        why = say("hardware", health.code, self.outputs.language, detail=health.detail)
        return Unplugged(at=at, port="keyboard", why=why)

    def _from_loudspeaker(self, message: LoudspeakerState | Unheard) -> None:
        self.outputs.herald.heard(message)
        if isinstance(message, LoudspeakerState):
            if message.why:
                log.warning("%s", message.why)
            code = "" if not message.why else "wordless" if message.works else "mute"
            self.outputs.notice("sound", (lambda language: say("sound_notices", code, language)) if code else "")

    def _from_display(self, message: DisplayMessage) -> None:
        if isinstance(message, DisplayBack):
            self.outputs.notice("display", "")
            return
        log.warning("clock display: %s (%s)", message.code, message.detail)
        code, detail = message.code, message.detail
        self.outputs.notice("display", lambda language: say("hardware", code, language, detail=detail))

    def _about_referee(self, message: Pressed | CodeChecked) -> None:
        if isinstance(message, CodeChecked):
            self.referee.checked(message)
        elif self.hardware is None or not self.hardware.pressed():
            self.referee.press(self._now())

    def _film_call(self) -> None:
        if self.recorder is not None:
            self.recorder.call()

    def _asked(self, request: ScreenRequest) -> None:
        desks = (self.referee, self.setup, self.hardware, self.keyboards)
        if any(desk is not None and desk.takes(request) for desk in desks):
            return
        try:
            others = (self.rounds, self.sticks, self.held_lists, self.releases, self.parcels, self.first_start)
            if any(desk is not None and desk.takes(request) for desk in others):
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

    def _scanned_card(self, card: str) -> None:
        """A barcoded card was laid: it is the card of whoever has to lay one."""
        game = self.table.round.game if self.table is not None else None
        if game is not None and game.next_to_lay is not None:
            self._asked(request_for(CardPlayed, seat=game.next_to_lay, card=card))
        else:
            self.outputs.scanned("card", card)


def _in_a_line(view: TableView) -> str:
    """How the table stands, for ``systemctl status``."""
    blind = f", camera: {view.blind}" if view.blind else ""
    return f"table {view.table}, round {view.round}, game {view.game}: {view.phase}{blind}"
