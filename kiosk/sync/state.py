"""Describe the state of the line for people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from kiosk.language import say
from kiosk.table.events.values import TableRequest
from kiosk.table.scoresheet.berichtigung import ListNote, notes_told


@dataclass(frozen=True, slots=True, kw_only=True)
class LineState:
    """State of the line."""

    connected: bool  # orders arrive
    since: float  # seconds on the monotonic clock since when it is connected, or away
    acknowledged: int  # number of the last event that the director has stored, -1 for none
    waiting: int  # events that it does not have yet
    trouble: str = ""  # "" | away certificate token tournament contradiction fetching behind twice rejected director
    detail: str = ""  # for an administrator, English

    def text(self, language: str = "de") -> str:
        """Format the state for the people at the table, ``de`` or ``en``."""
        return say("line", self.trouble, language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An order of the director to the table.

    Either ``request`` is to be decided and appended, its event's ``order_number`` included: the event in the
    log is the receipt, so the order is carried out once whatever breaks. Or ``call`` is set: people are called
    (``director``), with ``text`` from the director, perhaps empty. ``Line.answer`` is the receipt then, and for a
    request that was refused.
    """

    number: int
    request: TableRequest | None
    call: str | None
    text: str
    given: float  # seconds on the table's monotonic clock; an order may have waited for the table


@dataclass(frozen=True, slots=True)
class Planned:
    """Planned seats and rules of this table by the director; None: he has set nothing for it."""

    plan: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class RulingsAllowed:
    """Whether the direction lets a referee rule on this table's screen."""

    allowed: bool


@dataclass(frozen=True, slots=True)
class OtherDirectors:
    """Addresses of other directors at which this table may be, to be kept for the time when its own is away."""

    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListsMended:
    """All that the direction has noted of this table's lists in a tournament; a round that is not named has nothing."""

    tournament: str
    rounds: Mapping[int, tuple[ListNote, ...]]


@dataclass(frozen=True, slots=True)
class ListHeld:
    """The director holds more of a list of this table than the table: what follows the table's event ``after``."""

    tournament: str
    round: int
    after: int  # -1: the table has nothing of it
    events: tuple[dict[str, Any], ...]
    clock: Mapping[str, Any] | None  # by now; None: the director does not know it


@dataclass(frozen=True, slots=True)
class GiveWay:
    """The direction has decided that the list which it holds counts: the table's own is put by."""

    tournament: str
    round: int
    last: int  # number of its last event when that was decided
    chain: str  # over its events up to there


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOffered:
    """The direction has a release for this table, and where it is fetched."""

    order: int  # number of the wish; whoever wishes it again has another one
    version: str
    made: int  # seconds since the epoch
    sha256: str
    size: int  # bytes
    url: str
    headers: Mapping[str, str]  # they show the table's secret
    authority: str  # by which the direction is recognised, PEM


@dataclass(frozen=True, slots=True)
class ReleaseWished:
    """Which release the direction wants at this table; None: none (any more)."""

    offer: ReleaseOffered | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelOffered:
    """A deck, words, sounds or settings that this table shall have."""

    kind: str
    name: str
    sha256: str
    size: int  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ParcelsWished:
    """All that the direction wants this table to have, and where it is fetched."""

    order: int  # another one whenever somebody gives or takes something back; 0: nobody ever did
    parcels: tuple[ParcelOffered, ...]
    url: str  # a parcel is there under its SHA-256; a deck that was learned here is sent there
    headers: Mapping[str, str]  # they show the table's secret
    authority: str  # by which the direction is recognised, PEM


@dataclass(frozen=True, slots=True, order=True)
class FoundDirection:
    """A direction that answers in the network; two of one name differ in their address."""

    name: str  # as it calls itself
    url: str  # where it answered
    fingerprint: str = ""  # of its authority, as it says


@dataclass(frozen=True, slots=True)
class DirectionsFound:
    """The directions that answer in the network now."""

    found: tuple[FoundDirection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceTask:
    """Something that the direction asks of the device itself."""

    what: str  # restart reboot log
    url: str  # where a log goes
    headers: Mapping[str, str]  # they show the table's secret
    authority: str  # by which the direction is recognised, PEM


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturesWanted:
    """The direction asks for the pictures of a game: a referee looks at it."""

    ask: str  # names the question; goes back with the answer
    tournament: str
    round: int
    of: tuple[tuple[int, int], ...]  # events, each with its time, ms since the epoch
    url: str  # where they go
    headers: Mapping[str, str]  # they show the table's secret
    authority: str  # by which the direction is recognised, PEM


LineMessage: TypeAlias = (
    Order
    | LineState
    | Planned
    | RulingsAllowed
    | ListsMended
    | OtherDirectors
    | ListHeld
    | GiveWay
    | ReleaseWished
    | ParcelsWished
    | DeviceTask
    | PicturesWanted
    | DirectionsFound
)


def lists_mended(told: Mapping[str, Any]) -> ListsMended:
    """Read what the director says of this table's lists."""
    rounds = told.get("rounds")
    named = rounds.items() if isinstance(rounds, dict) else ()
    return ListsMended(
        str(told.get("tournament", "")),
        {int(round_): notes_told(notes) for round_, notes in named if round_.isdecimal()},
    )
