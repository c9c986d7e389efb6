"""Cards that have left the middle: a trick taken in and where to, or single cards taken back."""

from dataclasses import dataclass

import numpy as np

from vision.board import Board
from vision.gate import Change
from vision.lying import LyingCard
from vision.reports import CardGone, Report, TrickTaken

#: Seconds that a card is missed, while others lie, before it counts as taken back: some gather a trick in two.
MISSED = 1.2
#: Share of a pile's field that must have changed for the trick to have been put there.
PILE = 0.2
#: What is left of a motion after a frame: it is forgotten within two seconds.
FADE = np.float32(0.96)


@dataclass(slots=True)
class _Missed:
    """A card that is gone, until it is said."""

    card: LyingCard
    since: float


class Taking:
    """Collects what is gone until it is clear what became of it."""

    def __init__(self) -> None:
        self._missed: list[_Missed] = []
        self._swept: np.ndarray | None = None  # where something moved outside the middle, fading
        self._change: Change | None = None

    @property
    def cards(self) -> list[LyingCard]:
        """Gone, not said yet."""
        return [missed.card for missed in self._missed]

    def watch(self, board: Board, change: Change) -> None:
        """Notice where hands move outside the middle."""
        if self._swept is None or self._swept.shape != change.moved.shape:
            self._swept = np.zeros(change.moved.shape, np.float32)
        self._swept *= FADE
        self._swept[change.moved & ~board.middle] += 1
        self._change = change

    def miss(self, gone: list[LyingCard], others_lie: bool, at: float, reports: list[Report]) -> None:
        """These are gone; the last single one can only have been taken back."""
        self._missed += [_Missed(card, at) for card in gone]
        if not others_lie and len(self._missed) == 1:
            reports.append(CardGone(at=at, card=self._missed.pop().card.number))

    def say(self, board: Board, others_lie: bool, hand: bool, at: float, reports: list[Report]) -> None:
        """Say a trick once the hand is out of the way, single cards once others have stayed behind for a while."""
        if not others_lie:
            if not hand:  # while the hand moves on, it shows where it takes them
                self.settle(board, others_lie, at, reports)
            return
        for missed in [m for m in self._missed if at - m.since >= MISSED]:
            reports.append(CardGone(at=at, card=missed.card.number))
            self._missed.remove(missed)

    def settle(self, board: Board, others_lie: bool, at: float, reports: list[Report]) -> None:
        """Say all that is missed, because something else is to be said next."""
        if not self._missed:
            return
        numbers = sorted(card.number for card in self.cards)
        if others_lie or len(numbers) == 1:
            reports += [CardGone(at=at, card=number) for number in numbers]
        else:
            x, y = self._where(board)
            reports.append(TrickTaken(at=at, cards=tuple(numbers), x=x, y=y))
        self._missed = []

    def _where(self, board: Board) -> tuple[float | None, float | None]:
        """Where a trick was put: on the pile that has changed, else towards where the hand was seen outside."""
        if self._change is not None and board.won:
            changed = {place: float(self._change.differs[cells].mean()) for place, cells in board.won}
            place = max(changed, key=lambda place: changed[place])
            if changed[place] > PILE:
                return place
        if self._swept is None or self._swept.sum() < 10:
            return None, None
        x, y = np.average(board.grid.mm.reshape(-1, 2), axis=0, weights=self._swept.ravel())
        return round(float(x), 1), round(float(y), 1)
