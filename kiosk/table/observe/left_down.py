"""Watch for a card that the deal has left face down on the mat: somebody may be missing it."""

from collections.abc import Mapping

from kiosk.table.inference.position import Position
from kiosk.table.inference.seats import Place
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from vision.messages import CardLaid


class LeftDown:
    """The cards that lie there with their backs up and are noted as none, like a cover (durchgaenge 4b).

    Only in the middle: of packets at its rim nobody sees surely that they have been taken up.

    :param known: vision's numbers → cards, the observer's.
    :param centres: the middle of each seat's field on the mat, in mm.
    """

    def __init__(self, known: Mapping[int, NumberedCard], centres: Mapping[int, Place]) -> None:
        self._known = known
        x, y = (max((abs(place[axis]) for place in centres.values()), default=0.0) for axis in (0, 1))
        self._half_axes_mm = x * LIMITS.middle_share, y * LIMITS.middle_share
        self._backs: dict[int, float] = {}  # vision's numbers → when its back was seen
        self._taken_up: float | None = None  # when hands had been taken up, in the game in play

    def see(self, report: CardLaid) -> None:
        """Keep a card of which the back was seen, until its face is."""
        half_x, half_y = self._half_axes_mm
        if report.face_down and (report.x * half_y) ** 2 + (report.y * half_x) ** 2 <= (half_x * half_y) ** 2:
            self._backs.setdefault(report.card, report.at)
        else:
            self._backs.pop(report.card, None)

    def lies(self, at: float, position: Position) -> bool:
        """Report whether one lies there for some time now that has nothing to do with play.

        Before somebody has spoken or led, packets and hands lie on the mat; after the first trick, tricks won do.
        """
        self._backs = {number: seen for number, seen in self._backs.items() if self._lies(number)}
        if not position.begun or len(position.seen) >= len(position.order):
            self._taken_up = None
            return False
        if self._taken_up is None:
            self._taken_up = at
        return any(at - max(seen, self._taken_up) >= LIMITS.left_down_s for seen in self._backs.values())

    def _lies(self, number: int) -> bool:
        known = self._known.get(number)
        return known is not None and known.event is None and not known.gone
