"""The table's line to the director: events go out by HTTP until acknowledged, orders come in over one WebSocket.

Everything runs in a thread of its own and never holds the table up. Events and socket fail and recover each by
itself; whichever comes back first wakes the other.
"""

import asyncio
import contextlib
import json
import logging
import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import httpx
import websockets
from websockets.asyncio.client import ClientConnection, connect

from kiosk.sync.clock import DirectorClock
from kiosk.sync.errors import LineError
from kiosk.sync.inbox import Inbox
from kiosk.sync.outbox import Log, Outbox, WritableLog
from kiosk.sync.state import LineState, Order

log = logging.getLogger(__name__)

#: The socket was taken over by another device with this table's number (close code).
REPLACED = 4009

_TROUBLE_OF_STATUS = {401: "token", 403: "token", 404: "tournament"}
_PING = 2.0  # seconds between two questions for the director's time
_STATUS = 1.0  # seconds between two messages about the device; a clock in it changes all the time
_SILENCE = 8.0  # seconds without a word from the director after which the socket counts as dead
_LOOK = 2.0  # seconds after which the log is looked at though nobody said that it grew
_STUCK = 15.0  # seconds until the next try after a refusal that only a person can clear


class Line:
    """One table's line, for one round.

    :param url: the director's address, ``http://director.local:8080``.
    :param token: the tournament's secret, from the director's configuration.
    :param log: the table's events; read from the line's thread.
    :param take: called in the line's thread with each order, once; it should only put the order into an inbox.
    :param on_state: called in the line's thread whenever the state changes.
    :param on_plan: called in the line's thread with who shall sit at this table and by which rules, whenever that
        changes at the director; None: the direction has set nothing for it. Without it nobody asks.
    :param transport: stands in for the network in tests.
    :raises LineError: the address is none.
    """

    def __init__(
        self,
        url: str,
        token: str,
        tournament: str,
        table: int,
        round: int,
        log: Log,
        take: Callable[[Order], None],
        *,
        on_state: Callable[[LineState], None] | None = None,
        on_plan: Callable[[dict[str, Any] | None], None] | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        connect: Callable[..., Any] = connect,
        monotonic: Callable[[], float] = time.monotonic,
        slowest: float = 5.0,
    ) -> None:
        self._http_url, self._socket_url = _addresses(url, tournament, round, table)
        self._socket_url += f"?device={secrets.token_hex(8)}"
        self._headers = _shown(token)
        self._log, self._take, self._on_state, self._on_plan = log, take, on_state, on_plan
        self._transport, self._connect = transport, connect
        self._monotonic, self._slowest = monotonic, slowest
        self._outbox = Outbox(log)
        self._clock = DirectorClock()
        self._inbox = Inbox(())
        self._status: dict[str, Any] = {}
        self._status_sent = False
        self._http_trouble, self._socket_trouble = ("away", "not connected yet"), ("away", "not connected yet")
        self._state = LineState(connected=False, since=monotonic(), acknowledged=-1, waiting=0, trouble="away")
        self._sent = threading.Condition()
        self._woken = self._settled_for = 0  # the last wake, and the last one for which everything was sent
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()

    # called by the table, from any thread

    def start(self) -> None:
        """The line begins to work."""
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """The line ends; what was not sent stays in the log."""
        self._stopping.set()
        self._nudge(self._end)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def wake(self) -> None:
        """The log has grown: send now."""
        with self._sent:
            self._woken += 1
        self._nudge(self._grown_now)

    def answer(self, number: int, refused: str | None = None) -> None:
        """Receipt for an order that leaves no event: a call that was shown, or a request that was ``refused``."""
        self._inbox.receipt(number, refused)
        self._nudge(self._say_now)

    def tell(self, status: Mapping[str, Any]) -> None:
        """What the director should know of the table now and need not keep: clock, camera, scanner, …"""
        if dict(status) != self._status:
            self._status, self._status_sent = dict(status), False
            self._nudge(self._say_now)

    def wait_sent(self, timeout: float) -> bool:
        """Whether the director has stored every event of the log, after waiting for it at most ``timeout`` seconds."""
        self.wake()
        with self._sent:
            mine = self._woken
            return self._sent.wait_for(lambda: self._settled_for >= mine, timeout)

    @property
    def state(self) -> LineState:
        """How the line stands now."""
        return self._state

    @property
    def director_time(self) -> float | None:
        """The director's time now, seconds since the epoch; None before it could be measured."""
        offset = self._clock.offset
        return None if offset is None else self._monotonic() + offset

    # the thread

    def _nudge(self, what: Callable[[], None]) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(what)

    def _end(self) -> None:
        self._main.cancel()

    def _grown_now(self) -> None:
        self._grown.set()

    def _say_now(self) -> None:
        self._say.set()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self._both())

    async def _both(self) -> None:
        self._grown, self._again, self._say = asyncio.Event(), asyncio.Event(), asyncio.Event()
        task = asyncio.current_task()
        assert task is not None
        self._main = task
        self._loop = asyncio.get_running_loop()
        if self._stopping.is_set():
            return
        try:
            await self._look_back()
            async with (
                httpx.AsyncClient(
                    headers=self._headers,
                    transport=self._transport,
                    trust_env=False,
                    timeout=httpx.Timeout(10, connect=3),
                ) as http,
                asyncio.TaskGroup() as both,
            ):  # unlike gather it waits until both have closed what they hold
                both.create_task(self._send_forever(http))
                both.create_task(self._listen_forever())
        finally:
            self._loop = None

    async def _look_back(self) -> None:
        """The orders that the log says were carried out are not taken again."""
        while True:
            try:
                self._inbox = Inbox(event for _, event in self._log.read(-1))
            except Exception as error:  # the table may still get its log to work
                log.exception("the log cannot be read, it will be tried again")
                self._trouble(http=("director", repr(error)))
                await asyncio.sleep(1)
            else:
                return

    # events

    async def _send_forever(self, http: httpx.AsyncClient) -> None:
        backoff = _Backoff(self._slowest)
        while True:
            self._grown.clear()
            self._again.clear()
            woken = self._woken
            try:
                post = self._outbox.post()
                if post is None:
                    self._settled(woken)
                    await _either(self._grown, self._again, _LOOK)
                    continue
                response = await http.post(self._http_url, json=post.json())
                wait = self._answered(response)
            except httpx.TransportError as error:
                self._trouble(http=("away", f"{type(error).__name__}: {error}"))
                wait = backoff.next()
            except Exception as error:  # the line must outlive whatever the log or an answer brings
                log.exception("the line failed, it will be tried again")
                self._trouble(http=("director", repr(error)))
                wait = backoff.next()
            else:
                if not wait:
                    backoff.reset()
            if wait:
                await _either(self._again, None, wait)

    def _answered(self, response: httpx.Response) -> float:
        """Work the director's answer in; seconds to wait before the next message."""
        body = _object(response)
        if response.status_code == 200:
            self._outbox.took(int(body["last"]), str(body["chain"]))
            if self._outbox.missing_here:
                detail = f"the director holds {self._outbox.missing_here} events more than this table's log"
                self._trouble(http=("behind", detail))
                self._outbox.ask()
                return _STUCK
            self._trouble(http=("", ""))
            return 0.0
        detail = str(body.get("message", response.text[:200]))
        if body.get("error") == "gap":
            self._outbox.ask()
            return 0.05
        if body.get("error") == "contradiction":
            if body.get("number") is None:  # it began differently; asking leads to sending all, which tells where
                self._outbox.ask()
                return 0.05
            trouble, wait = "contradiction", _STUCK
        elif response.status_code in _TROUBLE_OF_STATUS:
            trouble, wait = _TROUBLE_OF_STATUS[response.status_code], _STUCK
        elif response.status_code < 500:
            trouble, wait = "rejected", _STUCK
        else:
            trouble, wait = "director", min(2.0, self._slowest)
        if self._http_trouble[0] != trouble:
            log.error("the director refused the events (%s): %s", response.status_code, detail)
        self._trouble(http=(trouble, detail))
        self._outbox.ask()
        return wait

    def _settled(self, woken: int) -> None:
        self._trouble(http=("", ""))
        with self._sent:
            self._settled_for = woken
            self._sent.notify_all()

    # orders, clock, status

    async def _listen_forever(self) -> None:
        backoff = _Backoff(self._slowest)
        while True:
            wait = None
            try:
                async with self._connect(
                    self._socket_url,
                    additional_headers=self._headers,
                    proxy=None,
                    ping_interval=None,
                    open_timeout=5,
                    close_timeout=1,
                ) as socket:
                    backoff.reset()
                    await self._converse(socket)
            except websockets.InvalidStatus as error:
                status = error.response.status_code
                trouble = _TROUBLE_OF_STATUS.get(status, "director")
                self._trouble(socket=(trouble, f"the socket was answered with HTTP status {status}"))
                wait = _STUCK if status in _TROUBLE_OF_STATUS else None
            except websockets.ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code == REPLACED:
                    self._trouble(socket=("twice", error.rcvd.reason))
                    wait = _STUCK
                else:
                    self._trouble(socket=("away", str(error)))
            except (OSError, TimeoutError, websockets.WebSocketException) as error:
                self._trouble(socket=("away", f"{type(error).__name__}: {error}"))
            except Exception as error:  # … and whatever the director says
                log.exception("the socket failed, it will be opened again")
                self._trouble(socket=("director", repr(error)))
            self._clock.forget()
            await asyncio.sleep(backoff.next() if wait is None else wait)

    async def _converse(self, socket: ClientConnection) -> None:
        self._status_sent = False
        self._trouble(socket=("", ""))
        self._again.set()
        talking = asyncio.create_task(self._talk(socket))
        try:
            while True:
                async with asyncio.timeout(_SILENCE):
                    message = json.loads(await socket.recv())
                self._heard(message)
        finally:
            talking.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed):
                await talking

    async def _talk(self, socket: ClientConnection) -> None:
        next_ping = next_status = float("-inf")
        said: set[int] = set()
        if self._on_plan is not None:
            await socket.send(json.dumps({"plan": True}))
        while True:
            self._say.clear()
            if self._monotonic() >= next_ping:
                next_ping = self._monotonic() + _PING
                await socket.send(json.dumps({"ping": self._monotonic()}))
            for number, refused in list(self._inbox.receipts.items()):
                if number not in said:
                    said.add(number)
                    await socket.send(json.dumps({"answer": number, "refused": refused}))
            if not self._status_sent and self._monotonic() >= next_status:
                next_status = self._monotonic() + _STATUS
                self._status_sent = True
                trouble = self._http_trouble[0]
                own = {"line": trouble} if trouble in ("behind", "rejected") else {}
                await socket.send(json.dumps({"status": {**self._status, **own}}))
            soon = next_ping if self._status_sent else min(next_ping, next_status)
            await _either(self._say, None, max(0.01, soon - self._monotonic()))

    def _heard(self, message: dict[str, Any]) -> None:
        if "ping" in message:
            self._clock.measured(message["ping"], self._monotonic(), message["time"])
        for order in message.get("orders", ()):
            self._ordered(order)
        if "plan" in message and self._on_plan is not None:
            self._on_plan(message["plan"])
        if "answered" in message:
            self._inbox.received(message["answered"])
        if message.get("wake"):
            self._outbox.ask()
            self._again.set()

    def _ordered(self, message: Mapping[str, Any]) -> None:
        order = self._inbox.take(message, self._monotonic())
        if order is None:
            return
        try:
            self._take(order)
        except Exception as error:  # one order that the table cannot take must not cut off the next
            log.exception("order %s could not be taken", order.number)
            self.answer(order.number, f"the table could not take it: {error!r}")

    # state

    def _trouble(self, http: tuple[str, str] | None = None, socket: tuple[str, str] | None = None) -> None:
        if http is not None and http[0] != self._http_trouble[0]:
            self._status_sent = False
            self._say.set()
        self._http_trouble = self._http_trouble if http is None else http
        self._socket_trouble = self._socket_trouble if socket is None else socket
        trouble, detail = self._http_trouble if self._http_trouble[0] not in ("", "away") else self._socket_trouble
        if not trouble:
            trouble, detail = self._http_trouble
        connected = not self._socket_trouble[0] and self._http_trouble[0] != "away"
        state = LineState(
            connected=connected,
            since=self._state.since if connected == self._state.connected else self._monotonic(),
            acknowledged=-1 if self._outbox.acknowledged is None else self._outbox.acknowledged,
            waiting=self._outbox.waiting,
            trouble=trouble,
            detail=detail,
        )
        if state != self._state:
            if (state.connected, state.trouble) != (self._state.connected, self._state.trouble):
                log.info("line: %s %s", state.trouble or "connected", state.detail)
            self._state = state
            if self._on_state is not None:
                self._on_state(state)


