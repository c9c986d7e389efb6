"""Serve the tables: events come in, orders go out."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import Any

import orjson
from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import PlainTextResponse
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect

from kiosk.director.access.access import Access
from kiosk.director.access.devices import Device
from kiosk.director.key import ListKey
from kiosk.director.refusals import DirectorError, StoreFailed, TakenOver, UnknownTournament, WrongToken
from kiosk.director.settings import Rival
from kiosk.director.storage.store import StreamPosition
from kiosk.director.tables.comparing import wanted
from kiosk.director.tables.desks import Message
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_end import LineEnd
from kiosk.director.tables.parcels import kinds_in
from kiosk.director.tables.taking import store_events, usual_events
from kiosk.director.tls.plain_door import is_plain
from kiosk.director.web.answers import refusal
from kiosk.director.web.body import read_object
from kiosk.director.web.complaints import Complaints
from kiosk.director.web.paths import Round, Table
from kiosk.director.web.shared_frames import TextSender, hear_by, text_frame
from kiosk.errors import LocalisedError, shorten
from kiosk.table.events.json_text import LARGEST, parsed

log = logging.getLogger(__name__)
router = APIRouter()

#: The socket was taken over by another one of the same table (close code; the table's side knows it).
REPLACED = 4009

#: Signs that are told at most of what cannot be understood.
_LONGEST_TOLD = 300

#: What stands in the way of an order is kept up to so many characters.
_LONGEST_WAY = 2000

#: The device's rights have changed (close code of RFC 6455: service restart).
COME_AGAIN = 1012

_turned_away = Complaints(log)


@router.post("/line/{tournament}/{round_}/{table}/events")
async def post_events(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Store events and answer how far the table's list has come here."""
    key, device = await _let_in(request, tournament, round_, table)
    return await store_events(request.app.state.hall, key, device, await read_object(request))


