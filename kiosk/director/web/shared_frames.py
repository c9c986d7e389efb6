"""Write and read frames (RFC 6455, section 5.2) of the simplest kind, at a tenth of what the server's way costs.

One message to many open pages is one frame, made once. A short text that comes whole, as nearly all of a table's do, is
heard at once, without a task that is woken for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from starlette.websockets import WebSocket
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

try:  # in C where the library was built with it
    from websockets.speedups import apply_mask
except ImportError:
    from websockets.utils import apply_mask

#: Writes a frame; False where it cannot be now: the page is slow, or is going.
WriteFrame: TypeAlias = Callable[[bytes], bool]

#: Hears a text at once; False where it has to go the server's way, after those that went it before.
Hear: TypeAlias = Callable[[str], bool]

_EXTENSION = "stichwart.frames"

#: First byte of a text in one frame: final, no extension. Bit of the second: masked, as browsers and tables send all.
_WHOLE_TEXT, _MASKED = 0x81, 0x80

#: Bytes of a frame's head: the lengths from which on two or eight bytes hold it; mask.
_TWO, _EIGHT, _MASK = 126, 65536, 4


class SharedFramesProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's protocol, on which frames that are ready may be written between two messages, and short texts heard."""

    _hear: Hear | None = None
    _apart = False  # all that came is through, and nothing has gone the server's way since that was looked at

    async def run_asgi(self) -> None:
        """Offer both to the application (ASGI extension)."""
        offered: dict[object, object] = {"write": self._write_frame, "hear": self._hear_by}
        self.scope["extensions"] = {**(self.scope.get("extensions") or {}), _EXTENSION: offered}
        await super().run_asgi()

    def data_received(self, data: bytes) -> None:
        """Hear a short text that comes whole at once; anything else goes the server's way."""
        if self._hear is not None and (self._apart or not self._is_amid) and not self.close_sent:
            self._apart = True
            text = whole_text(data)
            if text is not None and self._hear(text):
                return
        self._apart = False
        super().data_received(data)

    def shutdown(self) -> None:
        """Close with the service; a connection that its other side is closing was answered already.

        Uvicorn would answer it again, which the library refuses, and the service would end by that error.
        """
        if self.handshake_complete and not self.close_sent and self.conn.state is not State.OPEN:
            self.stop_keepalive()
            self.transport.close()
            return
        super().shutdown()

    @property
    def _is_amid(self) -> bool:
        """Whether something came before that is not through: half a frame, half a message, a message not taken yet.

        Between two frames the library's parser waits for the end of the stream; where it waits for something else, or
        a later one works otherwise, all goes its way.
        """
        conn = self.conn
        waits: Any = conn.parser
        while (inner := getattr(waits, "gi_yieldfrom", None)) is not None:
            waits = inner
        between = getattr(waits, "__name__", "") == "at_eof" and conn.current_size is None
        return not between or conn.state is not State.OPEN or self.close_sent or not self.queue.empty()

    def _hear_by(self, hear: Hear | None) -> None:
        self._hear = hear

    def _write_frame(self, frame: bytes) -> bool:
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True


def text_frame(text: str | bytes) -> bytes:
    """Make the frame of a text, or of its UTF-8; a server does not mask."""
    payload = text.encode() if isinstance(text, str) else text
    length = len(payload)
    if length < _TWO:
        return bytes((_WHOLE_TEXT, length)) + payload
    if length < _EIGHT:
        return bytes((_WHOLE_TEXT, _TWO)) + length.to_bytes(2) + payload
    return bytes((_WHOLE_TEXT, _TWO + 1)) + length.to_bytes(8) + payload


def whole_text(data: bytes) -> str | None:
    """Read the text of one masked frame of less than 64 KiB, if that is all of ``data``; else None."""
    if len(data) < 2 + _MASK or data[0] != _WHOLE_TEXT or not data[1] & _MASKED:
        return None
    head, length = 2, data[1] - _MASKED
    if length == _TWO:
        head, length = 4, int.from_bytes(data[2:4])
    if length > _EIGHT or len(data) != head + _MASK + length or (head == 4 and length < _TWO):
        return None
    payload = apply_mask(data[head + _MASK :], data[head : head + _MASK])
    try:
        return payload.decode()
    except UnicodeDecodeError:
        return None  # the server says what is wrong with it


def _offered_to(socket: WebSocket) -> dict[str, Any]:
    offered: dict[str, Any] = (socket.scope.get("extensions") or {}).get(_EXTENSION) or {}
    return offered


def write_frame_of(socket: WebSocket) -> WriteFrame:
    """Return what writes frames to this socket; on another server, what never can."""
    write: WriteFrame = _offered_to(socket).get("write", lambda _: False)
    return write


def hear_by(socket: WebSocket, hear: Hear) -> None:
    """Have short texts that come whole over this socket heard at once; on another server none is."""
    offer: Callable[[Hear], None] | None = _offered_to(socket).get("hear")
    if offer is not None:
        offer(hear)


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
        if self.write(text.frame if isinstance(text, SharedText) else text_frame(text)):
            return
        self._waiting += 1
        try:
            await self._socket.send_text(text.text if isinstance(text, SharedText) else text)
        finally:
            self._waiting -= 1
