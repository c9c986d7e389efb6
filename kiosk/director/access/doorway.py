"""Look at every request before it goes on: who asks, whether anybody may, whether another site's page does."""

import re
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from kiosk.director.access.access import Access
from kiosk.director.refusals import StoreFailed
from kiosk.director.storage.actor import ACTOR

#: The cookie that holds a session's secret.
COOKIE = "stichwart"

#: What anybody may ask, to get in at all.
_OPEN = frozenset(
    {
        *("/", "/beamer", "/health", "/api/words", "/api/me", "/api/login", "/api/logout", "/api/first"),
        *("/api/takeover", "/api/restore", "/api/restore/yes"),  # they look themselves who comes
        *("/zertifikat", "/certificate", "/zertifikat/stichwart.crt", "/zertifikat/stichwart.pem"),
    }
)

#: How the addresses begin that have a guard of their own (tables), or no secrets (the page's files).
_OWN_GUARD = ("/line/", "/enrol", "/page/")


class Doorway:
    """ASGI middleware: sets ``request.state.actor`` (None: nobody has logged in) and turns strangers away.

    :param guests: whoever comes may look, without an account.
    """

    def __init__(self, app: ASGIApp, access: Access, guests: bool) -> None:
        self._app, self._access, self._guests = app, access, guests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, path = Headers(scope=scope), str(scope["path"])
        if path.startswith(_OWN_GUARD):
            await self._app(scope, receive, send)
            return
        try:
            actor = await self._access.actor(session_of(headers))
        except StoreFailed as error:
            await _turn_away(scope, receive, send, "store", str(error), 507)
            return
        scope.setdefault("state", {})["actor"] = actor
        token = ACTOR.set(actor.name if actor is not None else "")
        try:
            if wrong := _another_site(headers, encrypted=scope["scheme"] in ("https", "wss")):
                await _turn_away(scope, receive, send, "origin", wrong)
            elif actor is None and path not in _OPEN and not (self._guests and _only_looks(scope)):
                await _turn_away(scope, receive, send, "login", "log in on the page first: this is not for everybody")
            else:
                await self._app(scope, receive, send)
        finally:
            ACTOR.reset(token)


def session_of(headers: Headers) -> str:
    """Return the session's secret that a request shows; "": none."""
    try:
        cookies: SimpleCookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


def _another_site(headers: Headers, encrypted: bool) -> str:
    """What is wrong where another site's page asks, open in the same browser: it may neither read nor press.

    A page that came without encryption is another site's: somebody on the way may have written it.
    """
    origin, host = headers.get("origin"), headers.get("host", "")
    try:
        parts = urlsplit(origin or "")
        same = origin is None or (_plain(parts.netloc) == _plain(host) and (parts.scheme == "https" or not encrypted))
    except ValueError:
        same = False
    return "" if same else f"a page of {origin} may not do this; open the director's own page at {host}"


def _plain(host: str) -> str:
    """The same name and port in one spelling: capitals are small letters, and a name may end with a dot (RFC 1034)."""
    name, port = re.fullmatch(r"(.*?)(:\d*)?", host.lower(), re.DOTALL).groups("")  # type: ignore[union-attr]
    return str(name.rstrip(".") + port)


def _only_looks(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] in ("GET", "HEAD")


async def _turn_away(scope: Scope, receive: Receive, send: Send, error: str, message: str, status: int = 403) -> None:
    if scope["type"] == "websocket":
        await receive()  # its wish to connect; closed before it is accepted it gets HTTP status 403
        await send({"type": "websocket.close", "code": 4403, "reason": message[:120]})
        return
    content: dict[str, Any] = {"error": error, "code": error, "values": {}, "message": message}
    await JSONResponse(content, status)(scope, receive, send)
