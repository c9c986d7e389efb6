"""Serve the form of a club's own book: what may be set, what is wrong, trials, states that are kept, files."""

import asyncio
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from kiosk.director.access.access import Access
from kiosk.director.pages import guard
from kiosk.director.pages.book_trial import need_room, trial_lines
from kiosk.director.refusals import NotAnEvent, UnknownTable
from kiosk.director.storage.parcel_store import ALL, KeptParcel
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Number
from kiosk.errors import shorten
from kiosk.paper.rule_book import as_html, as_pdf
from kiosk.parcel.parcel import slot_of
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.comments import with_comments
from kiosk.rules.composed.file import LARGEST_FILE, Source, read_text
from kiosk.rules.composed.known import book_of_text, decoded
from kiosk.rules.composed.new import written_out
from kiosk.rules.composed.sheet import sheet

router = APIRouter()

#: Games of a trial, and the kinds of files of a book with what they are sent as.
_GAMES = 1000
_KINDS = {"toml": "application/toml", "html": "text/html; charset=utf-8", "pdf": "application/pdf"}


@router.get("/api/books")
async def books(request: Request) -> dict[str, Any]:
    """List the clubs' books that are kept here with their states, the last one first, and what goes by each."""
    guard.need_director(request)
    hall = _hall(request)
    names = sorted({one.name for one in hall.parcels.kept.values() if one.kind == "book"})
    return {"books": [_shown(hall, name) for name in names]}


@router.get("/api/books/{number}")
async def state(request: Request, number: Number) -> dict[str, Any]:
    """Send what a state of a book says, to go on from there."""
    guard.need_director(request)
    one, text = await _state(request, number)
    return {"name": one.name, "number": one.number, "content": read_text(text, Source(one.name))}


