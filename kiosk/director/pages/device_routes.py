"""Serve the page for the tables' devices: admit those that show a code, replace, rename, withdraw."""

import asyncio
from typing import Any

from fastapi import APIRouter, Request, Response

from kiosk.director.access.access import Access
from kiosk.director.access.devices import Device
from kiosk.director.pages import guard
from kiosk.director.pages.known_names import names_known
from kiosk.director.pages.saving_routes import saving_told
from kiosk.director.refusals import NotAnEvent, NothingHeld
from kiosk.director.tables.bad_news import COMINGS_S, BadNews, Look, bad_news
from kiosk.director.tables.desks import TableDesk
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import read_object
from kiosk.release.log_bundle import scrubbed_again

router = APIRouter()


@router.get("/api/devices")
async def devices(request: Request) -> dict[str, Any]:
    """List the tables' devices, those withdrawn too, those that wait to be admitted, and when all was saved last."""
    guard.need(request, "direct")
    access, hall = _access(request), _hall(request)
    found, encrypts = await access.run(access.devices.all), request.app.state.certificates is not None
    return {
        "devices": sorted((_shown(one, hall, encrypts) for one in found), key=_worst_first),
        "waiting": await access.run(access.devices.waiting),
        "saved": {"stick": saving_told(request.app.state.saving), "file": await access.run(access.acts.last, "backup")},
    }


@router.post("/api/devices/admit")
async def admit(request: Request) -> dict[str, Any]:
    """Admit the device that shows a code: ``{"code": "K7QF 2MTX", "table": 7, "replace": false}``."""
    guard.need(request, "direct")
    wish, access = await read_object(request), _access(request)
    code = str(wish.get("code"))[:40]
    found = request.app.state.certificates
    pinned = found.pinned if found is not None else ""
    device = await access.run(access.devices.admit, code, wish.get("table"), wish.get("replace") is True, pinned)
    return await _changed(request, "device_admitted", device)


@router.post("/api/devices/issue")
async def issue(request: Request) -> dict[str, Any]:
    """Make a table's secret for a device that is set up by hand or a program: ``{"table": 7, "replace": false}``.

    The answer holds it, this once.
    """
    guard.need(request, "direct")
    wish, access = await read_object(request), _access(request)
    device, secret = await access.run(access.devices.issue, wish.get("table"), wish.get("replace") is True)
    return {**await _changed(request, "device_issued", device), "secret": secret}


@router.post("/api/devices/{id_}/task")
async def task(request: Request, id_: str) -> dict[str, Any]:
    """Ask something of a device itself: ``{"what": "restart"}`` its program, ``"reboot"`` the machine, ``"log"``."""
    guard.need(request, "direct")
    what, hall = str((await read_object(request)).get("what"))[:20], _hall(request)
    ends = (desk.line for desk in hall.desks if desk.line is not None and desk.line.holder == id_)
    end = next((one for one in ends if what in one.tasks), None)
    if end is None:
        raise NothingHeld("this device is not connected to this director, or cannot be asked for that")
    if what == "log":
        hall.logs.awaited(id_)
    await _access(request).act("device_task", guard.address(request), {"what": what, "device": id_})
    await end.send({"task": what})
    return {}


@router.get("/api/devices/{id_}/log.zip")
async def device_log(request: Request, id_: str) -> Response:
    """Send the log that a device was asked for, for the maker; no name of anybody is in it."""
    guard.need(request, "direct")
    hall = _hall(request)
    bundle = hall.logs.get(id_)
    if bundle is None:
        raise NothingHeld("no log of this device is here (any more); ask it again")
    try:
        names = await names_known(hall, _access(request))
        scrubbed = await asyncio.to_thread(scrubbed_again, bundle, names)
    except ValueError as error:
        raise NotAnEvent(f"what the device has sent is no log: {error}") from error
    return Response(scrubbed, media_type="application/zip", headers={"X-Content-Type-Options": "nosniff"})


@router.post("/api/devices/{id_}")
async def change(request: Request, id_: str) -> dict[str, Any]:
    """Change a device: ``{"name": …, "was": …}``, ``{"rulings": true}`` or ``{"withdrawn": true}``.

    ``was``, where it is there, is its name as it was shown.
    """
    guard.need(request, "direct")
    wish, access = await read_object(request), _access(request)
    device = await access.run(access.devices.change, id_, wish)
    return await _changed(request, "device_withdrawn" if wish.get("withdrawn") is True else "device_changed", device)


async def _changed(request: Request, what: str, device: Device) -> dict[str, Any]:
    """Record it, and close the sockets of devices that are no such table any more, or may do something else."""
    access, hall = _access(request), _hall(request)
    access.forget_tables()
    body = {"table": device.table, "device": device.id, "name": device.name, "rulings": device.rulings}
    await access.act(what, guard.address(request), body)
    await hall.close_lines(device.id, device.table)
    await hall.threads.on_disk(hall.store.tell, [["device", device.id, device.table]])
    return _shown(device, hall)


def _worst_first(device: dict[str, Any]) -> tuple[bool, int, int, int]:
    worst = [one["badness"] for one in device["bad"]]
    return device["table"] is None, -max(worst, default=0), -len(worst), device["table"] or 0


def _bad(device: Device, desks: list[TableDesk], hall: Hall, encrypts: bool) -> list[BadNews]:
    """What is wrong with a device that is a table."""
    if device.table is None:
        return []
    status = next((desk.status for desk in desks if desk.connected), None)
    look = Look(
        told=device.told if status is None else status,
        connected=any(desk.connected for desk in desks),
        conflict=any(desk.conflict for desk in desks),
        twice=any(desk.twice for desk in desks),
        held=any(desk.held for desk in desks),
        plain=encrypts and not device.encrypted,
        comings=hall.devices.comings(device.table, COMINGS_S),
        version=hall.settings.version,
    )
    return bad_news(look)


def _shown(device: Device, hall: Hall, encrypts: bool = False) -> dict[str, Any]:
    """A device as the page shows it, with what its table says of itself now.

    :param encrypts: the service does; a device that does not is bad news.
    """
    desks = list(hall.desks.of_table(device.table)) if device.table is not None else []
    status = next((desk.status for desk in desks if desk.connected), {})
    return {
        "id": device.id,
        "table": device.table,
        "name": device.name,
        "rulings": device.rulings,
        "admitted": device.admitted,
        "heard": device.heard,
        "told": dict(device.told),
        "encrypted": device.encrypted,
        "connected": any(desk.connected for desk in desks),
        "tasks": next((desk.line.tasks for desk in desks if desk.line is not None), ()),
        "log": hall.logs.came(device.id),
        "takes": next((desk.line.takes for desk in desks if desk.line is not None), None),
        "status": {key: value for key, value in status.items() if key != "clock"},
        "trouble": next((desk.conflict for desk in desks if desk.conflict), ""),
        "bad": [
            {"code": one.code, "badness": one.badness, "values": dict(one.values)}
            for one in _bad(device, desks, hall, encrypts)
        ],
    }


def _access(request: Request) -> Access:
    access: Access = request.app.state.access
    return access


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall
