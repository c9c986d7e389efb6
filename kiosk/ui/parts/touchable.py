"""Take touches only where a finger can have meant them: what has just appeared or changed under it takes none."""

from collections.abc import Iterable
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.properties import ObjectProperty
from kivy.uix.behaviors import ButtonBehavior

#: So long after it has appeared, moved or changed its meaning nothing takes a touch, seconds.
QUIET_S = 0.4


class Touchable(ButtonBehavior):
    """What can be touched, by one finger at a time.

    A finger on its way cannot be stopped: who taps twice, or aims at what stood here a moment ago, must not hit what
    has come instead. A touch counts where for ``QUIET_S`` the same thing with the same meaning has been.
    """

    #: What a touch does, where the text does not say it all, or changes while the touch means the same.
    meaning = ObjectProperty(None, allownone=True)

    def __init__(self, **kwargs: Any) -> None:
        self._new_since = float("-inf")
        self._left: list[tuple[float, tuple[float, ...]]] = []  # until when it stood where
        self._stood: tuple[float, ...] = ()
        self._was: object = None
        self._finger: Any = None
        super().__init__(**kwargs)
        for name in ("parent", "disabled", "opacity", "meaning"):
            self.fbind(name, self.look)
        for name in ("pos", "size"):
            self.fbind(name, self._moved)
        self.look()

    def means(self) -> object:
        """Say what a touch does now, to be compared."""
        return self.meaning

    def renew(self, *_: object) -> None:
        """Count as new from now on: a finger that is on it lets go, a new one waits."""
        self.wait()
        self._left.clear()
        self.let_go()

    def wait(self) -> None:
        """Take no new finger for a while."""
        self._new_since = Clock.time()

    def let_go(self) -> None:
        """Forget the finger that is on it; lifting it does nothing."""
        finger, self._finger = self._finger, None
        if finger is not None:
            finger.ungrab(self)
            self.state = "normal"

    def look(self, *_: object) -> None:
        """Renew what is no more what it was."""
        now = self.parent is not None, bool(self.disabled), bool(self.opacity), self.means()
        if now != self._was:
            self._was = now
            self.renew()

    def _moved(self, *_: object) -> None:
        if self._stood:
            self._recently().append((Clock.time(), self._stood))
        self._stood = *self.pos, *self.size

    def _recently(self) -> list[tuple[float, tuple[float, ...]]]:
        """Where it stood until a moment ago, the oldest first; what is older is forgotten."""
        left, since = self._left, Clock.time() - QUIET_S
        while left and left[0][0] <= since:
            del left[0]
        return left

    def takes(self, x: float, y: float) -> bool:
        """Report whether a touch at this place counts now."""
        rested = self._new_since <= Clock.time() - QUIET_S
        return rested and all(_inside(where, x, y) for _, where in self._recently())

    def on_touch_down(self, touch: Any) -> bool:
        if self.disabled or touch.is_mouse_scrolling or not self.collide_point(*touch.pos):
            return bool(super().on_touch_down(touch))
        if self._finger is not None or not self.takes(*touch.pos):
            return True
        self._finger = touch
        _will_answer(self)
        return bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: Any) -> bool:
        if touch is self._finger:
            if self.get_root_window() is None:  # its sheet or screen has gone meanwhile
                self.let_go()
                return False
            self._finger = None
            _will_answer(self)
        return bool(super().on_touch_up(touch))


def moved_away(widgets: Iterable[object]) -> None:
    """Let all of these go of their fingers and wait for new ones: they were turned, or gone for a while."""
    for widget in widgets:
        if isinstance(widget, Touchable):
            widget.renew()


def _will_answer(touchable: Touchable) -> None:
    """Tell the app, which may draw it alone, before it changes."""
    app = App.get_running_app()
    if app is not None:
        app.will_answer(touchable)


def _inside(where: tuple[float, ...], x: float, y: float) -> bool:
    left, low, width, height = where
    return left <= x <= left + width and low <= y <= low + height


def uncovered(widgets: Iterable[object]) -> None:
    """Let all of these wait for new fingers: they were covered, or have come with a screen.

    A finger that is on one already was put there when it could be seen.
    """
    for widget in widgets:
        if isinstance(widget, Touchable):
            widget.wait()
