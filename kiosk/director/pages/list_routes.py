"""Serve the page for what puts lists right, lists on paper, and the undoing of notes and orders."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.access.roles import Act
from kiosk.director.key import ListKey
from kiosk.director.pages import guard
from kiosk.director.pages.begun import need_not_begun
from kiosk.director.pages.listed import counted_of, written_of
from kiosk.director.refusals import DirectorError, UnknownTable, UnknownTournament
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.paths import Number, Round, Table
from kiosk.errors import BadNote, shorten
from kiosk.language import languages
from kiosk.table.scoresheet.berichtigung import NOTES, ListNote, due_dealer, solo_kinds, step
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.scoresheet.spielliste import list_data
from kiosk.table.scoresheet.written import check_line
from kiosk.table.view.book_view import book_view
from kiosk.tournament import berichtigung, entry_desk, tally
from kiosk.tournament.notes import UNDO, Noted
from kiosk.tournament.tournament import Tournament
from kiosk.tournament.undo import undo_note

router = APIRouter()

#: Who may take back what; all else only the direction.
_UNDOES: dict[str, Act] = {
    **dict.fromkeys(NOTES, "order"),
    **dict.fromkeys(entry_desk.UNDOABLE, "enter"),
    **dict.fromkeys((tally.PAID_NOTE, tally.PAID_BACK), "cash"),
}


@router.get("/api/{tournament}/{round_}/{table}/mending")
async def mending(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Send what a form needs to put a list right or to go on with it: rows, names, sections, who deals next."""
    guard.need(request, "order" if not guard.allowed(request, "enter") else "enter")
    hall: Hall = request.app.state.hall
    known = await hall.threads.on_disk(hall.office.named, tournament)
    listed, notes = await hall.threads.folding(_listed, hall, known, ListKey(tournament, round_, table))
    book, next_game = listed.written.book, 1 + max((row.game for row in listed.rows), default=0)
    return {
        "seen": len(notes),
        "last": notes[-1].number if notes else None,
        "players": list(listed.players),
        "rows": [_row_told(listed, row.game) for row in listed.rows],
        "bavarian": book_view(book.name).bavarian,
        "next": {"game": next_game, "dealer": due_dealer(listed, next_game)},
        "closed": listed.closed,
        "paper": listed.paper,
        "result": any(one.what == "result" for one in listed.apart),
        "typed": sorted(listed.typed),
        "cumulated": any(one["kind"] == "total" for one in list_data(listed)["fields"]),
        "sections": {what: book.cite(section) for what, section in book.berichtigung.items() if section},
        "deduction_most": listed.written.options["deduction_most"],
        "duties": bool(book.duties(listed.written.options)),
        "kinds": [{"game": kind.game, "suits": list(kind.suits)} for kind in solo_kinds(book)],
    }


