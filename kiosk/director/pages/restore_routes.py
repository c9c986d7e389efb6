"""Serve the page for putting a backup back: taken in, looked through and told; then, after a yes, in place."""

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect

from kiosk.director.access.access import Access
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.pages import guard
from kiosk.director.refusals import NotFresh, StoreFailed, TooLarge, TooSlow
from kiosk.director.saving.restoring import Restored
from kiosk.director.saving.work import SavingWork
from kiosk.director.web.body import SMALL, read_object

router = APIRouter()

#: Bytes that a backup may have, and seconds without any after which an upload has ended.
_LARGEST, _SILENCE_S = 2_000_000_000, 30.0

_one_at_a_time = asyncio.Lock()


@router.post("/api/restore")
async def upload(request: Request) -> dict[str, Any]:
    """Take in a backup as the request's body, and tell what it holds and what it would replace; nothing changes yet.

    On a machine that holds nothing the code that the service printed is wanted (header ``Stichwart-Code``), else the
    director's account.
    """
    work = _allowed(request, request.headers.get("stichwart-code", ""))
    async with _one_at_a_time:
        await _write(request, work)
        found, here = await work.look_through(ACCESS)
    request.app.state.restored = found
    held = None if work.fresh else {**asdict(here), "title": request.app.state.hall.tournament}
    return {"id": found.id, "holds": asdict(found.holding), "replaces": held}


@router.post("/api/restore/yes")
async def accept(request: Request) -> dict[str, Any]:
    """Put it back: ``{"id": …, "password": …}``, the director's own once more; on an empty machine ``"code"``.

    The service starts anew with it; what was here before is put by in a folder of its own.
    """
    wish = await read_object(request, SMALL)
    access: Access = request.app.state.access
    code, password = (wish.get(key) if isinstance(wish.get(key), str) else "" for key in ("code", "password"))
    work = _allowed(request, str(code))
    restored: Restored | None = request.app.state.restored
    if restored is None or restored.id != wish.get("id"):
        raise NotFresh("no_backup", "this backup does not wait to be put back any more; upload it again")
    if not work.fresh:
        actor = guard.need_director(request)
        await access.logout(await access.login(actor.name, str(password), guard.address(request)))
        told = {"title": restored.holding.title, "id": restored.id}
        await access.act("restored", guard.address(request), told)
    request.app.state.restored = None
    kept = await work.accept()
    request.app.state.begin_anew()
    return {"kept": kept}


def _allowed(request: Request, code: str) -> SavingWork:
    """Require who may: whoever has this machine's code while it is empty, else the director; return what does it.

    :raises NotFresh: somebody else saves the database.
    """
    access: Access = request.app.state.access
    work: SavingWork | None = request.app.state.saving
    if work is not None and work.fresh and access.first_code:
        access.check_code(code, guard.address(request))
    else:
        guard.need_director(request)
    if work is None:
        raise NotFresh("no_saving", "this service's database is its server's: put the backup back there (--restore)")
    return work


async def _write(request: Request, work: SavingWork) -> None:
    size = 0
    try:
        with work.upload.open("wb") as file:
            work.upload.chmod(0o600)
            coming = aiter(request.stream())
            while True:
                async with asyncio.timeout(_SILENCE_S):
                    piece = await anext(coming, None)
                if piece is None:
                    return
                size += len(piece)
                if size > _LARGEST:
                    raise TooLarge(f"more than {_LARGEST} bytes; that is no backup of Stichwart")
                await asyncio.to_thread(file.write, piece)
    except TimeoutError:
        work.upload.unlink(missing_ok=True)
        raise TooSlow(f"nothing came for {_SILENCE_S:.0f} seconds; upload it again") from None
    except (ClientDisconnect, TooLarge) as error:
        work.upload.unlink(missing_ok=True)
        if isinstance(error, TooLarge):
            raise
        raise TooSlow("the upload was cut off; send it again") from None
    except OSError as error:
        work.upload.unlink(missing_ok=True)
        raise StoreFailed(f"{work.upload.parent}: {error.strerror or error}; look at its free space") from error
