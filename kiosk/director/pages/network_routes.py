"""Serve the page for the direction's own Wi-Fi network: open it, close it, and how others get in."""

import asyncio
import io
from typing import Any

import segno
from fastapi import APIRouter, Request, Response

from kiosk.director.access.access import Access
from kiosk.director.access.refusals import NotAllowed
from kiosk.director.own_network import OwnNetwork
from kiosk.director.pages import guard
from kiosk.director.web.body import SMALL, read_object
from kiosk.director.web.files import pdf
from kiosk.director.web.languages import Language
from kiosk.paper.network_card import network_card, wifi_code

router = APIRouter()


@router.get("/api/network")
async def network(request: Request) -> dict[str, Any]:
    """Send how the direction's own network stands, with its password; not ``possible``: it can have none."""
    guard.need(request, "direct")
    own: OwnNetwork | None = request.app.state.own_network
    if own is None or not own.state.possible:
        return {"possible": False}
    state = own.state
    return {
        "possible": True,
        "on": state.on,
        "joined": state.joined,
        "doing": state.doing,
        "wrong": state.wrong,
        "detail": state.detail,
        "name": own.name,
        "password": own.password,
        "address": _address(request, own),
    }


@router.post("/api/network")
async def turn(request: Request) -> dict[str, Any]:
    """Open or close it: ``{"on": true}``. It takes some seconds, and who came by the Wi-Fi that is left comes again."""
    guard.need(request, "direct")
    wish, own = await read_object(request, SMALL), _own(request)
    on = wish.get("on") is True
    if own.state.doing:
        raise NotAllowed("network_busy", "the network is being opened or closed; wait a moment")
    access: Access = request.app.state.access
    await access.act("network_on" if on else "network_off", guard.address(request), {"name": own.name})
    task = asyncio.create_task(asyncio.to_thread(own.turn, on))
    request.app.state.turning = task  # it goes on when this answer is sent
    return {"on": on}


@router.get("/api/network/code.svg")
async def code(request: Request) -> Response:
    """Send the QR code by which telephones join the network."""
    guard.need(request, "direct")
    own, drawn = _own(request), io.BytesIO()
    segno.make(wifi_code(own.name, own.password), error="m", micro=False).save(
        drawn, kind="svg", scale=4, light="white"
    )
    return Response(drawn.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})


@router.get("/api/network/card.pdf")
async def card(request: Request, language: Language = "de") -> Response:
    """Send a sheet to be hung up: how one gets into the network and to the page."""
    guard.need(request, "direct")
    own = _own(request)
    drawn = await asyncio.to_thread(network_card, own.name, own.password, _address(request, own), language)
    return pdf(drawn, "wlan.pdf")


def _own(request: Request) -> OwnNetwork:
    own: OwnNetwork | None = request.app.state.own_network
    if own is None or not own.state.possible:
        raise NotAllowed("no_wifi", "this machine has no Wi-Fi that can be an access point, or no NetworkManager")
    return own


def _address(request: Request, own: OwnNetwork) -> str:
    scheme, _, rest = str(request.app.state.address).partition("://")
    return f"{scheme}://{own.address}:{rest.rpartition(':')[2]}"
