"""Serve a backup of everything to the director."""

import datetime
import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from kiosk.director.access.access import Access
from kiosk.director.access.schema import SAVED
from kiosk.director.pages import guard
from kiosk.director.refusals import StoreFailed
from kiosk.director.settings import Settings
from kiosk.director.storage.backup import save
from kiosk.director.storage.database import METADATA
from kiosk.director.tables.hall import Hall

router = APIRouter()


@router.get("/api/backup")
async def backup(request: Request) -> FileResponse:
    """Save everything: lists, notes, orders, photographs, accounts, devices, record and the authority."""
    guard.need_director(request)
    hall: Hall = request.app.state.hall
    access: Access = request.app.state.access
    settings: Settings = request.app.state.settings
    await access.act("backup", guard.address(request), {})
    with tempfile.NamedTemporaryFile(prefix="stichwart-", suffix=".zip", delete=False) as file:
        path = Path(file.name)
    tls = settings.tls.folder if settings.tls is not None else None
    configuration = settings.own.configuration if settings.own is not None else None
    try:
        await hall.threads.on_disk(save, hall.store, (*METADATA.sorted_tables, *SAVED), tls, path, configuration)
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError) and not isinstance(error, StoreFailed):
            raise StoreFailed(
                f"{path.parent}: the backup cannot be written ({error}); look at its free space"
            ) from error
        raise
    name = f"stichwart-{datetime.datetime.now():%Y-%m-%d-%H%M}.zip"
    return FileResponse(path, filename=name, media_type="application/zip", background=BackgroundTask(path.unlink))
