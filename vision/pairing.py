"""Which indices belong to one card, and where its outline is.

A card carries the same index at two opposite corners, turned by half; some decks at all four. Two equal cards may lie
side by side, so marks are joined by where they lie to each other, never by their label alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.body import Body
from vision.freehand import overlap
from vision.marks import LABELS, Mark, agreement, fused
from vision.shape import Shape, standing
from vision.view import Array

#: Opposite indices: distance in heights of an index, and the angle (rad) off the index's own down.
DISTANCE = (1.7, 8.5)
SLANT = (0.42, 0.95)
#: How far opposite indices may lie off where the picture's other cards have them, a share of their distance.
OFF = 0.18
#: Least agreement of two readings that may be of one card. 0.1 … 0.5.
ALIKE = 0.15
#: Probability below which a reading in another corner of a card's own outline is left out: half covered, or none.
WEAK = 0.8
#: Width of a lone mark's outline as a share of what the picture's other cards, or common decks, lead to expect.
NEAR, NEAR_USUAL = (0.7, 1.4), (0.5, 1.6)


@dataclass(eq=False)
class Group:
    """Marks of one card, and its corners (4, 2 px) where an outline fits them."""

    marks: list[Mark]
    outline: Array | None = None
    body: Body | None = None

    @property
    def probabilities(self) -> Array:
        """(52,) of the labels, as all marks and the card's body together have them."""
        seen = fused([mark.labels for mark in self.marks]) if self.marks else np.ones(len(LABELS))
        if self.body is not None and self.body.pips:
            seen = seen * self.body.weights()
        return np.asarray(seen / seen.sum())

    @property
    def witnesses(self) -> int:
        """Readings that are independent: marks, and the pips of the card's middle."""
        return len(self.marks) + (self.body is not None and self.body.pips > 0)


def paired(marks: Sequence[Mark], outlines: Sequence[Array], shape: Shape | None = None) -> list[Group]:
    """Cards: opposite marks joined, then those of one outline; lone marks are cards by themselves."""
    shape = shape or Shape()
    pairs: list[tuple[float, int, int]] = []
    for i, one in enumerate(marks):
        for j in range(i + 1, len(marks)):
            fit = opposite(one, marks[j], shape)
            if fit == 0 and not shape.sure and centred(one, marks[j], outlines) is not None:
                pairs.append((0.9 * agreement(one.labels, marks[j].labels), i, j))
            if fit > 0:
                outline = 0.35 if _outlined([one, marks[j]], outlines, shape) is not None else 0.0
                pairs.append((fit * agreement(one.labels, marks[j].labels) + outline, i, j))
    pairs.sort(reverse=True)
    used: set[int] = set()
    groups: list[Group] = []
    for _, i, j in pairs:
        if i not in used and j not in used:
            used |= {i, j}
            groups.append(Group([marks[i], marks[j]]))
    groups += [Group([mark]) for k, mark in enumerate(marks) if k not in used]
    for group in groups:
        if len(group.marks) == 2:
            group.outline = _outlined(group.marks, outlines, shape)
            if group.outline is None and not opposite(group.marks[0], group.marks[1], shape):
                group.outline = centred(group.marks[0], group.marks[1], outlines)
    seen = proportions(groups, shape)
    for group in groups:
        if len(group.marks) == 1:
            group.outline = _outlined(group.marks, likely(group.marks[0], outlines, seen), seen)
    return _joined(groups, outlines, seen)


def likely(mark: Mark, outlines: Sequence[Array], shape: Shape) -> list[Array]:
    """The outlines that are as large as a lone mark's card can be."""
    near = NEAR if shape != Shape() else NEAR_USUAL
    return [quad for quad in outlines if near[0] < _width(quad) / (shape.wide * mark.height) < near[1]]


def opposite(one: Mark, other: Mark, shape: Shape | None = None) -> float:
    """0 … 1: how well two marks lie as the indices at opposite corners of one card; 0 not at all."""
    shape = shape or Shape()
    turned = -float(one.up @ other.up)
    if turned < 0.82 or agreement(one.labels, other.labels) < ALIKE:
        return 0.0
    if max(one.height, other.height) > 1.6 * min(one.height, other.height):
        return 0.0
    x, y = _apart(one, other)
    distance = float(np.hypot(x, y))
    slant = float(np.arctan2(abs(x), y))
    if not (DISTANCE[0] < distance < DISTANCE[1] and SLANT[0] < slant < SLANT[1]):
        return 0.0
    if x < 0 and shape.four is False:
        return 0.0
    # right of the left-hand index; decks with four indices also have pairs the other way
    fit = turned * (1.0 if x > 0 else 0.8) * float(np.exp(-(((slant - 0.66) / 0.25) ** 2) / 2))
    if not shape.sure:
        return fit
    wide, high = shape.apart
    off = float(np.hypot(abs(x) - wide, y - high) / np.hypot(wide, high))
    return turned * (1.0 if x > 0 else 0.8) * float(np.exp(-((off / OFF) ** 2) / 2)) if off < 2.2 * OFF else 0.0


