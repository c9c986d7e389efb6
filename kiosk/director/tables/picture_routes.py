"""Take in the pictures that a table was asked for."""

from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_routes import device_of
from kiosk.director.web.body import read_object

router = APIRouter()


@router.post("/line/pictures/{ask}")
async def take_in(request: Request, ask: str) -> dict[str, Any]:
    """Take in the pictures that a table was asked for: ``{"cards": {"17": "/9j/…"}, "mats": {}}``, JPEG in base64.

    What nobody has asked for, or waits for any more, is not read.
    """
    device = await device_of(request)
    hall: Hall = request.app.state.hall
    if hall.pictures.awaits(ask, device.id):
        hall.pictures.take_in(ask, device.id, await read_object(request))
    return {}
