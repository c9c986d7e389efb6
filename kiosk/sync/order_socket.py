"""Listen to the director over one WebSocket: orders, plans and its time come in, receipts, status and events go out."""

import asyncio
import contextlib
import json
import logging
import secrets
import ssl
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from kiosk.errors import Refused, shorten
from kiosk.sync.address import TROUBLE_OF_STATUS
from kiosk.sync.clock import DirectorClock
from kiosk.sync.directors import Directors
from kiosk.sync.earlier import EarlierLists
from kiosk.sync.event_sender import EventSender
from kiosk.sync.heard import (
    device_task,
    give_way,
    lists_wanted,
    parcels_wished,
    pictures_wanted,
    planned,
    release_wished,
    times,
    whole,
)
from kiosk.sync.inbox import OrderInbox
from kiosk.sync.outbox import EventSource
from kiosk.sync.reporter import StateReporter
from kiosk.sync.state import LineMessage, OtherDirectors, RulingsAllowed, lists_mended
from kiosk.sync.waiting import TIMES, Backoff, either
from kiosk.table.events.json_text import parsed
from kiosk.table.status import shows_otherwise, with_clock_by_now

log = logging.getLogger(__name__)

#: The socket was taken over by another device with this table's number (close code).
REPLACED = 4009

#: Signs that are told at most of what cannot be understood.
_LONGEST_TOLD = 300

#: What is raised by a message of a kind that nobody of ours sends.
_NONSENSE = (ValueError, KeyError, TypeError, AttributeError)


def _leave_out(error: Exception) -> None:
    log.error("the director said what cannot be understood, it is left out: %s", repr(error)[:_LONGEST_TOLD])


