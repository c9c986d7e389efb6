"""Values about calling and admitting the referee: what goes up from the screen, and what comes down."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class CallReferee:
    """A seat calls the referee; play goes on."""

    seat: int


@dataclass(frozen=True, slots=True)
class WithdrawCall:
    """The referee is no longer needed, or is there."""


@dataclass(frozen=True, slots=True)
class GiveCode:
    """Somebody has entered the referee's code."""

    code: str


@dataclass(frozen=True, slots=True)
class RefereeCall:
    """The referee is called."""

    seat: int | None  # None: by the button, nobody knows who
    coming: bool = False  # the direction has seen it and comes


RefereeRequest: TypeAlias = CallReferee | WithdrawCall | GiveCode
