"""Hold a breach back until the cards that it rests on have come to rest: nobody is accused for a tenth of a second.

Of two cards laid at once the one may be read first and count as the other's, until that is read as well.
"""

from collections.abc import Iterable
from math import inf

from kiosk.table.view.table_view import OffenceView

#: Seconds for which a breach must stand that came to light with a card the camera has seen. 0.2 … 1: of two cards laid
#: at once the second is read up to 0.3 s after the first.
ACCUSED_AFTER_S = 0.5


class Accusations:
    """Remembers since when each breach has stood."""

    def __init__(self) -> None:
        self._since: dict[tuple[int, str, int], float] = {}

    def shown(self, offences: Iterable[OffenceView], now: float, seen_at: float) -> tuple[OffenceView, ...]:
        """Select the breaches that are shown ``now`` (s); the camera's last card was noted at ``seen_at`` (s)."""
        new = now if now - seen_at < ACCUSED_AFTER_S else -inf
        offences = tuple(offences)
        self._since = {key: self._since.get(key, new) for key in map(_key, offences)}
        return tuple(one for one in offences if now - self._since[_key(one)] >= ACCUSED_AFTER_S - 1e-6)


def _key(one: OffenceView) -> tuple[int, str, int]:
    return one.event, one.code, one.seat
