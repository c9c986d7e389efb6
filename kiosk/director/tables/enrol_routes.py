"""Let a table's device ask to be admitted."""

from typing import Any

from fastapi import APIRouter, Request

from kiosk.director.access.devices import Wish
from kiosk.director.access.limits import address_key
from kiosk.director.access.refusals import NotAllowed
from kiosk.director.tls.certificates import Certificates
from kiosk.director.web.body import SMALL, read_object

router = APIRouter()


@router.post("/enrol")
async def enrol(request: Request) -> dict[str, Any]:
    """Take a device's wish to be a table: ``{"id": …, "digest": …, "told": {…}}``; answer its number once it has one.

    With the number comes the ``tournament`` under which tables find this service: no file of theirs has to name it.

    The device asks again every two seconds while its screen shows the code. Encrypted it adds ``check``, of the code,
    and ``authority``, by which it recognises this service; the answer then holds the ``proof`` that somebody has typed
    its code in.
    """
    content, access = await read_object(request, SMALL), request.app.state.access
    wish = Wish(content.get("id"), content.get("digest"), content.get("told"), _check(request, content))
    host = address_key(request.client.host if request.client else "")
    device = await access.run(access.devices.ask, wish, host)
    if device is None:
        return {"table": None}
    answer = {"table": device.table, "tournament": request.app.state.settings.tournament}
    return {**answer, "proof": device.proof} if device.proof else answer


def _check(request: Request, content: dict[str, Any]) -> str:
    """Read the check of a device's code; "": it came without encryption, where that is taken.

    :raises NotAllowed: the device sees another authority than this one: somebody sits in between; or it is too old.
    """
    certificates: Certificates | None = request.app.state.certificates
    if request.scope["scheme"] != "https" or certificates is None:
        return ""
    if content.get("authority") != certificates.pinned:
        raise NotAllowed(
            "other_authority",
            "this device sees another certificate than the direction shows, or its program is too old for encryption: "
            "look at address and network, and bring its program up to date",
        )
    return str(content.get("check"))
