"""Monotonic time: the only clock that deadlines and remaining time run on."""

import time


def now() -> float:
    """Seconds since the machine started; never goes back, the same in every process, unmoved by the date being set."""
    return time.monotonic()
