"""Serve the page for the machine's date and time: a hall without internet, and a machine without a battery."""

import time
from typing import Any

from fastapi import APIRouter, Request

from hw.wall_clock import EARLIEST, LATEST, WallClock, WallClockError
from kiosk.director.access.access import Access
from kiosk.director.access.refusals import NotAllowed
from kiosk.director.pages import guard
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import SMALL, read_object
from kiosk.errors import shorten

router = APIRouter()


@router.post("/api/time")
async def set_time(request: Request) -> dict[str, Any]:
    """Set this machine's clock by the browser's: ``{"time": 1795000000000}`` (ms since the epoch). Tables follow it.

    A clock that is kept over the network stays as it is.
    """
    guard.need(request, "direct")
    came, wish = time.monotonic(), await read_object(request, SMALL)
    clock: WallClock | None = request.app.state.settings.clock
    hall: Hall = request.app.state.hall
    given = wish.get("time")
    if not isinstance(given, int | float) or not EARLIEST <= given / 1000 <= LATEST:
        raise NotAllowed("odd_time", f"time {shorten(given)}: milliseconds since 1970 are wanted, of this century")
    if clock is None:
        raise NotAllowed("time_denied", "this service does not set the machine's clock")
    try:
        if await hall.threads.on_disk(clock.synchronised):
            raise NotAllowed("time_kept", "this machine's clock is kept over the network; look at the browser's")
        before = time.time()
        await hall.threads.on_disk(clock.set, lambda: given / 1000 + time.monotonic() - came)
    except WallClockError as error:
        raise NotAllowed("time_denied", f"the clock cannot be set: {error}", why=str(error)) from error
    access: Access = request.app.state.access
    ahead = round(before - given / 1000)
    await access.act("time_set", guard.address(request), {"seconds": ahead})
    return {"ahead": ahead}
