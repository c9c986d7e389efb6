"""Tell seats that nobody has named yet: they are called by their number, in whatever language the table spoke then."""

from functools import cache

from kiosk.language import languages, say

#: Seats of the largest table.
_SEATS = range(1, 6)


def is_default(name: str) -> bool:
    """Report whether a seat with this name waits for the name of who sits there."""
    return not name.strip() or name in _defaults()


@cache
def _defaults() -> frozenset[str]:
    return frozenset(say("screen", "seat_n", language, seat=seat) for language in languages() for seat in _SEATS)
