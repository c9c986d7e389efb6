"""Serve standing, cash book and the year's ranking to the page, and its buttons there."""

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse

from kiosk.director.pages import guard
from kiosk.director.refusals import DirectorError, StoreFailed, UnknownTournament
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.files import file, pdf
from kiosk.director.web.languages import Language
from kiosk.paper.tally import cash_pdf, standing_pdf, year_pdf
from kiosk.table.round.fold import Round
from kiosk.tournament import tally
from kiosk.tournament.cash import cash_csv, cash_text, entry_text
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.ranking import standing_csv, standing_text, year_csv, year_text
from kiosk.tournament.tournament import Tournament

router = APIRouter()

Kind = Literal["json", "csv", "txt", "pdf"]
Year = Annotated[int, Path(ge=1900, le=9999)]


def _known(hall: Hall, name: str) -> tuple[Tournament, list[Copy], list[Noted]]:
    """A tournament as it stands, its tables' copies and its notes."""
    copies = [desk.copy for desk in hall.desks.of_tournament(name)]
    hall.office.catch_up()
    notes = hall.store.notes(name)
    if name == hall.tournament:
        return hall.office.tournament, copies, notes
    if not copies and not notes:
        raise UnknownTournament(f"tournament {name!r} was never heard of")
    return hall.office.named(name), copies, notes


def _rounds(copies: Iterable[Copy]) -> list[Round]:
    return [copy.round for copy in copies if copy.round is not None]


async def _of(request: Request, name: str, what: Callable[..., Mapping[str, Any]]) -> Mapping[str, Any]:
    """What is made of a tournament, on the thread that folds the copies; once for all pages while nothing changes."""
    state = request.app.state
    if not hasattr(state, "tallies"):
        state.tallies = {}

    def made() -> dict[str, Any]:
        known, copies, notes = _known(state.hall, name)
        stand = (known, len(notes), [(id(copy), copy.count) for copy in copies])
        kept = state.tallies.get((name, what))
        if kept is None or kept[0] != stand:
            kept = state.tallies[name, what] = stand, what(known, _rounds(copies), in_force(notes)), copies
        return dict(kept[1])

    hall: Hall = state.hall
    return await hall.threads.folding(made)


async def _answer(
    data: Mapping[str, Any],
    kind: Kind,
    name: str,
    language: Language,
    text: Callable[[Mapping[str, Any], Language], str],
    csv: Callable[[Mapping[str, Any], Language], str],
    paper: Callable[[Mapping[str, Any], Language], bytes],
) -> Response:
    if kind == "pdf":
        return pdf(await asyncio.to_thread(paper, data, language), f"{name}.pdf")
    if kind == "csv":
        return file("\ufeff" + csv(data, language), f"{name}.csv", "text/csv")
    if kind == "txt":
        return file(text(data, language), f"{name}.txt", "text/plain")
    return JSONResponse(data)


@router.get("/api/{tournament}/standings.{kind}")
async def the_standings(request: Request, tournament: str, kind: Kind, language: Language = "de") -> Response:
    """Send the tournament's standing by its book."""
    data = await _of(request, tournament, tally.standing)
    return await _answer(data, kind, tournament, language, standing_text, standing_csv, standing_pdf)


@router.post("/api/{tournament}/lot")
async def draw_lot(request: Request, tournament: str) -> dict[str, Any]:
    """Draw the lot between ``names``, or note it as drawn by hand: ``{"names": […], "order": […] or missing}``."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    wish = await read_object(request)
    seed = secrets.token_hex(4)

    def lot(known: Tournament, played: list[Round], notes: list[Noted]) -> dict[str, Any]:
        return tally.lot_note(tally.standing(known, played, notes), wish.get("names"), wish.get("order"), seed)

    return dict(await _note(hall, tournament, lot))


@router.get("/api/{tournament}/cash.{kind}")
async def the_cash_book(request: Request, tournament: str, kind: Kind, language: Language = "de") -> Response:
    """Send the cash book; debts only to the direction."""
    guard.need(request, "cash")
    data = dict(await _of(request, tournament, tally.cash))
    data["entries"] = [{**one, "text": entry_text(one, language, line=False)} for one in data["entries"]]
    name = f"{tournament}-{'kasse' if language == 'de' else 'cash'}"
    return await _answer(data, kind, name, language, cash_text, cash_csv, cash_pdf)


@router.post("/api/{tournament}/paid")
async def pay(request: Request, tournament: str) -> dict[str, Any]:
    """Note a payment: ``{"payer": name, "payee": name or null for the club, "cents": 2000}``."""
    guard.need(request, "cash")
    hall: Hall = request.app.state.hall
    wish = await read_object(request)

    def payment(known: Tournament, played: list[Round], notes: list[Noted]) -> dict[str, Any]:
        entries = tally.cash_entries(known, played, notes)
        return tally.payment_note(entries, wish.get("payer"), wish.get("payee"), wish.get("cents"))

    return dict(await _note(hall, tournament, payment))


@router.post("/api/{tournament}/paid/{number}/back")
async def take_back(request: Request, tournament: str, number: int) -> dict[str, Any]:
    """Take a payment back: it leaves the cash book; the note of it stays."""
    guard.need(request, "cash")
    hall: Hall = request.app.state.hall
    return dict(
        await _note(hall, tournament, lambda known, _played, notes: tally.payment_back_note(known, notes, number))
    )


@router.get("/years.json")
async def the_years(request: Request) -> list[int]:
    """List years that have a ranking."""
    return sorted(await _years(request.app.state.hall))


@router.get("/years/{year}.{kind}")
async def the_year(request: Request, year: Year, kind: Kind, language: Language = "de") -> Response:
    """Send the ranking of a year over all its tournaments here."""
    found = await _years(request.app.state.hall)
    if year not in found:
        raise UnknownTournament(f"no evening of {year} is here")
    return await _answer(found[year], kind, str(year), language, year_text, year_csv, year_pdf)


@router.post("/api/{tournament}/counts")
async def set_counts(request: Request, tournament: str) -> dict[str, Any]:
    """Set whether a tournament counts for its year: ``{"counts": false}`` for a rehearsal."""
    guard.need_director(request)
    said = (await read_object(request)).get("counts")
    if not isinstance(said, bool):
        raise DirectorError(f"counts {said!r}: true or false is wanted")
    hall: Hall = request.app.state.hall
    return dict(await _note(hall, tournament, lambda *_known: {"note": tally.COUNTS, "counts": said}))


async def _years(hall: Hall) -> dict[int, dict[str, Any]]:
    def found() -> dict[int, dict[str, Any]]:
        all_known = (_known(hall, name) for name in hall.store.tournaments())
        return tally.years((known, _rounds(copies), in_force(notes)) for known, copies, notes in all_known)

    return await hall.threads.folding(found)


async def _note(
    hall: Hall, name: str, change: Callable[[Tournament, list[Round], list[Noted]], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Note what ``change`` makes of the tournament as it stands, also of one that is over."""

    def note() -> Mapping[str, Any]:
        for _ in range(20):
            known, copies, notes = _known(hall, name)
            body = change(known, _rounds(copies), in_force(notes))
            last = notes[-1].number if notes else -1
            if hall.store.note(name, last + 1, body) is not None:
                return body
        raise StoreFailed("others note all the time, nothing was noted; try again")

    return await hall.threads.folding(note)
