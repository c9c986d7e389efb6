"""Where whole cards may lie in a picture of unknown scale: by their print and by their shape."""

import cv2
import numpy as np

from vision.features import PrintIndex, card_like
from vision.pictures import Picture
from vision.view import Array


def card_quads(picture: Picture, index: PrintIndex) -> list[Array]:
    """Outlines (4, 2 px) of cards that may lie in a picture: by print, surest first, then by shape; few twice."""
    quads: list[Array] = []
    for quad in [quad for _, quad in index.quads(picture, 40)] + shapes(picture, index.size_mm):
        if not any(_same(quad, other) for other in quads):
            quads.append(quad)
    return quads


def shapes(picture: Picture, size_mm: tuple[float, float]) -> list[Array]:
    """Four-sided outlines (4, 2 px) of the shape of a card, first side a short one; the largest first."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    paper = cv2.min(cv2.min(picture[..., 0], picture[..., 1]), picture[..., 2])
    masks = []
    for channel in (grey, paper):
        level = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[0]
        masks += [cv2.threshold(channel, share * level, 255, cv2.THRESH_BINARY)[1] for share in (0.8, 1.0, 1.25)]
    edges = cv2.dilate(cv2.Canny(grey, 40, 110), np.ones((3, 3), np.uint8))
    masks.append(cv2.bitwise_not(edges))
    found: list[Array] = []
    least = (0.04 * max(picture.shape[:2])) ** 2
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if cv2.contourArea(contour) < least:
                continue
            hull = cv2.convexHull(contour)
            if cv2.contourArea(contour) < 0.85 * cv2.contourArea(hull):
                continue
            quad = _four(hull)
            if quad is not None and card_like(quad, size_mm):
                found.append(quad)
    found.sort(key=lambda quad: -cv2.contourArea(quad.astype(np.float32)))
    return found


def _four(hull: Array) -> Array | None:
    """The hull's four corners clockwise from a short side, or None if it has not four."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(corners) == 4:
            if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
                corners = corners[::-1]
            sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
            return corners if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(corners, -1, axis=0)
    return None


def _same(one: Array, other: Array) -> bool:
    """Whether two quads lie at nearly one place, turned by half or not."""
    side = float(np.linalg.norm(one[1] - one[0]))
    apart = min(float(np.abs(one - turned).max()) for turned in (other, np.roll(other, 2, axis=0)))
    return apart < 0.12 * side
