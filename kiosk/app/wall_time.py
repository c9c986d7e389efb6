"""Keep a table's date and time by its direction's, where no time server is reached; its round clock knows no date."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from hw.wall_clock import FollowedClock, WallClock, WallClockError

log = logging.getLogger(__name__)

#: Seconds until the clock is looked at first, and from one look to the next.
_FIRST_S: Final = 5.0
_EACH_S: Final = 30.0


def follow_direction_time(clock: WallClock, director_time: Callable[[], float | None]) -> Callable[[], None]:
    """Look at the clock now and then in a thread of its own; return what ends it."""
    ended, followed = threading.Event(), FollowedClock(clock, director_time)

    def follow() -> None:
        wait, told = _FIRST_S, ""
        while not ended.wait(wait):
            wait = _EACH_S
            told = look(followed, told)

    threading.Thread(target=follow, name="wall-time", daemon=True).start()
    return ended.set


def look(followed: FollowedClock, told: str = "") -> str:
    """Set the clock if it is off; return what is wrong, which is written into the log once.

    :param told: what was wrong before.
    """
    try:
        off = followed.follow()
    except WallClockError as error:
        if str(error) != told:
            log.warning("this machine's clock cannot be set by the direction's: %s", error)
        return str(error)
    if off is not None:
        log.info("this machine's clock was %.1f s ahead of the direction's and is set by it", off)
    return ""
