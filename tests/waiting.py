"""How long tests wait for what another process, a thread or a browser does.

A wait that succeeds ends at once, so it may be long: a machine that plays films in four processes keeps a page waiting
for half a minute.
"""

import time
from collections.abc import Callable
from typing import TypeVar

Value = TypeVar("Value")

#: Seconds that a test waits for something before it fails.
LONGEST_S = 60.0


def until(what: Callable[[], Value], seconds: float = LONGEST_S) -> Value:
    """Wait until that is true, and return what it says then."""
    end = time.monotonic() + seconds
    while not (said := what()):
        assert time.monotonic() < end, f"it did not happen in {seconds:g} s"
        time.sleep(0.005)
    return said
