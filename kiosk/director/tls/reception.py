"""Take connections in: encrypted ones by a handshake with a deadline, and those without encryption on the same port."""

import asyncio
import errno
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Callable

from kiosk.director.tls.certificates import Certificates
from kiosk.director.web.complaints import Complaints

log = logging.getLogger(__name__)

#: Seconds for the first byte, and then for the handshake.
HANDSHAKE_S = 10.0

#: Connections of one address that have said nothing yet or are in their handshake: a hall behind one router comes back.
MOST = 2500

#: First byte of a TLS handshake (RFC 8446, 5.1: a record of type 22).
_HANDSHAKE = b"\x16"

_FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Reception:
    """Takes connections from a listening socket, on the event loop, until ``close``.

    :param protocol: makes the protocol of a connection.
    """

    def __init__(
        self, listener: socket.socket, certificates: Certificates, protocol: Callable[[], asyncio.Protocol]
    ) -> None:
        self._listener, self._certificates, self._protocol = listener, certificates, protocol
        self._receiving: set[asyncio.Task[None]] = set()
        self._of_address: Counter[str] = Counter()
        self._complaints = Complaints(log)
        listener.setblocking(False)
        self._accepting = asyncio.get_running_loop().create_task(self._accept_forever())

    def close(self) -> None:
        """Take no more connections; those whose handshake goes on are dropped."""
        self._accepting.cancel()
        for task in self._receiving:
            task.cancel()

    async def wait_closed(self) -> None:
        """Wait until nothing goes on any more."""
        await asyncio.gather(self._accepting, *self._receiving, return_exceptions=True)

    async def _accept_forever(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(self._listener)
            except OSError as error:  # the other side has gone already, or this machine has no more to give
                if error.errno in _FULL:
                    self._complaints.say("", "no more connections can be taken (%s): raise LimitNOFILE", error.strerror)
                    await asyncio.sleep(0.5)
                continue
            address = str(peer[0]) if peer else ""
            if self._of_address[address] >= MOST:
                connection.close()
                self._complaints.say(address, "%s opens more connections than it uses", address)
                continue
            self._of_address[address] += 1
            task = loop.create_task(self._receive(connection, address))
            self._receiving.add(task)
            task.add_done_callback(self._receiving.discard)

    async def _receive(self, connection: socket.socket, address: str) -> None:
        loop, taken = asyncio.get_running_loop(), False
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            async with asyncio.timeout(HANDSHAKE_S):
                first = await _first_byte(connection)
            if not first:
                return
            context = None
            if first == _HANDSHAKE:
                self._certificates.came_by(str(connection.getsockname()[0]))
                context = self._certificates.context
            more = {"ssl_handshake_timeout": HANDSHAKE_S, "ssl_shutdown_timeout": 2.0} if context else {}
            await loop.connect_accepted_socket(self._protocol, connection, ssl=context, **more)
            taken = True
        except (OSError, TimeoutError, ssl.SSLError) as error:
            self._complaints.say(address, "no connection with %s: %s", address, _reason(error))
        finally:
            self._of_address[address] -= 1
            if self._of_address[address] <= 0:
                del self._of_address[address]
            if not taken:
                connection.close()


async def _first_byte(connection: socket.socket) -> bytes:
    """Wait for a connection's first byte and leave it there; empty: it was closed."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            return connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            pass
        there: asyncio.Future[None] = loop.create_future()
        loop.add_reader(connection, _wake, there)
        try:
            await there
        finally:
            loop.remove_reader(connection)


def _wake(there: asyncio.Future[None]) -> None:
    if not there.done():
        there.set_result(None)


def _reason(error: BaseException) -> str:
    if isinstance(error, ssl.SSLError):
        return f"{error.reason or error}"
    return f"{error.__class__.__name__} {error}".strip()
