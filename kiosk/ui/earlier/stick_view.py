"""Hold what the screen shows of USB sticks, and what people ask for about them."""

from dataclasses import dataclass

from kiosk.table.evenings import RoundKey


@dataclass(frozen=True, slots=True, kw_only=True)
class StickLine:
    """A stick that is plugged in."""

    device: str
    name: str
    gigabytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StickView:
    """The sticks of this table, and what becomes of the files."""

    sticks: tuple[StickLine, ...] = ()
    state: str = "idle"  # idle writing closing done failed
    done: int = 0  # the file that is written just now, or how many were
    of: int = 0
    name: str = ""  # of that file; once all are done of the folder
    wrong: str = ""  # why it failed: a code of hw.stick.StickError, or stick_list where a list cannot be made


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteToStick:
    """The list of a round is wanted on a stick, or those of its whole evening."""

    device: str
    key: RoundKey | None = None  # None: the round that is up
    whole: bool = False
