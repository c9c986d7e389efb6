"""Define what the sheet of scanners and number pads shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class DevicesView:
    """The keyboards that are something else, and the lesson that runs."""

    scanner: str = ""  # its model; empty: none
    scanner_works: bool = False
    pads: Mapping[int, bool] = field(default_factory=dict)  # seats that have one → whether it is there
    lesson: Literal["scanner"] | int | None = None  # what is shown next; a number: the pad of that seat
    learned: str = ""  # what was taught last, in words
