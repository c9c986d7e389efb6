"""Let the screen's loop sleep until something is due or comes, in place of Kivy's fixed frames.

Kivy runs its whole loop at a fixed rate, and a touch waits for the next turn. Here a turn is taken at once for a touch,
else when one of the Clock's events is due, at most ``graphics.maxfps`` times a second. In between the loop sleeps: who
has read a touch wakes it, and so does news for the table's own ``beat`` (``kiosk/ui/waking.py``).
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from kiosk.ui.tidying import Tidying
from kiosk.ui.waking import Waker

#: Seconds between two looks at input that tells nobody when it comes.
LOOK_S = 0.01

#: Seconds between two beats while nothing comes; lamps and buzzer want twenty a second.
BEAT_S = 0.05


class Loop:
    """The waiting between two turns of Kivy's loop; on the screen's thread.

    :param beat: called ``BEAT_S`` after the last one, and as soon as there is news.
    :param has_news: whether something has come that the beat takes.
    :param clock: Kivy's ``Clock``.
    :param events: Kivy's ``EventLoop``.
    :param waker: what it sleeps on; whoever brings news or touches wakes it.
    """

    def __init__(
        self,
        beat: Callable[[], None],
        has_news: Callable[[], bool],
        clock: Any,
        events: Any,
        waker: Waker,
    ) -> None:
        self._beat, self._has_news = beat, has_news
        self._clock, self._events, self._waker = clock, events, waker
        self._beat_at = float("-inf")  # the next one, if no news comes before
        self._tidying = Tidying()

    def begin(self) -> None:
        """Wait in this way from now on."""
        self._clock.idle = self.idle
        # The clock that Kivy asks through ctypes, which takes ten times as long each time that the loop wakes.
        self._clock.time = partial(time.clock_gettime, time.CLOCK_MONOTONIC_RAW)

    def settled(self) -> None:
        """Take all that was built until now as what stays."""
        self._tidying.begin()

    def idle(self) -> float:
        """Wait for the next turn and return its time, in seconds of Kivy's Clock."""
        clock, now_of = self._clock, self._clock.time
        begun = clock.get_time()
        fps = clock._max_fps  # Kivy's own loop reads it there
        soonest = begun + 1 / fps if fps > 0 else begun
        longest = BEAT_S if self._waker.hears(self._events.input_providers) else LOOK_S
        due, now = self._due(soonest), now_of()
        # Between beats nothing of this thread makes anything due: a look that finds nothing asks no more than it must.
        while not self._events.quit and not self._touched(now):
            if self._beat_if_due(now) or self._events.input_events:
                due, now = self._due(soonest), now_of()
            if due <= now:
                break
            self._waker.sleep(max(0.0, min(due - now, self._beat_at - now, longest)))
            now = now_of()
        now = now_of()
        clock._dt, clock._last_tick = now - begun, now
        return float(now)

    def _touched(self, now: float) -> bool:
        """Take what the devices have; report whether a finger has come or gone. One that moves waits for its turn."""
        events = self._events
        if events.window is not None:
            events.window.mainloop()
        for provider in events.input_providers:
            provider.update(dispatch_fn=events._dispatch_input)
        if not events.input_events:
            return False
        self._tidying.touched(now)
        return any(kind != "update" for kind, _ in events.input_events)

    def _beat_if_due(self, now: float) -> bool:
        """Beat if it is time or there is news; report whether it did."""
        if now < self._beat_at and not self._has_news():
            return False
        self._beat_at = now + BEAT_S
        self._beat()
        self._tidying.tidy(now)
        return True

    def _due(self, soonest: float) -> float:
        """Kivy's time of the next turn."""
        if self._events.input_events:
            return soonest
        return max(soonest, float(self._clock.get_min_timeout()))  # 0: at the next turn
