"""Hold a breach back until the cards that it rests on have come to rest: nobody is accused for a moment.

Of two cards laid at once the one may be read first and count as the other's, until that is read as well; and of a trick
that somebody looks at again the upper card may be read before the one beneath it tells what is being done.
"""

from collections.abc import Iterable
from math import inf

from kiosk.table.view.table_view import OffenceView

#: Seconds for which a breach must stand that came to light with a card the camera has seen. 0.5 … 1.5: of two cards
#: laid at once the second is read up to 0.3 s after the first, of a trick looked at again up to 0.8 s.
ACCUSED_AFTER_S = 1.0


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
