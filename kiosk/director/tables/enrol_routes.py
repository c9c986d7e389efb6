"""Let a table's device ask to be admitted."""

from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.access.limits import address_key
from kiosk.director.web.body import SMALL, read_object

router = APIRouter()


@router.post("/enrol")
async def enrol(request: Request) -> dict[str, Any]:
    """Take a device's wish to be a table: ``{"id": …, "digest": …, "told": {…}}``; answer its number once it has one.

    The device asks again every two seconds while its screen shows the code.
    """
    wish, access = await read_object(request, SMALL), request.app.state.access
    host = address_key(request.client.host if request.client else "")
    device = await access.run(access.devices.ask, wish.get("id"), wish.get("digest"), wish.get("told"), host)
    return {"table": device.table if device is not None else None}
