"""Close connections that say nothing, or only half of it, and those that are too many from one address."""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

#: Seconds for the head of a request, from the connection's begin or the first byte after the request before.
HEAD_S = 10.0

#: Connections from one address: a hall behind one router has a thousand tables with two each.
MOST = 2500

_open: Counter[str] = Counter()


class PatientProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's protocol with a deadline for the head of each request; what waits for an answer is left alone."""

    _head: asyncio.TimerHandle | None = None
    _address = ""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        _open[self._address] += 1
        if _open[self._address] > MOST:
            transport.abort()
            return
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()
        _open[self._address] -= 1
        if _open[self._address] <= 0:
            del _open[self._address]
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._has_request():
            self._settle()
        elif self._head is None:  # the next request on a connection that was kept
            self._wait()

    def _has_request(self) -> bool:
        cycle = getattr(self, "cycle", None)
        return (cycle is not None and not cycle.response_complete) or self.transport.get_protocol() is not self

    def _wait(self) -> None:
        self._head = asyncio.get_running_loop().call_later(HEAD_S, self._late)

    def _settle(self) -> None:
        if self._head is not None:
            self._head.cancel()
            self._head = None

    def _late(self) -> None:
        self._head = None
        if not self._has_request() and not self.transport.is_closing():
            self.transport.abort()
