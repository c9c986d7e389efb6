"""The table's line to the director: events go out until acknowledged, orders come in over one WebSocket.

Everything runs in a thread of its own and never holds the table up. Events (``event_sender``) and socket
(``order_socket``) fail and recover each by itself; whichever comes back first wakes the other. Events go over the
socket where the director takes them there, else by HTTP.
"""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import httpx
from websockets.asyncio.client import connect

from kiosk.errors import Refused
from kiosk.sync.address import line_address
from kiosk.sync.directors import Directors
from kiosk.sync.earlier import EarlierLists, KeptLists
from kiosk.sync.event_sender import EventSender
from kiosk.sync.order_socket import OrderSocket
from kiosk.sync.outbox import EventSource, Outbox
from kiosk.sync.reporter import StateReporter
from kiosk.sync.state import LineMessage, LineState, ListHeld
from kiosk.sync.takeover import HeldList

#: One connection, kept for as long as the director keeps it: cards come every few seconds.
_ONE_CONNECTION = httpx.Limits(max_connections=2, max_keepalive_connections=1, keepalive_expiry=25.0)


class Line:
    """One table's line, for one round.

    :param url: the director's address, ``http://director.local:8080``.
    :param token: the tournament's secret, from the director's configuration.
    :param log: the table's events; read from the line's thread.
    :param deliver: called in the line's thread with each order, once, with each new state, and, where it is asked for,
        with each new plan; it must not block.
    :param ask_plan: ask the director who shall sit at this table and by which rules, and what he has put right of its
        lists, now and whenever that changes.
    :param authority: by which the director is recognised, PEM; "": as this machine's own authorities say.
    :param others: other directors, named by this one before (``OtherDirectors``), for the time when it is away.
    :param kept: all lists of this table: they are compared with the director's on each connection.
    :param releases: ``machine`` and ``python`` of the releases that this machine takes; None: it takes none.
    :param tasks: what the direction may ask of this device (``DeviceTask``).
    :param parcels: kinds of parcels that this device takes (``ParcelsWished``).
    :param pictures: pictures of cards are kept here, for a referee who asks (``PicturesWanted``).
    :param transport: stands in for the network in tests.
    :raises LineError: the address is none, or the authority.
    """

    def __init__(
        self,
        url: str,
        token: str,
        tournament: str,
        table: int,
        round: int,
        log: EventSource,
        deliver: Callable[[LineMessage], None],
        *,
        ask_plan: bool = False,
        authority: str = "",
        others: Sequence[str] = (),
        kept: KeptLists | None = None,
        releases: Mapping[str, str] | None = None,
        tasks: Sequence[str] = (),
        parcels: Sequence[str] = (),
        pictures: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
        connect: Callable[..., Any] = connect,
        monotonic: Callable[[], float] = time.monotonic,
        slowest: float = 5.0,
    ) -> None:
        directors = Directors(url, others, lambda url: line_address(url, token, tournament, table, round, authority))
        self._directors = directors
        self._log, self._headers, self._transport = log, directors.now.headers, transport
        self._trust = directors.now.trust
        self._monotonic = monotonic
        outbox = Outbox(log)
        self._reporter = StateReporter(outbox, deliver, monotonic)

        def held(whole: HeldList, after: int) -> None:
            deliver(ListHeld(tournament, round, after, whole.events[after + 1 :], whole.clock))

        def events_of(tournament: str, round: int) -> str:
            return line_address(directors.now.base, token, tournament, table, round, authority).events

        self._earlier = EarlierLists(kept, (tournament, round), events_of, deliver)
        self._sender = EventSender(directors, outbox, self._reporter, lambda: self._socket.show_again(), held, slowest)
        self._socket = OrderSocket(
            directors,
            self._sender,
            self._reporter,
            deliver,
            earlier=self._earlier,
            ask_plan=ask_plan,
            releases=releases,
            tasks=tasks,
            parcels=parcels,
            pictures=pictures,
            connect=connect,
            monotonic=monotonic,
            slowest=slowest,
        )
        self._thread = threading.Thread(target=self._run, name="line", daemon=True)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = threading.Event()

    # called by the table, from any thread

    def start(self) -> None:
        """Begin to work."""
        self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """End; what was not sent stays in the log."""
        self._stopping.set()
        self._nudge(self._end)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout)

    def wake(self) -> None:
        """Send now: the log has grown."""
        self._sender.count_wake()
        self._nudge(self._sender.read_log_now)

    def look_at(self, urls: Sequence[str]) -> None:
        """Try the director at these addresses too: it was found there."""
        self._nudge(lambda: self._directors.add(urls))

    def ask(self) -> None:
        """Ask the director now what it holds: the log has another content."""
        self._nudge(self._sender.ask)

    @property
    def asked(self) -> bool:
        """Whether the director has said, since the start, that it holds nothing of this list that is not here."""
        return self._sender.asked

    def answer(self, number: int, refused: Refused | str | None = None) -> None:
        """Send a receipt for an order that leaves no event: a call that was shown, or a request ``refused``."""
        self._socket.answer(number, refused)
        self._nudge(self._socket.say_now)

    def tell(self, status: Mapping[str, Any]) -> None:
        """Send what the director should know of the table now and need not keep: clock, camera, scanner, …"""
        if self._socket.show(status):
            self._nudge(self._socket.say_now)

    def wait_sent(self, timeout: float) -> bool:
        """Whether the director has stored every event of the log, after waiting for it at most ``timeout`` seconds."""
        self.wake()
        return self._sender.wait(timeout)

    @property
    def state(self) -> LineState:
        """How the line stands now."""
        return self._reporter.state

    @property
    def director_time(self) -> float | None:
        """The director's time now, seconds since the epoch; None before it could be measured."""
        offset = self._socket.clock.offset
        return None if offset is None else self._monotonic() + offset

    # the thread

    def _nudge(self, what: Callable[[], None]) -> None:
        loop = self._loop
        if loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has just ended
                loop.call_soon_threadsafe(what)

    def _end(self) -> None:
        self._main.cancel()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(self.run())

    async def run(self) -> None:
        """Work in this event loop instead of a thread of the line's own; cancelling ends it."""
        task = asyncio.current_task()
        assert task is not None
        self._main = task
        self._loop = asyncio.get_running_loop()
        if self._stopping.is_set():
            return
        try:
            await self._socket.recall(self._log)
            async with (
                httpx.AsyncClient(
                    headers=self._headers,
                    transport=self._transport,
                    verify=self._trust,
                    trust_env=False,
                    timeout=httpx.Timeout(10, connect=3),
                    limits=_ONE_CONNECTION,
                ) as http,
                asyncio.TaskGroup() as both,
            ):  # unlike gather it waits until both have closed what they hold
                both.create_task(self._sender.send_forever(http))
                both.create_task(self._socket.listen_forever())
                both.create_task(self._earlier.send_forever(http))
        finally:
            self._loop = None
