"""Learn the picture of the table without cards, and add to it what is at rest and no card."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.tracking import association
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import ChangeDetector, FrameChange
from vision.tracking.coarse_plane import Cells, count_cells
from vision.tracking.tracked_card import TrackedCard


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """Limits of what becomes part of the table."""

    #: Seconds between two times that the bare mat is learned, and for which a cell must have been at rest for it.
    learn_interval_s: float = 0.2
    learn_at_rest_s: float = 0.3
    #: mm round a card, besides its shadow, that are not learned.
    beside_card_mm: float = 2.0
    #: Seconds at rest after which what is no card may become part of the table; and outside the middle: a pile that has
    #: just grown shows who took the trick.
    settled_s: float = 0.8
    settled_outside_s: float = 2.5


LIMITS = TableLimits()


class TableLearning:
    """Updates the change detector's picture of the bare table."""

    def __init__(self, detector: ChangeDetector) -> None:
        self._detector = detector
        self._learned_at = -1e9

    def learn_bare_mat(self, mat: MatRegions, change: FrameChange, cards: Iterable[TrackedCard], at: float) -> None:
        """Take what is at rest and unchanged, away from cards, for the bare mat; a few times a second at most."""
        if at - self._learned_at <= LIMITS.learn_interval_s:
            return
        self._learned_at = at
        # Not within a card's length of a change either: a back that is not known yet may have the tone of the mat.
        near = change.differs & mat.middle
        if near.any():
            edge = 2 * round(0.5 * mat.grid.card_cells**0.5) + 1
            near = cv2.dilate(near.view(np.uint8), np.ones((edge, edge), np.uint8)) > 0
        open_mat = ~(change.differs | near) & (change.rest > LIMITS.learn_at_rest_s)
        for card in cards:
            open_mat &= ~mat.grid.card(card.pose, association.LIMITS.shadow_mm + LIMITS.beside_card_mm)
        self._detector.learn_bare(open_mat)

    def let_go(self, mat: MatRegions, change: FrameChange, given_up: Cells | None) -> bool:
        """Add to the table what has been at rest for long; report whether something inside the middle was.

        That is anything outside the middle; inside it, small leftovers and what is ``given_up``, for it is no card.
        """
        old = change.differs & (change.rest > LIMITS.settled_s)
        if not old.any():
            return False
        inside = mat.laid_on
        outside = old & ~inside & (change.rest > LIMITS.settled_outside_s)
        if outside.any():
            self._detector.accept(outside)
        inside = old & inside
        if not inside.any():
            return False
        small = count_cells(inside) < association.LIMITS.worth_share * mat.grid.card_cells
        if not small:
            if given_up is None:
                return False
            inside &= given_up
            if not inside.any():
                return False
        self._detector.accept(inside)
        return True
