"""Serve the page's buttons for a table, and its list to take away."""

import asyncio
import json
from typing import Any, Literal

from fastapi import APIRouter, Request, Response

from kiosk.director.access.access import Access
from kiosk.director.key import ListKey
from kiosk.director.pages import guard, shown
from kiosk.director.pages.listed import shown_list
from kiosk.director.pages.offered import check_open
from kiosk.director.refusals import DirectorError, NotAnEvent, NothingHeld, UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.order_forms import checked_order
from kiosk.director.web.body import read_object
from kiosk.director.web.files import file, pdf
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Asked, Round, Table
from kiosk.errors import shorten
from kiosk.paper.spielliste import list_pdf
from kiosk.table.events.jsonl import as_jsonl
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import as_csv, as_text

router = APIRouter()

#: Orders to a table that the director alone gives; a referee gives the others.
_OF_DIRECTOR = ("release", "time_up")


@router.post("/api/{tournament}/{round_}/orders")
async def give_order(request: Request, tournament: str, round_: Round) -> dict[str, Any]:
    """Give an order: ``{"table": 7 or null for all, "body": …, "since": 1795186800000}``.

    ``since``, where it is there, is the number of the last order of the round that who gives it has seen (``ordered``
    of the live messages, ``number`` of an answer): if somebody else has given such an order to the same table since,
    it is refused.
    """
    guard.need(request, "order")
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; orders go to {hall.tournament!r}")
    wish = await read_object(request)
    table = wish.get("table")
    if table is not None and (not isinstance(table, int) or isinstance(table, bool) or table < 1):
        raise NotAnEvent(f"table is {shorten(table)}; a table's number, or null for all, is wanted")
    body = checked_order(wish.get("body"), table)
    if table is None or body.get("event") in _OF_DIRECTOR:
        guard.need_director(request)
    if table is not None and ListKey(tournament, round_, table) not in hall.desks:
        raise UnknownTable(f"table {table} was never heard of in round {round_}")
    if table is not None:
        check_open(hall.desk(ListKey(tournament, round_, table)).copy, body)
    since = wish.get("since")
    order = await hall.give(tournament, round_, table, body, since if type(since) is int else None)
    keys = [key for key in hall.keys(tournament, round_) if table in (None, key.table)]
    return {
        "number": order.number,
        "tables": len(keys),
        "away": [key.table for key in keys if not hall.desks[key].connected],
    }


