"""Serve the page for putting a backup back: taken in, looked through and told; then, after a yes, in place."""

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from starlette.requests import ClientDisconnect

from kiosk.director.access.access import Access
from kiosk.director.pages import guard
from kiosk.director.refusals import NotFresh, StoreFailed, TooLarge, TooSlow
from kiosk.director.saving.restore_work import RestoreWork
from kiosk.director.web.body import SMALL, read_object

router = APIRouter()

#: Bytes that a backup may have, and seconds without any after which an upload has ended.
_LARGEST, _SILENCE_S = 2_000_000_000, 30.0


@router.post("/api/restore")
async def upload(request: Request) -> dict[str, Any]:
    """Take in a backup as the request's body, and tell what it holds and what it would replace; nothing changes yet.

    Where nothing was entered yet the code that the service printed is wanted (header ``Stichwart-Code``), else the
    director's account: of the service, or of the club under whose name it is asked for.
    """
    work, fresh = await _allowed(request, request.headers.get("stichwart-code", ""))
    async with work.uploading:
        await _write(request, work)
        here = await work.look_through()
        found = work.restored
    assert found is not None
    held = None if fresh else {**asdict(here), "title": request.app.state.hall.tournament}
    return {"id": found.id, "holds": asdict(found.holding), "replaces": held}


@router.post("/api/restore/yes")
async def accept(request: Request) -> dict[str, Any]:
    """Put it back: ``{"id": …, "password": …}``, the director's own once more; on an empty machine ``"code"``.

    The service starts anew with it, and with it all directors on the same database; what was here before is put by in a
    folder of its own.
    """
    wish = await read_object(request, SMALL)
    access: Access = request.app.state.access
    code, password = (wish.get(key) if isinstance(wish.get(key), str) else "" for key in ("code", "password"))
    work, fresh = await _allowed(request, str(code))
    async with work.uploading:
        restored = work.restored
        if restored is None or restored.id != wish.get("id"):
            raise NotFresh("no_backup", "this backup does not wait to be put back any more; upload it again")
        if not fresh:
            actor = guard.need_director(request)
            await access.logout(await access.login(actor.name, str(password), guard.address(request)))
            told = {"title": restored.holding.title, "id": restored.id}
            await access.act("restored", guard.address(request), told)
        kept = await work.accept()
    request.app.state.begin_anew()
    return {"kept": kept}


async def _allowed(request: Request, code: str) -> tuple[RestoreWork, bool]:
    """Require who may: whoever has this machine's code while it is empty, else the director.

    :returns: what does it, and whether it is empty.
    :raises NotFresh: this service has no folder to do it in.
    """
    access: Access = request.app.state.access
    work: RestoreWork | None = request.app.state.restoring
    fresh = work is not None and await work.fresh()
    if fresh and access.first_code:
        access.check_code(code, guard.address(request))
    else:
        guard.need_director(request)
    if work is None:
        raise NotFresh("no_saving", "this service has no folder of its own: put the backup back by --restore")
    return work, fresh


async def _write(request: Request, work: RestoreWork) -> None:
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
