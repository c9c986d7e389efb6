"""Check what the director says before the table takes it: another program, or a broken one, may speak there."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from kiosk.errors import shorten
from kiosk.sync.address import LineAddress
from kiosk.sync.state import (
    DeviceTask,
    GiveWay,
    ParcelOffered,
    ParcelsWished,
    PicturesWanted,
    Planned,
    ReleaseOffered,
    ReleaseWished,
)
from kiosk.table.events.checks import are_names, are_seats, is_number, is_object, is_text, or_null
from kiosk.table.events.json_text import LARGEST

_SHA256 = re.compile("[0-9a-f]{64}")


def whole(value: object, what: str) -> int:
    """Return a whole number from 0 to ``LARGEST``.

    :raises ValueError: it is none; truth values and fractions are none either.
    """
    if type(value) is not int or not 0 <= value <= LARGEST:
        raise ValueError(f"{what} is {shorten(value)}; a whole number is wanted")
    return value


def _is_round(value: object) -> bool:
    return type(value) is int and 1 <= value <= 999


#: What a plan has to hold → what it has to be.
_PLAN: Mapping[str, Callable[[Any], bool]] = {
    "tournament": is_text,
    "round": or_null(_is_round),
    "rules": or_null(is_text),
    "options": is_object,
    "minutes": or_null(is_number),
    "players": are_names,
    "substitutes": are_seats,
}


def planned(said: object) -> Planned:
    """Read the plan for this table.

    :raises ValueError: it is none.
    """
    if said is None:
        return Planned(None)
    if not isinstance(said, dict):
        raise ValueError(f"the plan is {shorten(said)}; an object is wanted")
    for key, fits in _PLAN.items():
        if key in said and not fits(said[key]):
            raise ValueError(f"{key} of the plan is {shorten(said[key])}")
    missing = [key for key in ("tournament", "round", "players") if key not in said]
    if missing:
        raise ValueError(f"the plan lacks {', '.join(missing)}")
    if said["players"] and said["round"] is None:
        raise ValueError("the plan seats people in no round")
    return Planned({"rules": None, "options": {}, "minutes": None, "substitutes": [], **said})


def give_way(said: list[Any]) -> GiveWay:
    """Read which list gives way to the one that the director holds.

    :raises ValueError: it is none.
    """
    tournament, round_, last, chain = said
    if not isinstance(tournament, str) or not isinstance(chain, str) or not _is_round(round_):
        raise ValueError(f"{shorten(said)}: tournament, round, last event and chain are wanted")
    return GiveWay(tournament, round_, whole(last, "the last event"), chain)


def lists_wanted(said: list[Any]) -> list[tuple[str, int]]:
    """Read of which lists the director wants more: tournament and round of each.

    :raises ValueError: one is none.
    """
    for one in said:
        if not (isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and _is_round(one[1])):
            raise ValueError(f"{shorten(one)}: tournament and round are wanted")
    return [(tournament, round_) for tournament, round_ in said]


def release_wished(said: object, address: LineAddress) -> ReleaseWished:
    """Read which release the director wants at this table.

    :param address: the director's; a release is fetched from nowhere else.
    :raises ValueError: it is none.
    """
    if said is None:
        return ReleaseWished(None)
    if not isinstance(said, dict):
        raise ValueError(f"the release is {shorten(said)}; an object is wanted")
    version, sha256 = said.get("version"), said.get("sha256")
    if not isinstance(version, str) or not isinstance(sha256, str) or _SHA256.fullmatch(sha256) is None:
        raise ValueError(f"the release is {shorten(said)}; version and SHA-256 are wanted")
    return ReleaseWished(
        ReleaseOffered(
            order=whole(said.get("order"), "the number of the wish"),
            version=version[:80],
            made=whole(said.get("made"), "when the release was made"),
            sha256=sha256,
            size=whole(said.get("size"), "the size of the release"),
            url=f"{address.base.rstrip('/')}/line/releases/{sha256}",
            headers=address.headers,
            authority=address.authority,
        )
    )


#: Parcels that a table takes, and letters of a name or kind.
_MOST_PARCELS, _LONGEST_NAME = 64, 64


def parcels_wished(said: object, address: LineAddress) -> ParcelsWished:
    """Read what the director wants this table to have.

    :param address: the director's; parcels are fetched from nowhere else.
    :raises ValueError: it cannot be understood.
    """
    if not isinstance(said, dict) or not isinstance(said.get("given"), list):
        raise ValueError(f"the parcels are {shorten(said)}; an object is wanted")
    given = said["given"]
    if len(given) > _MOST_PARCELS:
        raise ValueError(f"{len(given)} parcels; at most {_MOST_PARCELS} are taken")
    return ParcelsWished(
        order=whole(said.get("order"), "the number of the gift"),
        parcels=tuple(map(_parcel, given)),
        url=f"{address.base.rstrip('/')}/line/parcels",
        headers=address.headers,
        authority=address.authority,
    )


def _parcel(said: object) -> ParcelOffered:
    if not isinstance(said, dict):
        raise ValueError(f"a parcel is {shorten(said)}; an object is wanted")
    kind, name, sha256 = said.get("kind"), said.get("name"), said.get("sha256")
    if not (isinstance(kind, str) and isinstance(name, str) and isinstance(sha256, str)):
        raise ValueError(f"a parcel is {shorten(said)}; kind, name and SHA-256 are wanted")
    if max(len(kind), len(name)) > _LONGEST_NAME or _SHA256.fullmatch(sha256) is None:
        raise ValueError(f"a parcel is {shorten(said)}; kind, name and SHA-256 are wanted")
    return ParcelOffered(kind=kind, name=name, sha256=sha256, size=whole(said.get("size"), "the size of a parcel"))


def device_task(said: object, address: LineAddress) -> DeviceTask:
    """Read what the director asks of the device.

    :param address: the director's; a log goes nowhere else.
    :raises ValueError: it is nothing that is known.
    """
    if not isinstance(said, str):
        raise ValueError(f"the task is {shorten(said)}; a word is wanted")
    return DeviceTask(
        what=said, url=f"{address.base.rstrip('/')}/line/log", headers=address.headers, authority=address.authority
    )


#: A question's name, and how many pictures are asked for at most: a game's, with second looks.
_ASK, _MOST_PICTURES = re.compile("[0-9a-f]{16,64}"), 400


def pictures_wanted(said: object, address: LineAddress) -> PicturesWanted:
    """Read which pictures the director asks for.

    :param address: the director's; pictures go nowhere else.
    :raises ValueError: it cannot be understood.
    """
    if not isinstance(said, dict):
        raise ValueError(f"the pictures are {shorten(said)}; an object is wanted")
    ask, tournament, round_, of = (said.get(key) for key in ("ask", "tournament", "round", "of"))
    if not isinstance(ask, str) or _ASK.fullmatch(ask) is None or not is_text(tournament) or not _is_round(round_):
        raise ValueError(f"the pictures are {shorten(said)}; ask, tournament and round are wanted")
    if not isinstance(of, list) or len(of) > _MOST_PICTURES:
        raise ValueError(f"pictures are wanted of {shorten(of)}; at most {_MOST_PICTURES} events with their times are")
    for one in of:
        if not isinstance(one, list) or len(one) != 2:
            raise ValueError(f"a picture is wanted of {shorten(one)}; an event and its time are")
    return PicturesWanted(
        ask=ask,
        tournament=str(tournament),
        round=int(str(round_)),
        of=tuple((whole(event, "an event"), whole(at, "an event's time")) for event, at in of),
        url=f"{address.base.rstrip('/')}/line/pictures/{ask}",
        headers=address.headers,
        authority=address.authority,
    )


def times(said: Mapping[str, Any]) -> tuple[float, float]:
    """Read the answer to a ping: the time that was sent, and the director's.

    :raises ValueError: they are no times.
    """
    sent, told = said["ping"], said.get("time")
    if type(sent) not in (int, float) or type(told) not in (int, float):
        raise ValueError(f"{shorten(sent)} and {shorten(told)} are no times")
    return float(sent), float(told)  # type: ignore[arg-type]
