"""Serve the page for the tournament itself: book and options, people, seats, substitutions."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.access.roles import Act
from kiosk.director.key import ListKey
from kiosk.director.office import NoteAndOrders
from kiosk.director.pages import draws, guard, setup
from kiosk.director.pages.begun import need_not_begun
from kiosk.director.pages.offered import check_open
from kiosk.director.refusals import DirectorError, UnknownTable
from kiosk.director.storage.note_store import Following
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.order_forms import checked_order
from kiosk.director.web.body import read_object
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Round, Table
from kiosk.errors import BadNote, shorten
from kiosk.language.rules import section_word
from kiosk.tournament import entry_desk, notice_board, programme, purse, seat_wishes
from kiosk.tournament.people import clean_name, clean_title
from kiosk.tournament.tournament import Tournament

router = APIRouter()

#: Notes that are taken as they come; the tournament checks them.
_PLAIN = {
    *("setup", "rename", "court", programme.PROGRAMME, seat_wishes.SEAT_WISHES, purse.PURSE, "watch"),
    *notice_board.NOTES,
}

#: For so long a change of person is on its way to its table, whatever the store knows of the order.
_JUST_NOW_MS = 10_000

#: Notes on a plan that is there; ``seen`` is its last change as the page shows it.
_ON_SEATS = ("swap", "publish", "withdraw")

#: Notes that more accounts than the director's may make.
_ACT_OF_NOTE: dict[str, Act] = {
    **dict.fromkeys((*entry_desk.NOTES, "rename"), "enter"),
    **dict.fromkeys(("court", "court_ends"), "order"),
}


@router.get("/api/{tournament}/setup")
async def the_setup(request: Request, tournament: str, language: Language = "de") -> dict[str, Any]:
    """Send the tournament's state and what may be set; times of arrival and who has paid only to the direction."""
    hall = the_hall(request, tournament)
    last = hall.office.last  # before what it stands by: a note that comes meanwhile is not said to be in it
    told = setup.shown(hall.office.tournament, hall.parcels.books(), language)
    if not guard.allowed(request, "enter"):
        told["people"] = [{**one, "checked_in": None, "late": 0, "paid": None} for one in told["people"]]
    return {"noted": hall.office.mark, "last": last, "mats": hall.devices.mats, **told}


@router.get("/api/book/{rules}")
async def a_book(request: Request, rules: str, language: Language = "de") -> dict[str, Any]:
    """Send a book's options, to be read before it is chosen."""
    hall: Hall = request.app.state.hall
    books = {book.name: book for book, _ in setup.books_of(hall.office.tournament, hall.parcels.books())}
    if rules not in books:
        raise BadNote("malformed", f"rules {shorten(rules)}: no such book; there are {', '.join(books)}")
    return setup.book_shown(books[rules], language)


@router.post("/api/{tournament}/notes")
async def note(request: Request, tournament: str) -> dict[str, Any]:
    """Add a note to the tournament: an object with ``note``, see ``kiosk.tournament.tournament``."""
    wish = await read_object(request)
    kind = str(wish.get("note"))
    guard.need(request, _ACT_OF_NOTE.get(kind, "direct"))
    hall = the_hall(request, tournament)
    if kind in _PLAIN:
        noted = await hall.note(wish)
    elif kind in entry_desk.NOTES:
        played = names_played(hall) if kind in ("merge", "remove") else {}
        notes = partial(hall.store.notes, tournament)
        noted = await hall.note(lambda tournament: entry_desk.desk_note(tournament, wish, played, notes))
    elif kind in ("draw", "reseat"):
        return await (draws.draw_round if kind == "draw" else draws.reseat)(request, hall, wish)
    elif kind in _ON_SEATS:
        if kind != "publish":
            need_not_begun(hall, wish, (wish.get("one"), wish.get("other")) if kind == "swap" else None)
        noted = await hall.note(partial(draws.seats_note, wish=wish))
    elif kind == "court_ends":
        return await _court_ends(hall, wish)
    else:
        raise BadNote("malformed", f"note {shorten(kind)}: nothing of that name can be noted here")
    return {"number": noted.number}


@router.post("/api/begin")
async def begin_another(request: Request) -> dict[str, Any]:
    """Begin another tournament by the same book: ``{"name": "Herbst 2026", "people": true, "instead_of": "Mai 2026"}``.

    ``people`` takes them along; ``instead_of``, where it is there, is the tournament that must be held now.
    """
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    wish = await read_object(request)
    await hall.begin(clean_title(wish.get("name")), bool(wish.get("people")), wish.get("instead_of"))
    return {"tournament": hall.tournament}