class OrderSocket:
    """Keeps a socket to the director open; ``answer``, ``show``, ``clock`` are for any thread, the rest for the loop's.

    :param sender: is woken when the director is back, or asks for events.
    """

    def __init__(
        self,
        directors: Directors,
        sender: EventSender,
        reporter: StateReporter,
        deliver: Callable[[LineMessage], None],
        *,
        earlier: EarlierLists,
        ask_plan: bool,
        releases: Mapping[str, str] | None,
        tasks: Sequence[str],
        parcels: Sequence[str],
        pictures: bool,
        connect: Callable[..., Any],
        monotonic: Callable[[], float],
        slowest: float,
    ) -> None:
        self._directors, self._device = directors, secrets.token_hex(8)
        self._sender, self._reporter, self._deliver, self._ask_plan = sender, reporter, deliver, ask_plan
        self._earlier, self._releases = earlier, releases
        self._tasks, self._parcels, self._pictures = tuple(tasks), tuple(parcels), pictures
        self._connect, self._monotonic, self._slowest = connect, monotonic, slowest
        self.clock = DirectorClock()
        self._inbox = OrderInbox(())
        self._status: dict[str, Any] = {}
        self._status_at = float("-inf")  # monotonic seconds when it was told
        self._status_sent = False
        self._took_at = float("-inf")  # monotonic seconds when the director answered events
        self._say = asyncio.Event()

    def answer(self, number: int, refused: Refused | str | None) -> None:
        """Keep the receipt of an order until the director has it."""
        self._inbox.receipt(number, refused)

    def show(self, status: Mapping[str, Any]) -> bool:
        """Keep the table's status to be sent; whether it is a new one: a clock that only runs on is not."""
        now = self._monotonic()
        if not shows_otherwise(with_clock_by_now(self._status, now - self._status_at), status):
            return False
        self._status, self._status_at, self._status_sent = dict(status), now, False
        return True

    def say_now(self) -> None:
        """Send what there is to be sent now."""
        self._say.set()

    def show_again(self) -> None:
        """Send the status again: what is wrong with HTTP is in it."""
        self._status_sent = False
        self._say.set()

    async def recall(self, events: EventSource) -> None:
        """Note the orders that the log says were carried out: they are not taken again."""
        while True:
            try:
                self._inbox = OrderInbox(event for _, event in events.read(-1))
            except Exception as error:  # the table may still get its log to work
                log.exception("the log cannot be read, it will be tried again")
                self._sender.trouble("director", repr(error))
                await asyncio.sleep(1)
            else:
                return

    async def listen_forever(self) -> None:
        """Converse with the director over one socket after another; only cancelling ends it."""
        backoff = Backoff(self._slowest)
        while True:
            wait, address, away = None, self._directors.now, False
            try:
                async with self._connect(
                    f"{address.socket}?device={self._device}",
                    additional_headers=address.headers,
                    proxy=None,
                    **({"ssl": address.trust} if address.socket.startswith("wss:") else {}),
                    ping_interval=None,
                    open_timeout=5,
                    close_timeout=1,
                ) as socket:
                    backoff.reset()
                    await self._converse(socket)
            except websockets.InvalidStatus as error:
                status = error.response.status_code
                trouble = TROUBLE_OF_STATUS.get(status, "director")
                self._reporter.report(socket=(trouble, f"the socket was answered with HTTP status {status}"))
                wait = TIMES.stuck if status in TROUBLE_OF_STATUS else None
            except websockets.ConnectionClosed as error:
                if error.rcvd is not None and error.rcvd.code == REPLACED:
                    self._reporter.report(socket=("twice", error.rcvd.reason))
                    wait = TIMES.stuck
                else:
                    away = True
                    self._reporter.report(socket=("away", str(error)))
            except ssl.SSLCertVerificationError as error:
                self._reporter.report(socket=("certificate", str(error)))
                wait = backoff.next() if self._directors.next() else TIMES.stuck  # a stranger may say to be it
            except (OSError, TimeoutError, websockets.WebSocketException) as error:
                away = True
                self._reporter.report(socket=("away", f"{type(error).__name__}: {error}"))
            except Exception as error:  # … and whatever the director says
                log.exception("the socket failed, it will be opened again")
                self._reporter.report(socket=("director", repr(error)))
            self.clock.forget()
            if away:
                self._directors.next()
            await asyncio.sleep(backoff.next() if wait is None else wait)

    async def _converse(self, socket: ClientConnection) -> None:
        self._status_sent, self._took_at = False, float("-inf")
        self._reporter.report(socket=("", ""))
        self._sender.way.opened(socket.send)
        self._sender.ask()  # it may be another director, or this one put back from an old backup
        talking = asyncio.create_task(self._talk(socket))
        try:
            while True:
                async with asyncio.timeout(TIMES.silence):
                    said = await socket.recv()
                self._take(said)
        finally:
            self._sender.way.closed()
            talking.cancel()
            with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed):
                await talking

    async def _talk(self, socket: ClientConnection) -> None:
        pinged = next_status = float("-inf")
        said: set[int] = set()
        if self._ask_plan:
            takes: dict[str, Any] = {} if self._releases is None else {"releases": dict(self._releases)}
            takes |= {"tasks": self._tasks} if self._tasks else {}
            takes |= {"parcels": self._parcels} if self._parcels else {}
            takes |= {"pictures": True} if self._pictures else {}
            await socket.send(json.dumps({"plan": True, "lists": True, **takes}))
            if have := self._earlier.have():
                await socket.send(json.dumps({"have": have}))
        while True:
            self._say.clear()
            if self._monotonic() >= self._next_ping(pinged):
                pinged = self._monotonic()
                await socket.send(json.dumps({"ping": pinged}))
            for number, receipt in list(self._inbox.receipts.items()):
                if number not in said:
                    said.add(number)
                    await socket.send(json.dumps({"answer": number, **receipt}))
            if not self._status_sent and self._monotonic() >= next_status:
                next_status = self._monotonic() + TIMES.status
                self._status_sent = True
                trouble = self._reporter.http[0]
                own = {"line": trouble} if trouble in ("behind", "rejected") else {}
                status = with_clock_by_now(self._status, self._monotonic() - self._status_at)
                await socket.send(json.dumps({"status": {**status, **own}}))
            next_ping = self._next_ping(pinged)
            soon = next_ping if self._status_sent else min(next_ping, next_status)
            await either(self._say, None, max(0.01, soon - self._monotonic()))

    def _next_ping(self, pinged: float) -> float:
        """When the director is asked again for its time, and thereby whether it is there: events that it took say that.

        A thousand tables that ask without need are a third of what wakes a director.
        """
        return max(pinged, self._took_at) + TIMES.ping

    def _take(self, said: str | bytes) -> None:
        """Take a message; one that cannot be understood is told and left out, and what comes after it is heard."""
        try:
            message = parsed(said)
            if not isinstance(message, dict):
                raise ValueError(f"{shorten(message)}; an object is wanted")
            self._heard(message)
        except _NONSENSE as error:
            _leave_out(error)

    def _heard(self, message: dict[str, Any]) -> None:
        self._heard_of_time(message)
        self._sender.way.heard(message)
        for order in message.get("orders", ()):
            try:
                self._ordered(order)
            except _NONSENSE as error:  # the next one may be an order
                _leave_out(error)
        if "plan" in message and self._ask_plan:
            self._deliver(planned(message["plan"]))
        if isinstance(message.get("lists"), dict) and self._ask_plan:
            self._deliver(lists_mended(message["lists"]))
        if "answered" in message:
            self._inbox.received(whole(message["answered"], "an order's number"))
        self._heard_of_lists(message)
        self._heard_of_device(message)

    def _heard_of_device(self, message: Mapping[str, Any]) -> None:
        """Take what the director says of this device: its rights, where it may go, what it shall run and have."""
        if isinstance(message.get("rulings"), bool):
            self._deliver(RulingsAllowed(message["rulings"]))
        if isinstance(message.get("directors"), list):
            others = self._directors.learn(message["directors"])
            if others is not None:
                self._deliver(OtherDirectors(others))
        if "release" in message and self._releases is not None:
            self._deliver(release_wished(message["release"], self._directors.now))
        if "parcels" in message and self._parcels:
            self._deliver(parcels_wished(message["parcels"], self._directors.now))
        if "pictures" in message and self._pictures:
            self._deliver(pictures_wanted(message["pictures"], self._directors.now))
        if message.get("task") in self._tasks:
            self._deliver(device_task(message["task"], self._directors.now))

    def _heard_of_time(self, message: Mapping[str, Any]) -> None:
        """Take the director's time, and that it is there."""
        if "ping" in message:
            sent, told = times(message)
            self.clock.measured(sent, self._monotonic(), told)
        if "took" in message:
            self._took_at = self._monotonic()

    def _heard_of_lists(self, message: Mapping[str, Any]) -> None:
        """Take what the director says of the lists themselves."""
        if isinstance(message.get("send"), list):
            self._earlier.want(lists_wanted(message["send"]))
        if isinstance(message.get("give_way"), list):
            self._deliver(give_way(message["give_way"]))
        if message.get("wake"):
            self._sender.ask()

    def _ordered(self, message: Mapping[str, Any]) -> None:
        order = self._inbox.take(message, self._monotonic())
        if order is None:
            self.say_now()  # perhaps with a receipt
            return
        try:
            self._deliver(order)
        except Exception as error:  # one order that the table cannot take must not cut off the next
            log.exception("order %s could not be taken", order.number)
            self.answer(order.number, f"the table could not take it: {error!r}")
            self.say_now()
