"""Address the director: where a table's events and its socket are, and what its answers hold."""

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import httpx

from kiosk.errors import LineError, shorten
from kiosk.sync.trust import trust
from kiosk.table.events.json_text import LARGEST, parsed

#: HTTP status → what is wrong with the line, where only a person can put it right.
TROUBLE_OF_STATUS = {401: "token", 403: "token", 404: "tournament"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LineAddress:
    """Where one table's events and orders are exchanged."""

    events: str  # by HTTP
    socket: str  # by WebSocket
    headers: dict[str, str]  # they show the table's secret
    base: str = ""  # the director's address
    authority: str = ""  # by which the direction is recognised, PEM; "": as this machine's own authorities say

    @property
    def trust(self) -> ssl.SSLContext:
        """What encrypted connections are checked with."""
        return trust(self.authority)


def line_address(url: str, token: str, tournament: str, table: int, round: int, authority: str = "") -> LineAddress:
    """Build a table's addresses from the director's.

    :param authority: by which it is recognised, PEM; "": as this machine's own authorities say.
    :raises LineError: the director's address is none.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise LineError(f"director's address {shorten(url)}: an address such as 'http://director.local:8080' is wanted")
    path = f"{parts.path.rstrip('/')}/line/{quote(tournament, safe='')}/{round}/{table}"
    socket = "wss" if parts.scheme == "https" else "ws"
    return LineAddress(
        events=urlunsplit((parts.scheme, parts.netloc, f"{path}/events", "", "")),
        socket=urlunsplit((socket, parts.netloc, path, "", "")),
        base=url,
        headers={"Authorization": f"Bearer {token}"} if token else {},
        authority=authority,
    )


def answered_object(response: httpx.Response) -> dict[str, Any]:
    """Read the JSON object of an answer; {} if it holds none."""
    try:
        body = parsed(response.content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def stored_of(body: Mapping[str, Any]) -> tuple[int, str]:
    """Read how far the director's list has come: the number of its last event, -1 for none, and the chain over all.

    :raises LineError: it does not say so.
    """
    last, chain = body.get("last"), body.get("chain")
    if type(last) is not int or not -1 <= last <= LARGEST or not isinstance(chain, str):
        raise LineError(f"the director has stored up to {shorten(last)}, it says; the number of an event is wanted")
    return last, chain
