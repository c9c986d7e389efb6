"""Find the outline of one card lying alone: four corners to a fraction of a pixel, on any ground it stands out from."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import VisionError
from vision.geometry.projection import PlaneProjection
from vision.images import Picture, strongest_channel

Quad = NDArray[np.float64]  # (4, 2) px, clockwise as seen, first the corner at the left end of the upper short side


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOutlineParams:
    """Parameters of what counts as a card's outline."""

    #: Long side over short side of a playing card: 1.25 … 2.0 leaves room for perspective round 63 × 88 to 56 × 100.
    side_ratio: tuple[float, float] = (1.25, 2.05)
    #: Short and long side where a mat gives the scale, mm.
    width_mm: tuple[float, float] = (50.0, 72.0)
    height_mm: tuple[float, float] = (78.0, 118.0)
    #: Area of the card's hull over that of its quad. Round corners take 1 %; a hand or a second card takes more.
    min_hull_share: float = 0.94
    max_hull_share: float = 1.03
    #: Share of its hull that an outline must fill.
    min_solidity: float = 0.85
    #: Share of the picture that a card must fill at least, and at most.
    min_area_share: float = 0.004
    max_area_share: float = 0.9
    #: Length of the working picture's long side, px: the outline is found small, then refined in full.
    working_px: int = 640


PARAMS = CardOutlineParams()
#: Steps across a side in which its edge is searched for, px.
STEP_PX = 0.5
#: A rectangle is turned by so much at most, in such steps.
MAX_TURN_RAD, TURN_STEP_RAD = 0.021, 0.003
#: Slope, colour levels (three channels together) a px, from which an edge is as good as any. With less the outline of a
#: card lies anywhere within its blurred edge.
FULL_SLOPE = 120.0


def find_card(
    image: Picture,
    empty: Picture | None = None,
    view: PlaneProjection | None = None,
    within: tuple[int, int, int, int] | None = None,
) -> Quad | None:
    """Find the outline of the one card in a picture, (H, W, 3) uint8 BGR, or None.

    ``empty`` shows the same ground without it, which makes any pattern on the ground harmless; with a ``view`` only
    what has a card's size counts. ``within``: x, y, width, height of the only part to search.
    """
    if within is not None:
        x, y, width, height = within
        corner = np.array([x, y], np.float64)
        part = (slice(y, y + height), slice(x, x + width))
        moved = None if view is None else view.crop(x, y, (width, height))
        found = find_card(image[part], None if empty is None else empty[part], moved)
        return None if found is None else found + corner
    best: tuple[float, Quad] | None = None
    small, ground, scale = _working_scale(image, empty)
    for mask in _foreground_masks(small, ground):
        for quad, score in _quads(mask):
            if (best is None or score > best[0]) and (view is None or _is_card_sized(view.unproject(quad / scale))):
                best = score, quad
    if best is None:
        return None
    quad = (best[1] + 0.5) / scale - 0.5
    return clockwise_upright(refine_outline(image, quad))


def find_card_near(image: Picture, view: PlaneProjection, around: Quad, spare_px: float = 0.0) -> Quad | None:
    """Find the outline of the one card in the part of a picture that holds the points ``around`` (n, 2 px), or None.

    ``spare_px``: searched beyond them on all sides.
    """
    size = image.shape[1::-1]
    left, top = np.clip(np.floor(around.min(0) - spare_px), 0, size).astype(int).tolist()
    right, bottom = np.clip(np.ceil(around.max(0) + spare_px), 0, size).astype(int).tolist()
    return find_card(image, None, view, (left, top, right - left, bottom - top))


def side_lengths(quad: Quad) -> NDArray[np.float64]:
    """Measure the four sides of a quad, from its first corner on."""
    return np.asarray(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1))


def width_and_height(quad: Quad) -> tuple[float, float]:
    """Measure a quad's first side and its second, each with the opposite one, on average."""
    sides = side_lengths(quad)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def foreground_outlines(image: Picture, empty: Picture) -> list[Quad]:
    """Outline, (n, 2) px each, all that was not on the ground in the picture ``empty``, the largest first."""
    small, ground, scale = _working_scale(image, empty)
    if ground is None:
        return []
    found = []
    for mask in islice(_foreground_masks(small, ground), 2):
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        large = [c for c in contours if cv2.contourArea(c) > PARAMS.min_area_share * mask.size]
        if large:
            large.sort(key=cv2.contourArea, reverse=True)
            found = [np.asarray((c.reshape(-1, 2) + 0.5) / scale - 0.5, np.float64) for c in large]
    return found


def _working_scale(image: Picture, empty: Picture | None) -> tuple[Picture, Picture | None, float]:
    """Scale the picture and the empty ground, brought to the picture's light; also return the scale."""
    scale = min(1.0, PARAMS.working_px / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    if empty is None or empty.shape != image.shape:
        return small, None, scale
    ground = cv2.resize(empty, (small.shape[1], small.shape[0]), interpolation=cv2.INTER_AREA)
    # Exposure drifts: the ratio of medians is that of the light as long as most of the ground is to be seen.
    ratio = float(np.median(small[::4, ::4, 1] / (ground[::4, ::4, 1].astype(np.float32) + 1.0)))
    if 0.5 < ratio < 2.0:
        ground = cv2.convertScaleAbs(ground, alpha=ratio)
    return small, np.asarray(ground, np.uint8), scale


def _is_card_sized(mm: Quad) -> bool:
    short, long = sorted(width_and_height(mm))
    (narrow, wide), (low, high) = PARAMS.width_mm, PARAMS.height_mm
    return narrow < short < wide and low < long < high


def touches_edge(quad: Quad, size: tuple[int, int], margin: float = 2.0) -> bool:
    """Check whether a corner is at or beyond the border of a picture of (width, height)."""
    return bool((quad < margin).any() or (quad > np.array(size) - 1 - margin).any())


def rectify_card(image: Picture, quad: Quad, size: tuple[int, int]) -> Picture:
    """Warp the card edge to edge and upright, (height, width, 3) for ``size`` (width, height)."""
    width, height = size
    edge = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), edge)
    shrink = np.linalg.norm(quad[1] - quad[0]) / width
    if shrink > 1.5:  # more pixels than are kept: blur before sampling, or fine print turns into moiré
        image = cv2.GaussianBlur(image, (0, 0), 0.4 * float(shrink))
    return np.asarray(cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_CUBIC), np.uint8)


def clockwise_upright(quad: Quad) -> Quad:
    """Order corners clockwise, beginning so that the card stands on a short side and its top is up, or left."""
    area = cv2.contourArea(quad.astype(np.float32), oriented=True)
    quad = quad if area > 0 else quad[::-1]
    width, height = width_and_height(quad)
    first = 0 if width <= height else 1
    turns = [np.roll(quad, -k, 0) for k in (first, first + 2)]
    down = [(q[2] + q[3] - q[0] - q[1]) for q in turns]
    # Of the two, the one whose downward axis points down as seen; a card lying across has its top at the left.
    scores = [d[1] + 0.02 * d[0] for d in down]
    return np.asarray(turns[int(np.argmax(scores))], np.float64)


def _foreground_masks(small: Picture, ground: Picture | None) -> Iterator[Picture]:
    """Segment what may be the card: what differs from the empty ground; else from the ground's colour, or is light."""
    if ground is not None:
        difference = cv2.GaussianBlur(strongest_channel(cv2.absdiff(small, ground)), (5, 5), 0)
        threshold, _ = cv2.threshold(difference, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        for level in sorted({14.0, 0.4 * threshold, float(threshold)}):
            if level >= 10:
                yield _without_lines(difference > level)
        return
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    border = np.concatenate(
        [lab[:12].reshape(-1, 3), lab[-12:].reshape(-1, 3), lab[:, :12].reshape(-1, 3), lab[:, -12:].reshape(-1, 3)]
    )
    distance = np.linalg.norm((lab - np.median(border, axis=0)) * (0.6, 1.0, 1.0), axis=2)
    byte = np.clip(cv2.GaussianBlur(distance, (5, 5), 0) * 2, 0, 255).astype(np.uint8)
    threshold, mask = cv2.threshold(byte, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    if threshold > 16:
        yield _without_lines(mask > 0)
        yield _without_lines(byte > 0.5 * threshold)
    light = cv2.GaussianBlur(strongest_channel(small), (5, 5), 0)
    _, mask = cv2.threshold(light, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    yield _without_lines(mask > 0)


def _without_lines(mask: Picture) -> Picture:
    """Remove thin lines and close print inside the card."""
    byte: Picture = mask.astype(np.uint8)
    byte = cv2.morphologyEx(byte, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return np.asarray(cv2.morphologyEx(byte, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)


def _quads(mask: Picture) -> Iterator[tuple[Quad, float]]:
    """Find quads that a mask's outer contours fill, with how well: 0 … 1."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for contour in contours:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if not PARAMS.min_area_share * mask.size < area < PARAMS.max_area_share * mask.size:
            continue
        if cv2.contourArea(contour) < PARAMS.min_solidity * area:
            continue
        quad = _four_sides(hull)
        if quad is None:
            continue
        short, long = sorted(width_and_height(quad))
        if short < 0.5 or not PARAMS.side_ratio[0] < long / short < PARAMS.side_ratio[1]:
            continue
        full = area / cv2.contourArea(quad.astype(np.float32))
        if PARAMS.min_hull_share < full < PARAMS.max_hull_share:
            yield quad, float(min(full, 1.0) * cv2.contourArea(contour) / area)


def _four_sides(hull: Picture) -> Quad | None:
    """Find the corners where the lines through a hull's four sides meet: a card's own corners are round."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.03, 0.045, 0.06):
        polygon = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(polygon) < 4:
            return None
        if len(polygon) == 4:
            break
    else:
        return None
    # A hull has no points between its corners: put some on its sides, then fit those far from the rough corners.
    points = hull.reshape(-1, 2).astype(np.float64)
    steps = np.linspace(0.0, 1.0, 24, endpoint=False)[:, None]
    dense = np.concatenate([a + steps * (b - a) for a, b in zip(points, np.roll(points, -1, 0), strict=True)])
    lines = []
    for start, end in zip(polygon, np.roll(polygon, -1, 0), strict=True):
        along = end - start
        size = float(np.linalg.norm(along))
        if size < 8:
            return None
        t = (dense - start) @ along / size**2
        off = np.abs((dense - start) @ np.array([along[1], -along[0]])) / size
        near = dense[(t > 0.15) & (t < 0.85) & (off < 0.06 * size)]
        if len(near) < 4:
            return None
        vx, vy, px, py = cv2.fitLine(near.astype(np.float32), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        lines.append((np.array([px, py], np.float64), np.array([vx, vy], np.float64)))
    quad = np.array([_cross(*lines[k - 1], *lines[k]) for k in range(4)])
    return quad if np.isfinite(quad).all() and cv2.isContourConvex(quad.astype(np.float32)) else None


def refine_outline(image: Picture, quad: Quad, reach: float | None = None) -> Quad:
    """Move each side of a quad to the strongest edge near it: below a pixel where the edge is clean.

    Searches ``reach`` px to both sides (by default 2.5 % of the short side); round corners are left out, and each side
    is a robust line through up to 60 places, so that print touching the edge or a shadow does not bend it.
    """
    height, width = image.shape[:2]
    around = clockwise_upright(quad)
    reach = reach or max(3.0, 0.025 * float(np.linalg.norm(around[1] - around[0])))
    smooth = _smoothed(image)
    steps = np.arange(-reach, reach + 0.25, STEP_PX)
    lines = []
    for start, end in zip(around, np.roll(around, -1, 0), strict=True):
        places, outward = _along_side(start, end)
        grid = places[:, None, :] + steps[None, :, None] * outward
        inside = ((grid > 0) & (grid < (width - 1, height - 1))).all((1, 2))
        if inside.sum() < 6:
            return around
        slope = _slopes(smooth, grid)
        peak = np.clip(slope.argmax(1), 1, slope.shape[1] - 2)
        rows = np.arange(len(peak))
        before, at, after = slope[rows, peak - 1], slope[rows, peak], slope[rows, peak + 1]
        bend = before - 2 * at + after
        offset = np.where(np.abs(bend) > 1e-6, 0.5 * (before - after) / np.where(bend == 0, 1, bend), 0.0)
        shift = steps[peak + 1] + np.clip(offset, -1, 1) * STEP_PX
        good = inside & (at > 0.4 * np.median(at))
        found = (places + shift[:, None] * outward)[good].astype(np.float32)
        if len(found) < 5:
            return around
        vx, vy, px, py = cv2.fitLine(found, cv2.DIST_WELSCH, 1.0, 0.01, 0.01).ravel()
        lines.append((np.array([px, py], np.float64), np.array([vx, vy], np.float64)))
    corners = [_cross(*lines[k - 1], *lines[k]) for k in range(4)]
    refined = np.array(corners)
    far = np.linalg.norm(refined - around, axis=1).max()
    return refined if np.isfinite(refined).all() and far < 3 * reach else around


def fit_rectangle(image: Picture, corners: Quad, reach: float) -> Quad:
    """Move and turn a rectangle to the edges near it; its sides keep their lengths, so that one helps the other.

    A side beside which print runs, or white paper of another card, is placed by the others.

    :param corners: (4, 2) px, clockwise.
    :param reach: px by which it is moved at most, along and across.
    """
    smooth = _smoothed(image)
    shifts = np.arange(-reach, reach + 0.25, STEP_PX)
    turns = np.arange(-MAX_TURN_RAD, MAX_TURN_RAD + TURN_STEP_RAD / 2, TURN_STEP_RAD)
    spare = STEP_PX * np.ceil(MAX_TURN_RAD * side_lengths(corners).max() / 2 / STEP_PX + 2)
    steps = np.arange(-reach - spare, reach + spare + 0.25, STEP_PX)
    seen = []  # by side: how well turns and shifts outward (turns, shifts) lie on edges
    for start, end in zip(corners, np.roll(corners, -1, 0), strict=True):
        places, outward = _along_side(start, end)
        slope = np.minimum(_slopes(smooth, places[:, None, :] + steps[None, :, None] * outward), FULL_SLOPE)
        lever = (places - (start + end) / 2) @ np.array([-outward[1], outward[0]])
        off = shifts[None, :, None] - turns[:, None, None] * lever
        column = np.rint((off - steps[1]) / STEP_PX).astype(int)
        seen.append(slope[np.arange(len(places)), column].mean(2))
    up, right, down, left = seen
    across, along = right + left[:, ::-1], down + up[:, ::-1]
    turn = int((across.max(1) + along.max(1)).argmax())
    middle, c, s = corners.mean(0), np.cos(turns[turn]), np.sin(turns[turn])
    moved = middle + (corners - middle) @ np.array([[c, s], [-s, c]])
    x, y = (moved[1] - moved[0]), (moved[3] - moved[0])
    by_x, by_y = shifts[across[turn].argmax()], shifts[along[turn].argmax()]
    return np.asarray(moved + by_x * x / np.linalg.norm(x) + by_y * y / np.linalg.norm(y))


def _smoothed(image: Picture) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.float32)


def _along_side(start: Quad, end: Quad) -> tuple[Quad, Quad]:
    """Spread up to 60 places (n, 2) along a side, its round corners left out; and its outward normal."""
    along = end - start
    length = float(np.linalg.norm(along))
    share = np.linspace(0.12, 0.88, int(np.clip(length / 3, 8, 60)))
    return start + share[:, None] * along, np.array([along[1], -along[0]]) / max(length, 1e-6)


def _slopes(smooth: NDArray[np.float32], grid: Quad) -> NDArray[np.float32]:
    """Measure how steep colours are across a side, (places, steps - 2), at steps (places, steps, 2) but the ends."""
    x, y = (np.ascontiguousarray(grid[..., k], np.float32) for k in (0, 1))
    profile = cv2.remap(smooth, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(np.linalg.norm(profile[:, 2:] - profile[:, :-2], axis=2))


def _cross(p: Quad, u: Quad, q: Quad, v: Quad) -> Quad:
    """Intersect two lines, each a point and a direction."""
    matrix = np.array([u, -v]).T
    if abs(np.linalg.det(matrix)) < 1e-6:
        return np.array([np.nan, np.nan])
    return np.asarray(p + np.linalg.solve(matrix, q - p)[0] * u)


def sharpness(picture: Picture) -> float:
    """Measure a rectified card's sharpness: the steepest edges' slope over the whole's contrast, per px at 4 px a mm.

    A sharp picture has 0.3 to 0.6, one blurred by a sigma of 2 mm less than 0.14.

    :raises VisionError: a picture of nothing
    """
    if picture.size == 0:
        raise VisionError("no picture to judge")
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32)
    low, high = np.percentile(grey, (1, 99))
    if high - low < 1:
        return 0.0
    slope = np.hypot(cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.25), cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.25))
    return float(np.percentile(slope, 98) / (high - low))
