"""Serve what the direction gives its tables: taken in, given, taken back, removed; each act is recorded."""

from typing import Any

from fastapi import APIRouter, Request, Response

from kiosk.director.access.access import Access
from kiosk.director.pages import guard
from kiosk.director.refusals import NotAnEvent, UnknownTable
from kiosk.director.storage.parcel_store import KeptParcel
from kiosk.director.tables.hall import Hall
from kiosk.director.web.body import SMALL, read_bytes, read_object
from kiosk.director.web.paths import Number
from kiosk.errors import shorten
from kiosk.parcel.parcel import LARGEST_OF_ALL, slot_of

router = APIRouter()

_ENDINGS = {"deck": ".npz", "words": ".po", "sounds": ".zip", "settings": ".json", "book": ".toml"}


@router.get("/api/parcels")
async def parcels(request: Request) -> dict[str, Any]:
    """List what is here, and what is given: by slot and table (0: all) the parcel's number (0: taken back)."""
    guard.need_director(request)
    kept = _hall(request).parcels
    return {"parcels": [_shown(one) for one in reversed(kept.current())], "given": kept.given()}


@router.post("/api/parcels")
async def take_in(request: Request, kind: str, name: str) -> dict[str, Any]:
    """Take in a file as the request's body, ``?kind=deck&name=vereinsblatt``; it is given to nobody by that."""
    guard.need_director(request)
    kept = await _hall(request).parcels.take_in(kind, name, await read_bytes(request, LARGEST_OF_ALL))
    await _record(request, "parcel_taken_in", kept)
    return _shown(kept)


@router.get("/api/parcels/{number}/file")
async def file(request: Request, number: Number) -> Response:
    """Send a parcel as the file that it came as."""
    guard.need_director(request)
    hall = _hall(request)
    kept = hall.parcels.need(number)
    content = await hall.parcels.content(kept.sha256)
    if content is None:
        raise UnknownTable("this parcel is not here any more")
    name = f"{kept.name if kept.kind in ('deck', 'words', 'book') else kept.kind}{_ENDINGS[kept.kind]}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type="application/octet-stream", headers=headers)


@router.post("/api/parcels/{number}/give")
async def give(request: Request, number: Number) -> dict[str, Any]:
    """Give a parcel to tables: ``{"tables": "all"}``, those that come later too, or ``{"tables": [7]}``."""
    guard.need_director(request)
    hall, which = _hall(request), _tables(await read_object(request, SMALL))
    kept = await hall.parcels.give(number, which)
    await _record(request, "parcel_given", kept, tables="all" if which is None else which)
    await hall.offer_parcels()
    return {"tables": which}


@router.post("/api/parcels/{number}/remove")
async def remove(request: Request, number: Number) -> dict[str, Any]:
    """Remove a parcel that no table shall have."""
    guard.need_director(request)
    await _record(request, "parcel_removed", await _hall(request).parcels.remove(number))
    return {}


@router.post("/api/parcels/back")
async def take_back(request: Request) -> dict[str, Any]:
    """Take back what was given: ``{"slot": "deck/vereinsblatt", "tables": "all"}``; with null for the slot: all."""
    guard.need_director(request)
    hall, asked = _hall(request), await read_object(request, SMALL)
    slot, which = asked.get("slot"), _tables(asked)
    if slot is not None and not isinstance(slot, str):
        raise NotAnEvent(f"slot is {shorten(slot)}; a text or null is wanted")
    slots = await hall.parcels.take_back(None if slot is None else [slot], which)
    told = {"what": slots, "tables": "all" if which is None else which}
    access: Access = request.app.state.access
    await access.act("parcel_taken_back", guard.address(request), told)
    await hall.offer_parcels()
    return {"slots": slots}


def _tables(asked: dict[str, Any]) -> list[int] | None:
    """The tables that are meant; None: all.

    :raises NotAnEvent: they are none.
    """
    which = asked.get("tables")
    if which == "all":
        return None
    if (
        isinstance(which, list)
        and 0 < len(which) <= 999
        and all(type(one) is int and 1 <= one <= 9999 for one in which)
    ):
        return sorted(set(which))
    raise NotAnEvent(f"tables is {shorten(which)}; 'all' or a list of numbers is wanted")


def _shown(one: KeptParcel) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": one.kind,
        "name": one.name,
        "slot": slot_of(one.kind, one.name),
        "sha256": one.sha256,
        "size": one.size,
        "about": dict(one.about),
        "at": one.at,
        "actor": one.actor,
        "table": one.table,
    }


async def _record(request: Request, what: str, kept: KeptParcel, **more: Any) -> None:
    access: Access = request.app.state.access
    body = {"kind": kept.kind, "name": kept.name, "sha256": kept.sha256[:12], **more}
    await access.act(what, guard.address(request), body)


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall
