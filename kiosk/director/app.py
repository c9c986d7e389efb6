"""Build the director's service as one FastAPI application: the tables' line, the page, and the director's orders."""

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from kiosk.director.access.access import Access
from kiosk.director.access.acts import TAKEN_OVER
from kiosk.director.access.doorway import Doorway
from kiosk.director.access.schema import SAVED
from kiosk.director.own_network import OwnNetwork
from kiosk.director.pages import (
    about_routes,
    access_routes,
    api_routes,
    backup_routes,
    book_routes,
    certificate_routes,
    device_routes,
    draw_routes,
    fleet_routes,
    list_routes,
    live_routes,
    network_routes,
    notice_routes,
    office_routes,
    pace_routes,
    page_routes,
    parcel_routes,
    people_routes,
    photo_routes,
    played_routes,
    prize_routes,
    restore_routes,
    saving_routes,
    series_routes,
    table_routes,
    tally_routes,
    time_routes,
)
from kiosk.director.pages.feed import Feed
from kiosk.director.refusals import DirectorError, StoreFailed
from kiosk.director.saving.restore_work import RestoreWork
from kiosk.director.saving.work import SavingWork
from kiosk.director.settings import Rival, Settings
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.director.tables import enrol_routes, gift_routes, line_routes, picture_routes, release_routes
from kiosk.director.tables.admitted import follow_admitted, read_admitted
from kiosk.director.tables.hall import Hall
from kiosk.director.tables.others import Others
from kiosk.director.tables.own_release import OwnRelease
from kiosk.director.tidying import Tidying
from kiosk.director.tls.certificates import Certificates
from kiosk.director.tls.plain_door import PlainDoor
from kiosk.director.web.answers import refusal
from kiosk.errors import LocalisedError, shorten

log = logging.getLogger(__name__)

#: Seconds from one look for dead objects to the next.
_TIDY_S = 20.0

#: Seconds of a start, in which lists are folded, for which nothing dead is looked for at most.
_LONGEST_START_S = 180.0

#: Seconds between two looks at the machine's networks.
_NETWORK_S = 10.0

#: Seconds without events of any table after which nobody minds a longer look.
_QUIET_S = 30.0

#: What tables do, which is most by far and is looked for first; then what people ask for.
_ROUTES = (
    *(
        line_routes,
        live_routes,
        about_routes,
        access_routes,
        api_routes,
        certificate_routes,
        device_routes,
        draw_routes,
        enrol_routes,
        fleet_routes,
        gift_routes,
        list_routes,
        parcel_routes,
        picture_routes,
        release_routes,
    ),
    *(
        backup_routes,
        book_routes,
        network_routes,
        notice_routes,
        office_routes,
        pace_routes,
        page_routes,
        people_routes,
    ),
    *(photo_routes, played_routes, prize_routes, restore_routes),
    *(saving_routes, series_routes, table_routes, tally_routes, time_routes),
)


