"""Fit an app to its window of any size, also when the size changes."""

from collections.abc import Sequence
from typing import Any

from kivy.app import App
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window

from kiosk.ui.display import check_driver
from kiosk.ui.kept_picture import KeptPicture, drawn_by_processor
from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.parts import look
from kiosk.ui.root import Root, WindowFit, fit_to_window
from kiosk.ui.standing import Point, TouchMap, fitting, on_panel


class FittedApp(App):
    """App whose widgets are scaled to the window, and built anew when it gets another size."""

    root: Root  # None until it is built

    def __init__(self, *, with_strip: bool, spectator: Spectator | None, turned: int = 0, touch_map: str = "") -> None:
        super().__init__()
        self.turned = turned  # degrees by which the picture is turned, counterclockwise
        self._touches = TouchMap(touch_map)
        self._started = False
        self.with_strip = with_strip
        self.spectator = spectator
        self._fit = WindowFit((0, 0))
        self._refit = Clock.create_trigger(self.fit_window, 0)
        self._kept_picture: KeptPicture | None = None

    def build(self) -> Root:
        """Build the widget tree, scaled to the window.

        :raises kiosk.ui.display.NoDisplay: if the window is drawn where nobody can see it.
        """
        check_driver()
        EventLoop.add_postproc_module(self._touches)
        if Window.rotation != self.turned:
            Window.rotation = self.turned
        Window.clearcolor = look.hex(look.FELT_DEEP)
        self._fit = fit_to_window(self.with_strip, self.spectator is not None)
        self.root = Root(self, self._fit, with_strip=self.with_strip, spectator=self.spectator)
        self.on_built(self.root)
        return self.root

    def on_built(self, root: Root) -> None:
        """Draw the current state on a new tree."""

    def turn(self, degrees: int) -> None:
        """Turn the picture by so much, counterclockwise."""
        self.turned = Window.rotation = degrees
        if self._started:
            self._keep_picture()
        self._refit()

    def map_touches(self, name: str) -> None:
        """Map touches by another of ``kiosk.ui.standing.MAPS``."""
        self._touches.name = name

    @property
    def touch_map(self) -> str:
        """Name of the map that touches go by."""
        return self._touches.name

    def maps_fitting(self, touches: Sequence[Point], spots: Sequence[Point]) -> list[str]:
        """List the maps by which touches of the panel are near these spots of the picture, both 0 … 1."""
        return fitting(touches, [on_panel(spot, self.turned) for spot in spots])

    def stop(self, *_: object) -> None:
        """End the app once this turn of the loop is over: what is due in it still finds a running app."""
        Clock.schedule_once(lambda _: super(FittedApp, self).stop(), -1)

    def on_start(self) -> None:
        """Watch for a window that gets its size later, or another one; draw no more of it than is new."""
        Window.bind(size=self._refit)
        self._refit()
        self._started = True
        self._keep_picture()

    def _keep_picture(self) -> None:
        """Draw no more than is new where the processor draws; a picture that is turned is drawn whole."""
        kept, wanted = self._kept_picture, drawn_by_processor() and not self.turned
        if wanted and kept is None:
            self._kept_picture = KeptPicture(Window, lambda: self.root.ticking())
            self._kept_picture.begin()
        elif not wanted and kept is not None:
            kept.end()
            self._kept_picture = None

    def will_answer(self, key: Any) -> None:
        """Draw a key's place alone when nothing else changes: a finger comes to it or goes."""
        if self._kept_picture is not None:
            self._kept_picture.will_answer(key)

    def on_stop(self) -> None:
        """Leave the window as it was found."""
        if self._kept_picture is not None:
            self._kept_picture.end()

    def fit_window(self, *_: object) -> None:
        """Build the tree anew if the window has another size than it was built for."""
        if self.root is not None and tuple(Window.size) != self._fit.size:
            self.rebuild()

    def rebuild(self) -> None:
        """Build the tree anew in the window."""
        if self.root is not None:
            Window.remove_widget(self.root)
        Window.add_widget(self.build())
