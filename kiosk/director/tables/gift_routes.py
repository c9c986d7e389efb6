"""Serve to the tables' devices what they are given, from where each was broken off; take in the decks they send."""

import re
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.director.access.access import Access
from kiosk.director.refusals import UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_routes import device_of
from kiosk.director.web.body import read_bytes
from kiosk.director.web.few_at_once import FewAtOnce
from kiosk.parcel.parcel import LARGEST, BadParcel

router = APIRouter()

_RANGE = re.compile(r"bytes=(\d{1,12})-")


class _Parcel(FewAtOnce):
    """A parcel that is being sent."""


@router.get("/line/parcels/{sha256}")
async def parcel(request: Request, sha256: str) -> Response:
    """Send a parcel, or the rest of it (``Range: bytes=9000-``), to a device of this hall, by its secret."""
    await device_of(request)
    if (later := _Parcel.busy()) is not None:
        return later
    hall: Hall = request.app.state.hall
    content = await hall.parcels.content(sha256)
    if content is None:
        raise UnknownTable("no such parcel is here (any more)")
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    begin = int(asked[1]) if asked is not None else 0
    if begin > len(content):
        return Response(status_code=416, headers={"Content-Range": f"bytes */{len(content)}"})
    headers = {"Content-Range": f"bytes {begin}-{len(content) - 1}/{len(content)}"} if asked is not None else {}
    return _Parcel(memoryview(content)[begin:], 206 if asked is not None else 200, headers, "application/octet-stream")


@router.post("/line/parcels")
async def take_in(request: Request, name: str) -> dict[str, Any]:
    """Take in a deck that a table has learned, as the request's body; it is given to nobody by that."""
    device = await device_of(request)
    if device.table is None:
        raise BadParcel("parcel_gone", "this device is no table any more")
    hall: Hall = request.app.state.hall
    kept = await hall.parcels.take_in("deck", name, await read_bytes(request, LARGEST["deck"]), device.table)
    access: Access = request.app.state.access
    address = request.client.host if request.client is not None else ""
    body = {"table": device.table, "kind": "deck", "name": name, "sha256": kept.sha256[:12]}
    await access.act("parcel_sent", address, body)
    return {"number": kept.number, "sha256": kept.sha256}
