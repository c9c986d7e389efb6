"""Guard the buttons by the director's PIN."""

import time
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from kiosk.director.refusals import NotDirector

COOKIE = "stichwart"
_LOGIN_HOURS = 12
_WRONG_PINS = 5  # wrong PINs from one address until it has to wait
_PAUSE_S = 30.0  # seconds until it may try again


def is_director(connection: HTTPConnection) -> bool:
    """Report whether this page has given the PIN, or none is required."""
    return bool(connection.app.state.settings.pass_fits(connection.cookies.get(COOKIE, ""), time.time()))


def need_director(connection: HTTPConnection) -> None:
    """Require the director's PIN."""
    need_same_origin(connection)
    if not is_director(connection):
        raise NotDirector("the director's PIN is needed for this; enter it on the page")


def need_same_origin(connection: HTTPConnection) -> None:
    """Require requests of the same origin: other sites' pages, open in the same browser, may neither read nor press.

    :raises NotDirector: the browser says that another page asks.
    """
    origin, host = connection.headers.get("origin"), connection.headers.get("host", "")
    if origin is not None and urlsplit(origin).netloc != host:
        raise NotDirector(f"a page of {origin} may not do this; open the director's own page at {host}")


def login(connection: HTTPConnection, pin: str) -> tuple[str, int]:
    """Check a PIN; return the cookie and its seconds to live.

    :raises NotDirector: the PIN is wrong, or too many wrong ones came from this address.
    """
    failures: dict[str, list[float]] = _failures(connection.app.state)
    address = connection.client.host if connection.client else ""
    now = time.monotonic()
    recent = [at for at in failures.get(address, []) if now - at < _PAUSE_S]
    if len(recent) >= _WRONG_PINS:
        raise NotDirector(f"too many wrong PINs; wait {_PAUSE_S:.0f} seconds")
    if not connection.app.state.settings.pin_fits(pin):
        failures[address] = [*recent, now]
        raise NotDirector("this is not the director's PIN")
    failures.pop(address, None)
    seconds = _LOGIN_HOURS * 3600
    return connection.app.state.settings.pass_for(int(time.time()) + seconds), seconds


def _failures(state: Any) -> dict[str, list[float]]:
    if not hasattr(state, "wrong_pins"):
        state.wrong_pins = {}
    failures: dict[str, list[float]] = state.wrong_pins
    return failures