def _apart(one: Mark, other: Mark) -> tuple[float, float]:
    """How far two marks turned by half are apart, in heights: to the first's right, and down."""
    across, along = one.right - other.right, other.up - one.up
    apart = other.centre - one.centre
    height = float(np.sqrt(one.height * other.height))
    x = float(apart @ across) / max(float(np.linalg.norm(across)), 1e-6)
    y = float(apart @ along) / max(float(np.linalg.norm(along)), 1e-6)
    return x / height, y / height


def centred(one: Mark, other: Mark, outlines: Sequence[Array]) -> Array | None:
    """The outline in which two marks are each other's half turn; where indices stand differs, that does not."""
    if float(one.up @ other.up) > -0.82 or agreement(one.labels, other.labels) < ALIKE:
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


def in_corner(mark: Mark, quad: Array) -> int | None:
    """Which corner of a card (0 upper left, clockwise) a mark stands in as an index does, or None."""
    stands = standing(mark, quad)
    return None if stands is None else stands.corner


def _width(quad: Array) -> float:
    return float(np.linalg.norm(quad[1] - quad[0]) + np.linalg.norm(quad[2] - quad[3])) / 2


def _outlined(marks: Sequence[Mark], outlines: Sequence[Array], shape: Shape) -> Array | None:
    """The outline that has all the marks in different corners, as close as can be to where indices usually stand.

    It begins at the upper left as the first mark has it.
    """
    best: tuple[float, Array] | None = None
    for quad in outlines:
        stands = [stand for mark in marks if (stand := standing(mark, quad)) is not None]
        corners = [stand.corner for stand in stands]
        if len(stands) < len(marks) or len(set(corners)) < len(corners):
            continue
        if len(marks) == 2 and corners[0] % 2 != corners[1] % 2:
            continue
        if shape.sure and not all(shape.fits(stand) for stand in stands):
            continue
        if len(marks) > 1 and overlap(quad, outline_of(marks, shape)) < 0.55:
            continue
        # a lone mark is likelier at a left-hand corner, where every deck has one
        off = [abs(stand.across - shape.across) + abs(stand.along - shape.along) for stand in stands]
        cost = float(np.mean(off)) + (0.05 if corners[0] % 2 else 0.0)
        if best is None or cost < best[0]:
            best = cost, quad if corners[0] < 2 else np.roll(quad, 2, axis=0)
    return None if best is None else best[1]


def _joined(groups: list[Group], outlines: Sequence[Array], shape: Shape) -> list[Group]:
    """Groups of one card put together: the other pair of four indices, a mark in a corner of an outline."""
    groups = sorted(groups, key=lambda group: (-len(group.marks), group.outline is None, -group.probabilities.max()))
    found: list[Group] = []
    for group in groups:
        # all cards of a picture are of one deck
        four = any(len(other.marks) > 2 for other in found) if shape.four is None else shape.four
        for other in found:
            if _one_outline(group, other):
                if max(mark.sure for mark in group.marks) < WEAK:
                    break  # nothing to learn from it
                group.outline = None  # it goes round two cards
            if agreement(group.probabilities, other.probabilities) > ALIKE and _one_card(group, other, four, shape):
                other.marks += group.marks
                if other.outline is None:
                    other.outline = group.outline if len(group.marks) > 1 else _outlined(other.marks, outlines, shape)
                break
        else:
            found.append(group)
    return found


def _one_outline(group: Group, card: Group) -> bool:
    """Whether both have nearly the same outline: one card whatever was read, one of its indices half covered."""
    if group.outline is None or card.outline is None or overlap(group.outline, card.outline) < 0.75:
        return False
    own = {in_corner(mark, card.outline) for mark in card.marks}
    return not own & {in_corner(mark, card.outline) for mark in group.marks} - {None}


