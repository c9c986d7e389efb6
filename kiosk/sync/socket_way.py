"""Send events over the socket that is open anyway, where the director takes them there: a fifth of what HTTP costs."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import websockets

from kiosk.errors import shorten
from kiosk.sync.heard import whole
from kiosk.sync.outbox import Post

Send: TypeAlias = Callable[[str], Awaitable[None]]

#: Signs of a message at most; a director takes 1 MiB over the socket, and a longer one by HTTP.
_LARGEST = 500_000

#: Seconds that a message waits for a socket that is being opened.
_MOMENT_S = 1.0

#: Seconds for an answer, as by HTTP.
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """The director's answer to a message with events, by HTTP or over the socket."""

    status: int  # as by HTTP: 200 if it has stored them
    body: Mapping[str, Any]
    text: str = ""  # what it said where it is no object


class SocketWay:
    """The way for events over one socket after another. Belongs to the line's loop."""

    def __init__(self) -> None:
        self._send: Send | None = None
        self._takes = False
        self._late = False  # an answer for which nobody waits any more is still to come
        self._answer: asyncio.Future[Answer] | None = None
        self._known = asyncio.Event()  # whether the director takes events on this socket
        self._worth_waiting = True

    @property
    def open(self) -> bool:
        """Whether events go over a socket now."""
        return self._send is not None and self._takes and not self._late

    def opened(self, send: Send) -> None:
        """Take the socket that is open now; nothing goes over it before the director has said that it takes events."""
        self._send, self._takes, self._late, self._worth_waiting = send, False, False, True
        self._known.clear()

    def closed(self) -> None:
        """Take note that it is closed; whoever waits for an answer waits no longer."""
        self._send, self._takes = None, False
        self._known.clear()
        if self._answer is not None and not self._answer.done():
            self._answer.cancel()

    def heard(self, message: Mapping[str, Any]) -> None:
        """Take what the director says of events: that it takes them here, or its answer to the last ones."""
        if "ping" in message:
            self._takes = "events" in message.get("takes", ())
            self._known.set()
        if "took" in message and self._answer is None:
            self._late = False
        elif "took" in message and self._answer is not None and not self._answer.done():
            body = message["took"]
            if not isinstance(body, dict):
                raise ValueError(f"the answer to events is {shorten(body)}; an object is wanted")
            self._answer.set_result(Answer(whole(body.get("status"), "the status"), body))

    async def settled(self) -> None:
        """Wait a moment for a socket that is being opened: a hall that comes back needs no second connection each.

        Who has waited in vain once waits no more, until there is another socket.
        """
        if self._worth_waiting and not self._known.is_set():
            try:
                async with asyncio.timeout(_MOMENT_S):
                    await self._known.wait()
            except TimeoutError:
                self._worth_waiting = False

    async def post(self, post: Post) -> Answer | None:
        """Send events and return the answer; None where they have to go by HTTP, again if the socket was lost.

        The same events may come any number of times, so nothing is lost or twice.
        """
        send, text = self._send, json.dumps(post.json())
        if send is None or not self.open or len(text) > _LARGEST:
            return None
        answer = self._answer = asyncio.get_running_loop().create_future()
        try:
            await send(text)
            async with asyncio.timeout(_PATIENCE_S):
                await asyncio.wait([answer])
        except TimeoutError:
            self._late = True  # a director takes nothing before it has answered, and its answer belongs to this message
        except (OSError, websockets.WebSocketException):
            self._takes = False  # it was lost
        finally:
            self._answer = None
        return None if not answer.done() or answer.cancelled() else answer.result()
