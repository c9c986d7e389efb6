"""Build the widget tree: all screens, the rail beside them and the drawn lamps below."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from kivy.core.window import Window
from kivy.metrics import Metrics, dp
from kivy.properties import NumericProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.screenmanager import NoTransition

from kiosk.ui.camera.camera_screen import CameraScreen
from kiosk.ui.camera.lesson import LessonScreen
from kiosk.ui.earlier.earlier import EarlierScreen
from kiosk.ui.first_start.first_start import FirstStartScreen
from kiosk.ui.hardware.hardware_screen import HardwareScreen
from kiosk.ui.mat.mat_panel import SPLIT_FROM_PX, SPLIT_SHARE, MatBar, MatPanel
from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.parts.flash import Flash
from kiosk.ui.parts.look import kv
from kiosk.ui.parts.toast import Toast
from kiosk.ui.parts.touchable import uncovered
from kiosk.ui.parts.turned import turn
from kiosk.ui.play.play_screen import PlayScreen
from kiosk.ui.rail.clock_screen import ClockScreen
from kiosk.ui.rail.rail import Rail
from kiosk.ui.rail.strip import LampRow, Strip
from kiosk.ui.score_list.score_list import ListScreen
from kiosk.ui.seats.seats_screen import SeatsScreen

#: The screens are drawn for this many units; everything scales by it, so all displays look alike.
UNITS = (800, 480)

#: In a lower window, as on a small touchscreen, nothing stands below the table: its sizes hold there as in play.
ROOMY_FROM_PX = 600

#: Screens on which people leave the table for a while, mostly to set it up; its own view is not drawn there.
SETTING_UP = ("camera", "lesson", "earlier", "hardware", "first_start")

#: Screens without the rail.
BARE = ("seats", *SETTING_UP)


@dataclass(frozen=True, slots=True)
class WindowFit:
    """Shares of the window for the widgets."""

    size: tuple[int, int]  # of the window, pixels
    mat_px: float = 0.0  # width of the mat beside the table; 0: it takes the table's place, or nobody watches
    roomy: bool = True  # drawn lamps and the key to the mat stand below; else in the rail, and under *More*


def fit_to_window(with_strip: bool, with_mat: bool) -> WindowFit:
    """Scale all units to the window."""
    width, height = Window.size
    split = with_mat and width >= SPLIT_FROM_PX
    roomy = height >= ROOMY_FROM_PX
    below = 0 if not roomy else (Strip.UNITS if with_strip else 0) + (MatBar.UNITS if with_mat and not split else 0)
    beside = SPLIT_SHARE * width if split else 0.0
    Metrics.density = min((width - beside) / UNITS[0], height / (UNITS[1] + below))
    return WindowFit((width, height), beside, roomy)


class AtOnce(NoTransition):
    """Kivy's change of screens without a film, which yet waits for a frame, and lays both out until then."""

    def start(self, manager: Any) -> None:
        """Take the one screen away, and let the other be all there is."""
        super().start(manager)
        self._anim.cancel(self)
        self._on_complete()


class Root(BoxLayout):
    """Stage (screens, sheets, a refusal) beside the rail, and the drawn lamps where there are no pins.

    The mat as the camera sees it stands at the right of all that, or takes its place, where somebody watches.
    """

    shade = NumericProperty(0)  # how much of the window's light is taken away at rest

    def __init__(self, app: Any, fit: WindowFit, *, with_strip: bool, spectator: Spectator | None) -> None:
        self._app = app
        super().__init__()
        self.screens: dict[str, Any] = {
            "seats": SeatsScreen(app, name="seats"),
            "play": PlayScreen(app, name="play"),
            "list": ListScreen(app, name="list"),
            "clock": ClockScreen(app, name="clock"),
            "hardware": HardwareScreen(app, name="hardware"),
        }
        # Most evenings go without these: they are built when they are wanted, and are no memory until then.
        self._seldom: dict[str, Callable[[], Any]] = {
            "lesson": lambda: LessonScreen(app, name="lesson"),
            "first_start": lambda: FirstStartScreen(app, name="first_start"),
            "camera": lambda: CameraScreen(app, name="camera"),
            "earlier": lambda: EarlierScreen(app, ListScreen(app, archived=True), name="earlier"),
        }
        self._manager = self.ids.screens
        self._manager.transition = AtOnce()
        for screen in self.screens.values():
            self._manager.add_widget(screen)
        # The manager lays out only the screen that is up. The list is laid out as it grows, not when it is opened.
        score_list = self.screens["list"]
        self._manager.bind(pos=score_list.setter("pos"), size=self._lay_out_list)
        self.toast: Toast = self.ids.toast
        self.rail: Rail = self.ids.rail.__self__
        self.ids.screen_and_rail.remove_widget(self.rail)
        self.rail.draw_lamps(with_strip and not fit.roomy)
        self.lamps: Strip | LampRow = self.ids.strip.__self__ if fit.roomy else self.rail.ids.lamps
        if not with_strip or not fit.roomy:
            self.ids.table.remove_widget(self.ids.strip)
        self.mat_panel: MatPanel | None = None
        if spectator is not None:
            self.mat_panel = MatPanel(app, spectator, split=fit.mat_px > 0, in_menu=not fit.roomy)
            self.mat_panel.put_beside(self, fit.mat_px or fit.size[0])
        self.toast.hide()
        for watched in (self.toast, self.ids.stage):
            watched.bind(size=lambda *_: self._place_toast(), pos=lambda *_: self._place_toast())
        self.toast.bind(degrees=lambda *_: self._place_toast())
        self.flash = Flash().over(self, gives_way=self.rail.ids.info.__self__)

    def _place_toast(self) -> None:
        holder, stage, degrees = self.ids.answering, self.ids.stage, self.toast.degrees
        turn(holder, 0)
        holder.size = self.toast.size
        turn(holder, degrees)
        holder.center = stage.center_x, stage.center_y + (0 if degrees else dp(11))

    def on_touch_down(self, touch: Any) -> bool:
        return self._app.rest.touched() or bool(super().on_touch_down(touch))

    @property
    def current(self) -> str:
        """Name of the screen that is up."""
        return str(self._manager.current)

    def screen(self, name: str) -> Any:
        """Find a screen by its name; a seldom one is built now."""
        if name in self._seldom:
            self.screens[name] = self._seldom.pop(name)()
            self._manager.add_widget(self.screens[name])
        return self.screens[name]

    def ticking(self) -> list[Any]:
        """The labels that change while nobody does anything: the clocks."""
        seats = [panel.ids.clock.__self__ for panel in self.screens["play"].panels.values() if panel.clock]
        return [self.rail.ids.clock.__self__, self.screens["clock"].ids.clock.__self__, *seats]

    def go(self, name: str) -> None:
        """Show a screen."""
        screen = self.screen(name)
        self._manager.current = name
        uncovered(screen.walk(restrict=True))
        self.rail.screen = name
        self._show_rail(name not in BARE)

    def _show_rail(self, wanted: bool) -> None:
        """Put the rail beside the stage, or take it away; no screen is laid out for any other width than its own."""
        self.rail.hidden = not wanted
        beside, stage = self.ids.screen_and_rail, self.ids.stage
        if wanted == (self.rail.parent is not None):
            return
        (beside.add_widget if wanted else beside.remove_widget)(self.rail)
        beside.do_layout()
        stage.do_layout()

    def _lay_out_list(self, _: object, size: Sequence[float]) -> None:
        if not self.rail.hidden:
            self.screens["list"].size = size


kv(__file__)
