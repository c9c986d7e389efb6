"""The touchscreen app: views come down as values, requests go up as dicts, and it keeps nothing else of the table."""

import queue
import time
from collections.abc import Callable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.metrics import Metrics
from kivy.properties import BooleanProperty, DictProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager
from kivy.uix.widget import Widget

from kiosk.table.view import CallView, TableView
from kiosk.table.words import Language, rule_says, section_word, word
from kiosk.ui import look, sheets
from kiosk.ui.camera import CameraScreen
from kiosk.ui.camera_view import CameraView
from kiosk.ui.cards import Faces
from kiosk.ui.clock import ClockScreen
from kiosk.ui.display import check_driver
from kiosk.ui.lesson import LessonScreen
from kiosk.ui.play import PlayScreen
from kiosk.ui.rail import Rail
from kiosk.ui.score_list import ListScreen
from kiosk.ui.seating import Seating
from kiosk.ui.seats import SeatsScreen
from kiosk.ui.strip import Strip
from kiosk.ui.texts import TEXTS

#: The screens are drawn for this many units; everything scales by it, so both displays look alike.
UNITS = (800, 480)

#: A question with more choices than this shows the whole deck at once.
MOST_CHOICES = 4

#: Notices of these kinds stand in the middle until somebody touches them.
ALOUD = {"call"}

#: Screens of people who set the table up; the table's own view is not drawn there.
SETTING_UP = ("camera", "lesson")

#: A refusal is shown this long, seconds.
REFUSAL_STAYS = 6.0

#: What people say or lay stands although it breaks a rule; a refusal that answers a touch so many seconds old at most
#: offers to enter it.
WORDS = {"call", "bid", "declare", "announce", "card"}
OFFENCES = {
    "call_out_of_turn",
    "early_announcement",
    "late_announcement",
    "unfounded_announcement",
    "skipped_step",
    "repeated_announcement",
    "wrong_side",
    "not_entitled",
    "no_leave",
    "revoke",
    "out_of_turn",
}
JUST_NOW = 3.0


class Root(BoxLayout):
    """Stage (screens, sheets, a refusal) beside the rail, and the drawn lamps below where there are no pins."""


class Toast(BoxLayout):
    """A refusal in plain words, for a moment, where no keys are; a touch puts it away."""

    text = StringProperty("")
    section = StringProperty("")
    tone = StringProperty("red")
    arguable = BooleanProperty(False)  # the word is out: it may be entered all the same, and others may object

    def on_touch_down(self, touch: Any) -> bool:
        if not self.opacity or not self.collide_point(*touch.pos):  # type: ignore[has-type]
            return False
        if super().on_touch_down(touch):
            return True
        self.opacity = 0
        return True


