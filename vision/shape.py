"""What the cards of one picture have in common: how large they are beside their indices, and where indices stand.

All cards of a picture are of one deck. Where outlines show it for some, the others are laid and joined by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.marks import Mark, agreement
from vision.view import Array

#: Height of a card over its width where no card in the picture tells.
PROPORTION = 1.45
#: How far (share of width, of height) an index may lie off the card's corner.
REACH = (0.30, 0.33)
#: Height of an index as a share of the card's height.
SHARE = (0.09, 0.42)
#: What may differ between cards of one picture: logarithm of the index's share, its place in shares of the card.
TALLER, ASIDE = 0.14, 0.04
#: How far indices of a card may be apart along it, in their heights.
LENGTH = (1.4, 8.0)
#: Weight of an outline with two opposite indices that agree, and of all outlines together from which it is believed.
BOTH, ENOUGH = 4.0, 4.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A deck's card.

    ``tall``: height of an index as a share of the card's; ``across``, ``along``: where its centre lies, shares of the
    card's width from the left, of its height from the top; ``proportion``: height over width; ``four``: an index in
    every corner (None: not seen); ``sure``: outlines in the picture show it.
    """

    tall: float = 0.168
    across: float = 0.085
    along: float = 0.125
    proportion: float = PROPORTION
    four: bool | None = None
    sure: bool = False

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

    def fits(self, stand: "Stand") -> bool:
        """Whether an index stands in an outline as it does on the picture's other cards."""
        off = max(abs(stand.across - self.across), abs(stand.along - self.along))
        return abs(float(np.log(stand.tall / self.tall))) < 1.6 * TALLER and off < 1.6 * ASIDE


@dataclass(frozen=True, slots=True)
class Stand:
    """How a mark stands in an outline: its corner (0 upper left, clockwise), else as in ``Shape``."""

    corner: int
    tall: float
    across: float
    along: float


def standing(mark: Mark, quad: Array) -> Stand | None:
    """How a mark stands in a card's corner as an index does, or None."""
    card = np.array([[0, 0], [1, 0], [1, PROPORTION], [0, PROPORTION]], np.float32)
    into = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), card)
    points = np.array([[mark.centre, mark.centre + mark.up * mark.height / 2]])
    (x, y), top = cv2.perspectiveTransform(points, into)[0]
    up = top - (x, y)
    length = float(np.linalg.norm(up))
    tall = 2 * length / PROPORTION
    if not SHARE[0] < tall < SHARE[1]:
        return None
    across, along = min(x, 1 - x), min(y, PROPORTION - y) / PROPORTION
    if not (0.0 < across < REACH[0] and 0.01 < along < REACH[1]):
        return None
    above = y < PROPORTION / 2
    if (-up[1] if above else up[1]) < 0.88 * length:
        return None
    corner = (0 if x < 0.5 else 1) if above else (3 if x < 0.5 else 2)
    return Stand(corner, tall, float(across), float(along))


def shape_of(marks: Sequence[Mark], outlines: Sequence[Array]) -> Shape:
    """What most outlines with indices in their corners agree on; the usual card where there is no such."""
    clear = [mark for mark in marks if mark.score > 0.6 and mark.sure > 0.5]
    cards: list[tuple[float, list[tuple[Mark, Stand]]]] = []
    doubtful: list[set[int]] = []  # corners with something that may be an index
    for quad in outlines:
        all_ = [(mark, stand) for mark in marks if (stand := standing(mark, quad)) is not None]
        stands = [(mark, stand) for mark, stand in all_ if mark in clear]
        if stands:
            cards.append((BOTH if _opposite(stands) else 1.0, stands))
            doubtful.append({stand.corner for _, stand in all_})
    values = np.array([[np.log(s.tall), s.across, s.along] for _, stands in cards for _, s in stands])
    if not len(values):
        return _by_pairs(clear)
    weights = np.array([weight / len(stands) for weight, stands in cards for _ in stands])
    near = (np.abs(values[:, None] - values[None]) < (TALLER, ASIDE, ASIDE)).all(2)
    best = int((near * weights).sum(1).argmax())
    members = near[best]
    if weights[members].sum() < ENOUGH:
        return _by_pairs(clear)
    tall, across, along = np.average(values[members], axis=0, weights=weights[members])
    shape = Shape(float(np.exp(tall)), float(across), float(along), four=None, sure=True)
    return Shape(shape.tall, shape.across, shape.along, four=_four(shape, cards, doubtful), sure=True)


def _by_pairs(marks: Sequence[Mark]) -> Shape:
    """What equal indices turned by half tell, where two cards or more have them equally far apart along the card."""
    pairs: list[tuple[float, float, int]] = []
    for n, one in enumerate(marks):
        for other in marks[n + 1 :]:
            if float(one.up @ other.up) > -0.9 or agreement(one.labels, other.labels) < 0.5:
                continue
            up, apart = one.up - other.up, one.centre - other.centre
            height = float(np.sqrt(one.height * other.height)) * float(np.linalg.norm(up))
            x, y = abs(float(apart[0] * up[1] - apart[1] * up[0])) / height, float(apart @ up) / height
            if LENGTH[0] < y < LENGTH[1] and x < y:
                pairs.append((x, y, one.best))
    groups = [[p for p in pairs if abs(p[1] - y) < 0.08 * y] for _, y, _ in pairs]
    best = max(groups, key=lambda group: len({label for _, _, label in group}), default=[])
    if len({label for _, _, label in best}) < 2:
        return Shape()
    tall = 0.94 / (float(np.median([y for _, y, _ in best])) + 1)  # margins above indices are about 3 % of a card
    beside = sum(x < 0.12 * y for x, y, _ in best)
    return Shape(tall, along=0.03 + tall / 2, four=True if beside else None, sure=True)


def _opposite(stands: Sequence[tuple[Mark, Stand]]) -> bool:
    """Whether two opposite corners have the same index."""
    return any(
        one.corner + 2 == other.corner and agreement(first.labels, second.labels) > 0.5
        for first, one in stands
        for second, other in stands
    )


def _four(
    shape: Shape, cards: Sequence[tuple[float, list[tuple[Mark, Stand]]]], doubtful: Sequence[set[int]]
) -> bool | None:
    """Whether indices stand in all corners, by the cards that show two opposite ones."""
    votes = 0
    for (_, stands), anything in zip(cards, doubtful, strict=True):
        fitting = [(mark, stand) for mark, stand in stands if shape.fits(stand)]
        corners = {stand.corner % 2 for _, stand in fitting}
        if _opposite(fitting):
            votes += 2 if len(corners) > 1 else -2 * (len({corner % 2 for corner in anything}) == 1)
        elif len(corners) > 1 and len({mark.best for mark, _ in fitting}) == 1:
            votes += 1
    return None if votes == 0 else votes > 0
