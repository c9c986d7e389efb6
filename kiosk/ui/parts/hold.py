"""Draw the key of a binding act: it acts once held until its ring is full, so that no stray touch says anything."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Line
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty

from kiosk.ui.parts.ground import RADIUS_DP
from kiosk.ui.parts.look import GOLD, IVORY, Key, dp, hex, kv

#: So long a binding act is held, seconds.
HOLD_S = 0.7

#: What a short tap says stands so long, seconds.
HINT_S = 1.5

#: The ring grows by no more at once: where the screen hangs, nothing fills that nobody sees.
MOST_STEP_S = 0.1


class HoldKey(Key):
    """A key that acts while it is still held, when its ring is full; a short tap only says that it wants to be held.

    It starts anew when the finger leaves it, and when another view has given it another meaning. Words and tone are
    set as ``calm_text`` and ``calm_tone``; ``go`` is called, or ``on_held`` bound.
    """

    calm_text = StringProperty("")
    calm_tone = StringProperty("green")
    hint_text = StringProperty("")  # what a short tap says
    hinting = BooleanProperty(False)
    seconds = NumericProperty(HOLD_S)
    part = NumericProperty(0)  # of the ring, 0 … 1
    ring = ListProperty([])  # its points
    go: Callable[[], None] | None = ObjectProperty(None, allownone=True)

    __events__ = ("on_held",)

    def __init__(self, **kwargs: Any) -> None:
        self._growing = Clock.create_trigger(self._grow, 0, interval=True)
        self._calm = Clock.create_trigger(self._calm_down, HINT_S)
        super().__init__(**kwargs)
        for name in ("calm_text", "calm_tone", "hint_text", "hinting"):
            self.fbind(name, self._word)
        self.fbind("calm_text", self.look)
        self.fbind("part", self._reckon_ring)
        self._drawn: tuple[InstructionGroup, Line] | None = None  # None: nobody holds it
        self.fbind("ring", self._draw_ring)
        self._word()

    def means(self) -> object:
        return self.calm_text if self.meaning is None else self.meaning

    def on_held(self) -> None:
        """Act: the ring is full."""
        if self.go is not None:
            self.go()

    def renew(self, *_: object) -> None:
        self._calm_down()
        super().renew()

    def let_go(self) -> None:
        self._stop()
        super().let_go()

    def on_state(self, _: Any, state: str) -> None:
        if state == "down":
            self._calm_down()
            self._growing()
        else:
            self._stop()

    def on_release(self) -> None:
        self.hinting = True
        self._calm()

    def on_touch_move(self, touch: Any) -> bool:
        if touch is self._finger and not self.collide_point(*touch.pos):
            self.let_go()
        return bool(super().on_touch_move(touch))

    def _grow(self, passed: float) -> None:
        self.part = min(1.0, self.part + min(passed, MOST_STEP_S) / self.seconds)
        if self.get_root_window() is None:  # its sheet or screen has gone meanwhile
            self.let_go()
        elif self.part >= 1.0:
            self.let_go()
            self.dispatch("on_held")

    def _stop(self) -> None:
        self._growing.cancel()
        self.part = 0

    def _calm_down(self, *_: object) -> None:
        self._calm.cancel()
        self.hinting = False

    def _word(self, *_: object) -> None:
        self.text = self.hint_text if self.hinting else self.calm_text
        self.tone = self.calm_tone

    def _reckon_ring(self, *_: object) -> None:
        self.ring = outline_part(self.part, (*self.pos, *self.size), dp(RADIUS_DP)) if self.part else []

    def _draw_ring(self, *_: object) -> None:
        if self._drawn is None and self.ring:
            self._drawn = InstructionGroup(), Line(width=dp(2.6), cap="round", joint="round")
            self._drawn[0].add(Color(*hex(GOLD if self.calm_tone != "gold" else IVORY)))
            self._drawn[0].add(self._drawn[1])
            self.canvas.after.add(self._drawn[0])
        if self._drawn is not None:
            self._drawn[1].points = self.ring
            if not self.ring:
                self.canvas.after.remove(self._drawn[0])
                self._drawn = None


class FaceKey(HoldKey):
    """A key of something that binds only now and then; what does not acts by a touch."""

    binds = BooleanProperty(True)

    def on_state(self, key: Any, state: str) -> None:
        if self.binds:
            super().on_state(key, state)

    def on_release(self) -> None:
        if self.binds:
            super().on_release()
        else:
            self.on_held()


def outline_part(part: float, box: Sequence[float], radius: float) -> list[float]:
    """Return the first part of a rounded rectangle's outline, clockwise from its top, as x, y, x, y …"""
    x, y, width, height = box
    radius = min(radius, width / 2, height / 2)
    corners = (
        (x + width - radius, y + height - radius, 90),
        (x + width - radius, y + radius, 0),
        (x + radius, y + radius, -90),
        (x + radius, y + height - radius, -180),
    )
    points = [(x + width / 2, y + height)]
    for middle_x, middle_y, begins in corners:
        for degrees in range(begins, begins - 91, -15):
            angle = math.radians(degrees)
            points.append((middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)))
    points.append(points[0])
    left = part * sum(math.dist(a, b) for a, b in itertools.pairwise(points))
    drawn = [*points[0]]
    for a, b in itertools.pairwise(points):
        length = math.dist(a, b)
        share = 1.0 if length <= left or not length else left / length
        drawn += [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])]
        left -= length
        if left <= 0:
            break
    return drawn


kv(__file__)