def create_app(settings: Settings, store: Store | None = None, certificates: Certificates | None = None) -> FastAPI:
    """Create the application; its hall is ``app.state.hall``, what its pages are fed ``app.state.feed``.

    :param certificates: the service is encrypted: what comes without is met by ``PlainDoor``; None: plain HTTP.
    :raises StoreFailed: the database cannot be opened.
    """
    kept = store or Store(settings.database)
    access = Access(kept, settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        put_back = access.acts.last(TAKEN_OVER)
        app.state.hall = hall = Hall(kept, settings)
        app.state.feed = Feed(hall)
        await hall.start()
        app.state.loop = asyncio.get_running_loop()
        await read_admitted(hall.devices, access)
        app.state.own_network = _own_network(settings)
        app.state.saving = saving = _saving(settings, hall)
        app.state.restoring = _restoring(settings, hall)
        app.state.others = Others(hall, access, lambda: app.state.address, put_back, lambda: app.state.begin_anew())
        work = [asyncio.create_task(one) for one in _beside(app, access)]
        yield
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
        if saving is not None:
            saving.stop()
        await hall.stop()
        access.stop()
        if store is None:
            kept.close()

    app = FastAPI(title="Stichwart", lifespan=life, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.settings, app.state.access, app.state.certificates = settings, access, certificates
    app.state.own_release = OwnRelease(settings.installed)
    app.state.loop = None  # on which it runs
    app.state.rival = None  # another machine that is this direction, too; found by whoever looks for one
    app.state.process, app.state.takeovers = kept.own, access.acts.count(TAKEN_OVER)
    app.state.begin_anew = lambda: None  # ends the service, so that it starts again
    app.state.address = ""  # where tables reach this service; known when it listens
    app.add_middleware(Doorway, access=access, guests=settings.guests)
    if certificates is not None:
        app.add_middleware(PlainDoor, explains=certificates.own)
    app.add_exception_handler(DirectorError, _told)
    app.add_exception_handler(LocalisedError, _told)
    app.add_exception_handler(RequestValidationError, _asked_wrongly)
    for routes in _ROUTES:
        app.include_router(routes.router)
    page_routes.mount_files(app)
    return app


def _beside(app: FastAPI, access: Access) -> Iterator[Coroutine[Any, Any, None]]:
    """What is done beside answering, as long as the service runs."""
    hall: Hall = app.state.hall
    yield app.state.feed.beat_forever()
    yield follow_admitted(hall.devices, access)
    if threading.current_thread() is threading.main_thread():  # else the process is not the director's own
        yield _tidy_forever(hall)
    if app.state.own_network is not None:
        yield _look_forever(app.state.own_network)
    if app.state.saving is not None:
        yield app.state.saving.work_forever()
    if hall.store.shared:
        yield app.state.others.work_forever()


def _own_network(settings: Settings) -> OwnNetwork | None:
    """The Wi-Fi network that this machine may open; None: none."""
    if settings.hotspot is None or settings.own is None:
        return None
    try:
        return OwnNetwork(settings.hotspot, settings.own.data, settings.hotspot_password)
    except OSError as error:
        log.error("there is no network of this machine's own: %s", error)
        return None


async def _look_forever(own: OwnNetwork) -> None:
    while True:
        if not own.state.doing:
            await asyncio.to_thread(own.look, time.monotonic())
        await asyncio.sleep(_NETWORK_S)


def _saving(settings: Settings, hall: Hall) -> SavingWork | None:
    """What saves the database once a minute; None: somebody else does, as of a server."""
    if settings.saving is None or settings.own is None or hall.store.shared:
        return None
    return SavingWork(settings, (*METADATA.sorted_tables, *SAVED), lambda: hall.office.tournament.name)


def _restoring(settings: Settings, hall: Hall) -> RestoreWork | None:
    """What puts a backup back; None: nobody does here."""
    return RestoreWork(settings, hall.store) if settings.own is not None else None


def meet_rival(app: FastAPI, rival: Rival | None) -> None:
    """Take note of another machine that is this direction, or that there is none any more; from any thread.

    Tables are sent away if it is the one that counts.
    """
    app.state.rival = rival
    loop: asyncio.AbstractEventLoop | None = app.state.loop
    if rival is not None and rival.newer and loop is not None:
        hall: Hall = app.state.hall
        with contextlib.suppress(RuntimeError):  # it has just ended
            asyncio.run_coroutine_threadsafe(hall.close_all_lines(), loop)


async def _tidy_forever(hall: Hall) -> None:
    tidying = Tidying()
    tidying.begin()
    with tidying.put_off(), contextlib.suppress(TimeoutError):
        await asyncio.wait_for(hall.copies.caught_up.wait(), _LONGEST_START_S)
    while True:
        await asyncio.sleep(_TIDY_S)
        tidying.tidy(quiet=time.monotonic() - hall.stored_at > _QUIET_S)


async def _told(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DirectorError | LocalisedError)
    if isinstance(error, StoreFailed):
        log.error("%s", error)
    status, content = refusal(error)
    return JSONResponse(content, status)


async def _asked_wrongly(_request: Request, error: Exception) -> JSONResponse:
    """Answer a request whose address or parameters have another form; fastapi's own answer repeats the whole value."""
    assert isinstance(error, RequestValidationError)
    said = [
        {"type": one["type"], "loc": one["loc"], "msg": one["msg"], "input": shorten(one["input"])}
        for one in error.errors()
    ]
    return JSONResponse({"detail": said}, 422)
