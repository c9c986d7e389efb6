"""Find paper on the mat that no card found explains: there another may lie, covered or overlooked."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array, card_corners
from vision.geometry.rectification import SCALE, RectifiedPlane
from vision.recognition.paper_colour import channel_bounds, paper_saturation


@dataclass(frozen=True, slots=True, kw_only=True)
class UnexplainedPaperParams:
    """Parameters of what counts as paper, and how much of it."""

    #: Saturation, the light's colour taken out, up to which a place may be paper. 0.25 … 0.5.
    max_saturation: float = 0.35
    #: The same where a hand may be: skin has more.
    max_saturation_beside_hand: float = 0.15
    #: Brightness of paper next to that of cards near it. 0.4 … 0.8; shadow takes a third.
    min_brightness: float = 0.6
    #: How far away cards are near, mm.
    near_mm: int = 50
    #: Paper in which a card may hide, mm². 200 … 800.
    min_area_mm2: int = 300


PARAMS = UnexplainedPaperParams()


def unexplained_paper_mask(
    plane: RectifiedPlane, owned: Array, corner: Array, saturation: float = PARAMS.max_saturation
) -> Array | None:
    """Mask paper that no card explains: (h, w) uint8, a pixel a millimetre from ``corner`` on.

    ``owned``: (h, w) uint8, not 0 where one does. ``saturation``: up to which a place may be paper. None where
    nothing of a card's size is left.
    """
    known = cv2.dilate((owned > 0).astype(np.uint8), np.ones((7, 7)))
    paper, bright = _paper(plane, owned.shape, corner, saturation)
    cards = (known > 0) & (paper > 0)
    light = cv2.dilate(np.where(cards, bright, 0), np.ones((2 * PARAMS.near_mm + 1, 2 * PARAMS.near_mm + 1)))
    usual = float(np.median(bright[cards])) if cards.any() else 0.0  # a reflex is brighter than paper
    left = (paper > 0) & (bright > PARAMS.min_brightness * np.minimum(light, usual)) & (light > 0) & (known == 0)
    left = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    left = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((13, 13)))
    x, y, width, height = cv2.boundingRect(left)
    if width * height < PARAMS.min_area_mm2:
        return None
    some = left[y : y + height, x : x + width]
    number, parts = cv2.connectedComponents(some)  # ten times as fast as with all that OpenCV counts of them
    large = np.bincount(parts.ravel(), minlength=number) >= PARAMS.min_area_mm2
    large[0] = False
    some[:] = large[parts]
    return cv2.dilate(left, np.ones((5, 5))) if large.any() else None


def has_unexplained_paper(
    plane: RectifiedPlane, cards: Array, size_mm: tuple[float, float], places: Array, area: float
) -> bool:
    """Check whether there is paper, where something changed, that ``cards`` (n, 3: mm, mm, rad) do not explain.

    ``places``: (n, 2) mm, spread evenly over what changed, each standing for ``area`` mm².
    """
    corner = np.floor(plane.origin)
    height, width = (np.array(plane.fine.shape[:2]) / SCALE).astype(int) + 2
    owned, changed = np.zeros((2, height, width), np.uint8)
    for card in cards:
        cv2.fillConvexPoly(owned, np.round(card_corners(card, size_mm) - corner).astype(np.int32), 1)
    columns, rows = np.clip(np.round(places - corner).astype(int), 0, (width - 1, height - 1)).T
    changed[rows, columns] = 1
    edge = math.ceil(math.sqrt(area)) + 1
    left = unexplained_paper_mask(plane, owned, corner, PARAMS.max_saturation_beside_hand)
    if left is None:
        return False
    return cv2.countNonZero(left & cv2.dilate(changed, np.ones((edge, edge)))) >= PARAMS.min_area_mm2


def _paper(plane: RectifiedPlane, shape: tuple[int, ...], corner: Array, saturation: float) -> tuple[Array, Array]:
    """Find places with the colour of paper, (h, w) uint8 of ``shape``, and the brightness of all."""
    coarse = plane.coarse
    x, y = (int(v) for v in np.round(plane.origin - corner))
    paper, bright = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    part = slice(y, y + coarse.shape[0]), slice(x, x + coarse.shape[1])
    paper[part], bright[part] = paper_saturation(coarse, plane.mat_white) < saturation, channel_bounds(coarse)[1]
    return paper, bright
