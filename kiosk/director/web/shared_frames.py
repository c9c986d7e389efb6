"""Write one message to many open pages as one frame, made once (RFC 6455, section 5.2)."""

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class SharedText:
    """A text for many sockets, and its frame."""

    text: str
    frame: bytes


def shared(text: str) -> SharedText:
    """Make a text ready for many sockets."""
    return SharedText(text, text_frame(text))


class TextSender:
    """Sends texts over one socket, in order: at once where it takes them, at a third of what the server's way costs."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket, self._write = socket, write_frame_of(socket)
        self._waiting = 0  # texts that go the server's way, because the other side is slow

    def write(self, frame: bytes) -> bool:
        """Write a frame at once; False where it cannot be: others wait before it, or the other side is going."""
        return not self._waiting and self._write(frame)

    async def send(self, text: str | SharedText) -> None:
        """Send a text.

        :raises RuntimeError: the socket is closed; also WebSocketDisconnect.
        """
        if self.write(text_frame(text) if isinstance(text, str) else text.frame):
            return
        self._waiting += 1
        try:
            await self._socket.send_text(text if isinstance(text, str) else text.text)
        finally:
            self._waiting -= 1
