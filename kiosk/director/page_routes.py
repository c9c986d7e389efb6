"""Serve the director's page: its files, its live messages and its buttons."""

import asyncio
import html
import json
import logging
import time
from pathlib import Path as File
from typing import Annotated, Any, Literal

from fastapi import APIRouter, FastAPI, Path, Request, Response, WebSocket
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.websockets import WebSocketDisconnect

from kiosk.director import guard
from kiosk.director.desks import Viewer
from kiosk.director.files import file, pdf
from kiosk.director.hall import Hall
from kiosk.director.key import ListKey
from kiosk.director.languages import Language
from kiosk.director.line_routes import read_object
from kiosk.director.orders import checked_order
from kiosk.director.refusals import DirectorError, NotAnEvent, NotDirector, UnknownTable
from kiosk.language import languages, say, texts
from kiosk.language.cards import RANK_SIGNS, SUIT_SIGNS, suit_words
from kiosk.paper.spielliste import list_pdf
from kiosk.rules.engine.standings import YEAR
from kiosk.table.events.jsonl import as_jsonl
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv, as_text
from kiosk.tournament import cash, tally

log = logging.getLogger(__name__)
router = APIRouter()

FILES = File(__file__).with_name("page")
_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; connect-src 'self' ws: wss:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
#: How the subjects begin of which the page speaks.
_SUBJECTS = (
    "page",
    "language",
    "numbers",
    "games",
    "calls",
    "phases",
    "reasons",
    "notices",
    "books",
    "ranking",
    "cash",
)
_BEAT_S = 5.0  # seconds between two signs of life to a page

Round = Annotated[int, Path(ge=1, le=999)]
Table = Annotated[int, Path(ge=1, le=9999)]


class _Files(StaticFiles):
    """Files that a browser asks for again each time, so that a new version of the page shows at once."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        response = super().file_response(*args, **more)
        response.headers.update(_HEADERS)
        return response


def mount_files(app: FastAPI) -> None:
    """Serve the page's files, which come with the package."""
    app.mount("/page", _Files(directory=FILES), name="page")


@router.get("/")
async def index() -> HTMLResponse:
    """Send the page."""
    told = " · ".join(say("page", "needs_script", language) for language in languages())
    page = (FILES / "index.html").read_text(encoding="utf-8")
    return HTMLResponse(page.replace("{needs_script}", html.escape(told)), headers=_HEADERS)


@router.get("/health")
async def health(request: Request) -> dict[str, Any]:
    """Report whether the service and its database work."""
    hall: Hall = request.app.state.hall
    await hall.on_disk(hall.store.keys, hall.tournament)
    return {"ok": True, "tournament": hall.tournament}


@router.get("/api/words")
async def all_words() -> dict[str, Any]:
    """Send all words of the page in every language."""
    same = {"suit_signs": SUIT_SIGNS, "rank_signs": RANK_SIGNS}
    return {
        language: {
            **same,
            **{subject: found for subject, found in texts(language).items() if subject.startswith(_SUBJECTS)},
            "suits": suit_words(language=language),
            "bavarian_suits": suit_words(bavarian=True, language=language),
        }
        for language in languages()
    }


@router.get("/api/me")
async def me(request: Request) -> dict[str, Any]:
    """Send the page's rights and the available views."""
    hall: Hall = request.app.state.hall
    settings, tournament = hall.settings, hall.office.tournament
    seen = sorted({(key.tournament, key.round) for key in hall.desks})
    others = sorted({name for name, _ in seen} - {tournament.name})
    return {
        "director": guard.is_director(request),
        "pin": bool(settings.pin),
        "open_to_all": settings.exposed and not settings.pin,
        "tournament": tournament.name,
        "tournaments": {
            name: sorted(
                {number for other, number in seen if other == name}
                | (set(range(1, tournament.rounds + 1)) if name == tournament.name else set())
            )
            for name in (tournament.name, *others)
        },
        "money": any(
            tally.money_there(tournament, [desk.copy.round] if desk.copy.round else [])
            for key, desk in hall.desks.items()
            if key.tournament == tournament.name
        )
        or (tournament.chosen and cash.has_money(tournament.book)),
        "years": any(
            desk.copy.round is not None and YEAR in desk.copy.round.book.standing.trophies
            for desk in hall.desks.values()
        ),
        "now": max((key.round for key in hall.desks if key.tournament == tournament.name), default=1),
    }


