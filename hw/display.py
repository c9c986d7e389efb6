"""Format the four-digit clock display, as characters and as segments."""

from math import ceil
from typing import Final, TypeAlias

from hw.chips.chip import Patterns

Characters: TypeAlias = tuple[str, str, str, str]

DARK: Characters = (" ", " ", " ", " ")
NO_CLOCK: Characters = ("-", "-", "-", "-")
ALL_LIT: Characters = ("8", "8.", "8", "8")

#: Character → its segments; bit 0 is a (above), then clockwise to f, bit 6 is g (the middle).
SEGMENTS: Final[dict[str, int]] = {
    " ": 0b0000000,
    "-": 0b1000000,
    "0": 0b0111111,
    "1": 0b0000110,
    "2": 0b1011011,
    "3": 0b1001111,
    "4": 0b1100110,
    "5": 0b1101101,
    "6": 0b1111101,
    "7": 0b0000111,
    "8": 0b1111111,
    "9": 0b1101111,
}


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


def segments(characters: Characters) -> tuple[Patterns, bool]:
    """Give the segments of each character, and whether the colon is lit.

    :raises KeyError: a character that no clock shows.
    """
    first, second, third, fourth = (SEGMENTS[character[0]] for character in characters)
    return (first, second, third, fourth), characters[1].endswith(".")
