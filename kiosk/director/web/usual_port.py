"""Show browsers that come by a browser's usual port (80) the way to the service's own.

Whoever types a name alone into a browser asks there. Nothing of the service is behind that port but this way: pages,
accounts and tables are at the service's own port, encrypted where it encrypts. Only root may open the port: systemd
does (``systemd/stichwart-director.socket``) and hands it over open, so that the service needs no right for it.
"""

import logging
import os
import socket
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import Receive, Scope, Send

log = logging.getLogger(__name__)

#: Number of the first file that systemd hands over (sd_listen_fds(3)).
_FIRST = 3


class ShowTheWay:
    """ASGI application: each page is at the same name, at the service's port.

    :param port: of the service; what it does without encryption there, its own door decides.
    """

    def __init__(self, port: int) -> None:
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": f"the service is at port {self._port}"})
        elif scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            query = scope["query_string"].decode("ascii", "replace")
            path = quote(scope["path"]) + (f"?{quote(query, safe='=&%+/:,-._~')}" if query else "")
            target = f"http://{_name(scope)}:{self._port}{path}"
            await RedirectResponse(target, 307, {"Cache-Control": "no-store"})(scope, receive, send)
        elif scope["type"] == "http":
            message = f"the service is at port {self._port}: write :{self._port} behind the name in the address"
            await JSONResponse({"error": "port", "code": "port", "values": {}, "message": message}, 421)(
                scope, receive, send
            )


def _name(scope: Scope) -> str:
    """The name by which this machine was called, without a port; its address where that is no name."""
    host = Headers(scope=scope).get("host", "")
    name = host if host.endswith("]") else host.rpartition(":")[0] if ":" in host else host
    if name and all(sign.isalnum() or sign in "-._" for sign in name.strip("[]").replace(":", "")):
        return name
    address = str((scope.get("server") or ("localhost", 0))[0])
    return f"[{address}]" if ":" in address else address


def handed_over() -> list[socket.socket]:
    """Take the open sockets that systemd has handed to this process over; they listen already."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return []
    try:
        count = int(os.environ.get("LISTEN_FDS", "0"))
        found = [socket.socket(fileno=number) for number in range(_FIRST, _FIRST + count)]
    except (OSError, ValueError) as error:
        log.error("what systemd has handed over is no socket (%s): names without a port are not answered", error)
        return []
    for one in found:
        one.set_inheritable(False)
    return found
