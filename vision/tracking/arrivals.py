"""Know when each place on the mat was last as it was before: a card that came later was not laid before that."""

import numpy as np
from numpy.typing import NDArray

from vision.geometry.pose import Pose
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import count_cells

#: Share of a card's cells that must differ for its coming to be seen in them: paper on paper does not.
LEAST_SHARE = 0.1
#: Share of these cells that were disturbed before the time that counts: earlier is on the safe side.
EARLIEST_SHARE = 0.25
#: Share of them that were touched after the time from which on the card lies untouched: later is on the safe side.
LATEST_SHARE = 0.1


class Arrivals:
    """Remembers when each cell last showed what it had shown before anything came."""

    def __init__(self) -> None:
        self._undisturbed: NDArray[np.float64] | None = None  # s

    def watch(self, change: FrameChange, at: float) -> None:
        """Take a picture's change into account."""
        if self._undisturbed is None or self._undisturbed.shape != change.differs.shape:
            self._undisturbed = np.full(change.differs.shape, at)
        self._undisturbed[~change.differs] = at

    def settled(self, mat: MatRegions, change: FrameChange, pose: Pose, at: float) -> float:
        """Find when (s) most of a card came to rest that is read ``at``; a later hand may have touched some of it."""
        cells = mat.grid.card(pose) & change.differs
        return at - float(np.median(change.rest[cells])) if cells.any() else at

    def interval(self, mat: MatRegions, change: FrameChange, pose: Pose, at: float) -> tuple[float, float] | None:
        """Find between which times (s) a card was laid that is read ``at``; None where that cannot be told."""
        place = mat.grid.card(pose)
        cells = place & change.differs
        if self._undisturbed is None or count_cells(cells) < LEAST_SHARE * count_cells(place):
            return None
        before = float(np.quantile(self._undisturbed[cells], EARLIEST_SHARE))
        rested = at - float(np.quantile(change.rest[cells], LATEST_SHARE))
        return min(before, rested), rested
