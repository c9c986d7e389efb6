"""Check the settings that the direction gives its tables; how a table is built and stands is its own."""

import datetime
import json
from collections.abc import Callable, Mapping
from typing import Any, Final

from kiosk.errors import shorten
from kiosk.language.own_words import NAME as LANGUAGE_NAME
from kiosk.parcel.parcel import BadParcel

Settings = Mapping[str, Mapping[str, Any]]


def bad_hours(value: str) -> str | None:
    """Say what is wrong with hours like ``22:00-07:00``; "" are none. None if nothing is."""
    try:
        begin, end = (datetime.time.fromisoformat(part) for part in value.split("-")) if value else (None, None)
    except ValueError:
        return 'hours in quotes are wanted, like "22:00-07:00"; "": none'
    return 'they begin when they end; write "" for none' if value and begin == end else None


def _between(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


#: Section and key of a table's file → whether a value can be.
GIVEN: Final[Mapping[str, Mapping[str, Callable[[Any], bool]]]] = {
    "sound": {
        "volume": _between(0, 100),
        "quiet": lambda value: isinstance(value, str) and len(value) <= 20 and bad_hours(value) is None,
        "speak": lambda value: type(value) is bool,
    },
    "light": {"brightness": _between(10, 100), "rest": _between(10, 100), "rest_after": _between(0, 240)},
    "screen": {"language": lambda value: isinstance(value, str) and LANGUAGE_NAME.fullmatch(value) is not None},
}


def read_settings(content: bytes) -> dict[str, dict[str, Any]]:
    """Read given settings: a JSON object of sections, each an object of keys.

    :raises BadParcel: they are none, or a value cannot be.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadParcel("parcel_settings", f"no settings: {error}", name="", value="") from None
    if not isinstance(told, dict) or not told:
        raise BadParcel("parcel_settings", "no settings: an object of sections is wanted", name="", value="")
    for section, keys in told.items():
        if not isinstance(keys, dict) or not keys:
            raise BadParcel("parcel_settings", f"{shorten(section)} holds no keys", name=section[:40], value="")
        for key, value in keys.items():
            check = GIVEN.get(section, {}).get(key)
            if check is None or not check(value):
                name, shown = f"{section}.{key}"[:60], json.dumps(value)[:60]
                raise BadParcel("parcel_settings", f"{name} = {shown} cannot be given", name=name, value=shown)
    return told
