"""Group index readings into cards and outline the cards.

A card carries the same index at two opposite corners, turned by half; some decks at all four. Two equal cards may be
side by side, so readings are grouped by their relative positions, never by their label alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.geometry.quads import iou
from vision.indices.card_geometry import CardGeometry, index_position
from vision.indices.pips import PipEvidence
from vision.indices.reading import LABELS, IndexReading, agreement, fuse_labels


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingLimits:
    """How readings of one card are placed, and how well their labels agree."""

    #: Distance of opposite indices in heights of an index, least and most.
    distance_heights: tuple[float, float] = (1.7, 8.5)
    #: Angle of the other index off the index's own down, rad, least and most.
    slant_rad: tuple[float, float] = (0.42, 0.95)
    #: Standard deviation of opposite indices from where the picture's other cards have them, a share of their distance.
    position_sigma: float = 0.18
    #: Agreement of two readings from which they may be of one card. 0.1 … 0.5.
    min_agreement: float = 0.15
    #: Probability below which a reading in another corner of a card's own outline is ignored: half covered, or none.
    min_added_probability: float = 0.8
    #: Width of a lone index's outline as a share of the expected one, least and most: expected by the picture's other
    #: cards, and by common decks.
    width_ratio: tuple[float, float] = (0.7, 1.4)
    usual_width_ratio: tuple[float, float] = (0.5, 1.6)


LIMITS = PairingLimits()


@dataclass(eq=False)
class IndexGroup:
    """Readings that may be one card, and its corners (4, 2) px where an outline fits them."""

    readings: list[IndexReading]
    outline: Array | None = None
    pips: PipEvidence | None = None

    @property
    def probabilities(self) -> Array:
        """(52,) probabilities of the labels by all readings and the card's pips together."""
        seen = fuse_labels([reading.labels for reading in self.readings]) if self.readings else np.ones(len(LABELS))
        if self.pips is not None and self.pips.count:
            seen = seen * self.pips.weights()
        return np.asarray(seen / seen.sum())

    @property
    def witnesses(self) -> int:
        """Number of independent readings: of indices, and of the pips of the card's middle."""
        return len(self.readings) + (self.pips is not None and self.pips.count > 0)


def pair_readings(
    readings: Sequence[IndexReading], outlines: Sequence[Array], geometry: CardGeometry | None = None
) -> list[IndexGroup]:
    """Group readings into cards: opposite ones, then those of one outline; lone readings are cards by themselves."""
    geometry = geometry or CardGeometry()
    used: set[int] = set()
    groups: list[IndexGroup] = []
    for _, i, j in _scored_pairs(readings, outlines, geometry):
        if i not in used and j not in used:
            used |= {i, j}
            groups.append(IndexGroup([readings[i], readings[j]]))
    groups += [IndexGroup([reading]) for k, reading in enumerate(readings) if k not in used]
    for group in groups:
        if len(group.readings) == 2:
            group.outline = _outlined(group.readings, outlines, geometry)
            if group.outline is None and not opposite(group.readings[0], group.readings[1], geometry):
                group.outline = centred(group.readings[0], group.readings[1], outlines)
    seen = proportions(groups, geometry)
    for group in groups:
        if len(group.readings) == 1:
            group.outline = _outlined(group.readings, likely(group.readings[0], outlines, seen), seen)
    return _joined(groups, outlines, seen)


def _scored_pairs(
    readings: Sequence[IndexReading], outlines: Sequence[Array], geometry: CardGeometry
) -> list[tuple[float, int, int]]:
    """Score the pairs of readings that may be of one card, best first: score and their two numbers."""
    pairs: list[tuple[float, int, int]] = []
    for i, one in enumerate(readings):
        for j in range(i + 1, len(readings)):
            fit = opposite(one, readings[j], geometry)
            if fit == 0 and not geometry.observed and centred(one, readings[j], outlines) is not None:
                pairs.append((0.9 * agreement(one.labels, readings[j].labels), i, j))
            if fit > 0:
                outline = 0.35 if _outlined([one, readings[j]], outlines, geometry) is not None else 0.0
                pairs.append((fit * agreement(one.labels, readings[j].labels) + outline, i, j))
    return sorted(pairs, reverse=True)


