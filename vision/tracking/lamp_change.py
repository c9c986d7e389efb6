"""Detect that another lamp shines all at once, and how much more or less light each cell has from then on.

A gain for the whole picture and its rows (``coarse_plane.match_light``) explains exposure, and one lamp that is
dimmed. Another lamp lights each place by another factor, throws other shadows and is reflected elsewhere. Such factors
change the whole picture and are smooth nearly everywhere; what people do, push or lean over changes edges in a part.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.tracking.coarse_plane import Cells, Plane


@dataclass(frozen=True, slots=True, kw_only=True)
class LampLimits:
    """Limits of what is another lamp; in brackets what was measured of simulated lamps, and of people at the most."""

    #: Mean grey level of a frame below which factors are noise.
    least_mean: float = 50.0
    #: Share of the light, and grey levels besides, by which a cell must differ from before although the light is
    #: levelled, and share of the cells that must: else nothing is computed (0.05).
    unlevelled_share: float = 0.04
    unlevelled_levels: float = 2.0
    unlevelled_cells: float = 0.05
    #: Share of the light by which a cell must differ from before as it came, and share of the cells that must
    #: (0.79; 0.67).
    changed_share: float = 0.025
    changed_cells: float = 0.6
    #: Share by which a cell's factor must differ from the median of all, and share of the cells for which it must be so
    #: (0.36; 0.12 when the same lamp flickers or goes out).
    other_share: float = 0.04
    other_cells: float = 0.25
    #: Share by which a cell's factor may differ from mean and median round about, edges in cells of what that is, and
    #: share of the changed cells for which it must be so (0.99; 0.67, and 0.84 where fewer have changed).
    unevenness: float = 0.1
    mean_edge_cells: int = 7
    median_edge_cells: int = 5
    even_cells: float = 0.9
    #: Seconds for which a cell must have been at rest for its own factor to count, and edge in cells of what moves
    #: with one that has not.
    at_rest_s: float = 0.2
    moving_edge_cells: int = 5
    #: Edges in cells of the squares from which factors are taken that are not known, and share of them that must be.
    around_edges_cells: tuple[int, ...] = (41, 15)
    around_share: float = 0.05
    #: Factor by which a cell's may differ from the median round about, and edge in cells of what that is: a card that
    #: was laid at that moment differs more, and a shadow is larger.
    thing_factor: float = 1.35
    thing_edge_cells: int = 41
    #: Greatest factor.
    factor: float = 10.0


LIMITS = LampLimits()


def lamp_factors(
    plane: Plane, before: Plane, levelled: Plane, anchor: Plane, rest: Plane
) -> tuple[Plane, Cells] | None:
    """Compute by how much each cell has more light than before; None unless another lamp shines.

    All are (H / CELL, W / CELL).

    :param plane: the newest frame, and ``before`` the last one with ``least_mean``, light as it came.
    :param levelled: the newest frame in the light of ``anchor``, the cells before.
    :param rest: seconds since each cell last moved.
    :return: factors; and where they are of the light alone, as nothing moved.
    """
    beyond = cv2.addWeighted(
        cv2.absdiff(levelled, anchor), 1.0, anchor, -LIMITS.unlevelled_share, -LIMITS.unlevelled_levels
    )
    if _share(beyond > 0) < LIMITS.unlevelled_cells:
        return None
    factors = np.clip((plane + 1) / (before + 1), 1 / LIMITS.factor, LIMITS.factor).astype(np.float32)
    changed = np.abs(factors - 1) > LIMITS.changed_share
    other = np.abs(factors / np.median(factors) - 1) > LIMITS.other_share
    if _share(changed) < LIMITS.changed_cells or _share(other) < LIMITS.other_cells:
        return None
    mean = cv2.blur(factors, (LIMITS.mean_edge_cells, LIMITS.mean_edge_cells))
    median = cv2.medianBlur(factors, LIMITS.median_edge_cells)
    smooth = cv2.absdiff(factors, median) < LIMITS.unevenness * median
    even = smooth & (cv2.absdiff(factors, mean) < LIMITS.unevenness * mean)
    if _share(even & changed) < LIMITS.even_cells * _share(changed):
        return None
    edge = np.ones((LIMITS.moving_edge_cells, LIMITS.moving_edge_cells), np.uint8)
    moving = cv2.dilate((rest < LIMITS.at_rest_s).view(np.uint8), edge) > 0
    off = np.abs(np.log(factors / _wide_median(factors)))
    return factors, smooth & ~moving & (off < np.log(LIMITS.thing_factor))


def _wide_median(factors: Plane) -> Plane:
    """Compute medians of large squares, to one in fifty; of such OpenCV computes those of bytes alone."""
    step = 2 * np.log(LIMITS.factor) / 255
    logs = np.round((np.log(factors) + np.log(LIMITS.factor)) / step).astype(np.uint8)
    median = cv2.medianBlur(logs, LIMITS.thing_edge_cells)
    return np.asarray(np.exp(median * step - np.log(LIMITS.factor)), np.float32)


def fill(factors: Plane, known: Cells) -> Plane:
    """Replace factors that are not ``known`` by those round about."""
    weight = known.astype(np.float32)
    filled = np.full_like(factors, np.median(factors[known] if known.any() else factors))
    for edge in LIMITS.around_edges_cells:  # cells nearby are better evidence
        near = cv2.blur(weight, (edge, edge))
        np.divide(cv2.blur(factors * weight, (edge, edge)), near, out=filled, where=near > LIMITS.around_share)
    return np.where(known, factors, filled)


def _share(cells: Cells) -> float:
    return cv2.countNonZero(cells.view(np.uint8)) / cells.size
