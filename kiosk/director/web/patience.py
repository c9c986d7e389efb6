"""Close connections that say nothing, or only half of it, and those that are too many from one address."""

import asyncio
import socket
from collections import Counter
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

#: Seconds for the head of a request, from the connection's begin or the first byte after the request before.
HEAD_S = 10.0

#: Connections from one address: a hall behind one router has a thousand tables with two each.
MOST = 2500

#: Seconds without a word after which the system asks whether the other side is there, and after which it is not.
ASK_S, GONE_S = 10, 20

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
        notice_the_dead(transport)
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


def notice_the_dead(transport: Any) -> None:
    """Let the system close a connection whose other side has gone without a word, whatever is said over it.

    It costs the process nothing; WebSocket pings to a thousand tables and a hundred pages cost a tenth of its time.
    """
    connection: socket.socket | None = transport.get_extra_info("socket")
    if connection is None or connection.family not in (socket.AF_INET, socket.AF_INET6):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (
        (socket.TCP_KEEPIDLE, ASK_S),
        (socket.TCP_KEEPINTVL, ASK_S // 2),
        (socket.TCP_KEEPCNT, 2),
        (socket.TCP_USER_TIMEOUT, GONE_S * 1000),
    ):
        connection.setsockopt(socket.IPPROTO_TCP, name, value)
