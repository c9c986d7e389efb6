"""Propose poses from the straight edges in the picture: corners, and single long sides.

Line segments (von Gioi et al., *LSD: a line segment detector*, IPOL 2012) that nearly meet at a right angle make a
corner, a corner and the known size make two poses; a segment about as long as a side makes two more. Poses are ranked
by how much of the outline runs along gradients in its own direction.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.pose import non_maximum_suppression, poses_near
from vision.geometry.projection import Array
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.recognition.paper_colour import paper_saturation


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeProposalParams:
    """Parameters of poses by straight edges."""

    #: Pixels a millimetre at which edges are searched for. 1 … 2; time grows with its square.
    px_per_mm: float = 1.5
    #: Shortest segment, mm. 4 … 10; a covered card may show as little as 12 mm of a side.
    min_segment_mm: float = 6.0
    #: Segments kept, the longest and strongest. 100 … 400; time grows with its square.
    max_segments: int = 260
    #: Poses ranked, and of them poses proposed. 60 … 200.
    max_ranked: int = 1200
    max_proposed: int = 130
    #: Least share of the outline that must be on an edge. 0.1 … 0.3.
    min_support: float = 0.2
    #: The same of a card whose sides are seen without their corner. 0.3 … 0.5.
    min_support_covered_corner: float = 0.35
    #: Saturation (0 … 1, light's colour taken out) from which a place is no paper. 0.3 … 0.6.
    paper_saturation: float = 0.45
    #: Where paper is expected beside an edge, mm. 1 … 2; print may begin at 2.
    inside_mm: float = 1.4
    #: How far to both sides of an edge it is asked which card explains the place, mm. 2 … 4.
    beside_mm: float = 3.0
    #: Cosine of the angle between two sides of a card, at most.
    max_cosine: float = 0.07
    #: Gap between two segments that make a corner, mm.
    corner_gap_mm: float = 8.0
    #: Two sides whose corner is covered must show so much together, mm. 20 … 50.
    min_sides_mm: float = 24.0
    #: Such sides may begin so far beyond the corner, and end so far beyond the card, mm.
    beyond_corner_mm: float = 3.0
    beyond_side_mm: float = 2.0
    #: Length of a whole side, as a share of the card's.
    side_share: tuple[float, float] = (0.72, 1.04)
    #: Gradient (Sobel, grey levels) that counts as a full edge. 20 … 80.
    full_edge: float = 40.0
    #: Middle of a card that is proposed: so far within the raster, mm.
    border_mm: float = 5.0
    #: Poses closer than this are one.
    same_pose_mm: float = 2.0
    same_pose_rad: float = 0.05


PARAMS = EdgeProposalParams()
EDGE_SCALE = PARAMS.px_per_mm


@dataclass(frozen=True, eq=False)
class EdgeProposals:
    """Straight edges in a raster, and the poses that they propose.

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
        cls, plane: RectifiedPlane, size_mm: tuple[float, float], may_be: Callable[[Array], Array] | None = None
    ) -> "EdgeProposals":
        """Propose poses of cards in a rectified plane.

        ``may_be`` selects of poses (n, 3) those that come into question at all.
        """
        grey, paper = _grey(plane.fine), _paper_map(plane, EDGE_SCALE / SCALE)
        edges = _Edges(grey, paper, size_mm)
        segments, length = _segments(grey, edges)
        poses = np.vstack([_from_corners(segments, length, size_mm), _from_sides(segments, length, size_mm)])
        poses = edges.within(poses)
        if may_be is not None and len(poses):
            poses = poses[may_be(poses)]
        poses[:, 2] %= np.pi
        poses, support = _rank(poses, edges, PARAMS.min_support) if len(poses) else (poses, np.zeros(0))
        return cls(poses, support, segments, size_mm, edges)

    def support_of(self, poses: Array) -> Array:
        """Measure how much of the outlines of other poses (n, 3) runs along edges, (n,) 0 … 1."""
        return self._edges.support(poses, (-1, 0, 1))

    def with_covered_corners(self, owners: Callable[[Array], Array], may_be: Callable[[Array], Array]) -> Array:
        """Propose further poses (n, 3) of cards whose corners others may cover, the best supported first.

        Two sides at a right angle make a corner wherever it is. ``owners`` looks up by which card places (…, 2) in mm
        are explained, 0 by none: an edge within one card is its print. ``may_be`` selects the poses that come into
        question at all.
        """
        if not len(self.segments):
            return np.zeros((0, 3))
        share = np.linspace(0.1, 0.9, 5)[:, None]
        along = self.segments[:, 2:] - self.segments[:, :2]
        length = np.hypot(*along.T)
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / length[:, None] * PARAMS.beside_mm
        places = self.segments[:, None, :2] + along[:, None] * share
        explained = np.concatenate([owners(places + side * normal[:, None]) for side in (-1, 0, 1)], 1)
        inner = (explained == explained[:, :1]).all(1) & (explained[:, 0] > 0)
        segments, length = self.segments[~inner], length[~inner]
        poses = self._edges.within(_from_covered_corners(segments, length, self.size_mm))
        poses[:, 2] %= np.pi
        poses = poses[may_be(poses)]
        return _rank(poses, self._edges, PARAMS.min_support_covered_corner)[0] if len(poses) else poses


