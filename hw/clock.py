"""Read monotonic time: the only clock for deadlines and remaining time."""

import time


def now() -> float:
    """Return seconds since the machine started; never goes back, the same in every process, independent of the date."""
    return time.monotonic()