@router.post("/api/{tournament}/{round_}/{table}/mend")
async def mend(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Put a list right: ``{"what", "game" or "seat", "after", "reason", "section", "seen"}``; see docs/lists.md."""
    guard.need(request, "order")
    hall, wish = _known_here(request, tournament), await read_object(request)
    key = ListKey(tournament, round_, table)
    directs = guard.is_director(request)

    def body(now: Tournament) -> dict[str, Any]:
        return berichtigung.mend_note(*_listed(hall, now, key), wish, late=_late(hall, now, directs))

    noted = await hall.note(body, tournament)
    return {"number": noted.number}


@router.post("/api/{tournament}/{round_}/{table}/paper")
async def paper(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Note a row, the result or the end of a list on paper; with ``"check": true`` only say what is strange in it."""
    guard.need(request, "order" if not guard.allowed(request, "enter") else "enter")
    hall, wish = _known_here(request, tournament), await read_object(request)
    key = ListKey(tournament, round_, table)
    if wish.get("check"):
        known = await hall.threads.on_disk(hall.office.named, tournament)
        return await hall.threads.folding(_checked, *_listed(hall, known, key), wish)
    noted = await hall.note(lambda now: berichtigung.paper_note(*_listed(hall, now, key), wish), tournament)
    return {"number": noted.number}


@router.post("/api/{tournament}/undo")
async def undo(request: Request, tournament: str) -> dict[str, Any]:
    """Take a note back by another one: ``{"number": 7, "why": …}``."""
    wish = await read_object(request)
    hall = _known_here(request, tournament)
    notes = await hall.threads.on_disk(hall.store.notes, tournament)
    one = next((one for one in notes if one.number == wish.get("number")), None)
    guard.need(request, "direct" if one is None else _UNDOES.get(str(one.body.get("note")), "direct"))
    if one is not None:
        await _need_not_acted(hall, one, tournament)
    directs = guard.is_director(request)

    def body(now: Tournament) -> dict[str, Any]:
        if one is not None and one.body.get("note") in NOTES:
            _late(hall, now, directs)
        known = hall.store.notes(tournament)
        start = hall.office.start(tournament)
        return undo_note(start, known, wish.get("number"), wish.get("why"), lambda now, *at: _written(hall, now, *at))

    noted = await hall.note(body, tournament)
    return {"number": noted.number}


@router.post("/api/{tournament}/{round_}/orders/{number}/undo")
async def undo_order(request: Request, tournament: str, round_: Round, number: Number) -> dict[str, Any]:
    """Withdraw an order that no table has carried out or got yet."""
    guard.need(request, "order")
    hall = _hall(request, tournament)
    orders = await hall.threads.on_disk(hall.store.orders, tournament, round_)
    order = next((one for one in orders if one.number == number), None)
    if order is None:
        raise BadNote("no_note", f"order {number} was never given in round {round_}")
    if order.table is None or order.body.get("event") in ("release", "time_up"):
        guard.need_director(request)
    desks = [hall.desks[key] for key in hall.keys(tournament, round_) if order.table in (None, key.table)]
    got = [desk.key.table for desk in desks if desk.elsewhere is not None or (desk.line and number in desk.line.sent)]
    if got:
        raise _acted(got)
    acted = await hall.threads.on_disk(hall.store.withdraw, tournament, round_, number)
    if acted is None:
        raise BadNote("undone_already", f"order {number} is withdrawn already", name="–")
    if acted:
        raise _acted(acted)
    for desk in desks:
        hall.orders_changed(desk.key)
    if order.body.get("event") == "substitute":
        await _undo_substitution(hall, round_, order.table, str(order.body.get("player")))
    await hall.note({"note": "order_undone", "round": round_, "table": order.table, "number": number})
    return {"number": number}


async def _undo_substitution(hall: Hall, round_: int, table: int | None, came: str) -> None:
    """The note of a change of person goes with its order."""
    notes = await hall.threads.on_disk(hall.store.notes, hall.tournament)
    one = next(
        (
            one
            for one in reversed(notes)
            if one.body.get("note") == "substituted"
            and (one.body.get("round"), one.body.get("table"), one.body.get("came")) == (round_, table, came)
        ),
        None,
    )
    if one is not None:
        await hall.note({"note": "undo", "number": one.number, "why": ""})


def _acted(tables: Sequence[int]) -> BadNote:
    told = ", ".join(map(str, tables))
    return BadNote(
        "acted",
        f"table {told} has it already; put right there what it did, or begin the list anew",
        tables=told,
    )


async def _need_not_acted(hall: Hall, one: Noted, tournament: str) -> None:
    """:raises BadNote: tables have acted on the note: they have opened their lists by the plan, or seated somebody.

    :raises DirectorError: of a tournament that is over only what concerns its lists can be taken back.
    """
    if tournament != hall.tournament:
        if one.body.get("note") not in (*NOTES, UNDO):
            _hall_of(hall, tournament)
        return
    kind, plans = one.body.get("note"), hall.office.tournament.plans
    if kind in ("draw", "swap", "reseat", "publish", "withdraw") and one.body.get("round") in plans:
        need_not_begun(hall, one.body, None)
    if kind == "substituted":
        key = ListKey(hall.tournament, int(one.body["round"]), int(one.body["table"]))
        desk = hall.desks.get(key)
        at_table = None if desk is None else desk.copy.round
        if at_table is None or one.body.get("came") in at_table.players:
            raise _acted([key.table])
        orders = [order.body for order in await hall.threads.on_disk(hall.store.pending, key)]
        if any(("substitute", one.body.get("came")) == (body.get("event"), body.get("player")) for body in orders):
            raise BadNote("undo_order", "the order is still on its way to the table; withdraw the order there")


def _hall(request: Request, tournament: str) -> Hall:
    return _hall_of(request.app.state.hall, tournament)


def _hall_of(hall: Hall, tournament: str) -> Hall:
    """:raises DirectorError: another tournament is held."""
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held here")
    return hall


def _known_here(request: Request, tournament: str) -> Hall:
    """:raises UnknownTournament: it is not and was not held here."""
    hall: Hall = request.app.state.hall
    if tournament not in hall.office.held:
        raise UnknownTournament(f"tournament {shorten(tournament)} was never held here")
    return hall


def _late(hall: Hall, now: Tournament, directs: bool) -> bool:
    """Report whether the time for objections is over.

    :raises BadNote: it is, and who asks is not the direction.
    """
    over = tally.appeal_over_ms(now, [copy.round for copy in _copies(hall, now.name) if copy.round is not None])
    if over is None or hall.store.now() <= over:
        return False
    if not directs:
        told = f"{datetime.fromtimestamp(over / 1000):%H:%M}"
        raise BadNote("too_late", f"the time for objections ended at {told}; ask the direction", time=told)
    return True


def _copies(hall: Hall, tournament: str) -> list[Copy]:
    return [desk.copy for desk in hall.desks.of_tournament(tournament)]


def _written(hall: Hall, now: Tournament, round_: int, table: int) -> Any:
    desk = hall.desks.get(ListKey(now.name, round_, table))
    return written_of(now, ListKey(now.name, round_, table), None if desk is None else desk.copy.round)


def _listed(hall: Hall, now: Tournament, key: ListKey) -> tuple[CountedList, tuple[ListNote, ...]]:
    desk = hall.desks.get(key)
    listed = counted_of(now, key, None if desk is None else desk.copy.round)
    if listed is None:
        raise UnknownTable(f"table {key.table} has no list in round {key.round}, and nobody was seated there")
    return listed, now.lists.get((key.round, key.table), ())


def _row_told(listed: CountedList, game: int) -> dict[str, Any]:
    row = next(row for row in listed.rows if row.game == game)
    return {
        "game": row.game,
        "dealer": row.dealer,
        "due": row.due,
        "alone": row.alone,
        "how": row.solo,
        "kind": row.kind,
        "suit": row.suit,
        "struck": row.struck,
        "score": {str(seat): points for seat, points in row.score.items()},
    }


def _checked(listed: CountedList, notes: tuple[ListNote, ...], wish: dict[str, Any]) -> dict[str, Any]:
    """What a row comes to, and what is strange in it, before it is noted."""
    body = berichtigung.paper_note(listed, notes, {key: value for key, value in wish.items() if key != "seen"})
    after = step(listed, ListNote(number=-1, at=0, body=body))
    game = int(body["game"])
    row = next(row for row in after.rows if row.game == game)
    found = berichtigung.doubts(after, game)
    return {
        "score": {str(seat): points for seat, points in row.score.items()},
        "total": {str(seat): points for seat, points in row.total.items()},
        "value": row.points,
        "sum": sum(row.score.values()),
        "doubts": {language: [check_line(one, after.players, language) for one in found] for language in languages()},
    }
