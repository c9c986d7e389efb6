"""Serve the tables: events come in, orders go out."""

import asyncio
import contextlib
import json
import logging
import time
from typing import Any

from fastapi import APIRouter, Request, WebSocket
from fastapi.responses import PlainTextResponse
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.websockets import WebSocketDisconnect

from kiosk.director.key import ListKey
from kiosk.director.refusals import NotAnEvent, UnknownTournament, WrongToken
from kiosk.director.settings import Settings
from kiosk.director.tables.desks import Message
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_end import LineEnd
from kiosk.director.web.body import read_object
from kiosk.director.web.paths import Round, Table

log = logging.getLogger(__name__)
router = APIRouter()

#: The socket was taken over by another one of the same table (close code; the table's side knows it).
REPLACED = 4009

_SILENCE_S = 8.0  # seconds without a word after which a table counts as away; it speaks every two


@router.post("/line/{tournament}/{round_}/{table}/events")
async def post_events(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Store events and answer how far the table's list has come here."""
    key = _let_in(request, tournament, round_, table)
    body = await read_object(request)
    after, chain, events = body.get("after"), body.get("chain"), body.get("events")
    if not isinstance(after, int) or isinstance(after, bool) or after < -1 or not isinstance(chain, str):
        raise NotAnEvent(f"after is {after!r} and chain {chain!r}; a number from -1 and a text are wanted")
    if not isinstance(events, list):
        raise NotAnEvent(f"events is {str(events)[:80]!r}; a list is wanted")
    stand = await request.app.state.hall.append(key, after, chain, events)
    return {"last": stand.last, "chain": stand.chain}


@router.get("/line/{tournament}/{round_}/{table}/events")
async def get_events(request: Request, tournament: str, round_: Round, table: Table) -> PlainTextResponse:
    """Send the table's events as JSON Lines, for a spare device."""
    key = _let_in(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    events = await hall.threads.on_disk(hall.store.read, key)
    return PlainTextResponse("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events))


@router.websocket("/line/{tournament}/{round_}/{table}")
async def line(socket: WebSocket, tournament: str, round_: Round, table: Table) -> None:
    """Serve one table's socket: the clock is queried, orders are answered, the device reports its state."""
    try:
        key = _let_in(socket, tournament, round_, table)
    except (WrongToken, UnknownTournament) as error:
        status = 401 if isinstance(error, WrongToken) else 404
        log.warning("table %s was turned away: %s", table, error)
        await socket.send_denial_response(JSONResponse({"message": str(error)}, status))
        return
    hall: Hall = socket.app.state.hall
    await socket.accept()

    async def send(message: Message) -> None:
        with contextlib.suppress(
            RuntimeError, WebSocketDisconnect
        ):  # it has gone; what it missed is sent when it is back
            await socket.send_text(json.dumps(message))

    async def close(code: int = 1000, why: str = "") -> None:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(code, why)

    end = LineEnd(
        device=socket.query_params.get("device", ""),
        send=send,
        replace=lambda: close(REPLACED, f"another device connected as table {table}"),
        since=int(time.time() * 1000),
    )
    try:
        await hall.line_up(key, end)
        while True:
            async with asyncio.timeout(_SILENCE_S):
                message = json.loads(await socket.receive_text())
            end.heard = time.monotonic()
            await _heard(hall, key, end, message)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        pass  # the table will come again
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        log.error("%s: its socket said what cannot be understood (%r); it is closed", key, error)
    finally:
        await hall.line_down(key, end)
        await close()


async def _heard(hall: Hall, key: ListKey, end: LineEnd, message: Message) -> None:
    if not isinstance(message, dict):
        raise TypeError(f"{message!r}; an object is wanted")
    if "ping" in message:
        await end.send({"ping": message["ping"], "time": time.time()})
    if "answer" in message:
        refused = message.get("refused")
        await hall.orders.answered(key, int(message["answer"]), None if refused is None else str(refused))
        await end.send({"answered": message["answer"]})
    if message.get("plan"):
        end.plans = True
        await hall.send_plan(key, end)
    if "status" in message:
        hall.devices.told(hall.desk(key), dict(message["status"]))


def _let_in(connection: HTTPConnection, tournament: str, round_: int, table: int) -> ListKey:
    settings: Settings = connection.app.state.settings
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if not settings.token_fits(token if scheme.lower() == "bearer" else ""):
        raise WrongToken("the token is not this tournament's; put the director's token into the table's configuration")
    hall: Hall = connection.app.state.hall
    if tournament not in hall.office.held:
        raise UnknownTournament(
            f"tournament {tournament!r} is not held here, {settings.tournament!r} is; "
            "correct 'tournament' in the table's configuration"
        )
    return ListKey(tournament, round_, table)
