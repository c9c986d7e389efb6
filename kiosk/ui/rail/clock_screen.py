"""Show the round clock, readable from any chair."""

from typing import Any

from kivy.properties import NumericProperty, StringProperty

from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.clock import LAST_MINUTES_S, clock_text, remaining
from kiosk.ui.parts.look import kv
from kiosk.ui.parts.turning_screen import TurningScreen


class ClockScreen(TurningScreen):
    """Remaining time, big."""

    time = StringProperty("")
    above = StringProperty("")
    below = StringProperty("")
    tone = StringProperty("calm")
    part = NumericProperty(0)

    def __init__(self, app: Any, **kwargs: Any) -> None:
        self._longest = 1.0  # time that was ever left in this round, seconds
        self._round: int | None = None
        super().__init__(app, **kwargs)

    def show(self, view: TableView) -> None:
        """Draw the view."""
        self.face_reader()
        text, clock = self.app.words, view.clock
        if view.round != self._round:
            self._round, self._longest = view.round, 1.0
        over = clock.over or clock.remaining < 0
        self.above = text["clock_over"] if over else text["clock_running"] if clock.running else text["clock_stopped"]
        if over:
            self.below = text["clock_over_duty" if any(seat.duty_open for seat in view.seats) else "clock_over_hint"]
        elif clock.extra > 0:
            self.below = text["clock_extra"].format(time=clock_text(clock.extra))
        else:
            self.below = text["table_n"].format(table=view.table, round=view.round)
        self.tick(self.app)

    def tick(self, app: Any) -> None:
        """Draw the time that has passed since the view."""
        left = remaining(app.view, app.view_at)
        self._longest = max(self._longest, left)
        self.time = clock_text(left)
        # To about a pixel: what is finer would be drawn with each tick.
        self.part = round(max(0.0, min(1.0, left / self._longest)), 3)
        over = left < 0 or (app.view is not None and app.view.clock.over)
        self.tone = "over" if over else "last" if left < LAST_MINUTES_S else "calm"


kv(__file__)
