"""Define what the screen of the first start shows, and what people ask for there."""

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from kiosk.ui.first_start.network_view import NetworkRequest, NetworkView

#: The steps, in their order.
STEPS: Final = ("screen", "language", "network", "direction")


@dataclass(frozen=True, slots=True)
class DirectionLine:
    """A direction that was found."""

    name: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartView:
    """The first start as it stands."""

    step: str = "screen"  # of STEPS
    first: bool = True  # nothing is set yet: it cannot be left for the table
    network: NetworkView = field(default_factory=NetworkView)
    url: str = ""  # of the direction that this table belongs to, or asks; "": none
    alone: bool = False  # this table belongs to nobody
    found: tuple[DirectionLine, ...] | None = None  # None: nobody has been looked for yet


@dataclass(frozen=True, slots=True)
class ShowStep:
    """Somebody wants to see this step; "": none any more."""

    step: str


@dataclass(frozen=True, slots=True)
class KeepLanguage:
    """The table speaks this language from now on, after each start."""

    language: str


@dataclass(frozen=True, slots=True)
class KeepTurn:
    """The picture is turned by so many degrees, counterclockwise, after each start."""

    degrees: int  # 0, 90, 180, 270


@dataclass(frozen=True, slots=True)
class KeepTouch:
    """Touches of the panel are mapped like this, after each start."""

    name: str  # of kiosk.ui.standing.MAPS


@dataclass(frozen=True, slots=True)
class ChooseDirection:
    """The table belongs to the direction at this address; "": to nobody."""

    url: str


StartRequest: TypeAlias = ShowStep | KeepLanguage | KeepTurn | KeepTouch | ChooseDirection | NetworkRequest
