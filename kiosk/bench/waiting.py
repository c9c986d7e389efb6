"""Wait for what other processes do."""

import time
from collections.abc import Callable

from kiosk.errors import KioskError


def until(what: Callable[[], object], seconds: float, for_what: str = "the hall; its director may have failed") -> None:
    """Wait until it is so.

    :raises KioskError: it is not within that time.
    """
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise KioskError(f"waited {seconds:.0f} seconds in vain: {for_what}")
        time.sleep(0.05)