@router.post("/api/login")
async def login(request: Request) -> JSONResponse:
    """Unlock the buttons for twelve hours by the PIN."""
    guard.need_same_origin(request)
    pin = (await read_object(request)).get("pin")
    cookie, expires = guard.login(request, pin if isinstance(pin, str) else "")
    response = JSONResponse({"director": True})
    response.set_cookie(guard.COOKIE, cookie, max_age=expires, httponly=True, samesite="strict")
    return response


@router.post("/api/logout")
async def logout() -> JSONResponse:
    """Lock the buttons again."""
    response = JSONResponse({"director": False})
    response.delete_cookie(guard.COOKIE)
    return response


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Send changes live to the page. The page states what it shows: tournament, round and perhaps a table."""
    hall: Hall = socket.app.state.hall
    try:
        guard.need_same_origin(socket)
    except NotDirector as error:
        await socket.send_denial_response(JSONResponse({"message": str(error)}, 403))
        return
    await socket.accept()
    viewer = Viewer(hall.tournament, 0)
    hall.viewers.add(viewer)
    telling = asyncio.create_task(_tell(socket, hall, viewer))
    try:
        while True:
            wish = json.loads(await socket.receive_text())
            viewer.tournament, viewer.round = str(wish["tournament"]), int(wish["round"])
            viewer.table = None if wish.get("table") is None else int(wish["table"])
            viewer.begun = False
            viewer.wake.set()
    except (WebSocketDisconnect, RuntimeError):
        pass
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("a page asked for what cannot be understood: %r", error)
    finally:
        hall.viewers.discard(viewer)
        telling.cancel()


async def _tell(socket: WebSocket, hall: Hall, viewer: Viewer) -> None:
    """Send what has changed; a slow page gets the newest state, not every one in between."""
    while True:
        try:
            async with asyncio.timeout(_BEAT_S):
                await viewer.wake.wait()
        except TimeoutError:
            message: dict[str, Any] = {}
        else:
            viewer.wake.clear()
            if not viewer.begun:
                viewer.begun = True
                viewer.changed.clear()
                keys = hall.keys(viewer.tournament, viewer.round)
                message = {"hall": [hall.card(key) for key in keys]}
                watched = ListKey(viewer.tournament, viewer.round, viewer.table) if viewer.table is not None else None
                if watched in hall.desks and watched is not None:
                    message["sheet"] = hall.sheet(watched)
            else:
                changed, viewer.changed = sorted(viewer.changed), set()
                if not changed and not viewer.noted:
                    continue
                message = {"cards": [hall.card(key) for key in changed]}
                for key in changed:
                    if key.table == viewer.table:
                        message["sheet"] = hall.sheet(key)
            message |= {"tournament": viewer.tournament, "round": viewer.round, "table": viewer.table}
        viewer.noted = False
        message["noted"] = hall.office.mark
        message["now"] = int(time.time() * 1000)
        try:
            await socket.send_text(json.dumps(message, ensure_ascii=False))
        except (WebSocketDisconnect, RuntimeError):
            return


# what the buttons do


@router.post("/api/{tournament}/{round_}/orders")
async def give_order(request: Request, tournament: str, round_: Round) -> dict[str, Any]:
    """Give an order: ``{"table": 7 or null for all, "body": …}``."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {tournament!r} is over; orders go to {hall.tournament!r}")
    wish = await read_object(request)
    table = wish.get("table")
    if table is not None and (not isinstance(table, int) or isinstance(table, bool) or table < 1):
        raise NotAnEvent(f"table is {table!r}; a table's number, or null for all, is wanted")
    if table is not None and ListKey(tournament, round_, table) not in hall.desks:
        raise UnknownTable(f"table {table} was never heard of in round {round_}")
    order = await hall.give(tournament, round_, table, checked_order(wish.get("body"), table))
    keys = [key for key in hall.keys(tournament, round_) if table in (None, key.table)]
    return {
        "number": order.number,
        "tables": len(keys),
        "away": [key.table for key in keys if hall.desks[key].line is None],
    }


