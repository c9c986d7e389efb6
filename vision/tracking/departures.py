"""Report cards that have left the middle: a trick taken in and where to, or single cards taken back."""

from dataclasses import dataclass

import numpy as np

from vision.messages import CardGone, Report, TrickTaken
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True, kw_only=True)
class DepartureLimits:
    """Limits of separating a trick taken in from cards taken back."""

    #: Seconds that a card is missed, while others are there, before it counts as taken back: some gather a trick in
    #: two.
    missed_s: float = 1.2
    #: Share of a pile's field that must have changed for the trick to have been put there.
    pile_changed_share: float = 0.2
    #: What is left of a motion after a frame: it is forgotten within two seconds.
    motion_kept: float = 0.96
    #: Cells, each for a frame, that must have moved outside the middle for the hand's way to be known.
    least_motion: float = 10.0


LIMITS = DepartureLimits()

#: Cards of a whole trick, in all books.
TRICK_CARDS = 4


@dataclass(slots=True)
class _Missed:
    """A card that is gone, until it is reported."""

    card: TrackedCard
    since: float


class Departures:
    """Collects cards that are gone until it is clear what became of them."""

    def __init__(self) -> None:
        self._missed: list[_Missed] = []
        self._motion: np.ndarray | None = None  # where something moved outside the middle, fading
        self._change: FrameChange | None = None

    @property
    def cards(self) -> list[TrackedCard]:
        """Gone, not reported yet."""
        return [missed.card for missed in self._missed]

    def watch(self, mat: MatRegions, change: FrameChange) -> None:
        """Notice where hands move outside the middle."""
        if self._motion is None or self._motion.shape != change.moved.shape:
            self._motion = np.zeros(change.moved.shape, np.float32)
        self._motion *= LIMITS.motion_kept
        self._motion[change.moved & ~mat.middle] += 1
        self._change = change

    def miss(self, gone: list[TrackedCard], others_there: bool, at: float, reports: list[Report]) -> None:
        """Add cards that are gone; the last single one can only have been taken back."""
        self._missed += [_Missed(card, at) for card in gone]
        if not others_there and len(self._missed) == 1:
            reports.append(CardGone(at=at, card=self._missed.pop().card.number))

    def report_due(self, mat: MatRegions, others_there: bool, hand: bool, at: float, reports: list[Report]) -> None:
        """Report a trick once the hand is out of the way, single cards once others have stayed behind for a while."""
        if not others_there:
            if not hand:  # while the hand moves on, it shows where it takes them
                self.report_all(mat, others_there, at, reports)
            return
        for missed in [m for m in self._missed if at - m.since >= LIMITS.missed_s]:
            reports.append(CardGone(at=at, card=missed.card.number))
            self._missed.remove(missed)

    def report_all(self, mat: MatRegions, others_there: bool, at: float, reports: list[Report]) -> None:
        """Report all that is missed, because something else is to be reported next."""
        if not self._missed:
            return
        numbers = sorted(card.number for card in self.cards)
        if others_there or len(numbers) == 1:
            reports += [CardGone(at=at, card=number) for number in numbers]
        else:
            x, y = self._where(mat)
            reports.append(TrickTaken(at=at, cards=tuple(numbers), x=x, y=y))
        self._missed = []

    def _where(self, mat: MatRegions) -> tuple[float | None, float | None]:
        """Find where a trick was put: on the pile that has changed, else towards where the hand was seen outside."""
        if self._change is not None and mat.won:
            changed = {place: float(self._change.differs[cells].mean()) for place, cells in mat.won}
            place = max(changed, key=lambda place: changed[place])
            if changed[place] > LIMITS.pile_changed_share:
                return place
        if self._motion is None or self._motion.sum() < LIMITS.least_motion:
            return None, None
        x, y = np.average(mat.grid.mm.reshape(-1, 2), axis=0, weights=self._motion.ravel())
        return round(float(x), 1), round(float(y), 1)
