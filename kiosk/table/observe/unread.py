"""Keep back cards of which nothing is read while no game is in play: the next one's first ones, or backs just dealt.

The dealer's arm brings backs to everybody's place, and they go one by one. So such cards are noted once a card follows
that is read, once three lie there that each came by the arm of their own place, or where a whole trick of them goes.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import atan2, dist, pi, remainder

from kiosk.table.inference.seats import Place
from kiosk.table.observe.noting import is_unread
from vision.messages import CardGone, CardLaid, TrickTaken

#: Cards of different places from which a trick is played, and those that are a whole one.
CERTAIN_CARDS = 3
TRICK_CARDS = 4
#: Angle (rad) by which an arm may come from beside its seat's place. Neighbours are 1.57 apart.
OWN_ARM_RAD = 0.6


class UnreadBetweenGames:
    """Such cards that lie there.

    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, centres: Mapping[int, Place]) -> None:
        self._centres = centres
        self._there: dict[int, CardLaid] = {}

    def takes(self, report: CardLaid, *, playing: bool) -> bool:
        """Keep a card back if it may be a back that is dealt; whether it is."""
        before = self._there.get(report.card)
        if not is_unread(report) or (playing and before is None):
            return report.face_down and self._there.pop(report.card, None) is not None
        self._there[report.card] = report if before is None else replace(report, at=before.at)
        seats = {self._brought_by_own_arm(one) for one in self._there.values()} - {None}
        return len(seats) < CERTAIN_CARDS

    def take(self) -> list[CardLaid]:
        """Return the cards that are kept back, and keep them no longer."""
        cards = list(self._there.values())
        self._there.clear()
        return cards

    def went(self, report: CardGone | TrickTaken) -> list[CardLaid]:
        """Forget cards that have gone; return those that were a whole trick."""
        gone = report.cards if isinstance(report, TrickTaken) else (report.card,)
        cards = [one for number in gone if (one := self._there.pop(number, None)) is not None]
        return cards if len(cards) >= TRICK_CARDS else []

    def _brought_by_own_arm(self, report: CardLaid) -> int | None:
        """Find the seat in whose place a card lies, if an arm from there has brought it."""
        if report.arm is None:
            return None
        place = report.x, report.y
        near = min(self._centres, key=lambda seat: dist(self._centres[seat], place))
        x, y = self._centres[near]
        return near if abs(remainder(report.arm - atan2(y, x), 2 * pi)) <= OWN_ARM_RAD else None