@router.post("/api/{tournament}/{round_}/{table}/aside")
async def aside(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Set a table's list aside: it begins anew, nothing is deleted."""
    guard.need_director(request)
    key = _known(request, tournament, round_, table)
    return {"aside": await request.app.state.hall.set_aside(key)}


@router.post("/api/{tournament}/{round_}/aside")
async def all_aside(request: Request, tournament: str, round_: Round) -> dict[str, Any]:
    """Set all lists of a round aside: it begins anew, nothing is deleted."""
    guard.need_director(request)
    return {"tables": len(await request.app.state.hall.begin_anew(tournament, round_))}


# to take away


@router.get("/api/{tournament}/{round_}/{table}/list.{kind}")
async def a_list(
    request: Request,
    tournament: str,
    round_: Round,
    table: Table,
    kind: Literal["pdf", "txt", "csv", "json"],
    language: Language = "de",
) -> Response:
    """Send the table's list as PDF, text, CSV or JSON."""
    key = _known(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    copy = hall.desks[key].copy
    if copy.round is None:
        raise UnknownTable(f"table {table} has not opened its list yet")
    name = f"{tournament}-{round_}-{table}"
    listed = await hall.folding(list_data, copy.round, language) | {"tournament": tournament}
    if kind == "pdf":
        return pdf(await asyncio.to_thread(list_pdf, [listed]), f"{name}.pdf")
    if kind == "json":
        return file(json.dumps(listed, ensure_ascii=False, indent=1), f"{name}.json", "application/json")
    if kind == "csv":
        return file("\ufeff" + as_csv(listed), f"{name}.csv", "text/csv")
    return file(as_text(listed), f"{name}.txt", "text/plain")


@router.get("/api/{tournament}/{round_}/lists.pdf")
async def all_lists(request: Request, tournament: str, round_: Round, language: Language = "de") -> Response:
    """Send the lists of all tables of a round in one PDF, one page each."""
    hall: Hall = request.app.state.hall
    rounds = [hall.desks[key].copy.round for key in hall.keys(tournament, round_)]
    listed = [
        await hall.folding(list_data, one, language) | {"tournament": tournament} for one in rounds if one is not None
    ]
    if not listed:
        raise UnknownTable(f"no table of {tournament!r} has opened a list in round {round_}")
    return pdf(await asyncio.to_thread(list_pdf, listed), f"{tournament}-{round_}.pdf")


@router.get("/api/{tournament}/{round_}/{table}/events.jsonl")
async def events_file(request: Request, tournament: str, round_: Round, table: Table, aside: int = 0) -> Response:
    """Send the table's events as ``stichwart replay`` reads them; hands may be among them, so the PIN is required."""
    guard.need_director(request)
    key = _known(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    events = await hall.on_disk(hall.store.read, key, -1, aside)
    return file(as_jsonl(events), f"{tournament}-{round_}-{table}.jsonl", "application/jsonl")


@router.get("/api/{tournament}/{round_}/{table}/asides")
async def asides(request: Request, tournament: str, round_: Round, table: Table) -> list[int]:
    """List the numbers of the table's lists that were set aside."""
    key = _known(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    return await hall.on_disk(hall.store.asides, key)


def _known(request: Request, tournament: str, round_: int, table: int) -> ListKey:
    key = ListKey(tournament, round_, table)
    if key not in request.app.state.hall.desks:
        raise UnknownTable(f"{key}: was never heard of")
    return key
