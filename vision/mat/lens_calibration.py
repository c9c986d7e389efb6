"""Calibrate the lens on the mat: by its marks and by the straight edges of its print ("plumb line", Brown 1971).

Marks alone lie at few distances from the middle; along the print's edges the distance runs from the middle of a side to
its corners, and curvature is measured to a fraction of a pixel.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.geometry.lens import Lens
from vision.mat.layout import MatLayout
from vision.mat.printed_sheet import RIM_MM

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class LensFitSettings:
    """Measurement errors, prior and search of the fit of homography and lens."""

    #: Standard deviation in px of a mark's corner, and of a point on an edge of the print.
    corner_sigma_px: float = 0.25
    edge_sigma_px: float = 0.4
    #: Residual, in standard deviations, from which a measurement's weight falls (Huber).
    huber_sigmas: float = 3.0
    #: Prior of lenses: standard deviation of k1 and k2 about 0. Wider lets few marks pull the lens away.
    prior_sigmas: tuple[float, float] = (0.12, 0.05)
    #: mm between two points measured along an edge of the print.
    edge_step_mm: float = 6.0
    #: mm to both sides of its expected line in which an edge is searched.
    edge_search_mm: float = 2.8
    #: mm at each end of an edge that are left out: the print's corners are round.
    edge_end_mm: float = 14.0
    #: Grey levels by which the paper beyond an edge must be brighter than the print; less is noise or a dark table.
    edge_contrast: float = 18.0
    #: Fewest corners of marks from which a lens is fitted: three marks.
    min_corners: int = 12
    #: With fewer corners than ``enough_corners`` (five marks) so many points on edges are needed as well: a few marks
    #: alone do not bound the lens.
    enough_corners: int = 20
    min_edge_points: int = 60


SETTINGS = LensFitSettings()


@dataclass(frozen=True, slots=True, eq=False)
class LensFit:
    """A homography (mm → straight px) with its lens. ``residual``: px, root mean square over the corners ``used``."""

    H: Array
    lens: Lens
    residual: float
    used: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _PrintEdges:
    """Points on straight edges: (n, 2) mm, where they are measured, (n, 2) px, and the edges' normals, (n, 2) px."""

    mm: Array
    px: Array
    normal: Array


def fit_lens(grey: NDArray[Any], layout: MatLayout, mm: Array, px: Array, lens: Lens | None = None) -> LensFit | None:
    """Fit homography and lens to marks' corners, (n, 2) mm and px, and to the print's edges in the grey picture.

    ``lens``: an earlier fit. None if the marks are too few, or no lens that a camera has fits them.
    """
    if len(mm) < SETTINGS.min_corners:
        return None
    size = (grey.shape[1], grey.shape[0])
    first, _ = cv2.findHomography(mm, px if lens is None else lens.undistort(px), 0)
    if first is None:
        return None
    try:
        H, bent = _solved(np.asarray(first, np.float64), lens or Lens.of(0.0, 0.0, size), mm, px, None)
        used = np.ones(len(mm), bool)
        for _ in range(2):
            used = trimmed(_seen(H, bent, mm) - px, used)
            edges = _edges(grey, layout, H, bent)
            if used.sum() < SETTINGS.enough_corners and len(edges.mm) < SETTINGS.min_edge_points:
                return None
            H, bent = _solved(H, bent, mm[used], px[used], edges)
    except (VisionError, np.linalg.LinAlgError):
        return None
    off = _seen(H, bent, mm[used]) - px[used]
    return LensFit(H, bent, float(np.sqrt((off * off).sum(1).mean())), used)


def trimmed(off: Array, used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Reject outliers among the corners ``used`` by their residuals ``off``, (n, 2) px; none if few would be left.

    A detector now and then puts a mark's outline between the mark and its white field, two or three px off.
    """
    away = np.linalg.norm(off, axis=1)
    near = used & (away < max(1.0, 4 * float(np.median(away[used]))))
    return near if near.sum() >= SETTINGS.min_corners else used


def _seen(H: Array, lens: Lens, mm: Array) -> Array:
    return lens.distort(cv2.perspectiveTransform(mm.reshape(-1, 1, 2), H).reshape(-1, 2))


def _solved(H: Array, lens: Lens, mm: Array, px: Array, edges: _PrintEdges | None) -> tuple[Array, Lens]:
    """Solve for eight parameters of the homography and two of the lens: Gauss-Newton with Huber weights.

    :raises VisionError: the lens diverges to what no camera has
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
        parts = [(_seen(matrix, bent, mm) - px).ravel() / SETTINGS.corner_sigma_px]
        if edges is not None and len(edges.mm):
            away = _seen(matrix, bent, edges.mm) - edges.px
            parts.append((away * edges.normal).sum(1) / SETTINGS.edge_sigma_px)
        return np.concatenate([*parts, numbers[8:] / SETTINGS.prior_sigmas])

    numbers = np.append(unit.ravel()[:8], (lens.k1, lens.k2))
    for _ in range(8):
        now = misses(numbers)
        weight = np.sqrt(np.minimum(1.0, SETTINGS.huber_sigmas / np.maximum(np.abs(now), 1e-9)))
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


def _edges(grey: NDArray[Any], layout: MatLayout, H: Array, lens: Lens) -> _PrintEdges:
    """Measure where the coloured print ends and the white rim of the paper begins, along its four sides."""
    places, outward = _border(layout)
    steps = np.arange(-SETTINGS.edge_search_mm, SETTINGS.edge_search_mm + 0.01, 0.2)
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
    clear = (rise > SETTINGS.edge_contrast) & inside & (at > 2) & (at < len(steps) - 4)
    found = places + (steps[0] + 0.2 * peak)[:, None] * outward
    px = _seen(H, lens, found[clear])
    ahead = _seen(H, lens, (found + 0.5 * outward)[clear]) - px
    along = _seen(H, lens, (places + 0.5 * outward[:, ::-1])[clear]) - _seen(H, lens, places[clear])
    normal = np.stack([-along[:, 1], along[:, 0]], 1)
    normal *= np.sign((normal * ahead).sum(1, keepdims=True))
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
    return _PrintEdges(places[clear], px, normal)


def _border(layout: MatLayout) -> tuple[Array, Array]:
    """Sample points along the print's four straight edges, (n, 2) mm, with the directions outward."""
    half = np.array(layout.size_mm) / 2 - RIM_MM
    reach = half - SETTINGS.edge_end_mm
    places, outward = [], []
    for side in (0, 1):
        along = np.arange(-reach[1 - side], reach[1 - side], SETTINGS.edge_step_mm)
        for sign in (-1.0, 1.0):
            points = np.empty((len(along), 2))
            points[:, side], points[:, 1 - side] = sign * half[side], along
            away = np.zeros((len(along), 2))
            away[:, side] = sign
            places.append(points)
            outward.append(away)
    return np.concatenate(places), np.concatenate(outward)