def fetch_events(
    url: str, token: str, tournament: str, table: int, round: int, transport: httpx.BaseTransport | None = None
) -> list[dict[str, Any]]:
    """The events that the director holds of a table: a spare device takes over with them.

    :raises LineError: the director is away or refuses.
    """
    address, _ = _addresses(url, tournament, round, table)
    try:
        with httpx.Client(transport=transport, trust_env=False, timeout=httpx.Timeout(10, connect=2)) as http:
            response = http.get(address, headers=_shown(token))
    except httpx.TransportError as error:
        raise LineError(f"director {url!r}: {error}; is it running, and is the address right?") from error
    if response.status_code != 200:
        raise LineError(f"director {url!r} answers {response.status_code}: {_object(response).get('message', '')}")
    return [json.loads(line) for line in response.text.splitlines() if line]


def take_over(log: WritableLog, url: str, token: str, tournament: str, table: int, round: int) -> int:
    """How many events an empty log has taken over from the director: a spare device goes on where the broken one was.

    :raises LineError: the director is away or refuses; the log is still empty.
    """
    if log.read():
        return 0
    events = fetch_events(url, token, tournament, table, round)
    for event in events:
        log.append(event)
    return len(events)


class _Backoff:
    """Waiting times that double, with jitter, so that a hall full of tables does not return at the same moment."""

    def __init__(self, slowest: float) -> None:
        self._slowest = slowest
        self.reset()

    def reset(self) -> None:
        self._next = 0.2

    def next(self) -> float:
        wait = min(self._next, self._slowest)
        self._next = min(self._next * 2, self._slowest)
        return wait * random.uniform(0.5, 1.0)


def _shown(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _addresses(url: str, tournament: str, round_: int, table: int) -> tuple[str, str]:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise LineError(f"director's address {url!r}: an address such as 'http://director.local:8080' is wanted")
    path = f"{parts.path.rstrip('/')}/line/{quote(tournament, safe='')}/{round_}/{table}"
    socket = "wss" if parts.scheme == "https" else "ws"
    return (
        urlunsplit((parts.scheme, parts.netloc, f"{path}/events", "", "")),
        urlunsplit((socket, parts.netloc, path, "", "")),
    )


def _object(response: httpx.Response) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


async def _either(first: asyncio.Event, second: asyncio.Event | None, timeout: float) -> None:
    """Wait until one of the events is set, at most ``timeout`` seconds."""
    waits = [asyncio.create_task(event.wait()) for event in (first, second) if event is not None]
    try:
        await asyncio.wait(waits, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
