"""Propose outlines that may be cards in any picture, by light patches and by areas that edges enclose.

Nothing is known of scale, ground or deck. Whole cards give four-sided patches; cards that touch, overlap or are partly
covered give patches with a side between two right corners, which leaves the card's far end to the usual proportions.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.card_outline import refine_outline
from vision.geometry.projection import Array
from vision.images import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineLimits:
    """What an outline must be like to be proposed as a card."""

    #: Longer side in px to which the picture is reduced. 480 … 1280; time grows with its square.
    working_px: int = 800
    #: Length in px of the reduced picture that a card's shorter side must have. 20 … 40.
    min_side_px: float = 30.0
    #: Height over width of common cards: poker 63 × 88, French 59 × 91, Bavarian 56 × 100.
    aspects: tuple[float, ...] = (1.40, 1.54)
    #: Most outlines proposed, the best supported ones. 10 … 60; every one costs readings.
    max_outlines: int = 40


LIMITS = OutlineLimits()


def outlines(picture: Picture) -> list[Array]:
    """Propose outlines, (4, 2) px clockwise from the left end of a short side; whole patches first, largest first."""
    factor = min(1.0, LIMITS.working_px / max(picture.shape[:2]))
    small = picture
    if factor < 1:
        small = np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    whole: list[Array] = []
    guessed: list[Array] = []
    for mask in _masks(small):
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if not 0.4 * LIMITS.min_side_px**2 < cv2.contourArea(contour) < 0.96 * mask.size:
                continue
            quad = _filled(contour)
            if quad is not None:
                whole.append(quad)
            else:
                guessed += _from_sides(contour)
    found: list[Array] = []
    for quad in sorted(whole, key=_area, reverse=True):
        if not any(same_place(quad, other) for other in found):
            # the mask's levels put edges a little off: to the strongest slope near them
            refined = _upright(refine_outline(small, quad))
            found.append(quad if refined is None else refined)
    for quad in sorted(guessed, key=_area, reverse=True):
        if _within(quad, small.shape[:2]) and not any(same_place(quad, other) for other in found):
            found.append(quad)
    return [(quad + 0.5) / factor - 0.5 for quad in found[: LIMITS.max_outlines]]


def _area(quad: Array) -> float:
    return float(cv2.contourArea(quad.astype(np.float32)))


def same_place(one: Array, other: Array, share: float = 0.12) -> bool:
    """Check whether two quads nearly coincide, turned by half or not; ``share`` of the first's first side."""
    side = share * float(np.linalg.norm(one[1] - one[0]))
    return min(float(np.abs(one - turned).max()) for turned in (other, np.roll(other, 2, axis=0))) < side


def _masks(picture: Picture) -> Iterator[Picture]:
    """Yield masks of light patches at several thresholds, global and adaptive, and of areas that edges enclose."""
    smooth = cv2.GaussianBlur(picture, (0, 0), 1.0)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    paper = cv2.min(cv2.min(smooth[..., 0], smooth[..., 1]), smooth[..., 2])
    for channel in (grey, paper):
        level = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[0]
        for share in (0.8, 1.0, 1.25):
            yield cv2.threshold(channel, share * level, 255, cv2.THRESH_BINARY)[1]
    side = max(picture.shape[:2]) // 4 | 1
    yield cv2.adaptiveThreshold(paper, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, side, -8)
    slopes = [cv2.morphologyEx(smooth[..., k], cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) for k in range(3)]
    slope = cv2.max(cv2.max(slopes[0], slopes[1]), slopes[2])
    for level in (14, 28, 50):
        yield cv2.threshold(slope, level, 255, cv2.THRESH_BINARY_INV)[1]


def _filled(contour: Array) -> Array | None:
    """Return the corners of a contour that fills a card's outline."""
    hull = cv2.convexHull(contour)
    if cv2.contourArea(contour) < 0.85 * cv2.contourArea(hull):
        return None
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(corners) == 4:
            return _upright(_sharpened(corners, hull.reshape(-1, 2).astype(np.float64)))
    return None


