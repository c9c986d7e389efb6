"""List what is wrong with a table's device, the worst first."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Connections within half an hour from which on a device's network is bad; a new round makes two.
MANY_COMINGS = 8

#: Seconds over which connections are counted.
COMINGS_S = 1800.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the direction knows of a device."""

    told: Mapping[str, Any]  # what it says of itself now, or said last
    connected: bool
    conflict: bool = False  # it sends another list than the one stored
    twice: bool = False  # a second device speaks for its table
    held: bool = False  # decisions of the table wait to be taken
    plain: bool = False  # it is not encrypted, and could be
    comings: int = 0  # connections within ``COMINGS_S``
    version: str = ""  # of the direction's program; "": not known


@dataclass(frozen=True, slots=True)
class BadNews:
    """One thing that is wrong: its code, how bad it is (1 to 9), and what its words tell."""

    code: str
    badness: int
    values: Mapping[str, Any]


def bad_news(look: Look) -> list[BadNews]:
    """List what is wrong with a device, the worst first."""
    told, found = look.told, []

    def add(code: str, badness: int, when: bool, **values: Any) -> None:
        if when:
            found.append(BadNews(code, badness, values))

    add("two_lists", 9, look.conflict)
    add("twice", 9, look.twice)
    add("held", 8, look.held)
    add("storage", 8, bool(told.get("storage")))
    add("unsaved", 8, _is(told, "unsaved") and not told.get("storage"))
    add("disk_low", 7, _is(told, "disk_low"), gb=_number(told, "free_gb"))
    add("no_camera", 7, bool(told.get("no_camera") or told.get("camera")) and look.connected)
    add("under_voltage", 6, _is(told, "under_voltage"))
    add("not_connected", 5, not look.connected)
    add("clock_off", 5, bool(_number(told, "clock_off_s")), minutes=abs(_number(told, "clock_off_s")) // 60)
    add("many_comings", 5, look.comings >= MANY_COMINGS, n=look.comings)
    add("hot", 4, _is(told, "hot"))
    add("was_under_voltage", 3, _is(told, "was_under_voltage") and not _is(told, "under_voltage"))
    theirs = told.get("version")
    other = isinstance(theirs, str) and "" not in (theirs, look.version) and theirs != look.version
    add("other_version", 3, other, theirs=theirs, ours=look.version)
    add("plain", 2, look.plain)
    return sorted(found, key=lambda one: -one.badness)


def _is(told: Mapping[str, Any], key: str) -> bool:
    return bool(told.get(key))


def _number(told: Mapping[str, Any], key: str) -> int:
    """A number that a device tells, whatever it sends."""
    value = told.get(key)
    return int(value) if isinstance(value, int | float) and abs(value) < 1e12 else 0
