"""Fetch what the director holds of a list beyond the end of the table's own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from kiosk.errors import LineError
from kiosk.sync.address import answered_object
from kiosk.table.events.json_text import parsed

#: The header in which the director says the list's clock as it shows by now.
CLOCK_HEADER = "Stichwart-Clock"


@dataclass(frozen=True, slots=True)
class HeldList:
    """All events that the director holds of a list, and its clock by now; None where it does not know that."""

    events: tuple[dict[str, Any], ...]
    clock: Mapping[str, Any] | None


async def fetch_list(http: httpx.AsyncClient, url: str) -> HeldList:
    """Fetch the list of these ``LineAddress.events``.

    :raises LineError: the director refuses, or answers what is no list.
    :raises httpx.TransportError: it is away.
    """
    response = await http.get(url)
    if response.status_code != 200:
        message = answered_object(response).get("message", "")
        raise LineError(f"director {url!r} answers {response.status_code}: {message}")
    try:
        events = tuple(parsed(line) for line in response.text.split("\n") if line)
        clock = parsed(response.headers.get(CLOCK_HEADER, "null"))
    except ValueError as error:
        raise LineError(f"director {url!r}: its list cannot be read: {error}") from error
    return HeldList(events, clock if isinstance(clock, dict) else None)
