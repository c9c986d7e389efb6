"""Find whose arm has brought a card: from where on the picture's rim an arm reached it.

An arm is what differs from the settled picture along a straight way from the card outwards. Rays from the card's
place are compared with the pictures of the last moments: the one that an arm lay on was covered all along.
"""

import math
from collections import deque
from dataclasses import dataclass

import numpy as np

from vision.geometry.pose import Pose
from vision.tracking.cell_grid import MatRegions
from vision.tracking.change_detection import FrameChange
from vision.tracking.coarse_plane import Cells


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmLimits:
    """Limits of finding the arm that has brought a card."""

    #: Seconds of pictures that are kept: from a hand's coming to the reading of its card below a hand that stays.
    kept_s: float = 3.0
    #: Seconds before a card has come to rest in which the arm that brings it is looked for.
    bringing_s: float = 0.6
    #: And seconds after it, in which that arm goes: what comes later is another one. 0.2 … 0.5.
    going_s: float = 0.3
    #: Seconds before the first of these: what lies there all along then is no arm, where one that comes later is
    #: clearer; and pictures in which that must be seen. A card that has not been read yet covers a way as an arm does.
    before_s: float = 0.3
    least_pictures: int = 3
    #: Rays round a card, and mm between two places on a ray.
    rays: int = 72
    step_mm: float = 7.0
    #: mm of a ray that count: a hand's length, for a sleeve may have the tone of the table.
    reach_mm: float = 110.0
    #: mm round a card's middle in which the card itself is what differs.
    card_mm: float = 56.0
    #: mm of it that must lie in the picture, or it shows nothing of an arm.
    least_mm: float = 30.0
    #: Share of a ray that must be covered for an arm to lie on it.
    covered_share: float = 0.85
    #: Half of the angle (rad) within which rays lie on the same arm.
    arm_rad: float = 0.7
    #: mm along the arm from the card to about the rim, where its bearing is taken: it says more of the seat than the
    #: arm's direction, for people sit beside their card as well as behind it.
    rim_mm: float = 300.0


LIMITS = ArmLimits()


@dataclass(frozen=True, slots=True)
class Arm:
    """Bearing, from the mat's centre, of the place about the rim from where an arm has brought a card.

    ``bearing`` in radians, 0 to the right, a quarter turn down; ``share``, 0 … 1: of the pictures in which an arm
    reached the card, those in which this one did, less those in which another one did.
    """

    bearing: float
    share: float

    def is_beside(self, other: "Arm") -> bool:
        """Whether it comes from elsewhere than another one."""
        return abs(math.remainder(self.bearing - other.bearing, 2 * math.pi)) > LIMITS.arm_rad


class ArmWatch:
    """Remembers what has differed in the last pictures."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, Cells]] = deque()

    def watch(self, change: FrameChange, at: float) -> None:
        """Remember a picture's cells that differ."""
        self._seen.append((at, change.covered))
        while at - self._seen[0][0] > LIMITS.kept_s:
            self._seen.popleft()

    def forget(self) -> None:
        """Forget the pictures: the view is another one."""
        self._seen.clear()

    def brought(self, mat: MatRegions, pose: Pose, rested_at: float, until: float = math.inf) -> Arm | None:
        """Find the arm that brought a card, which came to rest at ``rested_at`` (s); None if none was seen.

        ``until`` (s): what was seen later was another hand's, which took the card up.
        """
        since, until = rested_at - LIMITS.bringing_s, min(until, rested_at + LIMITS.going_s)
        rays, lengths = _rays(mat, pose)

        def lies(cells: Cells) -> np.ndarray:
            """Find the rays (rays,) bool on which an arm may lie."""
            covered = (cells.ravel()[rays] * (rays > 0)).sum(1) / np.maximum(lengths, 1)
            return np.asarray((covered >= LIMITS.covered_share) & (lengths * LIMITS.step_mm >= LIMITS.least_mm))

        there = np.array([lies(cells) for at, cells in self._seen if since <= at <= until]).reshape(-1, LIMITS.rays)
        before = [lies(cells) for at, cells in self._seen if since - LIMITS.before_s <= at < since]
        if not there.any():
            return None
        angle, share = _strongest(there)
        come = there & ~np.all(before, axis=0) if before else there
        if np.count_nonzero(come.any(axis=1)) >= LIMITS.least_pictures:
            angle, share = max((angle, share), _strongest(come), key=lambda one: one[1])
        x, y = pose[0] + LIMITS.rim_mm * math.cos(angle), pose[1] + LIMITS.rim_mm * math.sin(angle)
        return Arm(math.atan2(y, x), share)


def _rays(mat: MatRegions, pose: Pose) -> tuple[np.ndarray, np.ndarray]:
    """Lay rays round a card: (rays, places) numbers of cells, 0 beyond the picture; and how many places each has."""
    angles = 2 * math.pi * np.arange(LIMITS.rays) / LIMITS.rays
    away = LIMITS.card_mm + np.arange(0.0, LIMITS.reach_mm, LIMITS.step_mm)
    points = np.stack([np.cos(angles)[:, None] * away + pose[0], np.sin(angles)[:, None] * away + pose[1]], axis=-1)
    return mat.grid.cells_along(points)


def _strongest(there: np.ndarray) -> tuple[float, float]:
    """Take the direction (rad) in which most pictures show an arm; and how far it is ahead of any other, 0 … 1.

    ``there``: (pictures, rays) bool, on which rays an arm lies.
    """
    counts, seen = there.sum(axis=0).astype(np.float64), int(there.any(axis=1).sum())
    angles = 2 * math.pi * np.arange(len(counts)) / len(counts)
    best = angles[int(np.argmax(counts))]
    for _ in range(3):  # the middle of the rays that lie on it
        near = np.abs(np.angle(np.exp(1j * (angles - best)))) < LIMITS.arm_rad
        best = float(np.angle((counts * np.exp(1j * angles))[near].sum()))
    other = float(counts[np.abs(np.angle(np.exp(1j * (angles - best)))) >= LIMITS.arm_rad].max(initial=0.0))
    return best, max(0.0, (float(counts.max()) - other) / seen)
