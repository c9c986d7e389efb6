"""Estimate the geometry that the cards of one picture share: their size in heights of an index, and where indices are.

All cards of a picture are of one deck. Where outlines show its geometry for some, the others are outlined by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.indices.reading import IndexReading, agreement

#: Height of a card over its width where no card in the picture shows it.
USUAL_ASPECT = 1.45


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometryLimits:
    """Where printed indices can be, and how much evidence a deck's geometry needs."""

    #: How far an index's centre may be off the card's corner: shares of the card's width and height.
    corner_reach: tuple[float, float] = (0.30, 0.33)
    #: Height of an index as a share of the card's height, least and most.
    height_share: tuple[float, float] = (0.09, 0.42)
    #: What may differ between cards of one picture: logarithm of the index's share of the height, and its position in
    #: shares of the card.
    log_height_tolerance: float = 0.14
    position_tolerance: float = 0.04
    #: Distance of a card's opposite indices along the card, in heights of an index, least and most.
    distance_heights: tuple[float, float] = (1.4, 8.0)
    #: Weight of an outline with two opposite indices that agree (others: 1), and of all agreeing outlines from which
    #: their geometry is believed.
    opposite_weight: float = 4.0
    min_weight: float = 4.0


LIMITS = GeometryLimits()


@dataclass(frozen=True, slots=True)
class CardGeometry:
    """Geometry of a deck's cards.

    ``tall``: height of an index as a share of the card's; ``across``, ``along``: where its centre lies, shares of the
    card's width from the left, of its height from the top; ``proportion``: height over width; ``four``: an index in
    every corner (None: not known); ``observed``: outlines in the picture show it.
    """

    tall: float = 0.168
    across: float = 0.085
    along: float = 0.125
    proportion: float = USUAL_ASPECT
    four: bool | None = None
    observed: bool = False

    @property
    def high(self) -> float:
        """Height of a card in heights of an index."""
        return 1 / self.tall

    @property
    def wide(self) -> float:
        """Width of a card in heights of an index."""
        return 1 / self.tall / self.proportion

    @property
    def apart(self) -> tuple[float, float]:
        """How far indices stand from each other, in heights: across a card, and along it."""
        return self.wide * (1 - 2 * self.across), self.high * (1 - 2 * self.along)

    def fits(self, stand: "IndexPosition") -> bool:
        """Check whether an index is in an outline where the picture's other cards have it."""
        off = max(abs(stand.across - self.across), abs(stand.along - self.along))
        return (
            abs(float(np.log(stand.tall / self.tall))) < 1.6 * LIMITS.log_height_tolerance
            and off < 1.6 * LIMITS.position_tolerance
        )


@dataclass(frozen=True, slots=True)
class IndexPosition:
    """Position of an index in an outline: its corner (0 upper left, clockwise), else as in ``CardGeometry``."""

    corner: int
    tall: float
    across: float
    along: float


def index_position(reading: IndexReading, quad: Array) -> IndexPosition | None:
    """Locate a reading in a card's outline; None if no index is printed there."""
    card = np.array([[0, 0], [1, 0], [1, USUAL_ASPECT], [0, USUAL_ASPECT]], np.float32)
    into = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), card)
    points = np.array([[reading.centre, reading.centre + reading.up * reading.height / 2]])
    (x, y), top = cv2.perspectiveTransform(points, into)[0]
    up = top - (x, y)
    length = float(np.linalg.norm(up))
    tall = 2 * length / USUAL_ASPECT
    if not LIMITS.height_share[0] < tall < LIMITS.height_share[1]:
        return None
    across, along = min(x, 1 - x), min(y, USUAL_ASPECT - y) / USUAL_ASPECT
    if not (0.0 < across < LIMITS.corner_reach[0] and 0.01 < along < LIMITS.corner_reach[1]):
        return None
    above = y < USUAL_ASPECT / 2
    if (-up[1] if above else up[1]) < 0.88 * length:
        return None
    corner = (0 if x < 0.5 else 1) if above else (3 if x < 0.5 else 2)
    return IndexPosition(corner, tall, float(across), float(along))