def _grey(fine: Array) -> Array:
    """Convert a raster to grey at ``EDGE_SCALE``, (h, w) uint8."""
    ratio = EDGE_SCALE / SCALE
    grey = cv2.cvtColor(fine, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, (0, 0), fx=ratio, fy=ratio, interpolation=cv2.INTER_AREA))


def _segments(grey: Array, edges: "_Edges") -> tuple[Array, Array]:
    """Detect line segments (n, 4 mm) beside paper, the longest and strongest first, and their lengths."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(grey)[0]
    if found is None:
        return np.zeros((0, 4)), np.zeros(0)
    segments = (found.reshape(-1, 4) + 0.5) / EDGE_SCALE
    length = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    segments, length = segments[length > PARAMS.min_segment_mm], length[length > PARAMS.min_segment_mm]
    beside = edges.beside(segments)
    segments, length = segments[beside], length[beside]
    order = np.argsort(-length * edges.strength(segments))[: PARAMS.max_segments]
    return segments[order], length[order]


def _paper_map(plane: RectifiedPlane, ratio: float) -> Array:
    """Map how much places have the colour of a card's paper: (h, w) float32 0 … 1, at ``ratio`` of a plane's scale."""
    height, width = plane.fine.shape[:2]
    shape = round(width * ratio), round(height * ratio)
    small = cv2.resize(plane.fine, (0, 0), fx=ratio / 2, fy=ratio / 2, interpolation=cv2.INTER_AREA)
    colour = paper_saturation(np.asarray(small), plane.mat_white)
    share = np.clip((PARAMS.paper_saturation - colour) / 0.15, 0, 1).astype(np.float32)
    return np.asarray(cv2.resize(share, shape, interpolation=cv2.INTER_LINEAR))


def _from_corners(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Propose two poses for each pair of segments that nearly meet at nearly a right angle."""
    width, height = size_mm
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    i, j = np.triu_indices(len(segments), 1)
    square = np.abs((along[i] * along[j]).sum(1)) < PARAMS.max_cosine
    i, j = i[square], j[square]
    cross = along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0]
    apart = segments[j, :2] - segments[i, :2]
    reach_i = (apart[:, 0] * along[j, 1] - apart[:, 1] * along[j, 0]) / cross
    reach_j = (apart[:, 0] * along[i, 1] - apart[:, 1] * along[i, 0]) / cross
    gap_i, away_i = _to_end(reach_i, length[i])
    gap_j, away_j = _to_end(reach_j, length[j])
    meet = (gap_i < PARAMS.corner_gap_mm) & (gap_j < PARAMS.corner_gap_mm)
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
    """Measure from a point on a segment's line to its nearer end; also the sign of the direction away from there."""
    start, end = np.abs(reach), np.abs(reach - length)
    return np.minimum(start, end), np.where(start < end, 1, -1)


