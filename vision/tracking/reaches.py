"""Notice arms that reach into the middle and go, whether or not a card was seen that they laid.

A card right upon an equal one leaves no trace but the arm that brought it. Places about the rim of the middle are
watched in all directions: an arm that reaches in covers those along its way.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.messages import ArmReached, Report
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachLimits:
    """Limits of noticing arms at the rim of the middle."""

    #: Directions that are watched; where their places begin, as a share of the middle's half axes, mm between two of
    #: them, and mm over which they go. A card that lies on the rim covers fewer: it is as long as these are far.
    directions: int = 48
    from_share: float = 0.8
    step_mm: float = 7.0
    reach_mm: float = 98.0
    #: mm of it that must lie in the picture, or it shows nothing of an arm.
    least_mm: float = 35.0
    #: Share of a direction's places that must be covered for an arm to lie there.
    covered_share: float = 0.85
    #: Angle (rad) within which what is seen in two pictures is the same arm.
    same_rad: float = 0.6
    #: Seconds without it after which an arm has gone, and seconds that it must have been there to have laid a card: in
    #: haste the rim is crossed for 0.35 s.
    gone_s: float = 0.2
    least_s: float = 0.2


LIMITS = ReachLimits()


@dataclass(slots=True)
class _Reach:
    bearing: float  # rad
    since: float
    until: float


class ReachWatch:
    """Follows arms from when they cross the rim of the middle until they have gone."""

    def __init__(self) -> None:
        self._reaches: list[_Reach] = []
        self._mat: MatRegions | None = None
        self._places: NDArray[np.intp] = np.zeros((0, 0), np.intp)  # (directions, places): cells, 0 beyond the picture
        self._counts: NDArray[np.intp] = np.zeros(0, np.intp)

    def forget(self) -> None:
        """Forget the arms that are there: the view is another one."""
        self._reaches.clear()

    def watch(self, mat: MatRegions, change: FrameChange, at: float, reports: list[Report]) -> None:
        """Take a picture into account; report arms that have gone."""
        if mat is not self._mat:
            self._lay_out(mat)
        if change.covered.any():
            for bearing in self._arms(change):
                self._count(bearing, at)
        for reach in [one for one in self._reaches if at - one.until >= LIMITS.gone_s]:
            self._reaches.remove(reach)
            if reach.until - reach.since >= LIMITS.least_s:
                bearing = round(math.remainder(reach.bearing, 2 * math.pi), 3)
                reports.append(
                    ArmReached(at=at, since=round(reach.since, 3), until=round(reach.until, 3), bearing=bearing)
                )

    def _lay_out(self, mat: MatRegions) -> None:
        self._mat = mat
        angles = 2 * math.pi * np.arange(LIMITS.directions) / LIMITS.directions
        a, b = mat.half_axes
        rim = a * b / np.hypot(b * np.cos(angles), a * np.sin(angles))
        away = LIMITS.from_share * rim[:, None] + np.arange(0.0, LIMITS.reach_mm, LIMITS.step_mm)
        points = np.stack([np.cos(angles)[:, None] * away, np.sin(angles)[:, None] * away], axis=-1)
        self._places, self._counts = mat.grid.cells_along(points)

    def _arms(self, change: FrameChange) -> list[float]:
        """Find the bearings (rad) of the arms in a picture: middles of covered directions side by side."""
        covered = (change.covered.ravel()[self._places] & (self._places > 0)).sum(1)
        lies = (covered >= LIMITS.covered_share * self._counts) & (self._counts * LIMITS.step_mm >= LIMITS.least_mm)
        if not lies.any() or lies.all():
            return []
        first = int(np.flatnonzero(~lies)[0])  # a gap to begin at
        turned = np.roll(lies, -first)
        edges = np.flatnonzero(np.diff(np.concatenate([[0], turned.view(np.int8), [0]])))
        step = 2 * math.pi / LIMITS.directions
        return [(first + (start + end - 1) / 2) * step for start, end in zip(edges[::2], edges[1::2], strict=True)]

    def _count(self, bearing: float, at: float) -> None:
        for reach in self._reaches:
            away = math.remainder(bearing - reach.bearing, 2 * math.pi)
            if abs(away) < LIMITS.same_rad:
                reach.bearing += 0.3 * away
                reach.until = at
                return
        self._reaches.append(_Reach(bearing, at, at))
