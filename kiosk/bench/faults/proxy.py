"""Be the network between a table and the direction: a TCP proxy that can be cut or say nothing."""

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable

_CHUNK = 65536


class Network:
    """The proxies' loop, in a thread of its own; a context manager."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.servers: list[asyncio.Server] = []
        self._thread = threading.Thread(target=self.loop.run_forever, name="network", daemon=True)

    def __enter__(self) -> "Network":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        async def end() -> None:
            for server in self.servers:
                server.close()
            rest = asyncio.all_tasks() - {asyncio.current_task()}
            for task in rest:
                task.cancel()
            await asyncio.gather(*rest, return_exceptions=True)
            await asyncio.sleep(0)  # what was closed is gone then

        asyncio.run_coroutine_threadsafe(end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(10)
        self.loop.close()


class Cable:
    """A table's way to the direction.

    :param port: tells at which port of this machine the direction is now.
    """

    def __init__(self, network: Network, port: Callable[[], int]) -> None:
        self._network, self._loop, self._to = network, network.loop, port
        self._cut = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._open: set[asyncio.StreamWriter] = set()
        self.port = 0
        self._call(self._listen())

    def cut(self) -> None:
        """Pull it out: what is open is reset, nothing new is let in."""
        self._call(self._pull())

    def stall(self) -> None:
        """Let nothing through; connections stay open, and new ones are taken."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def mend(self) -> None:
        """Let it work again; what was held back by ``stall`` arrives late."""

        def mended() -> None:
            self._cut = False
            self._flows.set()

        self._loop.call_soon_threadsafe(mended)

    def _call(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)  # type: ignore[arg-type]

    async def _listen(self) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._network.servers.append(server)
        self.port = server.sockets[0].getsockname()[1]

    async def _pull(self) -> None:
        self._cut = True
        for writer in list(self._open):
            _reset(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            _reset(writer)
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._to())
        except OSError:  # nobody listens there
            _reset(writer)
            return
        pair = {writer, back}
        self._open |= pair
        ways = [asyncio.create_task(self._pass(reader, back)), asyncio.create_task(self._pass(there, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            self._open -= pair
            for one in pair:
                one.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close a connection by RST, as a machine does that knows nothing of it."""
    plug: socket.socket | None = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        if plug is not None:
            plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