def likely(reading: IndexReading, outlines: Sequence[Array], geometry: CardGeometry) -> list[Array]:
    """Select the outlines that are as large as the card of a lone reading can be."""
    near = LIMITS.width_ratio if geometry != CardGeometry() else LIMITS.usual_width_ratio
    return [quad for quad in outlines if near[0] < _width(quad) / (geometry.wide * reading.height) < near[1]]


def opposite(one: IndexReading, other: IndexReading, geometry: CardGeometry | None = None) -> float:
    """Score how well two readings fit as the indices at opposite corners of one card, 0 (not at all) … 1."""
    geometry = geometry or CardGeometry()
    turned = -float(one.up @ other.up)
    if turned < 0.82 or agreement(one.labels, other.labels) < LIMITS.min_agreement:
        return 0.0
    if max(one.height, other.height) > 1.6 * min(one.height, other.height):
        return 0.0
    x, y = _apart(one, other)
    distance = float(np.hypot(x, y))
    slant = float(np.arctan2(abs(x), y))
    if not (LIMITS.distance_heights[0] < distance < LIMITS.distance_heights[1]):
        return 0.0
    if not (LIMITS.slant_rad[0] < slant < LIMITS.slant_rad[1]):
        return 0.0
    if x < 0 and geometry.four is False:
        return 0.0
    # right of the left-hand index; decks with four indices also have pairs the other way
    fit = turned * (1.0 if x > 0 else 0.8) * float(np.exp(-(((slant - 0.66) / 0.25) ** 2) / 2))
    if not geometry.observed:
        return fit
    wide, high = geometry.apart
    off = float(np.hypot(abs(x) - wide, y - high) / np.hypot(wide, high))
    return (
        turned * (1.0 if x > 0 else 0.8) * float(np.exp(-((off / LIMITS.position_sigma) ** 2) / 2))
        if off < 2.2 * LIMITS.position_sigma
        else 0.0
    )


def _apart(one: IndexReading, other: IndexReading) -> tuple[float, float]:
    """Measure the distance of two readings turned by half, in heights: to the first's right, and down."""
    across, along = one.right - other.right, other.up - one.up
    apart = other.centre - one.centre
    height = float(np.sqrt(one.height * other.height))
    x = float(apart @ across) / max(float(np.linalg.norm(across)), 1e-6)
    y = float(apart @ along) / max(float(np.linalg.norm(along)), 1e-6)
    return x / height, y / height


def centred(one: IndexReading, other: IndexReading, outlines: Sequence[Array]) -> Array | None:
    """Find the outline in which two readings are each other's half turn, wherever a deck has its indices."""
    if float(one.up @ other.up) > -0.82 or agreement(one.labels, other.labels) < LIMITS.min_agreement:
        return None
    if max(one.height, other.height) > 1.6 * min(one.height, other.height):
        return None
    middle = (one.centre + other.centre) / 2
    for quad in outlines:
        wide = float(np.linalg.norm(quad[1] - quad[0]))
        down = quad[2] + quad[3] - quad[0] - quad[1]
        if float(np.linalg.norm(middle - quad.mean(0))) > 0.1 * wide or not 0.06 < one.height / wide < 0.6:
            continue
        if abs(float(one.up @ down)) < 0.9 * float(np.linalg.norm(down)):
            continue
        inside = (
            cv2.pointPolygonTest(quad.astype(np.float32), tuple(map(float, m.centre)), False) for m in (one, other)
        )
        if min(inside) > 0:
            return quad if float(one.up @ down) < 0 else np.roll(quad, 2, axis=0)
    return None


def in_corner(reading: IndexReading, quad: Array) -> int | None:
    """Return the corner of a card (0 upper left, clockwise) whose index a reading can be, or None."""
    stands = index_position(reading, quad)
    return None if stands is None else stands.corner


def _width(quad: Array) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


