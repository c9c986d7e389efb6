"""The touchscreen app: views come down, requests go up, both frozen values; it keeps nothing else of the table."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from kivy.clock import Clock
from kivy.properties import DictProperty, ObjectProperty, StringProperty

from kiosk.language import next_language, say
from kiosk.language.table import word
from kiosk.rules.engine.cards import Card
from kiosk.table.events.values import Consent
from kiosk.table.preview import Preview
from kiosk.table.standing_claim import StandingClaim
from kiosk.table.view.table_view import TableView
from kiosk.ui.badges import answer_badge, answer_scan
from kiosk.ui.camera.camera_view import CameraView
from kiosk.ui.camera.deck_check import DeckCheckSheet
from kiosk.ui.camera.deck_check_view import DeckCheckView
from kiosk.ui.devices.devices import DevicesSheet
from kiosk.ui.devices.devices_view import DevicesView
from kiosk.ui.earlier.earlier_view import EarlierView, RoundLine
from kiosk.ui.earlier.stick import StickSheet, stick_words
from kiosk.ui.earlier.stick_view import StickView
from kiosk.ui.enrol.enrol import EnrolSheet
from kiosk.ui.enrol.enrol_view import EnrolView
from kiosk.ui.first_start.start_view import StartView
from kiosk.ui.hardware.about import AboutSheet
from kiosk.ui.hardware.hardware_view import HardwareView, LightChoice, NoticeView
from kiosk.ui.hardware.parcels import ParcelsSheet
from kiosk.ui.hardware.parcels_view import ParcelsView
from kiosk.ui.hardware.release import ReleaseSheet
from kiosk.ui.hardware.release_view import ReleaseView
from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.next_frame import NextFrame, before_next_frame
from kiosk.ui.pads import PadHands
from kiosk.ui.parts.cards import Faces
from kiosk.ui.parts.places import ScreenPlace
from kiosk.ui.parts.played_view import PlayedView
from kiosk.ui.parts.rest import Rest
from kiosk.ui.parts.texts import screen_words
from kiosk.ui.parts.toast import Toast
from kiosk.ui.parts.told import way_told
from kiosk.ui.play.claim_question import HandSeen, RestChecked
from kiosk.ui.play.key_faces import KeyFace
from kiosk.ui.play.messages_text import MENDED
from kiosk.ui.referee.calling import RefereeCall
from kiosk.ui.referee.gate import GateSheet
from kiosk.ui.refusals import all_the_same, reason_words, rule_words, whose
from kiosk.ui.requests import ScreenRequest
from kiosk.ui.root import BARE, SETTING_UP, Root
from kiosk.ui.screens_app import ScreensApp
from kiosk.ui.seats.old_names import SeatingKept
from kiosk.ui.seats.seats_view import SeatsView, Written
from vision.messages import LessonStep, MatPicture

#: Notices of these kinds stand in the middle until somebody touches them.
ALOUD = {"call", MENDED}

_PLAIN = Consent()

#: The remaining time is drawn so often, seconds.
TICK_S = 0.2


class KioskApp(ScreensApp):
    """The table's screen; it is called on its own thread alone."""

    words = DictProperty({})
    language = StringProperty("de")
    refusal: Toast = ObjectProperty(None, allownone=True)

    def __init__(
        self,
        send: Callable[[ScreenRequest], None],
        language: str = "de",
        *,
        seating: SeatsView | None = None,
        gate: str = "hold",
        strip: bool = False,
        on_language: Callable[[str], None] | None = None,
        spectator: Spectator | None = None,
        backlight: Callable[[int], bool] | None = None,
        place: ScreenPlace | None = None,
        on_place: Callable[[ScreenPlace], None] | None = None,
        kept_seating: SeatingKept | None = None,
        turned: int = 0,
        touch_map: str = "",
    ) -> None:
        super().__init__(send, gate=gate, with_strip=strip, spectator=spectator, turned=turned, touch_map=touch_map)
        self.next_frame = NextFrame()
        self.rest = Rest(backlight or (lambda _: False), self._shade)
        self.pads = PadHands(self)
        self.enrolling: EnrolView | None = None  # None: the direction knows this device, or there is none
        self.starting: StartView | None = None  # None: the first start is over, or not up
        self.devices_view: DevicesView | None = None  # None: nobody reads keyboards here
        self.seating = self.own_seating = seating or SeatsView()
        self.referee_call: RefereeCall | None = None
        self.on_language_chosen = on_language
        self.place = place or ScreenPlace()
        self._on_place = on_place
        self.kept_seating = kept_seating  # None: what people write lasts as long as the program
        self._ask_for_names = bool(kept_seating and kept_seating.written)
        self.list_there = ""  # the direction's list of this table is "fetching", or "offered"
        self.view_at = 0.0
        self.stick_view: StickView | None = None  # None: this table has no way to write on one
        self.release_view: ReleaseView | None = None  # None: this machine takes no releases
        self.parcels_view: ParcelsView | None = None  # what the direction has given, and decks learned here
        self.language = language
        self.words = screen_words(language)
        self.faces = Faces(self.seating.book().deck, language)
        self._ticking: Any = None

    # called from outside

    @before_next_frame(newest=True)
    def show(self, view: TableView | None) -> None:
        """Show this state of the table; None: nobody sits here yet."""
        self._take(view)

    @before_next_frame()
    def refused(
        self,
        code: str,
        section: str = "",
        detail: str = "",
        way: Mapping[str, Any] | None = None,
        request: ScreenRequest | None = None,
    ) -> None:
        """Show briefly that the book does not allow what was asked for, and what happened that stands in its way.

        :param request: what was asked for: other seats may have asked for something since.
        """
        text = reason_words(code, detail, self.language) or self.words["refused"]
        if way is not None:
            text += "\n" + way_told(self, way)
        rule, turned = rule_words(code, section, self.language, self.view), self.degrees_to(whose(request) or 0)
        self.refusal.refuse(text, rule, all_the_same(request, code), turned)

    @before_next_frame(newest=True)
    def preview(self, preview: Preview) -> None:
        """Show on the sheet that asks for it what a request would change in the list."""
        self.sheets.preview(preview)

    @before_next_frame(newest=True)
    def deck_check(self, view: DeckCheckView) -> None:
        """Show on the sheet of the check what was found so far."""
        if isinstance(self.sheets.current, DeckCheckSheet):
            self.sheets.current.draw(view)

    @before_next_frame(newest=True)
    def rest_checked(self, answer: RestChecked) -> None:
        """Show whether the rest that is claimed holds."""
        self.screen("play").rest_checked(answer)

    @before_next_frame(newest=True)
    def played(self, view: PlayedView) -> None:
        """Show a game as it was played, on the sheet that asks for it or on a new one."""
        self.sheets.played(view)

    @before_next_frame()
    def claim(self, seat: int) -> None:
        """Ask all whether the rest is a seat's, which shows its cards, as by its own keys."""
        self.go("play")
        self.screen("play").ask_claim(seat, ())
        self.screen("play").act(seat, KeyFace("", "gold", ("claim_yes",), binds=True))

    @before_next_frame(newest=True)
    def claim_left(self, claim: StandingClaim) -> None:
        """Ask what was asked about a claim when the program ended, once the table is shown."""
        self.screen("play").claim_left(claim)

    @before_next_frame(newest=True)
    def hand_seen(self, seen: HandSeen) -> None:
        """Show what the camera sees of a hand that is laid open."""
        self.screen("play").hand_seen(seen)

    @before_next_frame()
    def notice(self, kind: str, text: str) -> None:
        """Keep ``text`` in view under its kind (camera, scanner, director …) until it comes with an empty text.

        A ``call`` of the director stands in the middle as well, until it is touched.
        """
        if text:
            self.notices[kind] = text
            if kind in ALOUD:
                self.refusal.show("gold", text)
        else:
            self.notices.pop(kind, None)
        self.redraw()

    @before_next_frame(newest=True)
    def enrol(self, view: EnrolView | None) -> None:
        """Show the code by which the direction admits this device; nothing that players do is closed for it.

        :param view: None: the direction knows this device.
        """
        self.enrolling = view
        if view is None:
            if isinstance(self.sheets.current, EnrolSheet):
                self.sheets.close()
        elif isinstance(self.sheets.current, EnrolSheet):
            self.sheets.current.draw()
        elif self.sheets.current is None or (self.view is None and self.starting is None):
            self.sheets.open("enrol", by=0)

    @before_next_frame(newest=True)
    def start(self, view: StartView | None) -> None:
        """Show a step of the first start; None: it is over, or people have left it."""
        self.starting = view
        if view is None:
            if self.current == "first_start":
                self.leave_setting_up()
            return
        if self.current != "first_start":
            self.go("first_start")
        self.screen("first_start").show_start(view)

    @before_next_frame()
    def plan(self, plan: dict[str, Any] | None) -> None:
        """Show who shall sit here and by which rules, as the director has it; None: he has set nothing."""
        self.seating = self.own_seating.planned(plan)
        self.screen("seats").take(self.seating)
        self.redraw()

    @before_next_frame(newest=True)
    def taking_over(self, state: str) -> None:
        """Show before people sit down that a list of this table is ``fetching``, or ``offered`` by the direction."""
        self.list_there = state
        self.redraw()

    @property
    def somebody_writes(self) -> bool:
        """Whether somebody has written or chosen something before sitting down."""
        return self.kept_seating is not None and bool(self.kept_seating.written)

    @before_next_frame()
    def sit_down(self, seating: SeatsView) -> None:
        """Show what is known of the round that people sit down for, at a table that nobody directs."""
        self.seating = self.own_seating = seating
        self.screen("seats").take(seating)
        self.redraw()

    @before_next_frame()
    def rounds(self, lines: tuple[RoundLine, ...]) -> None:
        """Show the rounds that were begun at this table."""
        if self.current == "earlier":
            self.screen("earlier").list_rounds(lines)

    @before_next_frame()
    def earlier(self, earlier: EarlierView) -> None:
        """Show the list of a round that was begun at this table."""
        if self.current == "earlier":
            self.screen("earlier").show_round(earlier)

    @before_next_frame()
    def stick(self, stick: StickView) -> None:
        """Show which USB sticks there are, and what becomes of the files for one."""
        before, self.stick_view = self.stick_view, stick
        sheet = self.sheets.current
        if isinstance(sheet, StickSheet):
            sheet.draw()
        elif before is not None:
            self._tell_of_stick(before, stick)
        self.redraw()

    @before_next_frame(newest=True)
    def releases(self, view: ReleaseView) -> None:
        """Show which releases lie on the sticks, and what becomes of the one that is taken."""
        self.release_view = view
        if isinstance(self.sheets.current, ReleaseSheet):
            self.sheets.current.draw()

    @before_next_frame(newest=True)
    def parcels(self, view: ParcelsView) -> None:
        """Show what the direction has given, and what becomes of a deck learned here."""
        self.parcels_view = view
        if isinstance(self.sheets.current, ParcelsSheet):
            self.sheets.current.draw()

    def _tell_of_stick(self, before: StickView, stick: StickView) -> None:
        """Say in the middle what nobody sees who has closed the sheet, and that a stick was found."""
        if stick.state in ("done", "failed") and stick.state != before.state:
            told, below = stick_words(self.words, stick)
            self.refusal.show("gold" if stick.state == "done" else "red", told, below)
        elif len(stick.sticks) > len(before.sticks) and stick.state == "idle" and self.view is not None:
            self.refusal.tell(self.words["stick_found"])

    @before_next_frame()
    def badge(self, name: str) -> None:
        """Answer a player's badge, whatever people are doing."""
        answer_badge(self, name)

    @before_next_frame()
    def scanned(self, kind: str, text: str) -> None:
        """Answer something scanned that is no player's badge: ``unreadable``, ``card``, ``referee``."""
        answer_scan(self, kind, text)

    @before_next_frame(newest=True)
    def lamps(self, value: dict[str, Any]) -> None:
        """Draw lamps, display and buzzer: ``{"display", "lamps": {seat: off|turn|breach}, "referee", "buzzer"}``."""
        self.root.lamps.show(value)

    @before_next_frame()
    def flash(self, signal: str) -> None:
        """Flash the screen's frame for a signal, with its word."""
        self.rest.wake()
        self.root.flash.show(signal, say("signals", signal, self.language))

    @before_next_frame(newest=True)
    def hardware(self, view: HardwareView) -> None:
        """Show how the table's parts are, while that page is up."""
        self.screen("hardware").show_hardware(view)

    @before_next_frame(newest=True)
    def packages(self, notices: tuple[NoticeView, ...]) -> None:
        """Show what the packages say of their licences, while people want to read it."""
        if isinstance(self.sheets.current, AboutSheet):
            self.sheets.current.draw(notices)

    @before_next_frame(newest=True)
    def light(self, choice: LightChoice) -> None:
        """Be as bright as this, at work and at rest."""
        self.rest.set(choice.brightness, choice.rest, choice.rest_after)

    def _shade(self, part: float) -> None:
        if self.root is not None:
            self.root.shade = part

    @before_next_frame(newest=True)
    def referee_called(self, call: RefereeCall | None) -> None:
        """Show that the referee is called, or no longer."""
        self.referee_call = call
        self.redraw()

    @before_next_frame()
    def code_checked(self, right: bool, wait: float) -> None:
        """Admit the referee by the code entered or scanned; for ``wait`` seconds no other is looked at."""
        gate = self.sheets.current
        if isinstance(gate, GateSheet):
            gate.answered(right, wait)
        elif right and self.view is not None:
            GateSheet.admit(self, by=0)
        else:
            answer_scan(self, "referee_right" if right else "referee_wait" if wait else "referee_wrong", f"{wait:.0f}")

    @before_next_frame(newest=True)
    def devices(self, view: DevicesView) -> None:
        """Show which scanner and number pads there are; the keys of seats that have a pad get numbers."""
        self.devices_view = view
        self.pads.show(view.pads)
        if isinstance(self.sheets.current, DevicesSheet):
            self.sheets.current.show(None)

    @before_next_frame()
    def pad_key(self, seat: int, sign: str, down: bool) -> None:
        """Take a key of a seat's number pad; on a screen at rest the first one only wakes it, as a touch does."""
        if not down:
            self.pads.release(seat, sign)
        elif not self.rest.touched():
            self.pads.press(seat, sign)

    @before_next_frame(newest=True)
    def lesson(self, step: LessonStep | None, bavarian: bool = False) -> None:
        """Show a step of the guided deck lesson; None ends it."""
        if step is None:
            if self.current == "lesson":
                self.set_up()
            return
        if self.current != "lesson":
            self.go("lesson")
        self.screen("lesson").show(step, bavarian)

    @before_next_frame(newest=True)
    def camera(self, view: CameraView) -> None:
        """Show what the camera sees, while the set-up screen is up."""
        if self.current == "camera":
            self.screen("camera").show_camera(view)

    @before_next_frame(newest=True)
    def mat(self, picture: MatPicture) -> None:
        """Show the mat as the camera sees it, beside the table, where there is a spectator."""
        if self.root.mat_panel is not None:
            self.root.mat_panel.show(picture)

    @property
    def rules(self) -> str:
        """The book that is chosen while people sit down."""
        return str(self.screen("seats").rules) if self.root is not None else self.seating.rules

    # life

    def on_built(self, root: Root) -> None:
        """Draw what is known on a new tree."""
        self.refusal = root.toast
        self.rest.again()
        self.pads.forget()
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self.tick, TICK_S)
        self._take(self.view)
        if self.starting is not None:
            self.go("first_start")
            self.screen("first_start").show_start(self.starting)
        if self.enrolling is not None and self.view is None:
            self.sheets.open("enrol", by=0)
        elif self._ask_for_names:  # once: the date says nothing of whether it is the same evening
            self._ask_for_names = False
            self.sheets.open("old_names", by=0)

    def keep_seating(self, written: Written) -> None:
        """Keep what people have written and chosen until their round has begun; nothing: it has."""
        if self.kept_seating is not None:
            self.kept_seating.keep(written)

    def rebuild(self) -> None:
        """Build the tree anew; people find the screen and the names that they had."""
        current, written = self.current, self.screen("seats").written
        self.sheets.forget()
        super().rebuild()
        self.screen("seats").written = written
        if current and not (self.view is None and current not in SETTING_UP):
            self.go(current)

    # drawing

    def _take(self, view: TableView | None) -> None:
        before, self.view, self.view_at = self.view, view, time.monotonic()
        if (before and before.events) != (view and view.events):
            self.rest.wake()  # a card was laid, a word said
        if view is None:
            if before is not None or self.current not in BARE:
                self.go("seats")
            self.screen("seats").show()
            return
        if before is None:
            self.keep_seating(Written())
        if before is None or before.rules != view.rules:
            self._take_deck(view.book.deck)
        if self.current == "seats":
            self.go("play")
        if view.phase == "over" and (before is None or before.phase != "over"):
            self.go("list")
        if before is None or before is view or not _only_later(before, view):
            self.draw(view)

    def _take_deck(self, deck: Iterable[Card]) -> None:
        """Write cards as this deck's, and in this language; as before, the keys that name its cards stay."""
        if self.faces.written_for != (tuple(deck), self.language):
            self.faces = Faces(deck, self.language)

    def draw(self, view: TableView) -> None:
        """Draw a view on the rail, on the screen that is up and on an open sheet."""
        self.root.rail.show(self, view)
        if self.current not in SETTING_UP:
            self.screen(self.current).show(view)
        self.sheets.show(view)
        self.pads.mark()

    def redraw(self) -> None:
        """Draw once more what is known."""
        if self.starting is not None and self.current == "first_start":
            self.screen("first_start").show_start(self.starting)
        if self.view is None:
            self.screen("seats").show()
        else:
            self.draw(self.view)

    def tick(self, *_: object) -> None:
        """Draw the time that has passed since the view."""
        self.rest.tick()
        if self.root.mat_panel is not None:
            self.root.mat_panel.tick()
        self.screen("play").tell_shown()
        if self.view is None:
            return
        self.root.rail.tick(self)
        if self.current == "clock":
            self.screen("clock").tick(self)
        elif self.current == "play":
            self.screen("play").tick()
        if self.current not in ("list", *SETTING_UP):
            self.screen("list").prepare(self.view)

    def say(self, code: str) -> str:
        """Look up the word for a code of the protocol, in the language shown."""
        return word(code, self.language)

    def speak(self, language: str) -> None:
        """Change the language."""
        self.language = language
        self.words = screen_words(language)
        self._take_deck((self.view.book if self.view else self.seating.book()).deck)
        if self.on_language_chosen is not None:
            self.on_language_chosen(language)
        self.sheets.close()
        self.screen("hardware").show_hardware(self.screen("hardware").view)
        self.redraw()

    def stand(self, place: ScreenPlace) -> None:
        """Take how the screen stands at the table: seats lie on it as they really lie."""
        self.place = place
        if self._on_place is not None:
            self._on_place(place)
        self.redraw()

    def other_language(self) -> None:
        """Change to the next language, at the end to the first."""
        self.speak(next_language(self.language))

    def _seats(self) -> dict[int, tuple[float, float]]:
        """Each seat's place on the screen, who sits before it first; also while people sit down."""
        seats = self.view.seats if self.view is not None else self.screen("seats").names
        return self.place.places(len(seats))

    def degrees_to(self, seat: int) -> int:
        """By how much is turned what a seat has to read; what concerns nobody in particular (0) is upright."""
        return self.place.turn(self._seats().get(seat, (0, -1)))

    def next_reader(self, seat: int) -> int:
        """Find the next seat that reads what is turned otherwise than this one does."""
        seats = [*self._seats()]
        at = seats.index(seat) if seat in seats else 0
        following = (*seats[at + 1 :], *seats[:at])
        return next((one for one in following if self.degrees_to(one) != self.degrees_to(seat)), seat)


def _only_later(before: TableView, view: TableView) -> bool:
    """Report whether nothing has changed but the time left, which ``tick`` draws."""
    return before == replace(view, clock=replace(view.clock, remaining=before.clock.remaining))
