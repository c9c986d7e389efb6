"""Serve the proof of a draw: drawn again from what was noted."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.pages.drawing import drawn
from kiosk.director.tables.hall import Hall
from kiosk.director.web.paths import Number
from kiosk.errors import BadNote
from kiosk.tournament import drawing

router = APIRouter()


@router.get("/api/{tournament}/draws/{number}")
async def prove(request: Request, tournament: str, number: Number) -> dict[str, Any]:
    """Draw again what note ``number`` drew: whether the same seats come of it, and all that it follows from."""
    hall: Hall = request.app.state.hall
    notes = await hall.threads.on_disk(hall.store.notes, tournament, number - 1)
    one = next((one for one in notes if one.number == number and one.body.get("note") == "draw"), None)
    if one is None:
        raise BadNote("no_note", f"note {number} is no draw; look at the record again")
    wish = drawing.wish_noted(one.body)
    state = request.app.state
    if not hasattr(state, "proving"):
        state.proving = asyncio.Lock()
    async with state.proving:  # whoever doubts takes one processor at most
        found = await drawn(wish)
    again = {str(table): list(names) for table, names in found.seats.items()}
    return {"proved": again == one.body["seats"], "wish": wish.as_note(), "seats": one.body["seats"]}
