"""Propose outlines of whole cards in a picture of unknown scale: by their print and by their shape."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.pose import non_maximum_suppression
from vision.geometry.projection import Array
from vision.images import Picture
from vision.recognition.keypoints import KeypointIndex, card_like


@dataclass(frozen=True, slots=True, kw_only=True)
class QuadProposalParams:
    """Parameters of outlines proposed at unknown scale."""

    #: Outlines by print that are taken.
    by_print: int = 40
    #: Shortest side of a square as large as a card, as a share of the picture's longer side.
    min_side_share: float = 0.04
    #: Share of its hull that an outline must fill.
    min_hull_share: float = 0.85
    #: Corners of two outlines closer than this share of the short side are those of one card.
    same_place_share: float = 0.12


PARAMS = QuadProposalParams()


def card_quads(picture: Picture, index: KeypointIndex) -> list[Array]:
    """Propose outlines (4, 2 px) of cards in a picture: by print, surest first, then by shape; few twice."""
    quads = [quad for _, quad in index.quads(picture, PARAMS.by_print)] + quads_by_shape(picture, index.size_mm)
    every = np.array(quads).reshape(-1, 4, 2)
    kept = non_maximum_suppression(range(len(every)), len(every), lambda k: _same_place(every, every[k]))
    return [every[k] for k in kept]


def quads_by_shape(picture: Picture, size_mm: tuple[float, float]) -> list[Array]:
    """Propose four-sided outlines (4, 2 px) of the shape of a card, first side a short one; the largest first."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    paper = cv2.min(cv2.min(picture[..., 0], picture[..., 1]), picture[..., 2])
    masks = []
    for channel in (grey, paper):
        level = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)[0]
        masks += [cv2.threshold(channel, share * level, 255, cv2.THRESH_BINARY)[1] for share in (0.8, 1.0, 1.25)]
    edges = cv2.dilate(cv2.Canny(grey, 40, 110), np.ones((3, 3), np.uint8))
    masks.append(cv2.bitwise_not(edges))
    found: list[Array] = []
    least = (PARAMS.min_side_share * max(picture.shape[:2])) ** 2
    for mask in masks:
        for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if cv2.contourArea(contour) < least:
                continue
            hull = cv2.convexHull(contour)
            if cv2.contourArea(contour) < PARAMS.min_hull_share * cv2.contourArea(hull):
                continue
            quad = _four_corners(hull)
            if quad is not None and card_like(quad, size_mm):
                found.append(quad)
    found.sort(key=lambda quad: -cv2.contourArea(quad.astype(np.float32)))
    return found


def _four_corners(hull: Array) -> Array | None:
    """Find a hull's four corners clockwise from a short side; None if it has not four."""
    length = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, share * length, True).reshape(-1, 2).astype(np.float64)
        if len(corners) == 4:
            if cv2.contourArea(corners.astype(np.float32), oriented=True) < 0:
                corners = corners[::-1]
            sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
            return corners if sides[0] + sides[2] <= sides[1] + sides[3] else np.roll(corners, -1, axis=0)
    return None


def _same_place(quads: Array, quad: Array) -> Array:
    """Find those of ``quads`` (n, 4, 2) that are nearly where one is, turned by half or not: (n,) bool."""
    sides = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    apart = [np.abs(quads - turned).max((1, 2)) for turned in (quad, np.roll(quad, 2, axis=0))]
    return np.asarray(np.minimum(*apart) < PARAMS.same_place_share * sides)
