"""Where a card may lie, from the straight edges in the picture: corners, and single long sides.

Line segments (von Gioi et al., *LSD: a line segment detector*, IPOL 2012) that nearly meet at a right angle make a
corner, a corner and the known size make two poses; a segment about as long as a side makes two more. Poses are ranked
by how much of the outline runs along gradients in its own direction.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.plane import SCALE
from vision.view import Array

#: Pixels a millimetre at which edges are looked for. 1 … 2; time grows with its square.
EDGE_SCALE = 1.5
#: Shortest segment, mm. 4 … 10; a covered card may show as little as 12 mm of a side.
SHORTEST = 6.0
#: Segments kept, the longest and strongest. 100 … 400; time grows with its square.
SEGMENTS = 260
#: Poses handed on. 60 … 200.
POSES = 130
#: Least share of the outline that must lie on an edge. 0.1 … 0.3.
SUPPORT = 0.2
#: The same of a card whose sides are seen without their corner. 0.3 … 0.5.
FAR_SUPPORT = 0.35
#: Saturation (0 … 1, light's colour taken out) from which a place is no paper. 0.3 … 0.6.
COLOURLESS = 0.45
#: Where paper is expected beside an edge, mm. 1 … 2; print may begin at 2.
INSIDE = 1.4
#: How far to both sides of an edge it is asked which card explains the place, mm. 2 … 4.
BESIDE = 3.0
#: Two sides whose corner is covered must show so much together, mm. 20 … 50.
TOGETHER = 24.0
#: Gradient (Sobel, grey levels) that counts as a full edge. 20 … 80.
FULL_EDGE = 40.0


def outline_poses(
    fine: Array, size_mm: tuple[float, float], may_be: Callable[[Array], Array] | None = None
) -> tuple[Array, Array]:
    """Poses (n, 3: mm from the raster's corner, rad in 0 … π) of cards that may lie in a raster, and their support.

    ``fine``: (h, w, 3) uint8 at ``plane.SCALE``. ``may_be`` says of poses (n, 3) which come into question at all.
    """
    outlines = Outlines.of(fine, size_mm, may_be)
    return outlines.poses, outlines.support


@dataclass(frozen=True, eq=False)
class Outlines:
    """Straight edges in a raster, and the poses that they speak for.

    ``poses``: (n, 3: mm from the raster's corner, rad in 0 … π), the best supported first; ``support``: (n,) 0 … 1.
    ``segments``: (m, 4: both ends in mm).
    """

    poses: Array
    support: Array
    segments: Array
    size_mm: tuple[float, float]
    _edges: "_Edges"

    @classmethod
    def of(
        cls, fine: Array, size_mm: tuple[float, float], may_be: Callable[[Array], Array] | None = None
    ) -> "Outlines":
        """See ``outline_poses``."""
        grey, paper = _grey(fine), paper_map(fine, EDGE_SCALE / SCALE)
        edges = _Edges(grey, paper, size_mm)
        segments, length = _segments(grey, edges)
        poses = np.vstack([_corners(segments, length, size_mm), _sides(segments, length, size_mm)])
        high = np.array(grey.shape[::-1]) / EDGE_SCALE - 5
        poses = poses[(poses[:, :2] > 5).all(1) & (poses[:, :2] < high).all(1)]
        if may_be is not None and len(poses):
            poses = poses[may_be(poses)]
        poses[:, 2] %= np.pi
        poses, support = _ranked(poses, edges) if len(poses) else (poses, np.zeros(0))
        return cls(poses, support, segments, size_mm, edges)

    def covered(self, explained: Callable[[Array], Array], may_be: Callable[[Array], Array]) -> Array:
        """Further poses (n, 3) of cards whose corners others may cover, the best supported first.

        Two sides at a right angle make a corner wherever it lies. ``explained`` says of places (…, 2) in mm by which
        card they are explained, 0 by none: an edge that lies within one card is its print. ``may_be`` says of poses
        which come into question at all.
        """
        if not len(self.segments):
            return np.zeros((0, 3))
        share = np.linspace(0.1, 0.9, 5)[:, None]
        along = self.segments[:, 2:] - self.segments[:, :2]
        length = np.hypot(*along.T)
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None] * BESIDE
        places = self.segments[:, None, :2] + along[:, None] * share
        owners = np.concatenate([explained(places + side * normal[:, None]) for side in (-1, 0, 1)], 1)
        inner = (owners == owners[:, :1]).all(1) & (owners[:, 0] > 0)
        segments, length = self.segments[~inner], length[~inner]
        poses = _far_corners(segments, length, self.size_mm)
        low, high = 5.0, np.array(self._edges.gx.shape[::-1]) / EDGE_SCALE - 5
        poses = poses[(poses[:, :2] > low).all(1) & (poses[:, :2] < high).all(1)]
        poses[:, 2] %= np.pi
        poses = poses[may_be(poses)]
        return _ranked(poses, self._edges, FAR_SUPPORT)[0] if len(poses) else poses


def _grey(fine: Array) -> Array:
    """(h, w) uint8 at ``EDGE_SCALE``."""
    ratio = EDGE_SCALE / SCALE
    grey = cv2.cvtColor(fine, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (0, 0), fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA))


def _segments(grey: Array, edges: "_Edges") -> tuple[Array, Array]:
    """Line segments (n, 4 mm) beside paper, the longest and strongest first, and their lengths."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(grey)[0]
    if found is None:
        return np.zeros((0, 4)), np.zeros(0)
    segments = (found.reshape(-1, 4) + 0.5) / EDGE_SCALE
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    segments, length = segments[length > SHORTEST], length[length > SHORTEST]
    beside = edges.beside(segments)
    segments, length = segments[beside], length[beside]
    order = np.argsort(-length * edges.strength(segments))[:SEGMENTS]
    return segments[order], length[order]


def paper_map(fine: Array, ratio: float) -> Array:
    """(h, w) float32 0 … 1 at ``ratio`` of a raster's scale: how much each place has the colour of a card's paper.

    Paper has the colour of the light, which the palest places show; wood and most cloths have more. Brightness says
    nothing here: shadow takes it and glare gives it.
    """
    height, width = fine.shape[:2]
    shape = round(width * ratio), round(height * ratio)
    small = cv2.resize(fine, (0, 0), fx=ratio / 2, fy=ratio / 2, interpolation=cv2.INTER_AREA)
    weakest = cv2.min(cv2.min(small[..., 0], small[..., 1]), small[..., 2])
    palest = small[weakest >= np.percentile(weakest[::4, ::4], 97)].reshape(-1, 3).mean(0)
    even = small.astype(np.float32) * (float(palest.max()) / np.maximum(palest, 20)).astype(np.float32)
    most = even.max(2)
    colour = 1 - even.min(2) / np.maximum(most, 1)
    share = np.clip((COLOURLESS - colour) / 0.15, 0, 1).astype(np.float32)
    return np.asarray(cv2.resize(share, shape, interpolation=cv2.INTER_LINEAR))


def _corners(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Two poses for each pair of segments that nearly meet at nearly a right angle."""
    width, height = size_mm
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    i, j = np.triu_indices(len(segments), 1)
    square = np.abs((along[i] * along[j]).sum(1)) < 0.07
    i, j = i[square], j[square]
    cross = along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0]
    apart = segments[j, :2] - segments[i, :2]
    reach_i = (apart[:, 0] * along[j, 1] - apart[:, 1] * along[j, 0]) / cross
    reach_j = (apart[:, 0] * along[i, 1] - apart[:, 1] * along[i, 0]) / cross
    gap_i, away_i = _to_end(reach_i, length[i])
    gap_j, away_j = _to_end(reach_j, length[j])
    meet = (gap_i < 8) & (gap_j < 8)
    i, j, reach_i, away_i, away_j = i[meet], j[meet], reach_i[meet], away_i[meet], away_j[meet]
    corner = segments[i, :2] + along[i] * reach_i[:, None]
    first, second = along[i] * away_i[:, None], along[j] * away_j[:, None]
    poses = []
    for across, down, l_across, l_down in (
        (first, second, length[i], length[j]),
        (second, first, length[j], length[i]),
    ):
        middle = corner + across * width / 2 + down * height / 2
        turn = np.exp(2j * np.arctan2(across[:, 1], across[:, 0])) * l_across
        turn += np.exp(2j * (np.arctan2(down[:, 1], down[:, 0]) - np.pi / 2)) * l_down
        poses.append(np.column_stack([middle, np.angle(turn) / 2]))
    return np.vstack(poses)


def _to_end(reach: Array, length: Array) -> tuple[Array, Array]:
    """Distance from a point on a segment's line to its nearer end, and the sign of the direction away from there."""
    start, end = np.abs(reach), np.abs(reach - length)
    return np.minimum(start, end), np.where(start < end, 1, -1)


def _far_corners(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Poses for each pair of segments at nearly a right angle that fit on two sides of a card, however far apart."""
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    i, j = np.triu_indices(len(segments), 1)
    square = (np.abs((along[i] * along[j]).sum(1)) < 0.07) & (length[i] + length[j] > TOGETHER)
    i, j = i[square], j[square]
    cross = along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0]
    apart = segments[j, :2] - segments[i, :2]
    reach_i = (apart[:, 0] * along[j, 1] - apart[:, 1] * along[j, 0]) / cross
    reach_j = (apart[:, 0] * along[i, 1] - apart[:, 1] * along[i, 0]) / cross
    corner = segments[i, :2] + along[i] * reach_i[:, None]
    near_i, far_i, away_i = _from_corner(reach_i, length[i])
    near_j, far_j, away_j = _from_corner(reach_j, length[j])
    outside = (near_i > -3) & (near_j > -3)
    poses = [np.zeros((0, 3))]
    for one, other, far_one, far_other, away_one, away_other in (
        (i, j, far_i, far_j, away_i, away_j),
        (j, i, far_j, far_i, away_j, away_i),
    ):
        fits = outside & (far_one < size_mm[0] + 2) & (far_other < size_mm[1] + 2)
        across = along[one[fits]] * away_one[fits, None]
        down = along[other[fits]] * away_other[fits, None]
        middle = corner[fits] + across * size_mm[0] / 2 + down * size_mm[1] / 2
        turn = np.exp(2j * np.arctan2(across[:, 1], across[:, 0])) * length[one[fits]]
        turn += np.exp(2j * (np.arctan2(down[:, 1], down[:, 0]) - np.pi / 2)) * length[other[fits]]
        poses.append(np.column_stack([middle, np.angle(turn) / 2]))
    return np.vstack(poses)


def _from_corner(reach: Array, length: Array) -> tuple[Array, Array, Array]:
    """How far a segment's ends lie from a point on its line, the nearer (less than 0: the point is inside) and the
    farther, and the sign of the direction towards them."""
    away = np.where(length / 2 > reach, 1, -1)
    ends = np.stack([-reach, length - reach]) * away
    return ends.min(0), ends.max(0), away


def _sides(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Poses on both sides of each segment about as long as a card's side."""
    poses = [np.zeros((0, 3))]
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    for side, other, turned in ((size_mm[0], size_mm[1], 0.0), (size_mm[1], size_mm[0], np.pi / 2)):
        fits = (length > side * 0.72) & (length < side * 1.04)
        middle = (segments[fits, :2] + segments[fits, 2:]) / 2
        normal = np.column_stack([-along[fits, 1], along[fits, 0]])
        angle = np.arctan2(along[fits, 1], along[fits, 0]) + turned
        poses += [np.column_stack([middle + sign * normal * other / 2, angle]) for sign in (1, -1)]
    return np.vstack(poses)


def _ranked(poses: Array, edges: "_Edges", least: float = SUPPORT) -> tuple[Array, Array]:
    """The best supported poses, none twice, moved to where their support is best."""
    support = edges.support(poses, (-1, 0, 1))
    order = np.argsort(-support)
    order = order[support[order] > least][:1200]
    poses, support = poses[order], support[order]
    kept: list[int] = []
    alive = np.ones(len(poses), bool)
    for k in range(len(poses)):
        if not alive[k]:
            continue
        kept.append(k)
        if len(kept) >= POSES:
            break
        turn = np.abs(poses[:, 2] - poses[k, 2])
        near = np.hypot(poses[:, 0] - poses[k, 0], poses[:, 1] - poses[k, 1]) < 2
        alive &= ~(near & (np.minimum(turn, np.pi - turn) < 0.05))
    poses, support = poses[kept], support[kept]
    if not kept:
        return poses, support
    for step, turn in ((1.0, 0.015), (0.5, 0.007)):
        moves = np.array([[a * step, b * step, c * turn] for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)])
        tried = (poses[:, None] + moves[None]).reshape(-1, 3)
        scores = edges.support(tried, (0,)).reshape(len(poses), -1)
        poses = poses + moves[scores.argmax(1)]
    return poses, support


class _Edges:
    """Gradients of a raster, and how well an outline follows them."""

    def __init__(self, grey: Array, paper: Array, size_mm: tuple[float, float]) -> None:
        self.paper = paper
        smooth = cv2.GaussianBlur(grey, (0, 0), 0.8)
        self.gx = cv2.Sobel(smooth, cv2.CV_16S, 1, 0).astype(np.float32)
        self.gy = cv2.Sobel(smooth, cv2.CV_16S, 0, 1).astype(np.float32)
        width, height = size_mm
        xs, ys = np.arange(-width / 2 + 5, width / 2 - 4.9, 2.5), np.arange(-height / 2 + 5, height / 2 - 4.9, 2.5)
        self.points = np.vstack(
            [np.column_stack([xs, np.full_like(xs, side * height / 2)]) for side in (-1, 1)]
            + [np.column_stack([np.full_like(ys, side * width / 2), ys]) for side in (-1, 1)]
        ).astype(np.float32)
        self.across = np.r_[np.zeros(2 * len(xs)), np.ones(2 * len(ys))].astype(np.float32)
        inward = np.sign(-self.points * np.column_stack([self.across, 1 - self.across])) * INSIDE
        self.inner = (self.points + inward).astype(np.float32)
        self.gradient = self.gx + np.complex64(1j) * self.gy

    def beside(self, segments: Array) -> Array:
        """(n,) bool: whether paper lies along at least one side of each segment."""
        share = np.linspace(0.15, 0.85, 5)
        along = segments[:, 2:] - segments[:, :2]
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
        sides = []
        for side in (-INSIDE, INSIDE):
            x = (segments[:, :1] + along[:, :1] * share + normal[:, :1] * side) * EDGE_SCALE
            y = (segments[:, 1:2] + along[:, 1:] * share + normal[:, 1:] * side) * EDGE_SCALE
            sides.append(self._at(self.paper, x, y).mean(1))
        return np.asarray(np.maximum(*sides) > 0.4)

    @staticmethod
    def _at(picture: Array, x: Array, y: Array) -> Array:
        rows, columns = picture.shape
        return picture[np.clip(y.astype(np.int32), 0, rows - 1), np.clip(x.astype(np.int32), 0, columns - 1)]

    def strength(self, segments: Array) -> Array:
        """(n,) 0.1 … 1: gradient along each segment; the grain of wood is long but weak."""
        share = np.linspace(0.1, 0.9, 7)
        x = (segments[:, :1] + (segments[:, 2:3] - segments[:, :1]) * share) * EDGE_SCALE
        y = (segments[:, 1:2] + (segments[:, 3:] - segments[:, 1:2]) * share) * EDGE_SCALE
        rows, columns = self.gx.shape
        column, row = np.clip(x.astype(np.int32), 0, columns - 1), np.clip(y.astype(np.int32), 0, rows - 1)
        size = np.hypot(self.gx[row, column], self.gy[row, column])
        return np.asarray(np.clip(np.median(size, 1) / FULL_EDGE / 2, 0.1, 1))

    def support(self, poses: Array, offsets: tuple[int, ...]) -> Array:
        """(n,) mean edge strength along the outline, 0 … 1; ``offsets`` px to either side are tried."""
        # A few at a time, so that what is computed on the way stays in the processor's cache.
        parts = [self._support(poses[k : k + 200].astype(np.float32), offsets) for k in range(0, len(poses), 200)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _support(self, poses: Array, offsets: tuple[int, ...]) -> Array:
        cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
        x = (cos * self.points[:, 0] - sin * self.points[:, 1] + poses[:, :1]) * np.float32(EDGE_SCALE)
        y = (sin * self.points[:, 0] + cos * self.points[:, 1] + poses[:, 1:2]) * np.float32(EDGE_SCALE)
        normal_x, normal_y = cos * self.across - sin * (1 - self.across), sin * self.across + cos * (1 - self.across)
        facing = normal_x - 1j * normal_y  # a gradient times this: along the normal, and across
        best: Array | None = None
        for offset in offsets:
            there = self._places(x + offset * normal_x, y + offset * normal_y) if offset else self._places(x, y)
            turned = self.gradient.take(there) * facing
            strength = np.abs(turned.real) - np.abs(turned.imag)
            best = strength if best is None else np.maximum(best, strength)
        x = (cos * self.inner[:, 0] - sin * self.inner[:, 1] + poses[:, :1]) * np.float32(EDGE_SCALE)
        y = (sin * self.inner[:, 0] + cos * self.inner[:, 1] + poses[:, 1:2]) * np.float32(EDGE_SCALE)
        paper = self.paper.take(self._places(x, y))
        edge = np.minimum(np.maximum(np.asarray(best) * np.float32(1 / FULL_EDGE), 0), 1)
        return np.asarray((edge * (np.float32(0.2) + np.float32(0.8) * paper)).mean(1))

    def _places(self, x: Array, y: Array) -> Array:
        """Indices into the flat raster of the pixels at ``x``, ``y``, or of the nearest at its border."""
        rows, columns = self.gx.shape
        row = np.minimum(np.maximum(y.astype(np.int32), 0), rows - 1)
        return np.asarray(row * columns + np.minimum(np.maximum(x.astype(np.int32), 0), columns - 1))
