"""Press the director's buttons from a program: for the demo, the bench and scripts of a tournament."""

import ssl
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

import httpx

from kiosk.director.refusals import DirectorError


class DirectorClient:
    """Client for the page's buttons, over the same addresses.

    :param authority: file with the director's certificate (PEM, of its page ``/zertifikat``); None: the machine's own.
    :raises DirectorError: the director is away, or the PIN is wrong.
    """

    def __init__(
        self,
        url: str,
        pin: str = "",
        transport: httpx.BaseTransport | None = None,
        authority: Path | None = None,
    ) -> None:
        self.url = url.rstrip("/")
        trust = ssl.create_default_context(cafile=authority) if authority is not None else True
        self._http = httpx.Client(base_url=self.url, trust_env=False, timeout=10, transport=transport, verify=trust)
        try:
            if pin:
                self._ask("POST", "/api/login", {"pin": pin})
        except DirectorError:
            self.close()
            raise

    def release(self, tournament: str, round_: int, table: int | None = None) -> dict[str, Any]:
        """Release the round at one table, or in the whole hall."""
        return self.order(tournament, round_, table, {"event": "release"})

    def time_up(self, tournament: str, round_: int, table: int | None = None) -> dict[str, Any]:
        """End the playing time at one table, or in the whole hall."""
        return self.order(tournament, round_, table, {"event": "time_up"})

    def order(self, tournament: str, round_: int, table: int | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Give any order; see ``kiosk.director.tables.order_forms``."""
        answer = self._ask("POST", f"/api/{quote(tournament, safe='')}/{round_}/orders", {"table": table, "body": body})
        result: dict[str, Any] = answer.json()
        return result

    def events(self, tournament: str, round_: int, table: int) -> str:
        """Fetch the table's event file."""
        return self._ask("GET", f"/api/{quote(tournament, safe='')}/{round_}/{table}/events.jsonl").text

    def enrol(self, table: int, rulings: bool = False) -> str:
        """Make the secret of a table's device and return it; a device that is this table now is withdrawn.

        :param rulings: a referee may rule on its screen.
        """
        issued = self._ask("POST", "/api/devices/issue", {"table": table, "replace": True}).json()
        if rulings:
            self._ask("POST", f"/api/devices/{issued['id']}", {"rulings": True})
        return str(issued["secret"])

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def _ask(self, method: str, path: str, content: Mapping[str, Any] | None = None) -> httpx.Response:
        try:
            response = self._http.request(method, path, json=content)
        except httpx.TransportError as error:
            raise DirectorError(f"director {self.url!r}: {error}; is it running?") from error
        if response.status_code != 200:
            try:
                message = response.json()["message"]
            except (ValueError, KeyError, TypeError):
                message = response.text[:200]
            raise DirectorError(f"director {self.url!r} answers {response.status_code}: {message}")
        return response

    def __enter__(self) -> "DirectorClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
