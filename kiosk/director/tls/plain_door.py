"""Meet who comes without encryption: show browsers the way, let tables of before through, turn others away."""

import ipaddress
from typing import Any
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

#: The page that explains the certificate, in each language.
PAGES = {"de": "/zertifikat", "en": "/certificate"}


class PlainDoor:
    """ASGI middleware: of what comes without encryption from another machine only these pass: a table's line, which
    looks at the device, and the certificate with its page.

    :param explains: browsers do not know the certificate; who opens the page is shown what to do about it.
    """

    def __init__(self, app: ASGIApp, explains: bool) -> None:
        self._app, self._explains = app, explains

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket") or not is_plain(scope):
            await self._app(scope, receive, send)
            return
        path = str(scope["path"])
        if path.startswith(("/line/", *PAGES.values())) or path in ("/page/look.css", "/page/icon.svg"):
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": "wss:// is wanted"})
        elif scope["method"] in ("GET", "HEAD"):
            await self._show_way(scope, receive, send, path)
        else:
            message = "this service is encrypted: write https:// instead of http:// into the address"
            content: dict[str, Any] = {"error": "tls", "code": "tls", "values": {}, "message": message}
            await JSONResponse(content, 426, {"Upgrade": "TLS/1.2"})(scope, receive, send)

    async def _show_way(self, scope: Scope, receive: Receive, send: Send, path: str) -> None:
        if path == "/" and self._explains:
            wanted = Headers(scope=scope).get("accept-language", "de").lower()
            page = PAGES["de" if wanted.startswith("de") else "en"]
            await RedirectResponse(page, 303, {"Cache-Control": "no-store"})(scope, receive, send)
            return
        query = scope["query_string"].decode("ascii", "replace")
        target = encrypted(scope) + quote(path) + (f"?{quote(query, safe='=&%+/:,-._~')}" if query else "")
        await RedirectResponse(target, 307, {"Cache-Control": "no-store"})(scope, receive, send)


def encrypted(scope: Scope) -> str:
    """Return the service's encrypted address, as the one who asks has named it, without a path."""
    host = Headers(scope=scope).get("host", "")
    server = scope.get("server") or ("localhost", 8377)
    odd = not host or any(not (sign.isalnum() or sign in ".-:[]_") for sign in host)
    return f"https://{f'{server[0]}:{server[1]}' if odd else host}"


def is_plain(connection: HTTPConnection | Scope) -> bool:
    """Report whether something comes from another machine without encryption."""
    scope = connection.scope if isinstance(connection, HTTPConnection) else connection
    if scope.get("scheme") not in ("http", "ws"):
        return False
    client = scope.get("client")
    try:
        address = ipaddress.ip_address(client[0].partition("%")[0]) if client is not None else None
    except ValueError:  # no address of a network: a test's, or a socket file's
        return False
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    return address is not None and not address.is_loopback
