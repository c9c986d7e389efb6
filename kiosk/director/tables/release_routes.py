"""Serve bundles to the tables' devices, a few at a time, from where each was broken off; take their logs in."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, Response

from kiosk.director.refusals import UnknownTable
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.line_routes import device_of
from kiosk.director.web.body import read_bytes
from kiosk.director.web.few_at_once import FewAtOnce
from kiosk.release.log_bundle import LARGEST

router = APIRouter()


class _Bundle(FewAtOnce, FileResponse):
    """A bundle that is being sent."""


@router.get("/line/releases/{sha256}")
async def release(request: Request, sha256: str) -> Response:
    """Send a bundle, or a range of it, to a device of this hall: by its secret, as everything of a table's line."""
    await device_of(request)
    hall: Hall = request.app.state.hall
    bundle = hall.releases.bundles.get(sha256)
    if bundle is None:
        raise UnknownTable("no such release is here (any more)")
    if (later := _Bundle.busy()) is not None:
        return later
    return _Bundle(hall.releases.path(bundle), media_type="application/octet-stream")


@router.post("/line/log")
async def log(request: Request) -> dict[str, Any]:
    """Take in the log bundle that was asked of a device, as the request's body."""
    device = await device_of(request)
    hall: Hall = request.app.state.hall
    hall.logs.take_in(device.id, await read_bytes(request, LARGEST))
    return {}
