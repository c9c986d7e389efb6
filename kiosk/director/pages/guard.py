"""Ask for the account that may do what a page's button does."""

from starlette.requests import HTTPConnection

from kiosk.director.access.accounts import Actor
from kiosk.director.access.refusals import NotAllowed, NotLoggedIn
from kiosk.director.access.roles import Act, may


def actor(connection: HTTPConnection) -> Actor | None:
    """Return who has logged in on the page that asks; None: nobody."""
    found = getattr(connection.state, "actor", None)
    return found if isinstance(found, Actor) else None


def allowed(connection: HTTPConnection, act: Act) -> bool:
    """Report whether who asks may do that."""
    found = actor(connection)
    return found is not None and may(found.role, act)


def need(connection: HTTPConnection, act: Act) -> Actor:
    """Require an account that may do that, and return it.

    :raises NotLoggedIn: nobody has logged in.
    :raises NotAllowed: an account that may not.
    """
    found = actor(connection)
    if found is None:
        raise NotLoggedIn("login", "log in on the page first")
    if not may(found.role, act):
        raise NotAllowed("not_yours", f"account {found.name!r} may not do this; ask the direction", name=found.name)
    return found


def is_director(connection: HTTPConnection) -> bool:
    """Report whether the director has logged in."""
    return allowed(connection, "direct")


def need_director(connection: HTTPConnection) -> Actor:
    """Require the director's account."""
    return need(connection, "direct")


def address(connection: HTTPConnection) -> str:
    """Return the address from which a request comes."""
    return connection.client.host if connection.client else ""
