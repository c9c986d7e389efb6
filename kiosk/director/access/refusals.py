"""Define what is refused for who asks."""

from kiosk.errors import LocalisedError


class NotAllowed(LocalisedError):
    """Somebody else may do that, or nobody now; the code says why and the values name the way out."""


class NotLoggedIn(NotAllowed):
    """Nobody has logged in on this page."""


class TooMany(NotAllowed):
    """Too many wrong tries, or too much at once: wait."""


class Unknown(NotAllowed):
    """No account, device or code of that name."""
