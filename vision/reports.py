"""What the camera says of the table: the only words that leave this package's process.

Times are seconds on the source's monotonic clock. Places are millimetres on the mat: origin at its centre, x to the
right and y downwards as the camera sees it upright; seat 1 sits below, the others follow clockwise.
"""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLaid:
    """A card lies at rest on the mat that was not there before, or an earlier one is now read otherwise, or elsewhere.

    ``card`` numbers the physical cards since the start: a report with a number seen before replaces that reading.
    """

    at: float
    card: int
    label: str | None  # None: in doubt
    margin: float  # 0 … 1; how far the label is ahead of its rival
    choices: tuple[tuple[str, float], ...]  # labels with their scores, likeliest first
    x: float
    y: float
    angle: float  # radians, of the card's upright axis
    face_down: bool = False
    picture: bytes | None = None  # JPEG of the card alone, upright; None for a back


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGone:
    """One card was taken back while others stayed."""

    at: float
    card: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickTaken:
    """The cards of a trick left the middle together; ``x, y`` is where they went, if seen."""

    at: float
    cards: tuple[int, ...]
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandInTheWay:
    """Something moves or hides the middle; ``gone`` ends it."""

    at: float
    gone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Blind:
    """The camera cannot see the mat; ``why`` is empty when it can again."""

    at: float
    why: str  # "" | camera | dark | mat | covered


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A frame has been worked through; all that was to say of it came before."""

    at: float


Report: TypeAlias = CardLaid | CardGone | TrickTaken | HandInTheWay | Blind | Tick
