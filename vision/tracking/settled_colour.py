"""Find where a frame has another colour than the settled picture: a dark hand may have the grey level of the mat.

Colours are log-chromaticities, which light does not change; what a white balance adds to all of them is taken out.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.coarse_plane import Cells, Plane, follow, log_chromaticity


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourLimits:
    """Limits of another colour."""

    #: Log-chromaticity (natural logs of ratios of colours) by which a cell must differ. 0.25 … 0.5: noise in the dark
    #: against skin, which differs by 1 from a green mat and by 0.2 from a table of wood.
    other_colour: float = 0.35
    #: Share of a cell at rest that the settled colour takes in a second; and where it is another colour, so that no
    #: cell is wrong for longer than a minute. Seconds that count at most since it was looked at.
    follow_per_s: float = 0.45
    heal_per_s: float = 0.045
    longest_step_s: float = 1.0
    #: Seconds between two looks while nothing differs in grey level: then they are for learning alone.
    interval_s: float = 0.5
    #: Cells between two from which the white balance is taken.
    balance_step_cells: int = 3


LIMITS = ColourLimits()
_MOST = (LIMITS.other_colour,) * 2
_LEAST = (-LIMITS.other_colour,) * 2


class SettledColour:
    """Remembers the log-chromaticity of each cell of the settled picture."""

    def __init__(self) -> None:
        self._settled: Plane | None = None  # (H / CELL, W / CELL, 2)
        self._newest: Plane | None = None
        self._at = -math.inf

    def forget(self) -> None:
        """Forget it: another lamp shines."""
        self._settled = None

    def is_due(self, at: float) -> bool:
        """Check whether it is to be looked at again at ``at`` (s), though nothing differs."""
        return not 0 <= at - self._at < LIMITS.interval_s

    def differs(self, quarter: NDArray[np.uint8], still: Cells, at: float) -> Cells:
        """Find the cells (H / CELL, W / CELL) bool of ``Frame.quarter`` in which it has another colour ``at`` (s).

        :param still: cells whose grey level is that of the settled picture and has been for a while; they are learned.
        """
        # A film that begins again goes back in time.
        passed, self._at = min(max(at - self._at, 0.0), LIMITS.longest_step_s), at
        newest = log_chromaticity(quarter)
        if self._settled is None or self._settled.shape != newest.shape:
            self._settled = newest.copy()
        step = LIMITS.balance_step_cells
        balance = np.median((newest - self._settled)[::step, ::step].reshape(-1, 2), axis=0)
        self._newest = newest - balance
        off = cv2.subtract(self._newest, self._settled)
        same = cv2.inRange(off, _LEAST, _MOST) > 0
        follow(self._settled, self._newest, still & same, LIMITS.follow_per_s * passed)
        follow(self._settled, self._newest, still & ~same, LIMITS.heal_per_s * passed)
        return np.asarray(~same)

    def accept(self, cells: Cells | None = None) -> None:
        """Take the newest frame's colour as settled there (everywhere by default)."""
        if self._newest is None or self._settled is None:
            return
        if cells is None:
            self._settled = self._newest.copy()
        else:
            cv2.copyTo(self._newest, cells.view(np.uint8), self._settled)
