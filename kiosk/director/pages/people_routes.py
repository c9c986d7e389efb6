"""Serve the page for lists of people from elsewhere: what would be taken in, and taking it in."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from kiosk.director.pages import guard
from kiosk.director.refusals import DirectorError
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_bytes
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
        raise DirectorError(f"tournament {tournament!r} is over; {hall.tournament!r} is held here")
    return hall
