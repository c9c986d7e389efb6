"""Serve what the direction does with all devices: releases are taken in, wished for tables, and taken for itself."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.requests import ClientDisconnect

from kiosk.director.access.access import Access
from kiosk.director.pages import guard
from kiosk.director.pages.known_names import names_known
from kiosk.director.refusals import NotAnEvent, TooSlow, UnknownPlace
from kiosk.director.saving.work import SavingWork
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.own_release import OwnRelease
from kiosk.director.tables.releases import NoRelease, Wish
from kiosk.director.web.body import SMALL, read_object
from kiosk.errors import shorten
from kiosk.release.log_bundle import make_log_bundle

router = APIRouter()


@router.get("/api/fleet")
async def fleet(request: Request) -> dict[str, Any]:
    """List the releases that are here, which table shall run which, and how the direction's own release stands."""
    guard.need_director(request)
    releases = _hall(request).releases
    return {
        "bundles": [
            {
                "version": one.version,
                "machine": one.machine,
                "python": one.python,
                "made": one.made,
                "size": one.size,
                "checked": one.checked,
            }
            for one in sorted(releases.bundles.values(), key=lambda one: (-one.made, one.kind))
        ],
        "all": _told(releases.for_all),
        "tables": {str(table): _told(wish) for table, wish in releases.for_tables.items()},
        "own": _own(request).told(),
    }


@router.post("/api/fleet/bundles")
async def take_in(request: Request) -> dict[str, Any]:
    """Take in a bundle as ``stichwart bundle make`` makes it: the file as the request's body."""
    guard.need_director(request)
    try:
        bundle = await _hall(request).releases.take_in(request.stream())
    except ClientDisconnect:
        raise TooSlow("the upload was cut off; send it again") from None
    about = {"version": bundle.version, "machine": bundle.machine, "python": bundle.python}
    await _record(request, "release_taken_in", about)
    await _hall(request).offer_releases()  # perhaps the file that some tables' kind has lacked
    return about


@router.get("/api/fleet/sticks")
async def sticks(request: Request) -> dict[str, Any]:
    """List the releases on the sticks that are plugged in at the direction."""
    guard.need_director(request)
    work: SavingWork | None = request.app.state.saving
    return {"bundles": [asdict(one) for one in await work.bundles()] if work is not None else []}


@router.post("/api/fleet/sticks")
async def take_in_from_stick(request: Request) -> dict[str, Any]:
    """Take in a bundle from a stick: ``{"place": "1234-ABCD", "file": "stichwart-0.3.bundle"}``, as one uploaded."""
    guard.need_director(request)
    asked, work = await read_object(request, SMALL), request.app.state.saving
    if not isinstance(work, SavingWork):
        raise UnknownPlace("no_stick", "this service has no sticks")
    path = await work.bring(str(asked.get("place"))[:80], str(asked.get("file"))[:200])
    try:
        bundle = await _hall(request).releases.take_in(_pieces(path))
    finally:
        path.unlink(missing_ok=True)
    about = {"version": bundle.version, "machine": bundle.machine, "python": bundle.python}
    await _record(request, "release_taken_in", about)
    await _hall(request).offer_releases()
    return about


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while piece := await asyncio.to_thread(file.read, 1 << 20):
            yield piece


@router.post("/api/fleet/wish")
async def wish(request: Request) -> dict[str, Any]:
    """Wish that tables run a release: ``{"version": "0.3.0+1a2b3c4", "tables": "all"}``, ``"resting"`` or ``[7]``."""
    guard.need_director(request)
    asked, hall = await read_object(request), _hall(request)
    version, which = str(asked.get("version"))[:80], asked.get("tables")
    if which == "all":
        tables = None
    elif which == "resting":
        tables = sorted(table for table in hall.devices.admitted if _rests(hall, table))
        if not tables:
            raise NoRelease("nobody_rests", "at no table that is connected is a list closed; wait, or choose all")
    elif isinstance(which, list) and which and all(type(one) is int and 1 <= one <= 9999 for one in which):
        tables = sorted(set(which))
    else:
        raise NotAnEvent(f"tables is {shorten(which)}; 'all', 'resting' or a list of numbers is wanted")
    await hall.releases.wish(version, tables)
    await _record(request, "release_wished", {"version": version, "tables": which if tables is None else tables})
    await hall.offer_releases()
    return {"tables": tables}


@router.post("/api/fleet/withdraw")
async def withdraw(request: Request) -> dict[str, Any]:
    """Take all wishes back: what has not been switched to yet is not."""
    guard.need_director(request)
    hall = _hall(request)
    await hall.releases.withdraw()
    await _record(request, "release_withdrawn", {})
    await hall.offer_releases()
    return {}


@router.post("/api/fleet/own")
async def take_own(request: Request) -> dict[str, Any]:
    """Take a release for the direction's own machine: ``{"version": "0.3.0+1a2b3c4"}``; a restart starts it."""
    guard.need_director(request)
    asked, releases, own = await read_object(request), _hall(request).releases, _own(request)
    version, kind = str(asked.get("version"))[:80], own.kind
    bundle = None if kind is None else releases.of(version, kind)
    if kind is not None and bundle is None:
        raise NoRelease(
            "release_gone", f"{shorten(version)} is not here for {' '.join(kind)}; upload it", version=version
        )
    if bundle is None:
        raise NoRelease("bundle_nobody", "this machine takes no releases; run systemd/install.sh again")
    await own.take(bundle, releases.path(bundle))
    await _record(request, "release_own", {"version": version})
    return own.told()


@router.post("/api/fleet/restart")
async def restart(request: Request) -> dict[str, Any]:
    """Restart the direction's service, with the release that waits for it."""
    guard.need_director(request)
    own = _own(request)
    told = own.told()
    own.restart()
    await _record(request, "director_restarted", {"version": told["waits"] or told["runs"]})
    return {}


@router.get("/api/fleet/log.zip")
async def log(request: Request) -> Response:
    """Send the direction's own log for the maker: journal and state of the machine; no name of anybody is in it."""
    guard.need_director(request)
    hall, access = _hall(request), request.app.state.access
    names = await names_known(hall, access)
    kinds = sorted({one.version for one in hall.releases.bundles.values()})
    machine = {"version": hall.settings.version, "own": _own(request).told(), "releases": kinds}
    made = await asyncio.to_thread(make_log_bundle, names, {}, machine)
    await _record(request, "director_log", {})
    return Response(made, media_type="application/zip", headers={"X-Content-Type-Options": "nosniff"})


def _rests(hall: Hall, table: int) -> bool:
    """Whether a table's device is there, and no list of it is open."""
    desks = [desk for desk in hall.desks.of_table(table) if desk.connected]
    return bool(desks) and all(desk.copy.round is None or desk.copy.round.closed for desk in desks)


def _told(wish: Wish | None) -> dict[str, Any] | None:
    return None if wish is None else {"order": wish.order, "version": wish.version}


async def _record(request: Request, what: str, body: dict[str, Any]) -> None:
    access: Access = request.app.state.access
    await access.act(what, guard.address(request), body)


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


def _own(request: Request) -> OwnRelease:
    own: OwnRelease = request.app.state.own_release
    return own
