"""Measure the size of a deck's cards on those that lie alone, where several agree.

A shadow across a card is an edge, too: it makes another size of it, by ten millimetres and more.
"""

from dataclasses import dataclass
from statistics import median

import numpy as np

from vision.geometry.card_outline import find_card_near, width_and_height
from vision.geometry.projection import Array, PlaneProjection
from vision.geometry.rectification import SCALE, RectifiedPlane, plane_around
from vision.images import Picture
from vision.recognition.edge_proposals import EdgeProposals
from vision.recognition.whole_cards import LIMITS as WHOLE_CARD_LIMITS
from vision.recognition.whole_cards import fitted_pose, outline_at, pose_of
from vision.teaching.packs import SOLD_SIZES_MM


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeLimits:
    """Limits of measuring cards."""

    #: mm by which two cards of one size may be measured otherwise. 0.3 … 1.0: cards seen well differed by 0.3.
    same_mm: float = 0.8
    #: Cards of one size by which it is known, and after which none is measured any more.
    known_after: int = 2
    enough: int = 3
    #: Pixels round a card in which its outline is searched for.
    spare_px: int = 40
    #: mm by which a measured side may be off a size that is sold.
    sold_mm: float = 1.0


LIMITS = SizeLimits()


class MeasuredSize:
    """The size of a deck's cards, as far as it is known."""

    def __init__(self) -> None:
        self._cards: dict[int, tuple[float, float]] = {}  # by a card's number, as last measured: width and height, mm

    def add(self, card: int, width: float, height: float) -> None:
        """Count a card, by its number, that was measured, mm; one that was before counts once."""
        self._cards[card] = width, height

    @property
    def enough(self) -> bool:
        """Whether no more cards need be measured."""
        return len(self._agreeing()) >= LIMITS.enough

    @property
    def size_mm(self) -> tuple[float, float] | None:
        """Width and height, those of a size that is sold if one is near; None until two cards agree."""
        cards = self._agreeing()
        if len(cards) < LIMITS.known_after:
            return None
        width, height = median(one[0] for one in cards), median(one[1] for one in cards)
        near = min(SOLD_SIZES_MM, key=lambda size: _apart(size, (width, height)))
        return near if _apart(near, (width, height)) < LIMITS.sold_mm else (width, height)

    def _agreeing(self) -> list[tuple[float, float]]:
        """Select the most cards that agree with one of them."""
        cards = self._cards.values()
        groups = [[two for two in cards if _apart(one, two) <= LIMITS.same_mm] for one in cards]
        return max(groups, key=len, default=[])


def measure_card(
    picture: Picture, view: PlaneProjection, quad: Array, taken_mm: tuple[float, float]
) -> tuple[float, float] | None:
    """Measure width and height, mm, of a card that lies alone about ``quad`` (4, 2 px); None if it is not seen so.

    Edges must run along its outline. If they do not, all four sides of one of the size that it was taken to have may be
    seen.
    """
    found = find_card_near(picture, view, quad, spare_px=LIMITS.spare_px)
    if found is not None:
        size = width_and_height(view.unproject(found))
        plane, pose = _fitted(picture, view, found, size)
        if EdgeProposals.of(plane, size).support_of(pose[None])[0] >= WHOLE_CARD_LIMITS.whole_support:
            return size
    plane, pose = _fitted(picture, view, quad, taken_mm)
    outline = outline_at(plane.fine, pose, taken_mm)
    return None if outline is None else width_and_height(outline / SCALE)


def _fitted(
    picture: Picture, view: PlaneProjection, quad: Array, size_mm: tuple[float, float]
) -> tuple[RectifiedPlane, Array]:
    """Rectify the plane round a card about ``quad`` (4, 2 px), and fit the card there (mm, mm, rad) by its size."""
    plane = plane_around(picture, size_mm, view, quad)
    corners = view.unproject(quad) - plane.origin
    along = corners[1] - corners[0]
    pose = pose_of(corners, np.array([0.0, 0.0, np.arctan2(along[1], along[0])]))
    return plane, fitted_pose(plane.fine, pose, size_mm)


def _apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
