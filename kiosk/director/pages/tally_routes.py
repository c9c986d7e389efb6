"""Serve standing, cash book and the year's ranking to the page, and its buttons there."""

import asyncio
import secrets
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from kiosk.director.pages import guard
from kiosk.director.pages.tallies import known_of, of_all_lists, rounds_of, tally_of
from kiosk.director.refusals import DirectorError, StoreFailed, UnknownTournament
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.files import file, pdf
from kiosk.director.web.languages import Language
from kiosk.director.web.paths import Number
from kiosk.errors import shorten
from kiosk.paper.tally import cash_pdf, standing_pdf, year_pdf
from kiosk.table.round.fold import Round
from kiosk.tournament import tally
from kiosk.tournament.cash import cash_csv, cash_text, entry_text
from kiosk.tournament.fees import open_fee
from kiosk.tournament.notes import Noted, in_force
from kiosk.tournament.overtaken import based, based_by
from kiosk.tournament.ranking import standing_csv, standing_text, year_csv, year_text
from kiosk.tournament.tournament import Tournament

router = APIRouter()

Kind = Literal["json", "csv", "txt", "pdf"]
After = Annotated[int | None, Query(ge=1, le=99)]
Year = Annotated[int, Path(ge=1900, le=9999)]


async def answer_of(
    data: Mapping[str, Any],
    kind: Kind,
    name: str,
    language: Language,
    text: Callable[[Mapping[str, Any], Language], str],
    csv: Callable[[Mapping[str, Any], Language], str],
    paper: Callable[[Mapping[str, Any], Language], bytes],
) -> Response:
    """Send what was computed as JSON, CSV, text or PDF."""
    if kind == "pdf":
        return pdf(await asyncio.to_thread(paper, data, language), f"{name}.pdf")
    if kind == "csv":
        return file("\ufeff" + csv(data, language), f"{name}.csv", "text/csv")
    if kind == "txt":
        return file(text(data, language), f"{name}.txt", "text/plain")
    return JSONResponse(data)


@router.get("/api/{tournament}/standings.{kind}")
async def the_standings(
    request: Request, tournament: str, kind: Kind, language: Language = "de", after: After = None
) -> Response:
    """Send the tournament's standing by its book; ``after``: as it was after that round."""
    data = await tally_of(request, tournament, tally.standing, *([] if after is None else [after]))
    return await answer_of(data, kind, tournament, language, standing_text, standing_csv, standing_pdf)


@router.post("/api/{tournament}/lot")
async def draw_lot(request: Request, tournament: str) -> dict[str, Any]:
    """Draw the lot between ``names``, or note it as drawn by hand: ``{"names": […], "order": […] or missing}``."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    wish = await read_object(request)
    seed = secrets.token_hex(4)

    def lot(known: Tournament, played: list[Round], notes: list[Noted]) -> dict[str, Any]:
        return tally.lot_note(tally.standing(known, played, notes), wish.get("names"), wish.get("order"), seed)

    return dict(await note_of(hall, tournament, lot))


@router.get("/api/{tournament}/cash.{kind}")
async def the_cash_book(request: Request, tournament: str, kind: Kind, language: Language = "de") -> Response:
    """Send the cash book; debts only to the direction."""
    guard.need(request, "cash")
    data = dict(await tally_of(request, tournament, tally.cash))
    data["entries"] = [{**one, "text": entry_text(one, language, line=False)} for one in data["entries"]]
    name = f"{tournament}-{'kasse' if language == 'de' else 'cash'}"
    return await answer_of(data, kind, name, language, cash_text, cash_csv, cash_pdf)


@router.post("/api/{tournament}/paid")
async def pay(request: Request, tournament: str) -> dict[str, Any]:
    """Note a payment: ``{"payer": name, "payee": name or null for the club, "cents": 2000, "owed": 3000}``.

    ``owed``, where it is there, is the debt as it was shown: if somebody has noted a payment meanwhile, it is refused.
    """
    guard.need(request, "cash")
    hall: Hall = request.app.state.hall
    wish = await read_object(request)

    def payment(known: Tournament, played: list[Round], notes: list[Noted]) -> dict[str, Any]:
        entries = tally.cash_entries(known, played, notes)
        fee = open_fee(known, wish.get("payer"))
        return tally.payment_note(entries, wish, fee)

    return dict(await note_of(hall, tournament, payment))


@router.post("/api/{tournament}/paid/{number}/back")
async def take_back(request: Request, tournament: str, number: Number) -> dict[str, Any]:
    """Take a payment back: it leaves the cash book; the note of it stays."""
    guard.need(request, "cash")
    hall: Hall = request.app.state.hall
    return dict(
        await note_of(hall, tournament, lambda known, _played, notes: tally.payment_back_note(known, notes, number))
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
    return await answer_of(found[year], kind, str(year), language, year_text, year_csv, year_pdf)


@router.post("/api/{tournament}/counts")
async def set_counts(request: Request, tournament: str) -> dict[str, Any]:
    """Set whether a tournament counts for its year: ``{"counts": false, "based_on": 12}``, false for a rehearsal."""
    guard.need_director(request)
    wish = await read_object(request)
    said = wish.get("counts")
    if not isinstance(said, bool):
        raise DirectorError(f"counts {shorten(said)}: true or false is wanted")
    hall: Hall = request.app.state.hall
    return dict(await note_of(hall, tournament, lambda *_known: based_by(wish, {"note": tally.COUNTS, "counts": said})))


async def _years(hall: Hall) -> dict[int, dict[str, Any]]:
    def found() -> dict[int, dict[str, Any]]:
        all_known = (known_of(hall, name) for name in hall.store.tournaments())
        return tally.years((known, rounds_of(copies), in_force(notes)) for known, copies, notes in all_known)

    return await of_all_lists(hall, found)


async def note_of(
    hall: Hall, name: str, change: Callable[[Tournament, list[Round], list[Noted]], Mapping[str, Any]]
) -> Mapping[str, Any]:
    """Note what ``change`` makes of the tournament as it stands, also of one that is over; its body and number."""

    def note() -> Mapping[str, Any]:
        for _ in range(20):
            known, copies, notes = known_of(hall, name)
            made = change(known, rounds_of(copies), in_force(notes))
            body = based(known.saved, made, partial(hall.store.notes, name))
            last = notes[-1].number if notes else -1
            if hall.store.note(name, last + 1, body) is not None:
                return {"number": last + 1, **body}
        raise StoreFailed("others note all the time, nothing was noted; try again")

    noted = await of_all_lists(hall, note)
    await hall.catch_up()
    return noted
