"""The lens calibrated with the mat: its marks and the straight edges of its print tell how lines are bent.

Marks alone lie at few distances from the middle; along the print's edges the distance runs from the middle of a side to
its corners, and a bent line is seen to a fraction of a pixel ("plumb line", Brown 1971).
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.lens import Lens
from vision.mat import MatLayout
from vision.matsheet import EDGE

Array = NDArray[np.float64]

#: Pixels to which a mark's corner and a place on an edge are known; what misses by ``ROBUST`` times that has less say.
CORNER, EDGE_PLACE, ROBUST = 0.25, 0.4, 3.0
#: What lenses are like before anything is seen: standard deviation of k1 and k2.
LIKELY = (0.12, 0.05)
#: mm between two places looked at along an edge, mm to both sides in which it is looked for, mm left out at corners.
EVERY, REACH, CORNERS = 6.0, 2.8, 14.0
#: Grey levels by which the paper's edge must be brighter than the print.
CONTRAST = 18.0
#: Fewest corners of marks from which a lens is told (three marks), and fewest places on edges where they are fewer than
#: ``MANY`` (five marks): a few marks alone would let the lens run away.
LEAST, MANY, EDGES = 12, 20, 60


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A homography (mm → straight px) with its lens. ``residual``: px, root mean square over the corners ``used``."""

    H: Array
    lens: Lens
    residual: float
    used: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Edges:
    """Places on straight edges: (n, 2) mm, where they are seen, (n, 2) px, and the edges' normals there, (n, 2) px."""

    mm: Array
    px: Array
    normal: Array


def fit_lens(grey: NDArray[Any], layout: MatLayout, mm: Array, px: Array, lens: Lens | None = None) -> Fit | None:
    """Homography and lens from marks' corners, (n, 2) mm and px, and the edges of the print in the grey picture.

    ``lens`` is what is known from before. None if the marks are too
    few, or nothing that a camera can be fits them.
    """
    if len(mm) < LEAST:
        return None
    size = (grey.shape[1], grey.shape[0])
    first, _ = cv2.findHomography(mm, px if lens is None else lens.straighten(px), 0)
    if first is None:
        return None
    try:
        H, bent = _solved(np.asarray(first, np.float64), lens or Lens.of(0.0, 0.0, size), mm, px, None)
        used = np.ones(len(mm), bool)
        for _ in range(2):
            used = trimmed(_seen(H, bent, mm) - px, used)
            edges = _edges(grey, layout, H, bent)
            if used.sum() < MANY and len(edges.mm) < EDGES:
                return None
            H, bent = _solved(H, bent, mm[used], px[used], edges)
    except (VisionError, np.linalg.LinAlgError):
        return None
    off = _seen(H, bent, mm[used]) - px[used]
    return Fit(H, bent, float(np.sqrt((off * off).sum(1).mean())), used)


