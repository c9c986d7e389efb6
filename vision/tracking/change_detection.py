"""Detect motion and change on coarse planes of grey levels, at a fraction of a millisecond a frame.

It works on a coarse grid of cells (8 px), so that the costly recognition runs only where and when something has come to
rest. Light is levelled out first (``coarse_plane.match_light``).
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.bare_mat import BareMat, CoarseFrame
from vision.tracking.coarse_plane import CHANGED_LEVELS, Cells, Plane, cell_means, follow, match_light, relight, within
from vision.tracking.lamp_change import LIMITS as LAMP
from vision.tracking.lamp_change import fill, lamp_factors
from vision.tracking.settled_colour import SettledColour


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLimits:
    """Limits of detecting motion and change on coarse planes of grey levels."""

    #: Grey levels below which the mean counts as dark.
    dark_mean: float = 14.0
    #: Standard deviation of the cells, in grey levels, below which nothing is seen: a cap or a cloth on the lens.
    flat_deviation: float = 3.0
    #: Share of the frame before that a cell takes from each frame until it moves, so that a hand creeping by a level a
    #: frame is motion too.
    anchor_share: float = 0.1
    #: Share of an unchanged cell that the settled picture takes from each frame: follows daylight within minutes; and
    #: seconds that the cell must have been at rest.
    follow_share: float = 0.03
    follow_at_rest_s: float = 0.2
    #: Factor by which light may change a place against the rest within some frames and be no motion; and share by which
    #: such factors may differ in a place and be light.
    drift_factor: float = 1.2
    drift_unevenness: float = 0.05
    #: Edge in cells of the squares in which such factors are compared.
    drift_edge_cells: int = 7


CHANGE = ChangeLimits()


@dataclass(frozen=True, slots=True, eq=False)
class FrameChange:
    """Cells that move and cells that differ in one frame; all planes are (H / CELL, W / CELL)."""

    moved: Cells  # differs from the frame before
    rest: NDArray[np.float32]  # seconds since a cell last moved
    differs: Cells  # differs from the settled picture
    covered: Cells  # differs from it in grey level or in colour: a dark hand may have the grey level of the mat
    blind: str  # "" | dark | covered
    light: float  # gain against the settled picture

    @property
    def moving(self) -> bool:
        """Whether anything worth the name moves: two cells that touch."""
        return bool(cv2.countNonZero(cv2.erode(self.moved.view(np.uint8), _PAIR, borderValue=0)))


_PAIR = np.ones((1, 2), np.uint8)


class ChangeDetector:
    """Remembers coarse planes: the frame before (its cells as they last moved), the settled picture, the bare mat."""

    def __init__(self) -> None:
        self._anchor: Plane | None = None
        self._settled: Plane | None = None
        self._rest: Plane | None = None
        self._mat = BareMat()
        self._colour = SettledColour()
        self._gains: tuple[float | None, float | None] = None, None
        self._at = 0.0
        self._quarter: NDArray[np.uint8] | None = None
        self._lit: tuple[Plane, NDArray[np.uint8]] | None = None  # the last frame with light enough
        self.plane: Plane | None = None  # the newest frame's, light as it came

    def update(self, quarter: NDArray[np.uint8], at: float) -> FrameChange:
        """Compare a frame, as ``Frame.quarter``, with those before ``at`` (s); the first becomes the settled one."""
        plane = cell_means(quarter)
        mean = cv2.mean(plane)[0]
        anchor, settled, rest = self._anchor, self._settled, self._rest
        if anchor is None or settled is None or rest is None or anchor.shape != plane.shape:
            anchor, settled = plane.copy(), plane.copy()
            rest = np.zeros_like(plane)
            self._at = at
        levelled, gain = match_light(plane, anchor, self._gains[0])
        if mean >= LAMP.least_mean and self._light_up(quarter, plane, levelled, anchor, settled, rest):
            levelled, gain = match_light(plane, anchor, self._gains[0])
        self.plane, self._quarter = plane, quarter
        moved = _opened(cv2.absdiff(levelled, anchor) > CHANGED_LEVELS)
        some_move = moved.any()
        if some_move:
            drifted = _smooth(levelled, anchor, CHANGE.drift_factor)
            follow(anchor, levelled, moved & drifted, 1.0)
            moved = _opened(moved & ~drifted)
            some_move = moved.any()
        # The anchor hardly follows until its cell moves, so that a hand creeping by a level a frame is motion too.
        cv2.addWeighted(anchor, 1.0 - CHANGE.anchor_share, levelled, CHANGE.anchor_share, 0.0, anchor)
        if some_move:
            cv2.copyTo(levelled, moved.view(np.uint8), anchor)
        relight(anchor, gain)
        from_anchor = gain
        rest += max(0.0, at - self._at)
        if some_move:
            cv2.copyTo(np.zeros_like(rest), moved.view(np.uint8), rest)
        levelled, gain = match_light(plane, settled, self._gains[1])
        differs = _opened(cv2.absdiff(levelled, settled) > CHANGED_LEVELS)
        still = (rest > CHANGE.follow_at_rest_s) & ~differs
        follow(settled, levelled, still, CHANGE.follow_share)
        covered = differs
        if some_move or differs.any() or self._colour.is_due(at):
            covered = _opened(differs | self._colour.differs(quarter, still, at))
        relight(settled, gain)
        self._mat.relight(gain)
        self._gains = from_anchor, gain
        self._anchor, self._settled, self._rest, self._at = anchor, settled, rest, at
        if mean >= LAMP.least_mean:
            self._lit = plane, quarter
        deviation = math.sqrt(max(0.0, float(np.vdot(plane, plane)) / plane.size - mean**2))
        blind = "dark" if mean < CHANGE.dark_mean else "covered" if deviation < CHANGE.flat_deviation else ""
        return FrameChange(moved, rest.copy(), differs, covered, blind, gain)

    def _light_up(
        self, quarter: NDArray[np.uint8], plane: Plane, levelled: Plane, anchor: Plane, settled: Plane, rest: Plane
    ) -> bool:
        """Take what is remembered into another lamp's light, in place; False if none has been lit."""
        if self._lit is None or self._lit[0].shape != plane.shape:
            return False
        found = lamp_factors(plane, self._lit[0], levelled, anchor, rest)
        if found is None:
            return False
        factors, known = found
        self._mat.light_up(factors, known, settled, quarter, self._lit[1])
        self._colour.forget()
        factors = fill(factors, known)
        anchor *= factors
        settled *= factors
        return True

    def accept(self, cells: Cells | None = None) -> None:
        """Take the newest frame as settled there (everywhere by default)."""
        if self.plane is None or self._settled is None or self._anchor is None:
            return
        self._colour.accept(cells)
        if cells is None:
            self._settled = self.plane.copy()
            return
        # In the settled picture's light, or the edge of what was accepted would differ from its surroundings.
        levelled, _ = match_light(self.plane, self._settled)
        cv2.copyTo(levelled, cells.view(np.uint8), self._settled)

    @property
    def settled(self) -> Plane | None:
        """The settled picture as it is now: it will not change."""
        return None if self._settled is None else self._settled.copy()

    def learn_bare(self, cells: Cells) -> None:
        """Take the settled picture there as the bare mat."""
        if (frame := self._frame()) is not None:
            self._mat.learn(cells, frame)

    def forget_bare(self) -> None:
        """Forget the bare mat: mat or camera were pushed."""
        self._mat.forget()

    def bare(self) -> tuple[Cells, Cells]:
        """Find the cells in which the newest frame shows the bare mat; and those in which it is known for certain."""
        frame = self._frame()
        nowhere = np.zeros((0, 0), bool)
        return (nowhere, nowhere) if frame is None else self._mat.seen(frame)

    def things_again(self, earlier: Plane) -> Cells:
        """Find the cells in which the newest frame shows what an earlier settled picture has, and not the mat."""
        nowhere = np.zeros(earlier.shape, bool)
        return nowhere if self.plane is None else self._mat.things_again(self.plane, earlier)

    def _frame(self) -> CoarseFrame | None:
        if self.plane is None or self._quarter is None or self._settled is None:
            return None
        return CoarseFrame(self._at, self._quarter, self.plane, self._settled, self._gains[1])


def _smooth(plane: Plane, reference: Plane, max_ratio: float) -> Cells:
    """Find where the ratio of two planes is as in the cells round about, and at most ``max_ratio`` or its inverse."""
    ratio = (plane + np.float32(2.0)) / (reference + np.float32(2.0))
    around = np.asarray(cv2.blur(ratio, (CHANGE.drift_edge_cells, CHANGE.drift_edge_cells)))
    alike = np.abs(ratio - around) < np.float32(CHANGE.drift_unevenness) * around
    return np.asarray(alike & within(around, max_ratio))


def _opened(mask: Cells) -> Cells:
    """Keep cells of ``mask`` with at least two neighbours in it: single cells are noise or a pixel on an edge."""
    if not mask.any():
        return mask
    count = cv2.boxFilter(mask.view(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mask & (count >= 3))
