"""Run a round's clock by what happens at the table, and keep it beside the log for a restart."""

from kiosk.table.clock import RoundClock
from kiosk.table.events.log import Log
from kiosk.table.events.values import (
    BreakBegun,
    BreakEnded,
    Event,
    PlayingTimeEnded,
    RoundReleased,
    RulingGiven,
    WordCorrected,
)
from kiosk.table.round.record import RoundRecord
from kiosk.table.view.table_view import ClockView
from kiosk.table.writer import EventWriter

#: How often the running clock is kept (seconds): what a power cut can take away from it.
CLOCK_KEPT_SECONDS = 10.0

#: Keys beside the log: of the clock, and of an order to end the playing time that waits for the Nachspielzeit's end.
CLOCK_KEY, ORDER_KEY = "clock", "time_up_order"


class PlayingTime:
    """The playing time of a table's round; ``now`` is in seconds on the machine's monotonic clock."""

    def __init__(self, clock: RoundClock, events: Log, writer: EventWriter, now: float) -> None:
        self._clock, self._writer = clock, writer
        self._ordered = events.kept(ORDER_KEY)  # number of the order that waits for the Nachspielzeit's end
        self._keep(now)

    def follow(self, event: Event, before: RoundRecord, after: RoundRecord, now: float) -> dict[str, str]:
        """Change the clock as an event wants it; ``before`` and ``after`` are the round before and after it.

        :returns: what is to be kept together with the event; nothing where it leaves the clock alone.
        """
        match event:
            case RoundReleased():
                self._clock = self._clock.release(now)
            case BreakBegun() if after.clock_stands:
                self._clock = self._clock.stopped(now)
            case BreakEnded() if before.clock_stands:
                self._clock = self._clock.release(now)
            case RulingGiven(minutes=minutes) if minutes:
                self._clock = self._clock.extend(float(minutes), now)
            case PlayingTimeEnded():
                self._clock = self._clock.signalled(now)
                return {**self._kept(now), ORDER_KEY: ""}
            case WordCorrected(of=of) if isinstance(before.noted(of), PlayingTimeEnded):
                self._clock = self._clock.signalled(now) if after.time_up else self._clock.given_back(now)
            case WordCorrected() if after.extra_minutes != before.extra_minutes:
                self._clock = self._clock.corrected(after.extra_minutes - before.extra_minutes, now)
                if after.time_up:
                    self._clock = self._clock.signalled(now)
            case _:
                return {}
        return self._kept(now)

    def due(self, now: float) -> bool:
        """Return whether the end of the playing time is to be signalled now."""
        return self._clock.due(now)

    def end_by_order(self, number: int | None, now: float) -> bool:
        """End the official time by the direction's order; whether nothing is left, not even Nachspielzeit."""
        self._clock = self._clock.end_official(now)
        if number is not None:
            self._ordered = str(number)
            self._writer.keep(ORDER_KEY, self._ordered)
        self._keep(now)
        return self._clock.left(now) <= 0

    def end(self) -> PlayingTimeEnded:
        """Make the event of the end, which is the receipt of an order if there was one."""
        ordered, self._ordered = self._ordered, None
        return PlayingTimeEnded(order_number=int(ordered) if ordered else None)

    def tick(self, now: float) -> None:
        """Keep the running clock, if it is time."""
        if self._clock.running and now - self._kept_at >= CLOCK_KEPT_SECONDS:
            self._keep(now)

    def view(self, now: float) -> ClockView:
        """Return what is shown of it."""
        return self._clock.view(now)

    def _kept(self, now: float) -> dict[str, str]:
        self._kept_at = now
        return {CLOCK_KEY: self._clock.kept(now)}

    def _keep(self, now: float) -> None:
        self._writer.keep(CLOCK_KEY, self._kept(now)[CLOCK_KEY])
