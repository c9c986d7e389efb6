"""Read numbers, sizes and times from the command line, and make parsers of commands."""

import argparse
from collections.abc import Callable
from datetime import time
from typing import TYPE_CHECKING, TypeAlias

from kiosk.errors import shorten

if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[argparse.ArgumentParser]  # argparse has no public name for it
else:
    Commands = argparse._SubParsersAction  # no generic where the program runs, and the API pages read annotations


def command(name: str, run: Callable[[argparse.Namespace], int], text: str, among: Commands) -> argparse.ArgumentParser:
    """Add a command that calls ``run``."""
    made = among.add_parser(name, help=text, description=text, allow_abbrev=False)
    made.set_defaults(run=run)
    return made


def language(text: str) -> str:
    """Parse the code of a language that has words here."""
    from kiosk.language import languages

    if text not in languages():
        raise argparse.ArgumentTypeError(f"{shorten(text)} is none of {', '.join(languages())}")
    return text


def positive(text: str) -> int:
    """Parse a whole number from 1 upwards."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 upwards")
    return number


def natural(text: str) -> int:
    """Parse a whole number from 0 upwards."""
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 0 upwards")
    return number


def chance(text: str) -> float:
    """Parse a probability from 0 to 1."""
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no chance from 0 to 1")
    return number


def speed(text: str) -> float | None:
    """Parse a speed in simulated seconds per second; ``max`` is as fast as the machine can."""
    if text == "max":
        return None
    number = float(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text} is neither a speed above 0 nor max")
    return number


def card_size(text: str) -> tuple[float, float]:
    """Parse width and height in mm, such as ``59x91``."""
    width, _, height = text.lower().replace("×", "x").partition("x")
    try:
        return float(width), float(height)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{shorten(text)} is no size of a card; write width and height, like 59x91"
        ) from None


def scale(text: str) -> float:
    """Parse a camera's scale in px per mm."""
    number = float(text)
    if not 0.5 <= number <= 20:
        raise argparse.ArgumentTypeError(f"{text} px a mm cannot be; a camera at work has 1.2 to 6")
    return number


def time_of_day(text: str) -> time:
    """Parse a time of day such as ``19:41``."""
    from kiosk.paper.reckon import clock_time

    try:
        return clock_time(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def coming(text: str) -> tuple[str, time]:
    """Parse a name with a time of arrival, such as ``Cem=19:41``."""
    name, is_given, moment = text.rpartition("=")
    if not is_given or not name.strip():
        raise argparse.ArgumentTypeError(f"{shorten(text)} is not like Cem=19:41")
    return name.strip(), time_of_day(moment)