@router.post("/api/{tournament}/{round_}/{table}/substitute")
async def substitute(request: Request, tournament: str, round_: Round, table: Table) -> dict[str, Any]:
    """Substitute a player at a table during the round: ``{"seat": 3, "came": "Xaver", "left": "Anna"}``.

    ``left``, where it is there, is who sits there as it was shown.
    """
    guard.need(request, "order")
    hall = the_hall(request, tournament)
    wish = await read_object(request)
    key = ListKey(tournament, round_, table)
    at_table = hall.desks[key].copy.round if key in hall.desks else None
    if at_table is None:
        raise UnknownTable(f"table {table} has not opened its list yet; change the plan instead")
    seat = wish.get("seat")
    if type(seat) is not int or seat not in at_table.seats:
        raise BadNote("malformed", f"seat {shorten(seat)}: this table has seats 1 to {len(at_table.players)}")
    came = clean_name(wish.get("came"))
    known = hall.office.tournament.people.get(came)
    for other in hall.keys(tournament, round_):
        there = hall.desks[other].copy.round
        if there is not None and came in there.players and not there.closed:
            raise BadNote("plays", f"{shorten(came)} plays at table {other.table}; name somebody else", name=came)
    body = checked_order(
        {"event": "substitute", "seat": seat, "player": came, "ranked": known is not None and not known.substitute},
        table,
    )
    check_open(hall.desks[key].copy, body)
    left = at_table.players[seat - 1]
    if wish.get("left", left) != left:
        raise BadNote(
            "replaced_meanwhile", f"{shorten(left)} plays there by now; look again", left=wish["left"], came=left
        )
    waiting = await hall.threads.on_disk(hall.store.pending, key)
    on_its_way = any((one.body.get("event"), one.body.get("seat")) == ("substitute", seat) for one in waiting)

    def substituted(known: Tournament) -> NoteAndOrders:
        where = round_, table, seat
        last = next((one for one in reversed(known.replaced) if (one.round, one.table, one.seat) == where), None)
        fresh = last is not None and (on_its_way or hall.store.now() - last.at_ms < _JUST_NOW_MS)
        if last is not None and last.left == left and fresh:
            raise BadNote(
                "replaced_meanwhile",
                f"{shorten(last.came)} comes for {shorten(left)} already",
                left=left,
                came=last.came,
            )
        note = {"note": "substituted", "round": round_, "table": table, "seat": seat, "left": left, "came": came}
        return NoteAndOrders(note, [Following(round=round_, table=table, body=body)])

    _, (order,) = await hall.note_and_order(substituted)
    return {"number": order.number, "tables": 1, "away": [] if hall.desks[key].connected else [table]}


def names_played(hall: Hall) -> dict[int, set[str]]:
    """Return for each round the names that are on lists of the tournament's tables, those who were replaced too."""
    found: dict[int, set[str]] = {}
    for one in hall.desks.of_tournament(hall.tournament):
        if one.copy.round is not None:
            there = found.setdefault(one.copy.round.round, set())
            there |= {*one.copy.round.players, *one.copy.round.left}
    return found


async def _court_ends(hall: Hall, wish: Mapping[str, Any]) -> dict[str, Any]:
    """The Schiedsgericht has decided: the tables concerned get the time of the break (bsv 9.6), full minutes."""

    def ended(known: Tournament) -> NoteAndOrders:
        meant = wish.get("round"), wish.get("table")
        court = next((one for one in known.courts if (one.round, one.table) == meant), None)
        if court is None:
            return NoteAndOrders(wish)  # it is refused
        section = known.book.cite(known.book.seating.court_section)
        extra = {
            "event": "rule",
            "offender": None,
            "class": "none",
            "minutes": max(1, math.ceil((hall.store.now() - court.since_ms) / 60_000)),
            "answers": False,
            "why": f"Schiedsgericht ({section_word(section)})" if section else "Schiedsgericht",
        }
        tables = [one for one in (court.table, *court.tables) if ListKey(known.name, court.round, one) in hall.desks]
        return NoteAndOrders(
            wish, [Following(round=court.round, table=one, body=checked_order(extra, one)) for one in tables]
        )

    noted, orders = await hall.note_and_order(ended)
    minutes = max((order.body["minutes"] for order in orders), default=0)
    return {"number": noted.number, "minutes": minutes, "tables": [order.table for order in orders]}


def the_hall(request: Request, tournament: str) -> Hall:
    """Return the hall; the tournament must be the one that is held."""
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held here")
    return hall