@router.post("/api/{tournament}/{round_}/{table}/held")
async def take_held(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Take what a table has decided by itself: ``{"last": 41, "stands": true}``.

    ``stands`` false: its decisions are taken back at once, where an order can; ``left`` names the others.
    """
    guard.need_director(request)
    key = _known(request, tournament, round_, table)
    wish = await read_object(request)
    last, stands = wish.get("last"), wish.get("stands")
    if not isinstance(last, int) or isinstance(last, bool) or not isinstance(stands, bool):
        raise NotAnEvent(f"last is {shorten(last)} and stands {shorten(stands)}; a number and true or false are wanted")
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held")
    left = await hall.take_held(key, last, stands)
    where = {"tournament": tournament, "round": round_, "table": table, "last": last}
    await _act(request, "held_taken" if stands else "held_discarded", where)
    return {"left": left}


@router.get("/api/{tournament}/held")
async def waiting(request: Request, tournament: str) -> list[dict[str, Any]]:
    """List what tables have decided without an order that is known here, in all rounds: it waits for the direction."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    found = hall.waiting() if tournament == hall.tournament else []
    return [
        {"round": key.round, "table": key.table, "players": _players(hall, key), **shown.held_back(held)}
        for key, held in found
    ]


@router.post("/api/{tournament}/held")
async def take_all_held(request: Request, tournament: str) -> dict[str, Any]:
    """Take what waits of several lists: ``{"lists": [{"round": 1, "table": 7, "last": 41}]}``.

    ``taken`` says of how many; of the others something else waits by now, or somebody has just decided it.
    """
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held")
    taken = 0
    for key, last in _named((await read_object(request)).get("lists"), tournament):
        if key not in hall.desks:
            continue
        try:
            await hall.take_held(key, last, True)
        except NothingHeld:
            continue
        taken += 1
        await _act(
            request, "held_taken", {"tournament": tournament, "round": key.round, "table": key.table, "last": last}
        )
    return {"taken": taken}


@router.post("/api/{tournament}/{round_}/{table}/conflict")
async def decide_conflict(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Decide which of two lists of a table counts: ``{"keep": "stored", "last": 41, "chain": "…"}``.

    ``keep`` is ``stored``, or ``sent`` for the device's own list, which ``last`` and ``chain`` name; the other is put
    by, and nothing is deleted.
    """
    guard.need_director(request)
    key = _known(request, tournament, round_, table)
    wish = await read_object(request)
    keep, last, chain = wish.get("keep"), wish.get("last"), wish.get("chain")
    if keep not in ("stored", "sent") or type(last) is not int or not isinstance(chain, str):
        raise NotAnEvent(
            f"keep is {shorten(keep)}, last {shorten(last)} and chain {shorten(chain)}; 'stored' or 'sent' and "
            "a list are wanted"
        )
    hall: Hall = request.app.state.hall
    where = {"tournament": tournament, "round": round_, "table": table}
    if keep == "sent":
        number = await hall.keep_sent(key, last, chain)
        await _act(request, "aside", {**where, "list": number})
    else:
        await hall.keep_stored(key, last, chain)
        await _act(request, "gave_way", {**where, "last": last})
    return {}


@router.post("/api/{tournament}/{round_}/{table}/aside")
async def aside(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Set a table's list aside: it begins anew, nothing is deleted. ``{"opened": 1795186800000}`` names the list."""
    guard.need_director(request)
    key = _known(request, tournament, round_, table)
    opened = (await read_object(request, optional=True)).get("opened")
    number = await request.app.state.hall.set_aside(key, opened if type(opened) is int else None)
    await _act(request, "aside", {"tournament": tournament, "round": round_, "table": table, "list": number})
    return {"aside": number}


@router.post("/api/{tournament}/{round_}/aside")
async def all_aside(request: Request, tournament: str, round_: Round) -> dict[str, Any]:
    """Set all lists of a round aside: it begins anew, nothing is deleted.

    ``{"opened": [[7, 1795186800000]]}``, where it is there, names the lists: table, and when it was opened.
    """
    guard.need_director(request)
    said = (await read_object(request, optional=True)).get("opened")
    opened = None if said is None else _by_table(said)
    tables = len(await request.app.state.hall.begin_anew(tournament, round_, opened))
    await _act(request, "all_aside", {"tournament": tournament, "round": round_, "tables": tables})
    return {"tables": tables}


def _by_table(said: object) -> dict[int, object]:
    if not isinstance(said, list) or not all(isinstance(one, list) and len(one) == 2 for one in said):
        raise NotAnEvent(f"opened is {shorten(said)}; pairs of a table and a time are wanted")
    return {table: at for table, at in said if type(table) is int}


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
    known = await hall.threads.on_disk(hall.office.named, tournament)
    counted = await hall.threads.folding(shown_list, known, key, copy.round)
    if counted is None:
        raise UnknownTable(f"table {table} has not opened its list yet")
    name = f"{tournament}-{round_}-{table}"
    listed = await hall.threads.folding(list_data, counted, language) | {"tournament": tournament}
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
    known = await hall.threads.on_disk(hall.office.named, tournament)
    keys = [(key, hall.desks[key].copy.round) for key in hall.keys(tournament, round_)]
    counted = [await hall.threads.folding(shown_list, known, key, by_table) for key, by_table in keys]
    listed = [
        await hall.threads.folding(list_data, one, language) | {"tournament": tournament}
        for one in counted
        if one is not None
    ]
    if not listed:
        raise UnknownTable(f"no table of {shorten(tournament)} has opened a list in round {round_}")
    return pdf(await asyncio.to_thread(list_pdf, listed), f"{tournament}-{round_}.pdf")


@router.get("/api/{tournament}/{round_}/{table}/events.jsonl")
async def events_file(request: Request, tournament: str, round_: Round, table: Table, aside: Asked = 0) -> Response:
    """Send the table's events as ``stichwart replay`` reads them; hands may be among them: for referees."""
    guard.need(request, "order")
    key = _known(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    events = await hall.threads.on_disk(hall.store.read, key, -1, aside)
    return file(as_jsonl(events), f"{tournament}-{round_}-{table}.jsonl", "application/jsonl")


@router.get("/api/{tournament}/{round_}/{table}/asides")
async def asides(request: Request, tournament: str, round_: Round, table: Table) -> list[int]:
    """List the numbers of the table's lists that were set aside."""
    key = _known(request, tournament, round_, table)
    hall: Hall = request.app.state.hall
    return await hall.threads.on_disk(hall.store.asides, key)


def _named(lists: object, tournament: str) -> list[tuple[ListKey, int]]:
    """Read which lists are meant, each with the number of the last event seen.

    :raises NotAnEvent: it is something else.
    """
    found = []
    for one in lists if isinstance(lists, list) else [None]:
        values = [one.get(name) for name in ("round", "table", "last")] if isinstance(one, dict) else []
        whole = [value for value in values if type(value) is int]
        if len(whole) != 3:
            raise NotAnEvent(f"lists is {shorten(lists)}; a list of objects with round, table and last is wanted")
        found.append((ListKey(tournament, whole[0], whole[1]), whole[2]))
    return found


def _players(hall: Hall, key: ListKey) -> list[str]:
    """Who sits there, as far as the list has come."""
    round_ = hall.desk(key).copy.round
    return list(round_.players) if round_ is not None else list(hall.planned(key))


def _known(request: Request, tournament: str, round_: int, table: int) -> ListKey:
    key = ListKey(tournament, round_, table)
    if key not in request.app.state.hall.desks:
        raise UnknownTable(f"{key}: was never heard of")
    return key


async def _act(request: Request, what: str, body: dict[str, Any]) -> None:
    access: Access = request.app.state.access
    await access.act(what, guard.address(request), body)
