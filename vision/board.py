"""The mat in the gate's cells: which of them a card covers, which are the middle, which the piles of tricks won."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.calibrate import Calibration
from vision.gate import CELL, Cells
from vision.jpegs import encoded
from vision.mat import MatLayout
from vision.outline import rectified
from vision.pictures import Picture
from vision.view import Array, View, card_corners

Pose: TypeAlias = tuple[float, float, float]  # x mm, y mm, angle rad

#: Cards whose cells are remembered.
KEPT = 40
#: Resolution of a card's picture for people, px a mm.
PICTURE_SCALE = 4.0
#: mm beyond the middle's ellipse where a card's centre still counts as laid into the middle.
BEYOND = 34.0
#: Share of its bounding rectangle that a patch fills if it is one whole card, and by how much its sides may differ.
FULL, OFF = 0.85, 0.14


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
        self._right, self._down = np.ascontiguousarray(self.mm[..., 0]), np.ascontiguousarray(self.mm[..., 1])
        self._asked: dict[tuple[Pose, float], Cells] = {}  # the same few cards are asked for all the time

    def card(self, pose: Pose, spare: float = 0.0) -> Cells:
        """Cells whose centre a card covers; ``spare`` mm more all round. Not to be written to."""
        cells = self._asked.get((pose, spare))
        if cells is None:
            if len(self._asked) >= KEPT:
                del self._asked[next(iter(self._asked))]
            cells = self._asked[pose, spare] = self._card(pose, spare)
            cells.flags.writeable = False
        return cells

    def _card(self, pose: Pose, spare: float) -> Cells:
        size = (self.size_mm[0] + 2 * spare, self.size_mm[1] + 2 * spare)
        c, s = math.cos(pose[2]), math.sin(pose[2])
        x, y = self._right - pose[0], self._down - pose[1]
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

    def region(self, cells: Cells, spare: int = 1) -> Array:
        """Convex outline (n, 2) px of some cells, ``spare`` cells more all round."""
        ys, xs = np.nonzero(cells)
        corners = [(xs + x, ys + y) for x in (-spare, 1 + spare) for y in (-spare, 1 + spare)]
        points = np.concatenate([np.column_stack(corner) for corner in corners]).astype(np.int32)
        height, width = self.shape
        points = np.clip(points, 0, (width, height)) * CELL
        return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)

    def places(self, cells: Cells) -> tuple[Array, float]:
        """Centres (n, 2) in mm of some cells, and the mm² that each stands for."""
        return self.mm[cells], (CELL / self.view.pixels_per_mm()) ** 2

    def quad(self, pose: Pose) -> Array:
        """(4, 2) px of a card's corners."""
        return self.view.project(card_corners(pose, self.size_mm))

    def picture(self, image: Picture, pose: Pose) -> bytes:
        """JPEG of the card alone, upright."""
        size = (round(self.size_mm[0] * PICTURE_SCALE), round(self.size_mm[1] * PICTURE_SCALE))
        return encoded(rectified(image, self.quad(pose), size), 85)

    def lone_card(self, cells: Cells) -> Pose | None:
        """Where the card lies that the largest patch of ``cells`` is; None if it has not a card's size and shape."""
        count, patches, stats, _ = cv2.connectedComponentsWithStats(cells.view(np.uint8), connectivity=8)
        if count < 2:
            return None
        largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
        places = self.mm[patches == largest].astype(np.float32)
        if len(places) < 0.5 * self.card_cells:
            return None
        (x, y), sides, turn = cv2.minAreaRect(places)
        cell = CELL / self.view.pixels_per_mm()
        width, height = (side - 2 * cell for side in sides)  # the gate's blur makes a patch a cell larger all round
        angle = math.radians(turn)
        if width > height:
            width, height, angle = height, width, angle + math.pi / 2
        right = abs(width / self.size_mm[0] - 1) < OFF and abs(height / self.size_mm[1] - 1) < OFF
        full = len(places) * cell * cell > FULL * width * height
        return (float(x), float(y), angle) if right and full else None


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The grid with the parts of the mat."""

    grid: Grid
    reach: tuple[float, float]  # half axes in mm within which a card's centre lies in the middle
    middle: Cells
    piles: Cells
    won: tuple[tuple[tuple[float, float], Cells], ...]  # centre of each field for tricks won, and its cells

    @classmethod
    def of(cls, calibration: Calibration, layout: MatLayout, size_mm: tuple[float, float]) -> "Board":
        """Of a calibrated view; a table set by hand has no fields for tricks won."""
        grid = Grid(calibration.view, size_mm)
        fields = layout.won_fields if calibration.layout else {}
        return cls(
            grid,
            (layout.middle[0] + BEYOND, layout.middle[1] + BEYOND),
            grid.ellipse(layout.middle, BEYOND),
            grid.boxes(fields.values()),
            tuple((layout.won_places[seat], grid.boxes([box])) for seat, box in fields.items()),
        )

    def holds(self, pose: Pose) -> bool:
        """Whether a card's centre lies in the middle."""
        return (pose[0] / self.reach[0]) ** 2 + (pose[1] / self.reach[1]) ** 2 < 1
