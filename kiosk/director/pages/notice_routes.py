"""Serve the club's sign, which the projector's page shows."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from kiosk.director.key import ListKey
from kiosk.director.pages import guard
from kiosk.director.pages.photo_routes import made_anew
from kiosk.director.refusals import DirectorError, UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_bytes
from kiosk.director.web.paths import Number
from kiosk.errors import shorten
from kiosk.tournament.notice_board import SIGN
from kiosk.tournament.overtaken import BASED_ON

router = APIRouter()

_LARGEST_BYTES = 4 * 1024 * 1024
#: Number of the note by which the sign hangs that the page shows (``kiosk.tournament.overtaken``).
BasedOn = Annotated[int | None, Query(ge=-1, le=2**53)]

_SIDE = 800  # pixels: a seventh of a projector's height


@router.post("/api/{tournament}/sign")
async def put_up(request: Request, tournament: str, based_on: BasedOn = None) -> dict[str, int]:
    """Take in the club's sign: a JPEG or PNG file as the request's body."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    if tournament != hall.tournament:
        raise DirectorError(f"tournament {shorten(tournament)} is over; {hall.tournament!r} is held here")
    picture = await asyncio.to_thread(made_anew, await read_bytes(request, _LARGEST_BYTES), _SIDE)
    number = await hall.threads.on_disk(hall.store.add_photo, ListKey(tournament, 0, 0), picture)
    body = {"note": SIGN, "picture": number, **({} if based_on is None else {BASED_ON: based_on})}
    return {"picture": number, "number": (await hall.note(body)).number}


@router.get("/api/{tournament}/sign/{number}.jpg")
async def show(request: Request, tournament: str, number: Number) -> Response:
    """Send the club's sign."""
    hall: Hall = request.app.state.hall
    picture = await hall.threads.on_disk(hall.store.photo, ListKey(tournament, 0, 0), number)
    if picture is None:
        raise UnknownTable(f"tournament {shorten(tournament)} has no sign {number}")
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=86400"}
    return Response(picture, media_type="image/jpeg", headers=headers)
