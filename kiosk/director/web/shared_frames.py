"""Write one message to many open pages as one frame, made once (RFC 6455, section 5.2)."""

from collections.abc import Callable
from typing import Any, TypeAlias

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

#: Writes a frame; False where it cannot be now: the page is slow, or is going.
WriteFrame: TypeAlias = Callable[[bytes], bool]

_EXTENSION = "stichwart.write_frame"


class SharedFramesProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, on which a frame that is ready may be written between two messages."""

    async def run_asgi(self) -> None:
        """Offer it to the application (ASGI extension)."""
        self.scope["extensions"] = {**(self.scope.get("extensions") or {}), _EXTENSION: {"write": self._write_frame}}
        await super().run_asgi()

    def _write_frame(self, frame: bytes) -> bool:
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True


def text_frame(text: str) -> bytes:
    """Make the frame of a text; a server does not mask."""
    return bytes(Frame(Opcode.TEXT, text.encode()).serialize(mask=False))


def write_frame_of(socket: WebSocket) -> WriteFrame:
    """Return what writes frames to this socket; on another server, what never can."""
    offered: dict[str, Any] = (socket.scope.get("extensions") or {}).get(_EXTENSION) or {}
    write: WriteFrame = offered.get("write", lambda _: False)
    return write


class TextSender:
    """Sends texts over one socket, in order: at once where it takes them, at a third of what the server's way costs."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket, self._write = socket, write_frame_of(socket)
        self._waiting = 0  # texts that go the server's way, because the other side is slow

    async def send(self, text: str) -> None:
        """Send a text.

        :raises RuntimeError: the socket is closed; also WebSocketDisconnect.
        """
        if not self._waiting and self._write(text_frame(text)):
            return
        self._waiting += 1
        try:
            await self._socket.send_text(text)
        finally:
            self._waiting -= 1