class KioskApp(App):
    """The table's screen.

    ``show``, ``refused``, ``notice``, ``badge``, ``lamps`` and ``lesson`` may be called from any thread; they meet in
    one inbox that the screen's thread empties in order.
    """

    words = DictProperty({})
    language = StringProperty("de")
    refusal: Toast = ObjectProperty(None, allownone=True)

    def __init__(
        self,
        send: Callable[[dict[str, object]], None],
        language: Language = "de",
        *,
        seating: Seating | None = None,
        referee_pin: str | None = None,
        strip: bool = False,
        on_language: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__()
        self._send = send
        self._inbox: queue.SimpleQueue[tuple[Callable[..., None], tuple[Any, ...]]] = queue.SimpleQueue()
        self._wake = Clock.create_trigger(self._empty_inbox, -1)
        self.seating = self._own_seating = seating or Seating()
        self.referee_pin = referee_pin
        self.referee_known = False
        self.with_strip = strip
        self.on_language_chosen = on_language
        self.view: TableView | None = None
        self.view_at = 0.0
        self.notices: dict[str, str] = {}
        self.language = language
        self.words = TEXTS[language]
        self.faces = Faces.of(self.seating.rules, language)
        self._screens: dict[str, Any] = {}
        self._sheet: look.Sheet | None = None
        self._asked: tuple[dict[str, object], float] | None = None
        self._calm = Clock.create_trigger(self._hide_refusal, REFUSAL_STAYS)
        self._ticking: Any = None
        self._built_for: tuple[int, int] = (0, 0)
        self._refit = Clock.create_trigger(self._fit_window, 0)

    # called from outside, from any thread

    def show(self, view: TableView | None) -> None:
        """Show this state of the table; None: nobody sits here yet."""
        self._put(self._show, view)

    def refused(self, code: str, section: str = "", detail: str = "") -> None:
        """Say briefly that the book does not allow what was asked for."""
        self._put(self._refused, code, section, detail)

    def notice(self, kind: str, text: str) -> None:
        """Keep ``text`` in view under its kind (camera, scanner, director …) until it comes with an empty text.

        A ``call`` of the director stands in the middle as well, until it is touched.
        """
        self._put(self._notice, kind, text)

    def plan(self, plan: dict[str, Any] | None) -> None:
        """Who shall sit here and by which rules, as the director has it; None: he has set nothing."""
        self._put(self._plan, plan)

    def badge(self, name: str) -> None:
        """A player's badge was scanned: while people sit down it fills the next empty seat."""
        self._put(self._badge, name)

    def lamps(self, value: dict[str, Any]) -> None:
        """Draw lamps, display and buzzer: ``{"display", "lamps": {seat: off|turn|breach}, "referee", "buzzer"}``."""
        self._put(self._lamps, value)

    def lesson(self, state: Any, frame: Any = None, bavarian: bool = False, rivals: Any = ()) -> None:
        """Show a step of the guided deck lesson; None ends it.

        ``state`` has ``asked, verdict, learned, total, rival, detail, picture, outline`` as vision's lesson gives them;
        ``frame`` is what the camera sees, (H, W, 3) uint8 BGR; ``rivals`` are the faces of the finished deck that are
        alike, with ``one, other, margin``. What people touch comes up as the request
        ``{"event": "lesson", "do": "skip" | "back" | "again" | "stop"}``, ``again`` with ``labels``.
        """
        self._put(self._lesson, state, frame, bavarian, rivals)

    def camera(self, view: CameraView) -> None:
        """Show what the camera sees, while the set-up screen is up; it is asked for by the request
        ``{"event": "camera", "do": "open" | "close"}``."""
        self._put(self._camera, view)

    @property
    def rules(self) -> str:
        """The book that is chosen while people sit down."""
        seats = self._screens.get("seats")
        return str(seats.rules) if seats is not None else self.seating.rules

    def _put(self, call: Callable[..., None], *what: Any) -> None:
        self._inbox.put((call, what))
        self._wake()

    def _empty_inbox(self, *_: object) -> None:
        states = (self._show, self._lamps, self._lesson, self._camera)
        newest: dict[Callable[..., None], tuple[Any, ...]] = {}
        while True:
            try:
                call, what = self._inbox.get_nowait()
            except queue.Empty:
                break
            if call in states:
                newest[call] = what  # of several states of one thing only the last can be seen
            else:
                call(*what)
        for call, what in newest.items():
            call(*what)

    # life

    def build(self) -> Widget:
        """The widget tree, scaled to the window.

        :raises kiosk.ui.display.NoDisplay: if the window is drawn where nobody can see it.
        """
        check_driver()
        Window.clearcolor = look.hex(look.FELT_DEEP)
        width, height = self._built_for = tuple(Window.size)
        below = Strip.UNITS if self.with_strip else 0
        Metrics.density = min(width / UNITS[0], height / (UNITS[1] + below))
        root = Root()
        self._screens = {
            "seats": SeatsScreen(self, name="seats"),
            "play": PlayScreen(self, name="play"),
            "list": ListScreen(self, name="list"),
            "clock": ClockScreen(self, name="clock"),
            "lesson": LessonScreen(self, name="lesson"),
            "camera": CameraScreen(self, name="camera"),
        }
        manager: ScreenManager = root.ids.screens
        manager.transition = NoTransition()
        for screen in self._screens.values():
            manager.add_widget(screen)
        self.refusal = root.ids.toast
        self._rail: Rail = root.ids.rail
        self._strip: Strip = root.ids.strip
        if not self.with_strip:
            root.remove_widget(self._strip)
        self._hide_refusal()
        self.root = root
        if self._ticking is None:
            self._ticking = Clock.schedule_interval(self._tick, 0.2)
        self._show(self.view)
        return root

    def on_start(self) -> None:
        """A window may get its size later, or another one."""
        Window.bind(size=self._refit)
        self._refit()

    def _fit_window(self, *_: object) -> None:
        if self.root is not None and tuple(Window.size) != self._built_for:
            self.rebuild()

    def rebuild(self) -> None:
        """Build the tree anew, after the window got another size."""
        old, current = self.root, self.current
        names = self._screens["seats"].names
        self._sheet = None
        if old is not None:
            Window.remove_widget(old)
        Window.add_widget(self.build())
        self._screens["seats"].names[:] = names
        if current and not (self.view is None and current not in SETTING_UP):
            self.go(current)

    # drawing

    def _show(self, view: TableView | None) -> None:
        before, self.view, self.view_at = self.view, view, time.monotonic()
        if view is None:
            if before is not None or self.current not in ("seats", *SETTING_UP):
                self.go("seats")
            self._screens["seats"].show()
            return
        if before is None or before.rules != view.rules:
            self.faces = Faces.of(view.rules, self.language)
        if self.current == "seats":
            self.go("play")
        if view.phase == "over" and before is not None and before.phase != "over":
            self.go("list")
        self._draw(view)

    def _plan(self, plan: dict[str, Any] | None) -> None:
        self.seating = self._own_seating.planned(plan)
        self._screens["seats"].take(self.seating)
        if self.view is None:
            self._screens["seats"].show()

    def _draw(self, view: TableView) -> None:
        self._rail.show(self, view)
        current = self._screens.get(self.current)
        if current is not None and self.current not in SETTING_UP:
            current.show(view)
        if self._sheet is not None:
            self._sheet.show(view)

    def _tick(self, *_: object) -> None:
        if self.view is None:
            return
        self._rail.tick(self)
        if self.current == "clock":
            self._screens["clock"].tick(self)

    def remaining(self) -> float:
        """Seconds left on the round clock now."""
        if self.view is None:
            return 0.0
        clock = self.view.clock
        return clock.remaining - (time.monotonic() - self.view_at if clock.running else 0.0)

    # words

    def say(self, code: str) -> str:
        """The word for a code of the protocol, in the language shown."""
        return word(code, self.language)

    def card_name(self, card: str) -> str:
        """A card's short name, as markup."""
        return self.faces.name(card)

    def speak(self, language: Language) -> None:
        """Change the language."""
        self.language = language
        self.words = TEXTS[language]
        self.faces = Faces.of(self.view.rules if self.view else self.seating.rules, language)
        if self.on_language_chosen is not None:
            self.on_language_chosen(language)
        self.close()
        if self.view is None:
            self._screens["seats"].show()
        else:
            self._draw(self.view)

    def other_language(self) -> None:
        """German becomes English and back."""
        self.speak("en" if self.language == "de" else "de")

    # screens and sheets

    @property
    def current(self) -> str:
        """Name of the screen that is up."""
        return str(self.root.ids.screens.current) if self.root else ""

    def screen(self, name: str) -> Any:
        """A screen by its name."""
        return self._screens[name]

    def go(self, name: str) -> None:
        """Go to a screen; what was open closes."""
        self.close()
        manager = self.root.ids.screens
        manager.current = name
        self._rail.screen = name
        self._rail.hidden = name in ("seats", *SETTING_UP)
        if self.view is not None and name not in ("seats", *SETTING_UP):
            self._draw(self.view)

    def set_up(self) -> None:
        """Look through the camera."""
        self.go("camera")
        self._screens["camera"].open()

    def set_up_done(self) -> None:
        """Back from the camera to the table, or to the seats while nobody sits."""
        self.request({"event": "camera", "do": "close"})
        self.go("play" if self.view is not None else "seats")
        if self.view is None:
            self._screens["seats"].show()

    def open_sheet(self, kind: str, **what: Any) -> None:
        """Open a sheet over the stage: see ``kiosk.ui.sheets`` for the kinds."""
        self.close()
        if self.view is None and kind not in ("name", "teach"):
            return
        sheet = sheets.KINDS[kind](self, **what)
        self._sheet = sheet
        self.root.ids.stage.add_widget(sheet, index=1)
        if self.view is not None:
            sheet.show(self.view)

    def ask_about(self, event: int) -> None:
        """Ask what the card of an event is: by its likeliest choices, or by the whole deck where they are many."""
        doubts = self.view.doubts if self.view is not None else ()
        doubt = next((one for one in doubts if one.event == event), None)
        few = doubt is not None and len(doubt.choices) <= MOST_CHOICES
        self.open_sheet("doubt" if few else "correct", of=event)

    @property
    def sheet(self) -> look.Sheet | None:
        """The sheet that is open."""
        return self._sheet

    def close(self, sheet: look.Sheet | None = None) -> None:
        """Close the sheet that is open; a sheet that is open no more cannot close another."""
        if self._sheet is None or (sheet is not None and sheet is not self._sheet):
            return
        self.root.ids.stage.remove_widget(self._sheet)
        self._sheet = None

    def lay_by_finger(self) -> None:
        """Ask which card the seat lays whose turn it is."""
        seats = self.view.seats if self.view is not None and self.view.phase == "playing" else ()
        acting = next((seat.seat for seat in seats if seat.turn and not seat.sits_out), None)
        if acting is not None:
            self.open_sheet("lay", seat=acting)

    def tell_notices(self) -> None:
        """Show the notices in full, until they are touched."""
        self._say_aloud("gold", "\n".join(self.notices.values()))

    # requests

    def request(self, request: dict[str, object]) -> None:
        """Send a person's request up."""
        self._asked = request, time.monotonic()
        self._send(request)

    def insist(self) -> None:
        """Enter what was refused: it has been said, and an unclaimed breach is a valid move (eppstein 8.8.3)."""
        asked, self._asked = self._asked, None
        self._hide_refusal()
        if asked is not None:
            self.request({**asked[0], "anyway": True})

    def announce(self, seat: int, call: CallView) -> None:
        """Ask for an announcement."""
        request: dict[str, object] = {"event": "announce", "seat": seat, "call": call.call}
        if call.side is not None:
            request["side"] = call.side
        self.request(request)

    # what comes down besides views

    def _refused(self, code: str, section: str, detail: str) -> None:
        said = word(code, self.language)
        text = said if said != code else detail or self.words["refused"]
        limits = self.view.limits if self.view is not None else ()
        rule = rule_says(code, self.language, section, limits) if section else ""
        cited = section_word(section, self.language) if section else ""
        arguable = (
            code in OFFENCES
            and self._asked is not None
            and self._asked[0].get("event") in WORDS
            and time.monotonic() - self._asked[1] < JUST_NOW
        )
        self._say_aloud("red", text, "\n".join(part for part in (rule, cited) if part), arguable)
        self._calm()

    def _say_aloud(self, tone: str, text: str, below: str = "", arguable: bool = False) -> None:
        toast = self.refusal
        toast.tone, toast.text, toast.section, toast.opacity = tone, look.plain(text), look.plain(below), 1
        toast.arguable = arguable
        self._calm.cancel()

    def _hide_refusal(self, *_: object) -> None:
        self.refusal.opacity = 0

    def _notice(self, kind: str, text: str) -> None:
        if text:
            self.notices[kind] = text
            if kind in ALOUD:
                self._say_aloud("gold", text)
        else:
            self.notices.pop(kind, None)
        if self.view is not None:
            self._draw(self.view)
        else:
            self._screens["seats"].show()

    def _badge(self, name: str) -> None:
        if self.view is None:
            self._screens["seats"].badge(name)

    def _lamps(self, value: dict[str, Any]) -> None:
        self._strip.show(value)

    def _lesson(self, state: Any, frame: Any, bavarian: bool, rivals: Any) -> None:
        if state is None:
            if self.current == "lesson":
                self.set_up()
            return
        if self.current != "lesson":
            self.go("lesson")
        self._screens["lesson"].show(state, frame, bavarian, rivals)

    def _camera(self, view: CameraView) -> None:
        if self.current == "camera":
            self._screens["camera"].show_camera(view)


look.kv(__file__)