def _from_covered_corners(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Propose poses for each pair of segments at nearly a right angle that fit on two sides of a card, at any gap."""
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    i, j = np.triu_indices(len(segments), 1)
    square = (np.abs((along[i] * along[j]).sum(1)) < PARAMS.max_cosine) & (length[i] + length[j] > PARAMS.min_sides_mm)
    i, j = i[square], j[square]
    cross = along[i, 0] * along[j, 1] - along[i, 1] * along[j, 0]
    apart = segments[j, :2] - segments[i, :2]
    reach_i = (apart[:, 0] * along[j, 1] - apart[:, 1] * along[j, 0]) / cross
    reach_j = (apart[:, 0] * along[i, 1] - apart[:, 1] * along[i, 0]) / cross
    corner = segments[i, :2] + along[i] * reach_i[:, None]
    near_i, far_i, away_i = _from_corner(reach_i, length[i])
    near_j, far_j, away_j = _from_corner(reach_j, length[j])
    beyond = PARAMS.beyond_side_mm
    outside = (near_i > -PARAMS.beyond_corner_mm) & (near_j > -PARAMS.beyond_corner_mm)
    poses = [np.zeros((0, 3))]
    for one, other, far_one, far_other, away_one, away_other in (
        (i, j, far_i, far_j, away_i, away_j),
        (j, i, far_j, far_i, away_j, away_i),
    ):
        fits = outside & (far_one < size_mm[0] + beyond) & (far_other < size_mm[1] + beyond)
        across = along[one[fits]] * away_one[fits, None]
        down = along[other[fits]] * away_other[fits, None]
        middle = corner[fits] + across * size_mm[0] / 2 + down * size_mm[1] / 2
        turn = np.exp(2j * np.arctan2(across[:, 1], across[:, 0])) * length[one[fits]]
        turn += np.exp(2j * (np.arctan2(down[:, 1], down[:, 0]) - np.pi / 2)) * length[other[fits]]
        poses.append(np.column_stack([middle, np.angle(turn) / 2]))
    return np.vstack(poses)


def _from_corner(reach: Array, length: Array) -> tuple[Array, Array, Array]:
    """Measure from a point on a segment's line to its ends, the nearer (below 0: the point is inside) and the farther;
    also the sign of the direction towards them."""
    away = np.where(length / 2 > reach, 1, -1)
    ends = np.stack([-reach, length - reach]) * away
    return ends.min(0), ends.max(0), away


def _from_sides(segments: Array, length: Array, size_mm: tuple[float, float]) -> Array:
    """Propose poses on both sides of each segment about as long as a card's side."""
    poses = [np.zeros((0, 3))]
    along = (segments[:, 2:] - segments[:, :2]) / length[:, None]
    for side, other, turned in ((size_mm[0], size_mm[1], 0.0), (size_mm[1], size_mm[0], np.pi / 2)):
        fits = (length > side * PARAMS.side_share[0]) & (length < side * PARAMS.side_share[1])
        middle = (segments[fits, :2] + segments[fits, 2:]) / 2
        normal = np.column_stack([-along[fits, 1], along[fits, 0]])
        angle = np.arctan2(along[fits, 1], along[fits, 0]) + turned
        poses += [np.column_stack([middle + sign * normal * other / 2, angle]) for sign in (1, -1)]
    return np.vstack(poses)


def _rank(poses: Array, edges: "_Edges", least: float) -> tuple[Array, Array]:
    """Select the best supported poses, none twice, and move them to where their support is best."""
    support = edges.support(poses, (-1, 0, 1))
    order = np.argsort(-support)
    order = order[support[order] > least][: PARAMS.max_ranked]
    poses, support = poses[order], support[order]
    mm, rad = PARAMS.same_pose_mm, PARAMS.same_pose_rad
    kept = non_maximum_suppression(
        range(len(poses)), len(poses), lambda k: poses_near(poses, poses[k], mm, rad), PARAMS.max_proposed
    )
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
        inward = np.sign(-self.points * np.column_stack([self.across, 1 - self.across])) * PARAMS.inside_mm
        self.inner = (self.points + inward).astype(np.float32)
        self.gradient = self.gx + np.complex64(1j) * self.gy

    def within(self, poses: Array) -> Array:
        """Select the poses (n, 3) with their middle in the raster and not at its border."""
        border = PARAMS.border_mm
        high = np.array(self.gx.shape[::-1]) / EDGE_SCALE - border
        return poses[(poses[:, :2] > border).all(1) & (poses[:, :2] < high).all(1)]

    def beside(self, segments: Array) -> Array:
        """Find segments (n,) bool with paper along at least one side."""
        share = np.linspace(0.15, 0.85, 5)
        along = segments[:, 2:] - segments[:, :2]
        normal = np.column_stack([-along[:, 1], along[:, 0]]) / np.linalg.norm(along, axis=1, keepdims=True)
        sides = []
        for side in (-PARAMS.inside_mm, PARAMS.inside_mm):
            x = (segments[:, :1] + along[:, :1] * share + normal[:, :1] * side) * EDGE_SCALE
            y = (segments[:, 1:2] + along[:, 1:] * share + normal[:, 1:] * side) * EDGE_SCALE
            sides.append(self._at(self.paper, x, y).mean(1))
        return np.asarray(np.maximum(*sides) > 0.4)

    @staticmethod
    def _at(picture: Array, x: Array, y: Array) -> Array:
        rows, columns = picture.shape
        return picture[np.clip(y.astype(np.int32), 0, rows - 1), np.clip(x.astype(np.int32), 0, columns - 1)]

    def strength(self, segments: Array) -> Array:
        """Rate the gradient along each segment, (n,) 0.1 … 1; the grain of wood is long but weak."""
        share = np.linspace(0.1, 0.9, 7)
        x = (segments[:, :1] + (segments[:, 2:3] - segments[:, :1]) * share) * EDGE_SCALE
        y = (segments[:, 1:2] + (segments[:, 3:] - segments[:, 1:2]) * share) * EDGE_SCALE
        rows, columns = self.gx.shape
        column, row = np.clip(x.astype(np.int32), 0, columns - 1), np.clip(y.astype(np.int32), 0, rows - 1)
        size = np.hypot(self.gx[row, column], self.gy[row, column])
        return np.asarray(np.clip(np.median(size, 1) / PARAMS.full_edge / 2, 0.1, 1))

    def support(self, poses: Array, offsets: tuple[int, ...]) -> Array:
        """Average the edge strength along outlines, (n,) 0 … 1; ``offsets`` px to either side are tried."""
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
        edge = np.minimum(np.maximum(np.asarray(best) * np.float32(1 / PARAMS.full_edge), 0), 1)
        return np.asarray((edge * (np.float32(0.2) + np.float32(0.8) * paper)).mean(1))

    def _places(self, x: Array, y: Array) -> Array:
        """Index the flat raster at pixels ``x``, ``y``, or at the nearest of its border."""
        rows, columns = self.gx.shape
        row = np.minimum(np.maximum(y.astype(np.int32), 0), rows - 1)
        return np.asarray(row * columns + np.minimum(np.maximum(x.astype(np.int32), 0), columns - 1))
