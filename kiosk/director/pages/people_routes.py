"""Serve the page for people: lists from elsewhere looked at and taken in, badges and seat cards."""

import asyncio
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from kiosk.director.pages import guard
from kiosk.director.refusals import DirectorError
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_bytes
from kiosk.director.web.files import pdf
from kiosk.director.web.languages import Language
from kiosk.errors import BadNote, shorten
from kiosk.language import say
from kiosk.paper.label_formats import FORMATS
from kiosk.paper.labels import Code, Label, labels_pdf
from kiosk.tournament import roll
from kiosk.tournament.intake.columns import USES, Columns, told_columns
from kiosk.tournament.intake.entries import Entry, entries_of
from kiosk.tournament.intake.preview import preview, register_note
from kiosk.tournament.intake.read import read_table
from kiosk.tournament.intake.table import Table
from kiosk.tournament.tournament import Tournament

router = APIRouter()

_LARGEST_BYTES = 4 * 1024 * 1024  # a workbook of 5,000 people has 300 kB

#: What each column holds, as a person chose ("last,first,,number"); "": to be found out.
Uses = Annotated[str, Query(max_length=400)]
#: Whether the columns have heads: "1", "0", or "" to be found out.
Headed = Annotated[str, Query(max_length=1)]
Sheet = Annotated[str, Query(max_length=200)]


@router.post("/api/{tournament}/people/preview")
async def look(request: Request, tournament: str, uses: Uses = "", headed: Headed = "", sheet: Sheet = "") -> Any:
    """Compare a list with the roll: CSV, pasted text or a workbook as the request's body; nothing is noted."""
    guard.need(request, "enter")
    hall = _hall(request, tournament)
    table, columns, entries = await _read(request, uses, headed, sheet)
    return await asyncio.to_thread(_told, hall.office.tournament, table, columns, entries)


@router.post("/api/{tournament}/people/import")
async def take_in(
    request: Request,
    tournament: str,
    stamp: Annotated[str, Query(max_length=64)],
    take: Annotated[str, Query(max_length=40_000)] = "",
    uses: Uses = "",
    headed: Headed = "",
    sheet: Sheet = "",
) -> dict[str, int]:
    """Take a list in as it was looked at: the same body, the preview's ``stamp``, doubtful lines that count too."""
    guard.need(request, "enter")
    hall = _hall(request, tournament)
    _, columns, entries = await _read(request, uses, headed, sheet)
    lines = {int(one) for one in take.split(",") if one.isdecimal()}
    noted = await hall.note(lambda now: register_note(now, preview(now, columns, entries), stamp, lines))
    return {"number": noted.number, "people": len(noted.body["people"])}


@router.get("/api/labels")
async def label_formats() -> list[dict[str, Any]]:
    """List the sheets that badges and seat cards are printed on; measures in mm."""
    return [
        {"name": one.name, "each": one.each, "wide": one.wide, "high": one.high, "folded": one.folded}
        for one in FORMATS.values()
    ]


@router.get("/api/{tournament}/labels.pdf")
async def labels(
    request: Request,
    tournament: str,
    what: Literal["badges", "seats"],
    form: Annotated[str, Query(max_length=20)],
    code: Code = "qr",
    start: Annotated[int, Query(ge=1, le=200)] = 1,
    numbers: Annotated[str, Query(max_length=40_000)] = "",
    round_: Annotated[int, Query(alias="round", ge=1, le=999)] = 1,
    language: Language = "de",
) -> Response:
    """Print badges, of those with these start numbers or everybody who has one, or the seat cards of a round."""
    guard.need(request, "enter")
    now = _hall(request, tournament).office.tournament
    if form not in FORMATS:
        raise DirectorError(f"form {shorten(form)}: one of {', '.join(FORMATS)} is wanted")
    chosen = {int(one) for one in numbers.split(",") if one.isdecimal() and len(one) < 10}
    made = _badges(now, chosen) if what == "badges" else _seat_cards(now, round_, language)
    if not made:
        raise BadNote("no_labels", "nobody of them has a start number; give the numbers first")
    content = await asyncio.to_thread(
        labels_pdf, FORMATS[form], made, start=(start - 1) % FORMATS[form].each + 1, code=code, language=language
    )
    return pdf(content, f"{tournament}-{what}.pdf")


def _badges(now: Tournament, chosen: set[int]) -> list[Label]:
    """The badges of those who have a start number, by number."""
    people = [one for one in now.people.values() if one.number is not None and (not chosen or one.number in chosen)]
    return [
        Label(name=one.name, head=now.name, number=one.number, club=one.club)
        for one in sorted(people, key=lambda one: one.number or 0)
    ]


def _seat_cards(now: Tournament, round_: int, language: Language) -> list[Label]:
    """The seat cards of a round, by table and seat."""
    head = say("labels", "head", language, tournament=now.name, round=round_)
    found = []
    for table, names in sorted(now.plan(round_).seats.items()):
        for seat, name in enumerate(names, start=1):
            one, place = roll.person(now.people, name), say("labels", "place", language, table=table, seat=seat)
            found.append(Label(name=name, head=head, number=one.number, club=one.club, place=place))
    return found


async def _read(request: Request, uses: str, headed: str, sheet: str) -> tuple[Table, Columns, list[Entry]]:
    content = await read_bytes(request, _LARGEST_BYTES)

    def read() -> tuple[Table, Columns, list[Entry]]:
        table = read_table(content, sheet)
        columns = told_columns(table, uses.split(",") if uses else None, {"1": True, "0": False}.get(headed))
        return table, columns, entries_of(table, columns)

    state = request.app.state
    if not hasattr(state, "reading"):  # one at a time: a workbook may take a core and 700 MB for some seconds
        state.reading = asyncio.Semaphore(1)
    async with state.reading:
        return await asyncio.to_thread(read)


def _told(tournament: Tournament, table: Table, columns: Columns, entries: list[Entry]) -> dict[str, Any]:
    """What the page shows of it."""
    seen = preview(tournament, columns, entries)
    return {
        "stamp": seen.stamp,
        "sheets": list(table.sheets),
        "sheet": table.sheet,
        "uses": list(USES),
        "headed": columns.head is not None,
        "columns": [
            {
                "use": use,
                "head": "" if columns.head is None else columns.head.cell(number),
                "sample": next((line.cell(number) for line in table.lines[1:] or table.lines if line.cell(number)), ""),
            }
            for number, use in enumerate(columns.uses)
        ],
        "lines": [one.data() for one in seen.lines],
    }


def _hall(request: Request, tournament: str) -> Hall:
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held here")
    return hall
