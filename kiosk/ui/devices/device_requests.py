"""What people ask for who teach scanners and number pads."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Teach:
    """The next scanner's code, or the next key of a pad, shows which keyboard it is; None: no longer."""

    what: Literal["scanner"] | int | None  # a number: the seat


@dataclass(frozen=True, slots=True)
class Forget:
    """The scanner, or a seat's pad, is none any more."""

    what: Literal["scanner"] | int


DeviceRequest: TypeAlias = Teach | Forget
