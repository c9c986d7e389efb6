"""Serve the live messages to the page."""

import asyncio
import contextlib
import logging

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from kiosk.director.access.access import Access
from kiosk.director.access.doorway import session_of
from kiosk.director.pages import guard
from kiosk.director.pages.feed import Feed, Viewer
from kiosk.director.refusals import StoreFailed
from kiosk.director.tables.hall import Hall
from kiosk.director.web.shared_frames import TextSender, write_frame_of
from kiosk.table.events.json_text import parsed

log = logging.getLogger(__name__)
router = APIRouter()

#: The account was logged out, closed, or may do something else now (close code).
SESSION_ENDED = 4403

#: Seconds after which an open page's session is looked for again: it ends by itself, or at another director.
_LOOK_AGAIN_S = 30.0


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Send changes live to the page. The page states what it shows: tournament, round and perhaps a table."""
    hall: Hall = socket.app.state.hall
    await socket.accept()
    ended = asyncio.Event()
    ended.set()  # perhaps while it was being accepted
    access: Access = socket.app.state.access
    access.on_ended.add(ended.set)
    feed: Feed = socket.app.state.feed
    sender = TextSender(socket)
    viewer = Viewer(hall.tournament, 0, write=write_frame_of(socket))  # while nothing else is sent to it: ``busy``
    telling = asyncio.create_task(_tell(sender, feed, viewer))
    guarding = asyncio.create_task(_close_with_session(socket, access, ended))
    try:
        while True:
            wish = parsed(await socket.receive_text())
            feed.close(viewer)
            viewer.tournament, viewer.round = str(wish["tournament"]), int(wish["round"])
            viewer.table = None if wish.get("table") is None else int(wish["table"])
            feed.open(viewer)
    except (WebSocketDisconnect, RuntimeError):
        pass
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("a page asked for what cannot be understood: %r", error)
    finally:
        feed.close(viewer)
        telling.cancel()
        guarding.cancel()
        access.on_ended.discard(ended.set)


async def _close_with_session(socket: WebSocket, access: Access, ended: asyncio.Event) -> None:
    """Close the socket once nobody is logged in on its page any more; a guest's stays, who shows no session."""
    before = guard.actor(socket)
    if before is None:
        return
    while True:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ended.wait(), _LOOK_AGAIN_S)
        ended.clear()
        with contextlib.suppress(StoreFailed):  # it is away for a moment: what was true stays so
            if await access.actor(session_of(socket.headers)) != before:
                break
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        await socket.close(SESSION_ENDED, "this session is over; log in again")


async def _tell(sender: TextSender, feed: Feed, viewer: Viewer) -> None:
    """Send what has changed; a slow page gets the newest state, not every one in between."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while True:
            await viewer.wake.wait()
            viewer.wake.clear()
            viewer.busy = True
            message = await feed.message(viewer)
            if message is not None:
                await sender.send(message)
            viewer.busy = False
