"""Who may press the buttons: the one who has given the director's PIN."""

import time
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from kiosk.director.errors import NotDirector

COOKIE = "stichwart"
_HOURS = 12
_TRIES, _PAUSE = 5, 30.0  # wrong PINs from one address, and seconds until the next may be tried


def is_director(connection: HTTPConnection) -> bool:
    """Whether this page has given the PIN, or none is asked for."""
    return bool(connection.app.state.settings.pass_fits(connection.cookies.get(COOKIE, ""), time.time()))


def need_director(connection: HTTPConnection) -> None:
    """:raises NotDirector: the PIN has not been given, or another site's page asks."""
    need_same_origin(connection)
    if not is_director(connection):
        raise NotDirector("the director's PIN is needed for this; enter it on the page")


def need_same_origin(connection: HTTPConnection) -> None:
    """Other sites' pages, open in the same browser, may neither look nor press.

    :raises NotDirector: the browser says that another page asks.
    """
    origin, host = connection.headers.get("origin"), connection.headers.get("host", "")
    if origin is not None and urlsplit(origin).netloc != host:
        raise NotDirector(f"a page of {origin} may not do this; open the director's own page at {host}")


def login(connection: HTTPConnection, pin: str) -> tuple[str, int]:
    """The cookie for a right PIN, and its seconds to live.

    :raises NotDirector: the PIN is wrong, or too many wrong ones came from this address.
    """
    failures: dict[str, list[float]] = _failures(connection.app.state)
    address = connection.client.host if connection.client else ""
    now = time.monotonic()
    recent = [at for at in failures.get(address, []) if now - at < _PAUSE]
    if len(recent) >= _TRIES:
        raise NotDirector(f"too many wrong PINs; wait {_PAUSE:.0f} seconds")
    if not connection.app.state.settings.pin_fits(pin):
        failures[address] = [*recent, now]
        raise NotDirector("this is not the director's PIN")
    failures.pop(address, None)
    seconds = _HOURS * 3600
    return connection.app.state.settings.pass_for(int(time.time()) + seconds), seconds


def _failures(state: Any) -> dict[str, list[float]]:
    if not hasattr(state, "wrong_pins"):
        state.wrong_pins = {}
    failures: dict[str, list[float]] = state.wrong_pins
    return failures
