"""Hold the tournaments of several clubs in one service, each found by the names under which it is reached.

Each club has an application of its own, with its own database, accounts, tables and threads: nothing is shared but the
port and the certificate, and a browser keeps the sessions of two names apart.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.applications import Starlette
from starlette.routing import Host, Mount
from starlette.types import ASGIApp, Receive, Scope, Send


def with_clubs(home: FastAPI, clubs: Mapping[str, FastAPI]) -> ASGIApp:
    """Build an application out of a service's own and those of clubs.

    :param home: answers under every name that is no club's.
    :param clubs: by name, in lower case and without a port; a club may have several.
    """

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for app in {id(app): app for app in (home, *clubs.values())}.values():
                await stack.enter_async_context(app.router.lifespan_context(app))
            yield

    routes = [*(Host(name, app) for name, app in clubs.items()), Mount("", home)]
    return _LowerCase(Starlette(routes=routes, lifespan=life))


class _LowerCase:
    """ASGI middleware: names of hosts are the same in capitals (RFC 4343), and with a dot at their end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "headers" in scope:
            scope["headers"] = [(name, _plain(value) if name == b"host" else value) for name, value in scope["headers"]]
        await self._app(scope, receive, send)


def _plain(host: bytes) -> bytes:
    name, colon, port = host.lower().partition(b":")
    return name.rstrip(b".") + colon + port
