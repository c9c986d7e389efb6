"""Take a table's events over from the director: a spare device goes on where the broken one was."""

import json
from typing import Any

import httpx

from kiosk.errors import LineError
from kiosk.sync.address import LineAddress, answered_object
from kiosk.sync.outbox import WritableLog


def fetch_events(address: LineAddress, transport: httpx.BaseTransport | None = None) -> list[dict[str, Any]]:
    """Fetch the events that the director holds of a table.

    :raises LineError: the director is away or refuses, or is not the one that this table knows.
    """
    try:
        with httpx.Client(
            transport=transport, trust_env=False, timeout=httpx.Timeout(10, connect=2), verify=address.trust
        ) as http:
            response = http.get(address.events, headers=address.headers)
    except httpx.TransportError as error:
        raise LineError(f"director {address.events!r}: {error}; is it running, and is the address right?") from error
    if response.status_code != 200:
        message = answered_object(response).get("message", "")
        raise LineError(f"director {address.events!r} answers {response.status_code}: {message}")
    return [json.loads(line) for line in response.text.splitlines() if line]


def take_over(log: WritableLog, address: LineAddress) -> int:
    """Fill an empty log with the director's events and return how many they are.

    :raises LineError: the director is away or refuses; the log is still empty.
    """
    if log.read():
        return 0
    events = fetch_events(address)
    for event in events:
        log.append(event)
    return len(events)
