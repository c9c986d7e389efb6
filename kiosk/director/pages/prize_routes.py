"""Serve entry fees, prizes and receipts."""

import asyncio
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from kiosk.director.pages import guard
from kiosk.director.pages.office_routes import the_hall
from kiosk.director.pages.tallies import tally_of
from kiosk.director.pages.tally_routes import note_of
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.director.web.files import pdf
from kiosk.director.web.languages import Language
from kiosk.errors import BadNote, shorten
from kiosk.paper.receipts import receipts_pdf
from kiosk.tournament import tally
from kiosk.tournament.prizes import awarded_note, prizes

router = APIRouter()


@router.get("/api/{tournament}/prizes.json")
async def the_prizes(request: Request, tournament: str) -> dict[str, Any]:
    """Send what comes in, who gets what by the standing as it is, and what was given."""
    guard.need(request, "cash")
    hall: Hall = request.app.state.hall
    known = {"last": hall.office.last} if tournament == hall.tournament else {}  # nothing of another is noted here
    return {**await tally_of(request, tournament, prizes), **known}


@router.post("/api/{tournament}/award")
async def award(request: Request, tournament: str) -> dict[str, Any]:
    """Give the prizes by the standing, once; they are owed by the cash box from then on.

    ``{"seen": {"income": 400, …}}``, where it is there, is the division as it was shown (``now``).
    """
    guard.need_director(request)
    seen = (await read_object(request, optional=True)).get("seen")
    return dict(await note_of(the_hall(request, tournament), tournament, partial(awarded_note, seen=seen)))


@router.get("/api/{tournament}/receipts.pdf")
async def the_receipts(
    request: Request, tournament: str, language: Language = "de", name: Annotated[str, Query(max_length=80)] = ""
) -> Response:
    """Send the receipts of one person, or of all who paid or got something."""
    guard.need(request, "cash")
    book, given = await tally_of(request, tournament, tally.cash), await tally_of(request, tournament, prizes)
    people = [one["name"] for one in book["people"]] if not name else [name]
    if name and name not in [one["name"] for one in book["people"]]:
        raise BadNote("no_receipt", f"{shorten(name)} has paid nothing and gets nothing", name=name)
    return pdf(await asyncio.to_thread(receipts_pdf, book, given, people, language), f"{tournament}-quittungen.pdf")