@router.get("/api/books/{number}/book.{kind}")
async def book_file(request: Request, number: Number, kind: str, language: Language = "de") -> Response:
    """Send a state of a book to be read (html, pdf) or as its file (toml)."""
    guard.need_director(request)
    one, text = await _state(request, number)
    if kind not in _KINDS:
        raise UnknownTable(f"a book is not to be had as {shorten(kind)}; there are {', '.join(_KINDS)}")

    def made() -> bytes:
        book = book_of_text(one.name, text, one.name)
        return as_pdf(book, language) if kind == "pdf" else as_html(book, language).encode()

    content = text.encode() if kind == "toml" else await asyncio.to_thread(made)
    headers = {"Content-Disposition": f'attachment; filename="{one.name}.{kind}"', "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=_KINDS[kind], headers=headers)


@router.post("/api/books/form")
async def form(request: Request, language: Language = "de") -> dict[str, Any]:
    """Describe the form of a book as it stands: ``{"name": "mittwoch", "content": {"base": "bsv", "title": "…"}}``."""
    guard.need_director(request)
    name, content = _draft(await read_object(request, LARGEST_FILE))
    state = request.app.state
    if not hasattr(state, "describing"):
        state.describing = asyncio.Lock()
    async with state.describing:  # a form takes some hundredths of a second of a processor
        return await asyncio.to_thread(sheet, name, content, language)


@router.post("/api/books/save")
async def save(request: Request) -> dict[str, Any]:
    """Keep the next state of a book: ``{"name": "mittwoch", "content": {…}, "seen": 12, "instead_of": "dienstag"}``.

    ``seen`` is the number of the state that it follows, 0 if it is a new one; ``instead_of`` the name that it had.
    """
    guard.need_director(request)
    hall, asked = _hall(request), await read_object(request, LARGEST_FILE)
    name, content = _draft(asked)
    before = asked.get("instead_of") or ""
    if not isinstance(before, str) or before == name:
        raise NotAnEvent(f"instead_of is {shorten(before)}; another name is wanted, or none")
    seen = _seen(asked)
    text = with_comments(written_out(content), await _text_of(hall, seen)).encode()
    kept = await hall.parcels.keep_book(name, text, seen, before)
    if before:
        await hall.parcels.take_back([slot_of("book", before)], None)
        await hall.offer_parcels()
    await _record(request, "book_saved", kept.name, sha256=kept.sha256[:12], **({"was": before} if before else {}))
    return _shown(hall, kept.name)


@router.post("/api/books/remove")
async def remove(request: Request) -> dict[str, Any]:
    """Let there be no such book any more: ``{"name": "mittwoch", "seen": 12}``; its states are kept."""
    guard.need_director(request)
    hall, asked = _hall(request), await read_object(request, LARGEST_FILE)
    name = str(asked.get("name", ""))[:64]
    if not hall.parcels.states(name):
        raise UnknownTable(f"there is no book {shorten(name)} here")
    await hall.parcels.remove_book(name, _seen(asked))
    tables = [table for table in hall.parcels.given().get(slot_of("book", name), {}) if table != ALL]
    await hall.parcels.take_back([slot_of("book", name)], None)
    if tables:
        await hall.parcels.take_back([slot_of("book", name)], tables)
    await hall.offer_parcels()
    await _record(request, "book_removed", name)
    return _shown(hall, name)


@router.post("/api/books/try")
async def try_it(request: Request, language: Language = "de") -> StreamingResponse:
    """Try a book on 1,000 simulated games: ``{"name": "mittwoch", "content": {…}}``; a line of JSON for each round."""
    guard.need_director(request)
    name, content = _draft(await read_object(request, LARGEST_FILE))
    need_room()
    asked = {"name": name, "content": content, "games": _GAMES, "seed": 1, "language": language}
    return StreamingResponse(trial_lines(asked), media_type="application/x-ndjson")


def _draft(asked: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    name, content = asked.get("name"), asked.get("content")
    if not isinstance(name, str) or not isinstance(content, dict):
        raise NotAnEvent("name and content of a book are wanted, a text and an object")
    return name[:64], content


def _seen(asked: Mapping[str, Any]) -> int:
    seen = asked.get("seen")
    if type(seen) is not int:
        raise NotAnEvent(f"seen is {shorten(seen)}; the number of a state is wanted, 0 for none")
    return seen


async def _text_of(hall: Hall, number: int) -> str:
    """The text of a state, whose comments stay; "" where there is none."""
    one = hall.parcels.kept.get(number)
    content = await hall.parcels.content(one.sha256) if one is not None and one.kind == "book" else None
    return "" if one is None or content is None else decoded(content, one.name)


async def _state(request: Request, number: int) -> tuple[KeptParcel, str]:
    hall = _hall(request)
    one = hall.parcels.need(number)
    content = await hall.parcels.content(one.sha256) if one.kind == "book" else None
    if content is None:
        raise UnknownTable(f"parcel {number} is no book, or not here any more")
    return one, decoded(content, one.name)


def _shown(hall: Hall, name: str) -> dict[str, Any]:
    """Describe a book of that name: its last state, those before it, and what goes by it."""
    states = hall.parcels.states(name)
    found, last = hall.parcels.own_book(name), states[0]
    book = found[1] if found is not None else None
    tournament = hall.office.tournament
    by = {number: tournament.rules_of(number).book for number in range(1, tournament.rounds + 1)}
    return {
        "name": name,
        "number": last.number,
        "gone": last.gone,
        "title": book.title if book is not None else next((one.about["title"] for one in states if not one.gone), ""),
        "full": book.name if book is not None else "",
        "base": BOOKS[book.own.base].title if book is not None and book.own is not None else "",
        "states": [
            {"number": one.number, "at": one.at, "actor": one.actor, "gone": one.gone, **dict(one.about)}
            for one in states
        ],
        "rounds": [number for number, one in by.items() if one.own is not None and one.own.name == name],
        "given": {
            str(table): number == last.number
            for table, number in hall.parcels.given().get(slot_of("book", name), {}).items()
        },
    }  # fmt: skip


async def _record(request: Request, what: str, name: str, **more: Any) -> None:
    access: Access = request.app.state.access
    await access.act(what, guard.address(request), {"name": name, **more})


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall
