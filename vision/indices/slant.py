"""Estimate how a table is slanted to the camera, by the indices of the cards on it, and look at it from above.

All indices of a picture are of one deck, so in the table's plane they are equally high, and those of one card are
parallel. The plane in which they are so nearest is the table's; in it a card is a rectangle again.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.images import Picture
from vision.indices.reading import IndexReading, agreement


@dataclass(frozen=True, slots=True, kw_only=True)
class SlantLimits:
    """How a slant is searched for, and how much must speak for it."""

    #: Focal lengths in longer sides of the picture that are tried: phones and webcams.
    focal_lengths: tuple[float, ...] = (0.75, 1.15)
    #: Slants tried, rad: steps of the angle and number of directions; steeper than the greatest nothing can be read.
    step_rad: float = 0.07
    greatest_rad: float = 1.15
    directions: int = 36
    #: Standard deviations of what the networks measure: logarithm of an index's height, its direction in rad.
    height_sigma: float = 0.10
    direction_sigma: float = 0.10
    #: Agreement of two labels from which their indices may be of one card.
    min_agreement: float = 0.5
    #: Score times probability from which an index is evidence.
    min_certainty: float = 0.3
    #: Indices at least, slant at least (rad) and gain in cost over no slant at least, to look from above.
    min_indices: int = 3
    least_rad: float = 0.3
    min_gain: float = 1.5
    #: Longer side, px, of the picture from above at most.
    max_side_px: int = 1600


LIMITS = SlantLimits()
#: Depth, of 1 in the picture's middle, from which a point is not taken for one near the horizon or beyond it.
MIN_DEPTH = 0.15


def view_from_above(readings: Sequence[IndexReading], shape: tuple[int, ...]) -> Array | None:
    """Estimate the homography (3, 3) from a picture of ``shape`` to the table seen from above; None: no clear slant."""
    clear = [reading for reading in readings if reading.score * reading.probability > LIMITS.min_certainty]
    if len(clear) < LIMITS.min_indices:
        return None
    middle = np.array([shape[1], shape[0]]) / 2
    ends = np.array([(r.centre + r.up * r.height / 2, r.centre - r.up * r.height / 2) for r in clear]) - middle
    pairs = np.array(
        [
            (i, j)
            for i, j in itertools.combinations(range(len(clear)), 2)
            if agreement(clear[i].labels, clear[j].labels) > LIMITS.min_agreement
        ],
        int,
    ).reshape(-1, 2)
    slants, views = _views(float(max(shape[:2])))
    costs = _costs(views, ends, pairs)
    best = int(costs.argmin())
    if slants[best] < LIMITS.least_rad or _costs(np.eye(3)[None], ends, pairs)[0] - costs[best] < LIMITS.min_gain:
        return None
    return np.asarray(views[best] @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]))


@lru_cache(maxsize=4)
def _views(side: float) -> tuple[Array, Array]:
    """Compute the slants that are tried, (n,) rad, and their homographies, (n, 3, 3), about a picture's middle."""
    slants, views = [], []
    for focal in LIMITS.focal_lengths:
        camera = np.diag([focal * side, focal * side, 1.0])
        for slant in np.arange(LIMITS.step_rad, LIMITS.greatest_rad, LIMITS.step_rad):
            for direction in np.arange(LIMITS.directions) * (2 * np.pi / LIMITS.directions):
                axis = np.array([np.cos(direction), np.sin(direction), 0.0]) * slant
                slants.append(slant)
                views.append(camera @ cv2.Rodrigues(axis)[0] @ np.linalg.inv(camera))
    return np.array(slants), np.array(views)


def _costs(views: Array, ends: Array, pairs: Array) -> Array:
    """Rate in each of the views, (n, 3, 3), how far indices are from equally high, and pairs from parallel: (n,).

    Each index and each pair costs 1 at most, as errors of any size do (Geman and McClure), so that two equal cards
    and what is no index spoil nothing.

    :param ends: of the indices, (indices, 2 ends, 2) px from the picture's middle.
    :param pairs: numbers of indices that may be of one card, (pairs, 2).
    """
    flat = np.concatenate([ends.reshape(-1, 2), np.ones((2 * len(ends), 1))], axis=1)
    seen = np.einsum("vij,pj->vpi", views, flat)
    beyond = seen[..., 2].min(1) < MIN_DEPTH
    seen = (seen[..., :2] / np.maximum(seen[..., 2:], MIN_DEPTH)).reshape(len(views), len(ends), 2, 2)
    along = seen[:, :, 0] - seen[:, :, 1]
    heights = np.log(np.maximum(np.linalg.norm(along, axis=2), 1e-6))
    off = ((heights - np.median(heights, axis=1, keepdims=True)) / LIMITS.height_sigma) ** 2
    one, other = along[:, pairs[:, 0]], along[:, pairs[:, 1]]
    cross = one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
    sine = cross / np.exp(heights[:, pairs[:, 0]] + heights[:, pairs[:, 1]])
    turn = (np.arcsin(np.clip(sine, -1, 1)) / LIMITS.direction_sigma) ** 2
    costs = (off / (1 + off)).sum(1) + (turn / (1 + turn)).sum(1)
    return np.asarray(np.where(beyond, np.inf, costs))


def seen_from_above(frame: Picture, view: Array, readings: Sequence[IndexReading]) -> tuple[Picture, Array]:
    """Warp the part of a frame that has cards to the view; return it and the homography from the frame to it.

    The larger indices keep their size; a card's length round the indices is in the picture, as far as the frame goes.
    """
    ends = np.array([[r.centre + r.up * r.height / 2, r.centre - r.up * r.height / 2] for r in readings])
    there = cv2.perspectiveTransform(ends.reshape(-1, 1, 2), view).reshape(-1, 2, 2)
    heights = np.linalg.norm(there[:, 0] - there[:, 1], axis=1)
    growth = heights / np.array([r.height for r in readings])
    reach = 8.0 * float(np.median(heights))
    rim = np.array([[x, y, 1.0] for x in np.linspace(0, frame.shape[1], 9) for y in np.linspace(0, frame.shape[0], 9)])
    rim = rim @ view.T
    rim = rim[rim[:, 2] > MIN_DEPTH]
    rim = rim[:, :2] / rim[:, 2:]
    low = np.maximum(there.min((0, 1)) - reach, rim.min(0))
    high = np.minimum(there.max((0, 1)) + reach, rim.max(0))
    scale = 1.0 / float(np.percentile(growth, 20))
    scale = min(scale, LIMITS.max_side_px / float((high - low).max()))
    move = np.array([[scale, 0, -scale * low[0]], [0, scale, -scale * low[1]], [0, 0, 1]])
    whole = move @ view
    size = tuple(int(v) for v in np.ceil((high - low) * scale))
    picture = cv2.warpPerspective(frame, whole, (size[0], size[1]), flags=cv2.INTER_LINEAR)
    return np.asarray(picture, np.uint8), whole
