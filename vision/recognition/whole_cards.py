"""Find cards that are seen all round by their outline alone, whatever they show."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from vision.geometry.card_outline import clockwise_upright, fit_rectangle, refine_outline, side_lengths
from vision.geometry.pose import poses_near
from vision.geometry.projection import Array, card_corners
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.images import Picture
from vision.recognition.edge_proposals import EdgeProposals


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeCardLimits:
    """What must be seen of an outline."""

    #: mm by which an outline found near a pose may be larger or smaller than the card for it to be the card's, also
    #: while the size of the cards is not known; and how far each side is searched for. With a card above it or a hand
    #: beside one side of it is another's.
    outline_mm: float = 0.6
    unmeasured_mm: float = 2.5
    reach_mm: float = 1.5
    #: Share of a proposed outline that runs along edges, at least; and of a fitted one, from which all sides are seen,
    #: however well. 0.84 … 0.88: halves of two cards had at most 0.82.
    min_support: float = 0.75
    whole_support: float = 0.86
    #: mm and rad within which two poses are of one card.
    apart_mm: float = 15.0
    apart_rad: float = 0.3


LIMITS = WholeCardLimits()


def outline_at(
    fine: Picture, pose: Array, size_mm: tuple[float, float], off_mm: float = LIMITS.outline_mm
) -> Array | None:
    """Find the outline (4, 2 px) of the card at a pose (mm, mm, rad) of a picture at ``SCALE``, both from its corner.

    None if it is not seen all round, or a side is longer or shorter by more than ``off_mm``.
    """
    part, first, guess = _part_around(fine, pose, size_mm)
    quad = refine_outline(part, guess, LIMITS.reach_mm * SCALE)
    off = side_lengths(quad) / SCALE - np.array([*size_mm, *size_mm])
    seen = not np.array_equal(quad, guess) and np.abs(off).max() <= off_mm
    return quad + first if seen else None


def fitted_whole(
    plane: RectifiedPlane, proposals: EdgeProposals, pose: Array, size_mm: tuple[float, float]
) -> Array | None:
    """Fit a card of this size near a pose (mm, mm, rad from the raster's corner); None if it is not seen all round."""
    fitted = fitted_pose(plane.fine, pose, size_mm)
    return fitted if proposals.support_of(fitted[None])[0] >= LIMITS.whole_support else None


def fitted_pose(fine: Picture, pose: Array, size_mm: tuple[float, float]) -> Array:
    """Fit a card of this size to the edges near a pose (mm, mm, rad) of a picture at ``SCALE``.

    Straight edges alone leave a pose off by 0.9 mm (median), and up to 2.0; this by 0.1, and up to 0.5.
    """
    part, first, guess = _part_around(fine, pose, size_mm)
    return pose_of((fit_rectangle(part, guess, LIMITS.reach_mm * SCALE) + first) / SCALE, pose)


def _part_around(fine: Picture, pose: Array, size_mm: tuple[float, float]) -> tuple[Picture, Array, Array]:
    """Cut out what a picture at ``SCALE`` shows round a card; its first pixel's middle, the card's corners in it."""
    reach = LIMITS.reach_mm + 1.0
    corners = card_corners(pose, size_mm)
    low = np.maximum(np.floor((corners.min(0) - reach) * SCALE), 0).astype(int)
    high = np.ceil((corners.max(0) + reach) * SCALE).astype(int)
    first = low + 0.5
    return fine[low[1] : high[1], low[0] : high[0]], first, clockwise_upright(corners * SCALE - first)


def pose_of(outline: Array, near: Array) -> Array:
    """Give the pose of an outline (4, 2 mm), the same way up as the pose near it."""
    up = outline[:2].sum(0) - outline[2:].sum(0)
    turn = np.remainder(np.arctan2(up[0], -up[1]) - near[2] + np.pi / 2, np.pi) - np.pi / 2  # either way up
    return np.array([*outline.mean(0), near[2] + turn])


def whole_cards(
    plane: RectifiedPlane,
    proposals: EdgeProposals,
    size_mm: tuple[float, float],
    known: Iterable[Array],
    *,
    measured: bool = True,
) -> list[Array]:
    """Find the poses (mm, mm, rad from the raster's corner) of cards seen all round, besides those ``known``.

    ``measured``: whether the size of the cards is known, or only what such cards have as a rule.
    """
    off_mm = LIMITS.outline_mm if measured else LIMITS.unmeasured_mm
    likely = proposals.support >= LIMITS.min_support
    for pose in known:
        likely &= ~poses_near(proposals.poses, pose, LIMITS.apart_mm, LIMITS.apart_rad)
    found: list[Array] = []
    for n in np.flatnonzero(likely):
        if not likely[n]:
            continue
        pose = proposals.poses[n]
        outline = outline_at(plane.fine, pose, size_mm, off_mm)
        if outline is not None:
            pose = pose_of(outline / SCALE, pose)
        else:
            fitted = fitted_whole(plane, proposals, pose, size_mm)
            if fitted is None:
                continue
            pose = fitted
        found.append(pose)
        likely &= ~poses_near(proposals.poses, found[-1], LIMITS.apart_mm, LIMITS.apart_rad)
    return found