def _sharpened(corners: Array, hull: Array) -> Array:
    """Sharpen corners to where the lines through a hull's sides meet: a card's own corners are round."""
    steps = np.linspace(0.0, 1.0, 16, endpoint=False)[:, None]
    ring = np.concatenate([a + steps * (b - a) for a, b in zip(hull, np.roll(hull, -1, 0), strict=True)])
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        along = end - start
        size = float(np.linalg.norm(along)) + 1e-6
        t = (ring - start) @ along / size**2
        off = np.abs((ring - start) @ np.array([along[1], -along[0]])) / size
        near = ring[(t > 0.12) & (t < 0.88) & (off < 0.06 * size)]
        if len(near) < 4:
            return corners
        vx, vy, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        lines.append((np.array([px, py], np.float64), np.array([vx, vy], np.float64)))
    quad = np.array([_cross(*lines[k - 1], *lines[k]) for k in range(4)])
    reach = 0.15 * np.linalg.norm(corners - np.roll(corners, -1, 0), axis=1).max()
    return quad if np.isfinite(quad).all() and np.abs(quad - corners).max() < reach else corners


def _cross(p: Array, u: Array, q: Array, v: Array) -> Array:
    """Intersect two lines, each a point and a direction."""
    matrix = np.array([u, -v]).T
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.array([np.nan, np.nan])
    return np.asarray(p + np.linalg.solve(matrix, q - p)[0] * u)


def _from_sides(contour: Array) -> list[Array]:
    """Complete cards of which one whole side and parts of both sides beside it bound a patch."""
    size = float(np.sqrt(cv2.contourArea(contour)))
    polygon = cv2.approxPolyDP(contour, max(2.0, 0.025 * size), True).reshape(-1, 2).astype(np.float64)
    if not 4 <= len(polygon) <= 40:
        return []
    if cv2.contourArea(polygon.astype(np.float32), oriented=True) < 0:
        polygon = polygon[::-1]
    found = []
    for k in range(len(polygon)):
        before, first, second, after = (polygon[(k + n) % len(polygon)] for n in range(4))
        side, left, right = second - first, before - first, after - second
        length, one, other = (float(np.linalg.norm(v)) for v in (side, left, right))
        if length < LIMITS.min_side_px or min(one, other) < 4:
            continue
        # convex corners, each a right angle give or take perspective
        if not (_square(left, side) and _square(right, -side)):
            continue
        if _turn(side, right) < 0 or _turn(side, left) < 0:
            continue
        for ratio in (*LIMITS.aspects, *(1 / r for r in LIMITS.aspects[:1])):
            far = ratio * length
            if max(one, other) < 0.3 * far or max(one, other) > 1.15 * far:
                continue
            # the longer of both gives the direction; the other one may be a mere stub
            direction = (left / one * min(one, far) + right / other * min(other, far)) / 2
            direction = direction / np.linalg.norm(direction) * far
            quad = _upright(np.array([first, second, second + direction, first + direction]))
            if quad is not None:
                found.append(quad)
    return found


def _turn(one: Array, other: Array) -> float:
    """Compute the cross product: above 0 where ``other`` is clockwise of ``one`` as seen."""
    return float(one[0] * other[1] - one[1] * other[0])


def _square(one: Array, other: Array) -> bool:
    """Check whether two directions make 90° ± 18°."""
    cosine = float(one @ other) / (float(np.linalg.norm(one)) * float(np.linalg.norm(other)) + 1e-9)
    return abs(cosine) < 0.31


def _upright(quad: Array) -> Array | None:
    """Order the corners clockwise, first side a short one; None if no card seen from above has this shape."""
    area = cv2.contourArea(quad.astype(np.float32), oriented=True)
    quad = quad if area > 0 else quad[::-1]
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return None
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    if sides.min() < LIMITS.min_side_px:
        return None
    if any(max(sides[k] / sides[k + 2], sides[k + 2] / sides[k]) > 1.8 for k in (0, 1)):
        return None
    ratio = (sides[1] + sides[3]) / (sides[0] + sides[2])
    if ratio < 1:
        quad, ratio = np.roll(quad, -1, axis=0), 1 / ratio
    return quad if 1.05 < ratio < 2.2 else None


def _within(quad: Array, shape: tuple[int, ...]) -> bool:
    """Check whether a completed outline is in the picture with its middle and most of its corners."""
    height, width = shape[:2]
    inside = [(0 <= x < width and 0 <= y < height) for x, y in itertools.chain(quad, [quad.mean(0)])]
    return bool(inside[-1] and sum(inside[:-1]) >= 2)
