"""Serve the page for saving to a stick, and for going on with what another machine has saved."""

from typing import Any

from fastapi import APIRouter, Request

from hw.stick import Stick
from kiosk.director.access.access import Access
from kiosk.director.pages import guard
from kiosk.director.refusals import NotFresh
from kiosk.director.saving.saver import Saved
from kiosk.director.saving.takeover import Offer
from kiosk.director.saving.work import SavingWork
from kiosk.director.web.body import SMALL, read_object

router = APIRouter()


@router.get("/api/saving")
async def saving(request: Request) -> dict[str, Any]:
    """Send where the database is saved to, how that stands, and which sticks are plugged in."""
    guard.need(request, "direct")
    work: SavingWork | None = request.app.state.saving
    if work is None:
        return {"possible": False, "restores": request.app.state.restoring is not None}
    return _shown(work.saved)


@router.post("/api/saving")
async def choose(request: Request) -> dict[str, Any]:
    """Save to a stick from now on: ``{"place": "1234-ABCD"}``; ``{"place": ""}``: to none any more."""
    guard.need(request, "direct")
    wish, work = await read_object(request, SMALL), _work(request)
    id_ = wish.get("place")
    id_ = id_ if isinstance(id_, str) else ""
    saved = await work.choose(id_)
    access: Access = request.app.state.access
    await access.act("saving_chosen", guard.address(request), {"name": saved.name})
    return _shown(saved)


@router.get("/api/takeover")
async def offered(request: Request) -> dict[str, Any]:
    """List the tournaments on sticks that this machine, as long as it is empty, could go on with."""
    work: SavingWork | None = request.app.state.saving
    return {"offers": [_offered(one) for one in await work.offered()] if work is not None else []}


@router.post("/api/takeover")
async def take(request: Request) -> dict[str, Any]:
    """Go on with a tournament of a stick: ``{"offer": "1234-ABCD/7f3a90b2"}``; the service starts anew with it.

    It wants no account, for there is none yet, and gives none: those of the tournament count from then on. Who plugs a
    stick into this machine could as well take its card out.
    """
    wish, work = await read_object(request, SMALL), _work(request)
    id_ = wish.get("offer")
    taken = await work.take(id_ if isinstance(id_, str) else "")
    request.app.state.begin_anew()
    return _offered(taken)


def saving_told(work: SavingWork | None) -> dict[str, Any] | None:
    """Return how the saving stands, for a page that shows more than that."""
    if work is None:
        return None
    saved = work.saved
    return {"trouble": saved.trouble, "state": saved.state, "name": saved.name, "at": saved.at}


def _work(request: Request) -> SavingWork:
    work: SavingWork | None = request.app.state.saving
    if work is None:
        raise NotFresh("no_saving", "this service's database is saved by its server, not by sticks")
    return work


def _shown(saved: Saved) -> dict[str, Any]:
    return {
        "possible": True,
        "place": saved.id,
        "name": saved.name,
        "state": saved.state,
        "at": saved.at,
        "megabytes": round(saved.size / 1e6, 1),
        "detail": saved.detail,
        "places": [_place(one) for one in saved.places],
    }


def _place(stick: Stick) -> dict[str, Any]:
    return {
        "id": stick.id,
        "name": stick.name,
        "gigabytes": round(stick.size_bytes / 1e9, 1),
        "read_only": stick.read_only,
    }


def _offered(offer: Offer) -> dict[str, Any]:
    about = offer.about
    return {"id": offer.id, "stick": offer.place.name, "title": about.title, "at": about.at, "lists": about.lists}
