"""Find the one card that is shown in a lesson, on the mat or on any plain background, and measure it."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.card_outline import (
    Quad,
    find_card,
    foreground_outlines,
    rectify_card,
    touches_edge,
    width_and_height,
)
from vision.geometry.projection import PlaneProjection
from vision.images import Picture
from vision.mat.calibration import Calibration, MatNotSeen, find_mat
from vision.teaching.packs import SOLD_SIZES_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownCardLimits:
    """What else may be seen beside the background and one card."""

    #: Share of the picture that must differ from the background for the background to count as another one: light or
    #: camera have changed. A hand with a card covers less.
    changed_background_share: float = 0.5
    #: Area of something beside the card, as a share of the card's, from which the card is not shown alone.
    beside_area_share: float = 0.4
    #: Ratio of contrast, background to card shown there, from which the background is one with a card on it.
    card_in_background_contrast: float = 1.5
    #: Pixels from the picture's edge within which something cut off counts as reaching out of it.
    cut_margin_px: float = 6.0
    #: mm, width and height together, within which a size measured on the mat is taken for one that is sold.
    sold_size_mm: float = 3.0
    #: Sides in px below which the mat's plain middle is too small to search for a card.
    min_middle_px: int = 60


LIMITS = ShownCardLimits()


def mean_width(quad: Quad) -> float:
    """Return the mean of a card's two short sides, in units of ``quad``."""
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


class LoneCardFinder:
    """Finds the outline of a lone card; remembers the background, and the mat if it is in view."""

    def __init__(self) -> None:
        self.background: Picture | None = None  # a still picture without a card
        self._projection: PlaneProjection | None = None
        self._middle: tuple[int, int, int, int] | None = None
        self._sizes: list[tuple[float, float]] = []  # of the cards so far, mm on the mat, or px

    def find(self, image: Picture) -> Quad | None:
        """Find the card's outline; a still picture without a card becomes the background of later ones."""
        if self.background is not None:
            return find_card(image, self.background, self._projection)
        try:
            mat = find_mat(image)
            self._projection, self._middle = mat.view, _plain_middle(mat)
        except MatNotSeen:
            self._projection = self._middle = None
        quad = find_card(image, None, self._projection, self._middle)
        if quad is None:
            self.background = image.copy()
        return quad

    def explain_no_card(self, image: Picture, watched_px: int) -> str:
        """Return the lesson's verdict on a still picture in which no card is found: ``nothing``, ``cut`` or ``odd``.

        ``watched_px``: pixels of the picture in which change is detected.
        """
        if self.background is None:
            return "nothing"
        outlines = foreground_outlines(image, self.background)
        if not outlines:
            return "nothing"
        area = sum(cv2.contourArea(np.asarray(outline, np.float32)) for outline in outlines)
        if area > LIMITS.changed_background_share * watched_px:
            self.background = None
            return "nothing"
        return "cut" if touches_edge(outlines[0], (image.shape[1], image.shape[0]), LIMITS.cut_margin_px) else "odd"

    def is_alone(self, image: Picture, quad: Quad) -> bool:
        """Check whether nothing else that is large is beside the card."""
        if self.background is None:
            return True
        least = LIMITS.beside_area_share * cv2.contourArea(quad.astype(np.float32))
        for outline in foreground_outlines(image, self.background):
            x, y = (float(value) for value in outline.mean(0))
            inside = cv2.pointPolygonTest(quad.astype(np.float32), (x, y), False) >= 0
            if not inside and cv2.contourArea(np.asarray(outline, np.float32)) > least:
                return False
        return True

    def drop_background_with_card(self, picture: Picture, quad: Quad) -> bool:
        """Drop the background if it has a card where now only the ground is seen; True if so.

        ``picture``: what is seen within ``quad``, rectified.
        """
        if self.background is None:
            return False
        before = rectify_card(self.background, quad, (picture.shape[1], picture.shape[0]))
        if _contrast(before) <= LIMITS.card_in_background_contrast * _contrast(picture):
            return False
        self.background = None
        return True

    def measure_size(self, quad: Quad) -> tuple[float, float]:
        """Estimate a card's width and height in mm: on the mat over all cards so far, or the nearest that is sold."""
        corners = self._projection.unproject(quad) if self._projection else quad
        self._sizes = [*self._sizes[-40:], width_and_height(corners)]
        width, height = np.median(np.array(self._sizes), axis=0)
        if self._projection:
            near = min(SOLD_SIZES_MM, key=lambda size: abs(size[0] - width) + abs(size[1] - height))
            if abs(near[0] - width) + abs(near[1] - height) < LIMITS.sold_size_mm:
                return near
            return round(float(width) * 2) / 2, round(float(height) * 2) / 2
        return min(SOLD_SIZES_MM, key=lambda size: abs(size[1] / size[0] - height / width))


def _contrast(picture: Picture) -> float:
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).std())


def _plain_middle(mat: Calibration) -> tuple[int, int, int, int] | None:
    """Return the plain part of the sheet in the picture: x, y, width, height; None if it is too small there."""
    if mat.layout is None:
        return None
    a, b = mat.layout.middle
    box = mat.view.project([(-a, -b), (a, -b), (a, b), (-a, b)])
    (x0, y0), (x1, y1) = np.floor(box.min(0)).astype(int).tolist(), np.ceil(box.max(0)).astype(int).tolist()
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(mat.view.size[0], x1), min(mat.view.size[1], y1)
    return (x0, y0, x1 - x0, y1 - y0) if min(x1 - x0, y1 - y0) > LIMITS.min_middle_px else None