def _one_card(group: Group, card: Group, four: bool, shape: Shape) -> bool:
    """Whether a group's marks stand in corners of a card that the card's own marks leave free.

    Two lone marks side by side and alike are two equal cards, but where the deck is seen to have ``four`` indices.
    """
    heights = [mark.height for mark in (*group.marks, *card.marks)]
    if max(heights) > 1.7 * min(heights):
        return False
    quad = card.outline if card.outline is not None else outline_of(card.marks, shape)
    taken = {in_corner(mark, quad) for mark in card.marks}
    corners = {in_corner(mark, quad) for mark in group.marks}
    if None not in corners and not taken & corners:
        across = {(corner or 0) % 2 for corner in corners} != {(corner or 0) % 2 for corner in taken}
        if not across or four or card.outline is not None or min(len(group.marks), len(card.marks)) > 1:
            return True
    if four and len(group.marks) == len(card.marks) == 1 and along_an_edge(card.marks[0], group.marks[0], shape):
        return True
    # a second reading of a corner, a little off
    return all(
        any(
            float(np.linalg.norm(mark.centre - own.centre)) < 0.8 * own.height and float(mark.up @ own.up) > 0.7
            for own in card.marks
        )
        for mark in group.marks
    )


def along_an_edge(one: Mark, other: Mark, shape: Shape) -> bool:
    """Whether two marks stand at both ends of one side of a card with four indices."""
    height = float(np.sqrt(one.height * other.height))
    apart = other.centre - one.centre
    x, y = abs(float(apart @ one.right)) / height, abs(float(apart @ one.up)) / height
    wide, high = shape.apart
    if float(one.up @ other.up) > 0.9:
        return 0.75 < x / wide < 1.4 and y < (0.32 if shape.four else 0.15) * x  # perspective slants
    return float(one.up @ other.up) < -0.9 and 0.75 < y / high < 1.3 and x < 0.15 * y


def outline_of(marks: Sequence[Mark], shape: Shape | None = None, right_hand: bool = False) -> Array:
    """(4, 2) px corners that marks demand by the deck's shape, clockwise from the first one's upper left.

    ``right_hand``: the first mark stands at the right, where the other marks leave that open.
    """
    shape = shape or Shape()
    first = marks[0]
    up, right = first.up, first.right
    wide, high = shape.wide * first.height, shape.high * first.height
    for other in marks[1:]:
        apart = other.centre - first.centre
        if float(first.up @ other.up) < 0 and opposite(first, other, shape) > 0:
            up = first.up - other.up
            up = up / np.linalg.norm(up)
            right = np.array([-up[1], up[0]])
            x, y = float(apart @ right), -float(apart @ up)
            middle = (first.centre + other.centre) / 2
            across = abs(x) / (1 - 2 * shape.across) / 2 * right
            down = -y / (1 - 2 * shape.along) / 2 * up
            return np.array(
                [middle - across - down, middle + across - down, middle + across + down, middle - across + down]
            )
    for other in marks[1:]:
        apart = other.centre - first.centre
        if float(first.up @ other.up) > 0.8 and abs(float(apart @ first.right)) > abs(float(apart @ first.up)):
            right_hand = float(apart @ first.right) < 0  # the right-hand one of four indices
            right = -apart if right_hand else apart
            right = right / np.linalg.norm(right)
            up = np.array([right[1], -right[0]])
            wide = float(np.linalg.norm(apart)) / (1 - 2 * shape.across)
            high = shape.proportion * wide
            break
        if float(first.up @ other.up) < -0.8 and along_an_edge(first, other, shape):
            up = -apart / np.linalg.norm(apart)
            right = np.array([-up[1], up[0]])
            high = float(np.linalg.norm(apart)) / (1 - 2 * shape.along)
            wide = high / shape.proportion
            break
    aside = 1 - shape.across if right_hand else shape.across
    corner = first.centre - right * aside * wide + up * shape.along * high
    return np.array([corner, corner + right * wide, corner + right * wide - up * high, corner - up * high])


def one_sided(marks: Sequence[Mark], shape: Shape) -> bool:
    """Whether marks leave open on which side of them their card lies."""
    return all(along_an_edge(marks[0], mark, shape) and float(marks[0].up @ mark.up) < 0 for mark in marks[1:])


def proportions(groups: Sequence[Group], shape: Shape) -> Shape:
    """The deck's shape as the surest pairs of a picture have it, where no outlines show it."""
    if shape.sure:
        return shape
    talls, shapes = [], []
    for group in groups:
        if len(group.marks) < 2 or group.probabilities.max() < 0.8:
            continue
        quad = group.outline if group.outline is not None else outline_of(group.marks, shape)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        wide, high = float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2
        talls.append(float(np.mean([mark.height for mark in group.marks])) / max(high, 1e-6))
        shapes.append(high / max(wide, 1e-6))
    if not talls:
        return shape
    proportion = float(np.clip(np.median(shapes), 1.3, 1.85))
    return replace(shape, tall=float(np.median(talls)), proportion=proportion)
