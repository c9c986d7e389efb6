"""Pace sources that have no clock of their own: films in their own time, the simulated table in granted time."""

import time

#: Seconds by which a film may be late before its time falls behind; nothing is left out.
MAX_LATENESS_S = 0.5


class Pacer:
    """Knows when the next frame of a film is due.

    :param fps: frames a second of the film.
    :param speed: seconds of film a second.
    """

    def __init__(self, fps: float, speed: float) -> None:
        self._step, self._speed = 1.0 / fps, speed
        self._began: tuple[float, float] | None = None  # wall and film time from which the pace is measured

    def begin_anew(self) -> None:
        """Measure the pace from the next frame on."""
        self._began = None

    def wait_s(self, film: float) -> float:
        """Compute the seconds until the frame after the one at ``film`` is due; 0 if it is due now."""
        wall, before = self._began or (time.monotonic(), film)
        late = time.monotonic() - (wall + (film + self._step - before) / self._speed)
        if self._began is None or late > MAX_LATENESS_S:  # too slow for this speed: film time falls behind
            self._began = time.monotonic(), film
            return 0.0
        return max(0.0, -late)