@router.get("/line/{tournament}/{round_}/{table}/events")
async def get_events(request: Request, tournament: str, round_: Round, table: Table) -> PlainTextResponse:
    """Send the table's events as JSON Lines, for a spare device; its clock by now is the header ``Stichwart-Clock``."""
    key, _ = await _let_in(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    events = await hall.threads.on_disk(hall.store.read, key)
    clock = await hall.clocks.of_list(key, events[0]) if events else None
    headers = {} if clock is None else {"Stichwart-Clock": json.dumps(clock)}
    return PlainTextResponse("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events), headers=headers)


@router.websocket("/line/{tournament}/{round_}/{table}")
async def line(socket: WebSocket, tournament: str, round_: Round, table: Table) -> None:
    """Serve one table's socket: the clock is queried, orders are answered, the device reports its state."""
    try:
        key, device = await _let_in(socket, tournament, round_, table)
    except (WrongToken, UnknownTournament, TakenOver) as error:
        status, _ = refusal(error)
        _turned_away.say(socket.client.host if socket.client else "", "table %s was turned away: %s", table, error)
        await socket.send_denial_response(JSONResponse({"message": str(error)}, status))
        return
    hall: Hall = socket.app.state.hall
    await socket.accept()
    sender = TextSender(socket)

    async def send(message: Message) -> None:
        with contextlib.suppress(
            RuntimeError, WebSocketDisconnect
        ):  # it has gone; what it missed is sent when it is back
            await sender.send(json.dumps(message))

    async def close(code: int = 1000, why: str = "") -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code, why)

    end = LineEnd(
        device=socket.query_params.get("device", ""),
        send=send,
        replace=lambda: close(REPLACED, f"another device connected as table {table}"),
        since=hall.store.now(),
        holder=device.id,
        rulings=device.rulings,
        close=lambda: close(COME_AGAIN, "the direction has changed something; come again"),
    )
    events = _EventsOfSocket(socket, key, device, sender, send)
    usual = _UsualWords(hall, key, end, sender, events)
    try:
        with hall.lines.open(end):
            await hall.line_up(key, end)
            hear_by(socket, usual.hear)
            while True:
                message = parsed(await hall.lines.next_text(end, socket.receive_text()))
                with usual.kept_back():
                    if not usual.take(message):
                        await _heard(hall, key, end, message)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        pass  # the table will come again
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        told = repr(error)[:_LONGEST_TOLD]
        log.error("%s: its socket said what cannot be understood (%s); it is closed", key, told)
    finally:
        await events.end()
        await hall.line_down(key, end)
        await close()
        with contextlib.suppress(StoreFailed):  # only what it said of itself last is lost
            access: Access = socket.app.state.access
            await access.run(access.devices.heard, device.id, hall.desk(key).status)


class _UsualWords:
    """Takes what tables say all the time and nothing is waited for: the clock's query, their state, events."""

    def __init__(self, hall: Hall, key: ListKey, end: LineEnd, sender: TextSender, events: "_EventsOfSocket") -> None:
        self._hall, self._key, self._end, self._sender, self._events = hall, key, end, sender, events
        self._waits = False

    def hear(self, text: str) -> bool:
        """Take a text at once; False where it is something else, or comes behind something else."""
        if self._waits:
            return False
        try:
            taken = self.take(parsed(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            return False  # whoever waits for the next text closes the socket
        if taken:
            self._end.heard = time.monotonic()
        return taken

    def take(self, message: Any) -> bool:
        """Take a message if it is one of these.

        :raises ValueError: it cannot be understood; also KeyError, TypeError and AttributeError.
        """
        if not isinstance(message, dict):
            return False
        if "events" in message:
            self._events.take(message)
            return True
        if message.keys() == {"ping"}:
            return self._sender.write(text_frame(orjson.dumps(_time_of(message))))
        if message.keys() == {"status"}:
            _told(self._hall, self._key, message["status"])
            return True
        return False

    @contextlib.contextmanager
    def kept_back(self) -> Iterator[None]:
        """Let nothing overtake the message that is being taken."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False


class _EventsOfSocket:
    """Takes the events that come over a table's socket, one message at a time; meanwhile the socket is heard on.

    What people at play make is taken without a task; anything else, and what fails of that, with one.
    """

    def __init__(
        self,
        socket: WebSocket,
        key: ListKey,
        device: Device,
        sender: TextSender,
        send: Callable[[Message], Coroutine[Any, Any, None]],
    ) -> None:
        self._socket, self._key, self._sender, self._send = socket, key, sender, send
        self._hall: Hall = socket.app.state.hall
        self._access: Access = socket.app.state.access
        self._secret, self._device = _secret_of(socket), device
        self._seen: object | None = None  # the mark of the devices when this one was looked at last
        self._waits = False  # a message is to be taken with those of other tables
        self._stored = asyncio.Event()  # none is being stored without a task
        self._stored.set()
        self._task: asyncio.Task[None] | None = None

    def take(self, message: Message) -> None:
        """Store a message's events, soon, and answer then.

        :raises ValueError: the message before has no answer yet.
        """
        if self._waits or not self._stored.is_set() or (self._task is not None and not self._task.done()):
            raise ValueError("events came before the answer to the last ones")

        def begin() -> None:
            self._waits = False
            if not self._taken_at_once(message):
                self._task = asyncio.create_task(self._take(message))

        self._waits = True
        self._hall.window.add(begin, message["events"])

    async def end(self) -> None:
        """Wait for what is being stored: the hall's copy of the list takes it from there."""
        if self._waits:
            self._hall.window.take_all()
        await self._stored.wait()
        if self._task is not None:
            await asyncio.wait({self._task})

    def _taken_at_once(self, message: Message) -> bool:
        if not self._knows_device() or (sent := usual_events(self._key, message)) is None:
            return False

        def done(stand: StreamPosition | None) -> None:
            self._stored.set()
            if stand is None:  # what is stored already may come again
                self._task = asyncio.create_task(self._take(message))
                return
            told = {"took": {"status": 200, "last": stand.last, "chain": stand.chain}}
            if not self._sender.write(text_frame(orjson.dumps(told))):
                self._task = asyncio.create_task(self._send(told))

        self._stored.clear()
        if not self._hall.append_soon(sent, done):
            self._stored.set()
        return not self._stored.is_set()

    def _knows_device(self) -> bool:
        """Whether the device may still come here, by what is known of all."""
        mark = self._access.tables_mark
        if mark is None or self._key.tournament not in self._hall.office.held:
            return False
        if mark is not self._seen and self._access.table_at_hand(self._secret) != self._device:
            return False
        self._seen = mark
        return True

    async def _take(self, message: Message) -> None:
        try:
            await self._look_at_device()
            told = {"status": 200, **await store_events(self._hall, self._key, self._device, message)}
        except (DirectorError, LocalisedError) as error:
            if isinstance(error, StoreFailed):
                log.error("%s", error)
            status, content = refusal(error)
            told = {"status": status, **content}
        except Exception as error:
            log.exception("%s: its events could not be taken", self._key)
            told = {"status": 500, "message": repr(error)}
        await self._send({"took": told})

    async def _look_at_device(self) -> None:
        """Let the device in again where anything has changed: it may have been withdrawn meanwhile.

        :raises WrongToken: it was; see ``_let_in``.
        """
        if self._knows_device():
            return
        mark, held = self._access.tables_mark, self._key.tournament in self._hall.office.held
        if not held or await self._access.table(self._secret) != self._device:
            _, self._device = await _let_in(self._socket, *self._key.parts)
        self._seen = mark


async def _heard(hall: Hall, key: ListKey, end: LineEnd, message: Message) -> None:
    if not isinstance(message, dict):
        raise TypeError(f"{shorten(message)}; an object is wanted")
    if "ping" in message:
        await end.send(_time_of(message))
    if "answer" in message:
        number, refused = message["answer"], message.get("refused")
        if type(number) is not int or not 0 <= number <= LARGEST:
            raise ValueError(f"an order's number is {shorten(number)}; a whole number is wanted")
        refused = None if refused is None else str(refused)
        await hall.orders.answered(key, number, refused, _reason(message.get("why")))
        await end.send({"answered": message["answer"]})
    if message.get("plan"):
        end.plans = True
        await end.send({"rulings": end.rulings})
        await hall.send_directors(end)
        await hall.send_plan(key, end)
    if message.get("lists"):
        end.lists = True
        await hall.send_lists(key, end)
    await _takes(hall, key, end, message)
    if isinstance(message.get("have"), list):
        held = frozenset(hall.office.held)
        lists = await hall.threads.on_disk(wanted, hall.store, key.table, held, message["have"])
        if lists:
            log.info("%s has lists of which more or less is stored: %s", key, lists)
            await end.send({"send": lists})
    if "status" in message:
        _told(hall, key, message["status"])


async def _takes(hall: Hall, key: ListKey, end: LineEnd, message: Message) -> None:
    """Hear what may be asked of a device, and offer it a release and parcels if it says which it takes."""
    tasks, kind = message.get("tasks"), message.get("releases")
    if isinstance(tasks, list):
        end.tasks = tuple(one[:20] for one in tasks[:20] if isinstance(one, str))
    if isinstance(kind, dict):
        end.takes = str(kind.get("machine"))[:40], str(kind.get("python"))[:40]
        await hall.releases.offer(key.table, end)
    end.pictures = end.pictures or message.get("pictures") is True
    if "parcels" in message:
        end.parcels = kinds_in(message["parcels"])
        await hall.parcels.offer(key.table, end)


def _time_of(message: Message) -> Message:
    """The answer to the clock's query."""
    return {"ping": message["ping"], "time": time.time(), "takes": ["events"]}


def _told(hall: Hall, key: ListKey, status: Mapping[str, Any]) -> None:
    hall.devices.told(hall.desk(key), dict(status))
    hall.clocks.told(key, status, time.monotonic())


async def _let_in(connection: HTTPConnection, tournament: str, round_: int, table: int) -> tuple[ListKey, Device]:
    """Let the table's own device in.

    :raises TakenOver: another machine goes on with the tournament.
    :raises WrongToken: the secret is nobody's, or another table's: each writes its own list only.
    """
    device = await device_of(connection)
    if device.table != table:
        raise WrongToken(f"this device is table {device.table} and writes nothing of table {table}")
    hall: Hall = connection.app.state.hall
    if tournament not in hall.office.held:
        raise UnknownTournament(
            f"tournament {shorten(tournament)} is not held here, {hall.settings.tournament!r} is; "
            "correct 'tournament' in the table's configuration"
        )
    return ListKey(tournament, round_, table), device


async def device_of(connection: HTTPConnection) -> Device:
    """Return the table's device whose secret is shown.

    :raises WrongToken: the secret is nobody's, or was shown without encryption.
    """
    rival: Rival | None = connection.app.state.rival
    if rival is not None and rival.newer:
        raise TakenOver(f"{rival.url} has taken this tournament over; switch this machine off")
    access: Access = connection.app.state.access
    secret = _secret_of(connection)
    device = await access.table(secret) if secret else None
    if device is None:
        raise WrongToken("no table's device has this secret; admit the device on the direction's page (Zugang, Geräte)")
    await _look_at_line(connection, access, device)
    return device


def _secret_of(connection: HTTPConnection) -> str:
    """The secret that a device shows; "" for none."""
    scheme, _, secret = connection.headers.get("authorization", "").partition(" ")
    return secret if scheme.lower() == "bearer" else ""


async def _look_at_line(connection: HTTPConnection, access: Access, device: Device) -> None:
    """Require encryption of a device that encrypts; one of before that comes encrypted does so from now on.

    :raises WrongToken: its secret was shown without encryption: whoever listens there has it, too.
    """
    if is_plain(connection) and device.encrypted:
        raise WrongToken("this device shows its secret encrypted only: its director.url begins with https")
    if not device.encrypted and connection.scope["scheme"] in ("https", "wss"):
        await access.run(access.devices.shows_encrypted, device.id)
        access.forget_tables()


def _reason(why: object) -> Message | None:
    """Read why a table refused an order, as far as a page can word it; None where it does not say."""
    if not isinstance(why, dict) or not isinstance(why.get("code"), str) or not isinstance(why.get("section"), str):
        return None
    way = why.get("way")
    reason: Message = {"code": why["code"][:64], "section": why["section"][:64]}
    if isinstance(way, dict) and len(json.dumps(way)) <= _LONGEST_WAY:
        reason["way"] = way
    return reason
