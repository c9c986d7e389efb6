"""Let the screen rest: after some minutes in which nothing happened it is dimmed, and the first touch only wakes it."""

import time
from collections.abc import Callable


class Rest:
    """The screen's brightness, at work and at rest.

    :param backlight: sets the screen's own light, percent; returns False where there is none.
    :param shade: darkens the window instead, 0 to 1.
    """

    def __init__(
        self,
        backlight: Callable[[int], bool],
        shade: Callable[[float], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._backlight, self._shade, self._now = backlight, shade, now
        self._levels = (100, 100)  # at work, at rest; percent
        self._after_s = 0.0
        self._woken_at = now()
        self.resting = False
        self._shown: int | None = None

    def set(self, brightness: int, rest: int, after_minutes: float) -> None:
        """Go by this from now on; 0 minutes: it never rests."""
        self._levels, self._after_s = (brightness, min(rest, brightness)), 60 * after_minutes
        self.wake()

    def wake(self) -> None:
        """Something happens: be bright."""
        self._woken_at, self.resting = self._now(), False
        self._apply()

    def touched(self) -> bool:
        """Somebody touches the screen; return True if that only wakes it: he could not see what he touched."""
        was = self.resting
        self.wake()
        return was

    def tick(self) -> None:
        """Rest once nothing has happened for long enough."""
        if self._after_s and not self.resting and self._now() - self._woken_at >= self._after_s:
            self.resting = True
            self._apply()

    def again(self) -> None:
        """Apply the brightness to a new window."""
        self._shown = None
        self._apply()

    def _apply(self) -> None:
        level = self._levels[self.resting]
        if level != self._shown:
            self._shown = level
            self._shade(0.0 if self._backlight(level) else 1 - level / 100)