def _outlined(readings: Sequence[IndexReading], outlines: Sequence[Array], geometry: CardGeometry) -> Array | None:
    """Choose the outline that has all readings in different corners, nearest to where the deck has its indices.

    It begins at the upper left as the first reading has it.
    """
    best: tuple[float, Array] | None = None
    for quad in outlines:
        stands = [stand for reading in readings if (stand := index_position(reading, quad)) is not None]
        corners = [stand.corner for stand in stands]
        if len(stands) < len(readings) or len(set(corners)) < len(corners):
            continue
        if len(readings) == 2 and corners[0] % 2 != corners[1] % 2:
            continue
        if geometry.observed and not all(geometry.fits(stand) for stand in stands):
            continue
        if len(readings) > 1 and iou(quad, outline_of(readings, geometry)) < 0.55:
            continue
        # a lone reading is likelier at a left-hand corner, where every deck has one
        off = [abs(stand.across - geometry.across) + abs(stand.along - geometry.along) for stand in stands]
        cost = float(np.mean(off)) + (0.05 if corners[0] % 2 else 0.0)
        if best is None or cost < best[0]:
            best = cost, quad if corners[0] < 2 else np.roll(quad, 2, axis=0)
    return None if best is None else best[1]


def _joined(groups: list[IndexGroup], outlines: Sequence[Array], geometry: CardGeometry) -> list[IndexGroup]:
    """Merge hypotheses of one card: the other pair of four indices, a reading in a corner of an outline."""
    groups = sorted(groups, key=lambda group: (-len(group.readings), group.outline is None, -group.probabilities.max()))
    found: list[IndexGroup] = []
    for group in groups:
        # all cards of a picture are of one deck
        four = any(len(other.readings) > 2 for other in found) if geometry.four is None else geometry.four
        for other in found:
            if _one_outline(group, other):
                if max(reading.probability for reading in group.readings) < LIMITS.min_added_probability:
                    break  # it adds nothing
                group.outline = None  # it goes round two cards
            if agreement(group.probabilities, other.probabilities) > LIMITS.min_agreement and _one_card(
                group, other, four, geometry
            ):
                other.readings += group.readings
                if other.outline is None:
                    other.outline = (
                        group.outline if len(group.readings) > 1 else _outlined(other.readings, outlines, geometry)
                    )
                break
        else:
            found.append(group)
    return found


def _one_outline(group: IndexGroup, card: IndexGroup) -> bool:
    """Check whether both have nearly the same outline: one card whatever was read, one of its indices half covered."""
    if group.outline is None or card.outline is None or iou(group.outline, card.outline) < 0.75:
        return False
    own = {in_corner(reading, card.outline) for reading in card.readings}
    return not own & {in_corner(reading, card.outline) for reading in group.readings} - {None}


def _one_card(group: IndexGroup, card: IndexGroup, four: bool, geometry: CardGeometry) -> bool:
    """Check whether a group's readings are in corners of a card that the card's own readings leave free.

    Two lone readings side by side and alike are two equal cards, but where the deck is known to have ``four`` indices.
    """
    heights = [reading.height for reading in (*group.readings, *card.readings)]
    if max(heights) > 1.7 * min(heights):
        return False
    quad = card.outline if card.outline is not None else outline_of(card.readings, geometry)
    taken = {in_corner(reading, quad) for reading in card.readings}
    corners = {in_corner(reading, quad) for reading in group.readings}
    if None not in corners and not taken & corners:
        across = {(corner or 0) % 2 for corner in corners} != {(corner or 0) % 2 for corner in taken}
        if not across or four or card.outline is not None or min(len(group.readings), len(card.readings)) > 1:
            return True
    if (
        four
        and len(group.readings) == len(card.readings) == 1
        and along_an_edge(card.readings[0], group.readings[0], geometry)
    ):
        return True
    # a second reading of a corner, a little off
    return all(
        any(
            float(np.linalg.norm(reading.centre - own.centre)) < 0.8 * own.height and float(reading.up @ own.up) > 0.7
            for own in card.readings
        )
        for reading in group.readings
    )


