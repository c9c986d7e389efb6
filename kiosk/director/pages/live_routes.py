"""Serve the live messages to the page."""

import asyncio
import contextlib
import json
import logging

from fastapi import APIRouter, WebSocket
from starlette.websockets import WebSocketDisconnect

from kiosk.director.pages.feed import Feed, Viewer
from kiosk.director.tables.hall import Hall

log = logging.getLogger(__name__)
router = APIRouter()


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Send changes live to the page. The page states what it shows: tournament, round and perhaps a table."""
    hall: Hall = socket.app.state.hall
    await socket.accept()
    feed: Feed = socket.app.state.feed
    viewer = Viewer(hall.tournament, 0)
    telling = asyncio.create_task(_tell(socket, feed, viewer))
    try:
        while True:
            wish = json.loads(await socket.receive_text())
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


async def _tell(socket: WebSocket, feed: Feed, viewer: Viewer) -> None:
    """Send what has changed; a slow page gets the newest state, not every one in between."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):  # it has gone
        while True:
            await viewer.wake.wait()
            viewer.wake.clear()
            message = await feed.message(viewer)
            if message is not None:
                await socket.send_text(message)
