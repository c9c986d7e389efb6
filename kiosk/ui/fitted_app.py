"""Fit an app to its window of any size, also when the size changes."""

from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window

from kiosk.ui.display import check_driver
from kiosk.ui.kept_picture import KeptPicture, drawn_by_processor
from kiosk.ui.mat.spectator import Spectator
from kiosk.ui.parts import look
from kiosk.ui.root import Root, WindowFit, fit_to_window


class FittedApp(App):
    """App whose widgets are scaled to the window, and built anew when it gets another size."""

    root: Root  # None until it is built

    def __init__(self, *, with_strip: bool, spectator: Spectator | None) -> None:
        super().__init__()
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
        Window.clearcolor = look.hex(look.FELT_DEEP)
        self._fit = fit_to_window(self.with_strip, self.spectator is not None)
        self.root = Root(self, self._fit, with_strip=self.with_strip, spectator=self.spectator)
        self.on_built(self.root)
        return self.root

    def on_built(self, root: Root) -> None:
        """Draw the current state on a new tree."""

    def stop(self, *_: object) -> None:
        """End the app once this turn of the loop is over: what is due in it still finds a running app."""
        Clock.schedule_once(lambda _: super(FittedApp, self).stop(), -1)

    def on_start(self) -> None:
        """Watch for a window that gets its size later, or another one; draw no more of it than is new."""
        Window.bind(size=self._refit)
        self._refit()
        if drawn_by_processor():
            self._kept_picture = KeptPicture(Window, lambda: self.root.ticking())
            self._kept_picture.begin()

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