def trimmed(off: Array, used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of the corners ``used`` those that miss by no more than most of them do, ``off`` (n, 2) px; all if few are left.

    A detector now and then puts a mark's outline between the mark and its white field, two or three px off.
    """
    away = np.linalg.norm(off, axis=1)
    near = used & (away < max(1.0, 4 * float(np.median(away[used]))))
    return near if near.sum() >= LEAST else used


def _seen(H: Array, lens: Lens, mm: Array) -> Array:
    return lens.bend(cv2.perspectiveTransform(mm.reshape(-1, 1, 2), H).reshape(-1, 2))


def _solved(H: Array, lens: Lens, mm: Array, px: Array, edges: _Edges | None) -> tuple[Array, Lens]:
    """Gauss-Newton on eight numbers of the homography and two of the lens, with Huber's weights.

    :raises VisionError: the lens runs away to what no camera has
    """
    scale = np.array([200.0, 200.0, 1.0])  # mm and px in about unit size, or the numbers differ by 10^6
    into = np.array([(lens.radius, 0, lens.centre[0]), (0, lens.radius, lens.centre[1]), (0, 0, 1)])
    unit = np.linalg.inv(into) @ H @ np.diag(scale)
    unit = unit / unit[2, 2]

    def model(numbers: Array) -> tuple[Array, Lens]:
        matrix = into @ np.append(numbers[:8], 1.0).reshape(3, 3) @ np.diag(1 / scale)
        return matrix / matrix[2, 2], Lens(float(numbers[8]), float(numbers[9]), lens.centre, lens.radius)

    def misses(numbers: Array) -> Array:
        matrix, bent = model(numbers)
        parts = [(_seen(matrix, bent, mm) - px).ravel() / CORNER]
        if edges is not None and len(edges.mm):
            away = _seen(matrix, bent, edges.mm) - edges.px
            parts.append((away * edges.normal).sum(1) / EDGE_PLACE)
        return np.concatenate([*parts, numbers[8:] / LIKELY])

    numbers = np.append(unit.ravel()[:8], (lens.k1, lens.k2))
    for _ in range(8):
        now = misses(numbers)
        weight = np.sqrt(np.minimum(1.0, ROBUST / np.maximum(np.abs(now), 1e-9)))
        weight[-2:] = 1.0
        slopes = np.empty((len(now), 10))
        for k in range(10):
            step = np.zeros(10)
            step[k] = 1e-5
            slopes[:, k] = (misses(numbers + step) - now) / 1e-5
        change = np.linalg.lstsq(slopes * weight[:, None], -now * weight, rcond=None)[0]
        numbers = numbers + change
        if np.abs(change).max() < 1e-6:
            break
    return model(numbers)


def _edges(grey: NDArray[Any], layout: MatLayout, H: Array, lens: Lens) -> _Edges:
    """Where the coloured print ends and the white edge of the paper begins, place by place along its four sides."""
    places, outward = _border(layout)
    steps = np.arange(-REACH, REACH + 0.01, 0.2)
    samples = _seen(H, lens, (places[:, None] + steps[:, None] * outward[:, None]).reshape(-1, 2)).astype(np.float32)
    values = cv2.remap(
        grey, samples[:, 0], samples[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0.0
    ).reshape(len(places), len(steps))
    profile = cv2.GaussianBlur(values.astype(np.float32), (0, 0), 1.5, sigmaY=0.01)
    slope = np.diff(profile, axis=1)
    at = slope[:, 1:-1].argmax(1) + 1
    rows = np.arange(len(places))
    left, here, right = slope[rows, at - 1], slope[rows, at], slope[rows, at + 1]
    curve = left - 2 * here + right
    peak = at + 0.5 + np.where(curve < -1e-6, 0.5 * (left - right) / np.minimum(curve, -1e-6), 0.0)
    inner = np.clip(at - 5, 0, len(steps) - 1), np.clip(at + 6, 0, len(steps) - 1)
    rise = profile[rows, inner[1]] - profile[rows, inner[0]]
    size = np.array(grey.shape[1::-1])
    ends = samples.reshape(len(places), len(steps), 2)
    inside = ((ends > 1) & (ends < size - 2)).all((1, 2))
    clear = (rise > CONTRAST) & inside & (at > 2) & (at < len(steps) - 4)
    found = places + (steps[0] + 0.2 * peak)[:, None] * outward
    px = _seen(H, lens, found[clear])
    ahead = _seen(H, lens, (found + 0.5 * outward)[clear]) - px
    along = _seen(H, lens, (places + 0.5 * outward[:, ::-1])[clear]) - _seen(H, lens, places[clear])
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal *= np.sign((normal * ahead).sum(1, keepdims=True))
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return _Edges(places[clear], px, normal)


def _border(layout: MatLayout) -> tuple[Array, Array]:
    """Places along the print's four straight edges, (n, 2) mm, and the directions outward there."""
    half = np.array(layout.size_mm) / 2 - EDGE
    places, outward = [], []
    for side in (0, 1):
        along = np.arange(-half[1 - side] + CORNERS, half[1 - side] - CORNERS, EVERY)
        for sign in (-1.0, 1.0):
            points = np.empty((len(along), 2))
            points[:, side], points[:, 1 - side] = sign * half[side], along
            away = np.zeros((len(along), 2))
            away[:, side] = sign
            places.append(points)
            outward.append(away)
    return np.concatenate(places), np.concatenate(outward)
