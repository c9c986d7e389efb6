"""Find which of overlapping cards lies above, and what it leaves visible of the others."""

from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.geometry.projection import Array, card_corners
from vision.recognition.pose_evidence import PoseEvidence
from vision.recognition.tiles import INSET_MM, ReferenceTiles


@dataclass(frozen=True, slots=True, kw_only=True)
class OcclusionParams:
    """Parameters of what counts as covered."""

    #: A tile whose centre is this far beyond a covering card is still partly covered, mm. 3 … 6.
    tile_reach_mm: float = 4.5
    #: What a covering card hides beyond its edge, mm: its shadow, and what its pose is off. 0.8 … 2.
    rim_mm: float = 1.2


PARAMS = OcclusionParams()

#: Of each card its tiles (bool) of which others cover little; and the numbers of the cards that lie on it.
Occlusions: TypeAlias = tuple[list[Array], list[list[int]]]


def find_occlusions(evidence: PoseEvidence, taken: list[tuple[int, int]]) -> Occlusions:
    """Find for each card its tiles (bool) of which others cover little, and which of the cards lie on it.

    ``taken``: pose and face (as column) of each card. Of two cards that overlap, the one whose own tiles agree better
    in the common part lies above. What a third card that lies on both covers of that part does not count, once that
    is known.
    """
    common = {}
    for a, (i, _) in enumerate(taken):
        for b, (j, _) in enumerate(taken[:a]):
            in_j, in_i = evidence.within(i, j, 0.0), evidence.within(j, i, 0.0)
            if in_j.any() or in_i.any():
                common[a, b] = in_j, in_i
    above: list[list[int]] = [[] for _ in taken]
    for _ in range(2):
        before, above = above, [[] for _ in taken]
        for (a, b), (in_j, in_i) in common.items():
            third = [taken[c][0] for c in set(before[a]) & set(before[b])]
            open_i, open_j = (
                _not_within(evidence, taken[a][0], third, in_j),
                _not_within(evidence, taken[b][0], third, in_i),
            )
            if open_i.any() and open_j.any():
                in_j, in_i = open_i, open_j
            under = evidence.mean_agreement(*taken[b], in_i) > evidence.mean_agreement(*taken[a], in_j)
            above[a if under else b].append(b if under else a)
    visible = [np.ones(evidence.x.shape[1], bool) for _ in taken]
    for a, others in enumerate(above):
        for b in others:
            visible[a] &= ~evidence.within(taken[a][0], taken[b][0], PARAMS.tile_reach_mm)
    return visible, above


def _not_within(evidence: PoseEvidence, i: int, cards: list[int], tiles: Array) -> Array:
    """Drop from some tiles of pose ``i`` those in any of some cards."""
    return np.asarray(tiles & ~np.any([evidence.within(i, c, 0.0) for c in cards], 0)) if cards else tiles


def open_part(sharp: ReferenceTiles, pose: Array, above: Array) -> Array:
    """Mask what no card at ``above`` (n, 3) covers of a card: (h, w) uint8 of the references' shape."""
    (width_mm, height_mm), (width, height) = sharp.size_mm, sharp.shape
    mask = np.ones((height, width), np.uint8)
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    border = 2 * (INSET_MM + PARAMS.rim_mm)
    for other in above:
        quad = (card_corners(other, (width_mm + border, height_mm + border)) - pose[:2]) @ np.array(
            [[cos, -sin], [sin, cos]]
        )
        pixels = (quad / (width_mm, height_mm) + 0.5) * (width, height) - 0.5
        cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 0, shift=4)
    return mask
