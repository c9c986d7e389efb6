"""Watch for a card that the deal has left face down on the mat: somebody may be missing it."""

from collections.abc import Mapping

from kiosk.table.inference.position import Position
from kiosk.table.observe.gone import NumberedCard
from kiosk.table.observe.limits import LIMITS
from vision.messages import CardLaid


class LeftDown:
    """The cards that lie there with their backs up and are noted as none, like a cover (durchgaenge 4b).

    :param known: vision's numbers → cards, the observer's.
    """

    def __init__(self, known: Mapping[int, NumberedCard]) -> None:
        self._known = known
        self._backs: dict[int, float] = {}  # vision's numbers → when its back was seen
        self._taken_up: float | None = None  # when hands had been taken up, in the game in play

    def see(self, report: CardLaid) -> None:
        """Keep a card of which the back was seen, until its face is."""
        if report.face_down:
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
