"""Format the four-digit clock display."""

from math import ceil
from typing import TypeAlias

Characters: TypeAlias = tuple[str, str, str, str]

DARK: Characters = (" ", " ", " ", " ")
NO_CLOCK: Characters = ("-", "-", "-", "-")


def clock_characters(remaining: float) -> Characters:
    """Format remaining seconds as four characters; the second one's point stands for the colon.

    From 100 minutes on whole minutes without a point (`` 120``), below that minutes and seconds (``99.59``, `` 9.05``),
    below one minute the seconds behind a zero (`` 0.59``), at the end and after it ``00.00``. Begun seconds and
    minutes count whole, so that zero is shown when the time is over and not before.
    """
    seconds = max(0, ceil(remaining))
    if seconds >= 100 * 60:
        whole = f"{min(999, ceil(seconds / 60))}"
        return " ", whole[0], whole[1], whole[2]
    if seconds == 0:
        return "0", "0.", "0", "0"
    minutes, seconds = divmod(seconds, 60)
    whole = f"{minutes:2d}"
    return whole[0], whole[1] + ".", str(seconds // 10), str(seconds % 10)