def along_an_edge(one: IndexReading, other: IndexReading, geometry: CardGeometry) -> bool:
    """Check whether two readings are at both ends of one side of a card with four indices."""
    height = float(np.sqrt(one.height * other.height))
    apart = other.centre - one.centre
    x, y = abs(float(apart @ one.right)) / height, abs(float(apart @ one.up)) / height
    wide, high = geometry.apart
    if float(one.up @ other.up) > 0.9:
        return 0.75 < x / wide < 1.4 and y < (0.32 if geometry.four else 0.15) * x  # perspective slants
    return float(one.up @ other.up) < -0.9 and 0.75 < y / high < 1.3 and x < 0.15 * y


def outline_of(
    readings: Sequence[IndexReading], geometry: CardGeometry | None = None, right_hand: bool = False
) -> Array:
    """Compute the corners, (4, 2) px, that readings imply by the geometry, clockwise from the first one's upper left.

    ``right_hand``: the first reading is at the right, where the other readings leave that open.
    """
    geometry = geometry or CardGeometry()
    first = readings[0]
    up, right = first.up, first.right
    wide, high = geometry.wide * first.height, geometry.high * first.height
    for other in readings[1:]:
        apart = other.centre - first.centre
        if float(first.up @ other.up) < 0 and opposite(first, other, geometry) > 0:
            up = first.up - other.up
            up = up / np.linalg.norm(up)
            right = np.array([-up[1], up[0]])
            x, y = float(apart @ right), -float(apart @ up)
            middle = (first.centre + other.centre) / 2
            across = abs(x) / (1 - 2 * geometry.across) / 2 * right
            down = -y / (1 - 2 * geometry.along) / 2 * up
            return np.array(
                [middle - across - down, middle + across - down, middle + across + down, middle - across + down]
            )
    for other in readings[1:]:
        apart = other.centre - first.centre
        if float(first.up @ other.up) > 0.8 and abs(float(apart @ first.right)) > abs(float(apart @ first.up)):
            right_hand = float(apart @ first.right) < 0  # the right-hand one of four indices
            right = -apart if right_hand else apart
            right = right / np.linalg.norm(right)
            up = np.array([right[1], -right[0]])
            wide = float(np.linalg.norm(apart)) / (1 - 2 * geometry.across)
            high = geometry.proportion * wide
            break
        if float(first.up @ other.up) < -0.8 and along_an_edge(first, other, geometry):
            up = -apart / np.linalg.norm(apart)
            right = np.array([-up[1], up[0]])
            high = float(np.linalg.norm(apart)) / (1 - 2 * geometry.along)
            wide = high / geometry.proportion
            break
    aside = 1 - geometry.across if right_hand else geometry.across
    corner = first.centre - right * aside * wide + up * geometry.along * high
    return np.array([corner, corner + right * wide, corner + right * wide - up * high, corner - up * high])


def one_sided(readings: Sequence[IndexReading], geometry: CardGeometry) -> bool:
    """Check whether readings leave open on which side of them their card is."""
    return all(
        along_an_edge(readings[0], reading, geometry) and float(readings[0].up @ reading.up) < 0
        for reading in readings[1:]
    )


def proportions(groups: Sequence[IndexGroup], geometry: CardGeometry) -> CardGeometry:
    """Estimate the deck's geometry by the surest pairs of a picture, where no outlines show it."""
    if geometry.observed:
        return geometry
    talls, shapes = [], []
    for group in groups:
        if len(group.readings) < 2 or group.probabilities.max() < 0.8:
            continue
        quad = group.outline if group.outline is not None else outline_of(group.readings, geometry)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        wide, high = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
        talls.append(float(np.mean([reading.height for reading in group.readings])) / max(high, 1e-6))
        shapes.append(high / max(wide, 1e-6))
    if not talls:
        return geometry
    proportion = float(np.clip(np.median(shapes), 1.3, 1.85))
    return replace(geometry, tall=float(np.median(talls)), proportion=proportion)
