"""A card that lies on the mat, with all that was ever read of it, and which cells of the gate's grid it takes."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate import CELL, Cells
from vision.outline import rectified
from vision.pictures import Picture
from vision.reading import Seen
from vision.reports import CardLaid
from vision.view import Array, View, card_corners

Pose = tuple[float, float, float]  # x mm, y mm, angle rad

#: How far two readings of one card may lie apart: mm, and radians of its long axis.
SAME_PLACE, SAME_TURN = 9.0, 0.22
#: Resolution of a card's picture for people, px a mm.
PICTURE_SCALE = 4.0


@dataclass(slots=True, eq=False)
class LyingCard:
    """One physical card; ``number`` stays with it for good."""

    number: int
    pose: Pose
    since: float
    votes: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    scores: dict[str, float] = field(default_factory=dict)  # the recogniser's, of the best look
    sure: set[str] = field(default_factory=set)  # labels that a look gave without doubt
    weight: float = 0.0
    looks: int = 0
    looked_at: float = 0.0
    said: tuple[str | None, bool] | None = None  # label as last reported

    @classmethod
    def known(cls, report: CardLaid) -> "LyingCard":
        """A card as it was reported before."""
        card = cls(report.card, (report.x, report.y, report.angle), report.at)
        card.scores = dict(report.choices)
        best = report.label if report.label is not None else next(iter(card.scores), None)
        if best is not None:
            card.scores.setdefault(best, 1.0)
            card.votes[best] = report.margin
            card.sure = {best} if report.label is not None else set()
            card.said = (best, report.label is None)
        card.weight, card.looks = 1.0, 1
        return card

    def vote(self, seen: Seen, at: float, weight: float = 1.0) -> None:
        """Count a look at the card; ``weight`` 0 … 1 is how much of it was to be seen."""
        self.looks += 1
        self.looked_at = at
        self.weight += weight
        if not seen.choices:
            return
        self.votes[seen.choices[0][0]] += seen.margin * weight
        if seen.label is not None:
            self.sure.add(seen.label)
        for label, score in seen.choices:
            self.scores[label] = max(score, self.scores.get(label, -1.0))

    @property
    def ranked(self) -> list[str]:
        """Labels, likeliest first: by votes, then by the scores of those that never won a look."""
        return sorted(self.scores, key=lambda label: (-self.votes.get(label, 0.0), -self.scores[label]))

    @property
    def margin(self) -> float:
        """Mean lead of the best label over its rival, 0 … 1."""
        ahead = sorted(self.votes.values(), reverse=True)
        if not ahead or not self.weight:
            return 0.0
        return max(0.0, min(1.0, (ahead[0] - (ahead[1] if len(ahead) > 1 else 0.0)) / self.weight))

    @property
    def label(self) -> str | None:
        """The label, if a look was sure of it and no other look speaks for another one nearly as loud."""
        best = self.ranked[0] if self.scores else ""
        rival = max((votes for label, votes in self.votes.items() if label != best), default=0.0)
        return best if best in self.sure and self.votes[best] > 2.0 * rival else None

    def report(self, at: float, picture: bytes | None) -> CardLaid:
        """What to say of it now."""
        choices = tuple((label, round(self.scores[label], 4)) for label in self.ranked[:4])
        return CardLaid(
            at=at,
            card=self.number,
            label=self.label,
            margin=round(self.margin, 4),
            choices=choices,
            x=round(self.pose[0], 2),
            y=round(self.pose[1], 2),
            angle=round(self.pose[2], 4),
            picture=picture,
        )


def apart(one: Pose, other: Pose) -> float:
    """Distance in mm of two readings of a pose; infinite if their long axes point elsewhere."""
    turn = abs(math.remainder(one[2] - other[2], math.pi))
    return math.hypot(one[0] - other[0], one[1] - other[1]) if turn < SAME_TURN else math.inf


class Grid:
    """The gate's cells seen through a view: which of them a card covers, and where they lie on the mat."""

    def __init__(self, view: View, size_mm: tuple[float, float]) -> None:
        self.view, self.size_mm = view, size_mm
        width, height = view.size[0] // CELL, view.size[1] // CELL
        self.shape = (height, width)
        self._x, self._y = np.meshgrid(
            np.arange(width) * CELL + (CELL - 1) / 2, np.arange(height) * CELL + (CELL - 1) / 2
        )
        self.mm = view.unproject(np.c_[self._x.ravel(), self._y.ravel()]).reshape(height, width, 2)

    def card(self, pose: Pose, spare: float = 0.0) -> Cells:
        """Cells whose centre a card covers; ``spare`` mm more all round."""
        size = (self.size_mm[0] + 2 * spare, self.size_mm[1] + 2 * spare)
        c, s = math.cos(pose[2]), math.sin(pose[2])
        x, y = self.mm[..., 0] - pose[0], self.mm[..., 1] - pose[1]
        return np.asarray((np.abs(c * x + s * y) < size[0] / 2) & (np.abs(c * y - s * x) < size[1] / 2))

    def ellipse(self, half_axes: tuple[float, float], spare: float = 0.0) -> Cells:
        """Cells inside an ellipse round the mat's centre."""
        a, b = half_axes[0] + spare, half_axes[1] + spare
        return np.asarray((self.mm[..., 0] / a) ** 2 + (self.mm[..., 1] / b) ** 2 < 1)

    def boxes(self, fields: Iterable[tuple[float, float, float, float]]) -> Cells:
        """Cells inside (x, y, width, height) fields, from the top left corner."""
        mask = np.zeros(self.shape, bool)
        x, y = self.mm[..., 0], self.mm[..., 1]
        for left, top, width, height in fields:
            mask |= (x > left) & (x < left + width) & (y > top) & (y < top + height)
        return mask

    @property
    def card_cells(self) -> float:
        """How many cells a card covers in the middle."""
        return self.size_mm[0] * self.size_mm[1] * (self.view.pixels_per_mm() / CELL) ** 2

    def region(self, cells: Cells, spare: int = 1) -> NDArray[np.uint8]:
        """Mask (H, W) uint8, 255 where the cells are, ``spare`` cells more all round."""
        small = cv2.dilate(cells.astype(np.uint8) * 255, np.ones((2 * spare + 1, 2 * spare + 1), np.uint8))
        mask = np.zeros((self.view.size[1], self.view.size[0]), np.uint8)
        large = cv2.resize(small, None, fx=CELL, fy=CELL, interpolation=cv2.INTER_NEAREST)
        mask[: large.shape[0], : large.shape[1]] = large
        return mask

    def quad(self, pose: Pose) -> Array:
        """(4, 2) px of a card's corners."""
        return self.view.project(card_corners(pose, self.size_mm))

    def picture(self, image: Picture, pose: Pose) -> bytes:
        """JPEG of the card alone, upright."""
        size = (round(self.size_mm[0] * PICTURE_SCALE), round(self.size_mm[1] * PICTURE_SCALE))
        return cv2.imencode(".jpg", rectified(image, self.quad(pose), size), [cv2.IMWRITE_JPEG_QUALITY, 85])[
            1
        ].tobytes()


def visible(grid: Grid, cards: list[LyingCard]) -> list[Cells]:
    """Cells of each card that none above it covers; ``cards`` lowest first."""
    above = np.zeros(grid.shape, bool)
    result: list[Cells] = []
    for card in reversed(cards):
        cells = grid.card(card.pose)
        result.append(cells & ~above)
        above |= cells
    return result[::-1]