def estimate_card_geometry(readings: Sequence[IndexReading], outlines: Sequence[Array]) -> CardGeometry:
    """Estimate the geometry that most outlines with indices in their corners agree on; else that of usual cards."""
    clear = [reading for reading in readings if reading.score > 0.6 and reading.probability > 0.5]
    cards: list[tuple[float, list[tuple[IndexReading, IndexPosition]]]] = []
    doubtful: list[set[int]] = []  # corners with something that may be an index
    for quad in outlines:
        all_ = [(reading, stand) for reading in readings if (stand := index_position(reading, quad)) is not None]
        stands = [(reading, stand) for reading, stand in all_ if reading in clear]
        if stands:
            cards.append((LIMITS.opposite_weight if _opposite(stands) else 1.0, stands))
            doubtful.append({stand.corner for _, stand in all_})
    values = np.array([[np.log(s.tall), s.across, s.along] for _, stands in cards for _, s in stands])
    if not len(values):
        return _by_pairs(clear)
    weights = np.array([weight / len(stands) for weight, stands in cards for _ in stands])
    tolerances = LIMITS.log_height_tolerance, LIMITS.position_tolerance, LIMITS.position_tolerance
    near = (np.abs(values[:, None] - values[None]) < tolerances).all(2)
    best = int((near * weights).sum(1).argmax())
    members = near[best]
    if weights[members].sum() < LIMITS.min_weight:
        return _by_pairs(clear)
    tall, across, along = np.average(values[members], axis=0, weights=weights[members])
    geometry = CardGeometry(float(np.exp(tall)), float(across), float(along), four=None, observed=True)
    return CardGeometry(
        geometry.tall, geometry.across, geometry.along, four=_four(geometry, cards, doubtful), observed=True
    )


def _by_pairs(readings: Sequence[IndexReading]) -> CardGeometry:
    """Estimate geometry by equal indices turned by half, where two cards or more have them equally far apart."""
    pairs: list[tuple[float, float, int]] = []
    for n, one in enumerate(readings):
        for other in readings[n + 1 :]:
            if float(one.up @ other.up) > -0.9 or agreement(one.labels, other.labels) < 0.5:
                continue
            up, apart = one.up - other.up, one.centre - other.centre
            height = float(np.sqrt(one.height * other.height)) * float(np.linalg.norm(up))
            x, y = abs(float(apart[0] * up[1] - apart[1] * up[0])) / height, float(apart @ up) / height
            if LIMITS.distance_heights[0] < y < LIMITS.distance_heights[1] and x < y:
                pairs.append((x, y, one.best))
    groups = [[p for p in pairs if abs(p[1] - y) < 0.08 * y] for _, y, _ in pairs]
    best = max(groups, key=lambda group: len({label for _, _, label in group}), default=[])
    if len({label for _, _, label in best}) < 2:
        return CardGeometry()
    tall = 0.94 / (float(np.median([y for _, y, _ in best])) + 1)  # margins above indices are about 3 % of a card
    beside = sum(x < 0.12 * y for x, y, _ in best)
    return CardGeometry(tall, along=0.03 + tall / 2, four=True if beside else None, observed=True)


def _opposite(stands: Sequence[tuple[IndexReading, IndexPosition]]) -> bool:
    """Check whether two opposite corners have the same index."""
    return any(
        one.corner + 2 == other.corner and agreement(first.labels, second.labels) > 0.5
        for first, one in stands
        for second, other in stands
    )


def _four(
    geometry: CardGeometry,
    cards: Sequence[tuple[float, list[tuple[IndexReading, IndexPosition]]]],
    doubtful: Sequence[set[int]],
) -> bool | None:
    """Decide by vote whether indices are in all corners, by the cards that show two opposite ones; None: a tie."""
    votes = 0
    for (_, stands), anything in zip(cards, doubtful, strict=True):
        fitting = [(reading, stand) for reading, stand in stands if geometry.fits(stand)]
        corners = {stand.corner % 2 for _, stand in fitting}
        if _opposite(fitting):
            votes += 2 if len(corners) > 1 else -2 * (len({corner % 2 for corner in anything}) == 1)
        elif len(corners) > 1 and len({reading.best for reading, _ in fitting}) == 1:
            votes += 1
    return None if votes == 0 else votes > 0
