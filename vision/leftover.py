"""Paper on the table that no card found explains: there another may lie, covered or overlooked."""

import math

import cv2
import numpy as np

from vision.plane import SCALE, Plane
from vision.view import Array, card_corners

#: Saturation (light's colour taken out) up to which a place may be paper, 0.25 … 0.5, and up to which it is no hand.
PALE, PALER = 0.35, 0.15
#: Brightness of paper next to that of cards up to ``NEAR`` mm away. 0.4 … 0.8; shadow takes a third.
DARKEST, NEAR = 0.6, 50
#: Paper not explained, mm², in which a card may hide. 200 … 800.
LEFT = 300


def left_over(plane: Plane, owned: Array, corner: Array, pale: float = PALE) -> Array | None:
    """(h, w) uint8, a pixel a millimetre from ``corner`` on: not 0 where paper lies that no card explains.

    ``owned``: (h, w) uint8, not 0 where one does. ``pale``: saturation up to which a place may be paper. None where
    nothing of a card's size is left.
    """
    known = cv2.dilate((owned > 0).astype(np.uint8), np.ones((7, 7)))
    paper, bright = _paper(plane, owned.shape, corner, pale)
    cards = (known > 0) & (paper > 0)
    light = cv2.dilate(np.where(cards, bright, 0), np.ones((2 * NEAR + 1, 2 * NEAR + 1)))
    usual = float(np.median(bright[cards])) if cards.any() else 0.0  # a reflex is brighter than paper
    left = (paper > 0) & (bright > DARKEST * np.minimum(light, usual)) & (light > 0) & (known == 0)
    left = cv2.morphologyEx(left.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3)))
    left = cv2.morphologyEx(left, cv2.MORPH_CLOSE, np.ones((13, 13)))
    _, parts, stats, _ = cv2.connectedComponentsWithStats(left)
    large = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= LEFT)
    left = np.isin(parts, large[large > 0]).astype(np.uint8)
    return cv2.dilate(left, np.ones((5, 5))) if left.any() else None


def paper_beside(plane: Plane, cards: Array, size_mm: tuple[float, float], places: Array, area: float) -> bool:
    """Whether, where something changed, paper lies that ``cards`` (n, 3: mm, mm, rad) do not explain.

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
    left = left_over(plane, owned, corner, PALER)
    return left is not None and cv2.countNonZero(left & cv2.dilate(changed, np.ones((edge, edge)))) >= LEFT


def _paper(plane: Plane, shape: tuple[int, ...], corner: Array, pale: float) -> tuple[Array, Array]:
    """(h, w) uint8 of ``shape``: 1 where a place has the colour of paper, and its brightness."""
    coarse = plane.coarse
    weakest, most = _least_and_most(coarse)
    palest = coarse[weakest >= np.percentile(weakest[::4, ::4], 97)].mean(0)
    low, high = _least_and_most(coarse * (255 / np.maximum(palest, 20)).astype(np.float32))
    colour = 1 - low / np.maximum(high, 1)
    x, y = (int(v) for v in np.round(plane.origin - corner))
    paper, bright = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    part = slice(y, y + coarse.shape[0]), slice(x, x + coarse.shape[1])
    paper[part], bright[part] = colour < pale, most
    return paper, bright


def _least_and_most(picture: Array) -> tuple[Array, Array]:
    """(h, w) of the weakest and the strongest of three channels."""
    one, two, three = cv2.split(picture)
    return cv2.min(cv2.min(one, two), three), cv2.max(cv2.max(one, two), three)
