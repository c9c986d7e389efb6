"""Map the mat to the cells of change detection: those of a card, of the middle, of the piles of tricks won."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.jpeg import encode_jpeg
from vision.geometry.card_outline import rectify_card
from vision.geometry.pose import Pose
from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.images import Picture
from vision.mat.calibration import Calibration
from vision.mat.layout import MatLayout
from vision.recognition.single_card import ChangedPlaces
from vision.tracking.coarse_plane import CELL, Cells, count_cells

#: Cards whose cells are remembered.
REMEMBERED_CARDS = 40
#: Resolution of a card's picture for people, px a mm, and the quality of its JPEG.
PICTURE_PX_PER_MM = 4.0
PICTURE_QUALITY = 85
#: mm beyond the middle's ellipse where a card's centre still counts as laid into the middle.
BEYOND_MIDDLE_MM = 34.0
#: Share of a card that must lie in the middle for it to be laid though its centre is beyond: half upon a field for
#: tricks won, or carelessly at its seat's edge of the sheet. Cards of a trick that is looked at on its pile had 0.3 in
#: the middle at most, and what is put down at the sheet's edge 0.2.
IN_MIDDLE_SHARE = 0.34


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneCardLimits:
    """What a patch of cells must have to be one whole card."""

    least_card_share: float = 0.5  # of a card's cells
    filled_share: float = 0.85  # of its bounding rectangle
    side_error: float = 0.14  # by how much its sides may differ from a card's, as a share


LONE_CARD = LoneCardLimits()


class CellGrid:
    """Cells of change detection seen through a view: which of them a card covers, and where they are on the mat."""

    def __init__(self, view: PlaneProjection, size_mm: tuple[float, float]) -> None:
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
        """Find the cells whose centre a card covers; ``spare`` mm more all round. Not to be written to."""
        cells = self._asked.get((pose, spare))
        if cells is None:
            if len(self._asked) >= REMEMBERED_CARDS:
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
        """Find the cells inside an ellipse round the mat's centre."""
        a, b = half_axes[0] + spare, half_axes[1] + spare
        return np.asarray((self.mm[..., 0] / a) ** 2 + (self.mm[..., 1] / b) ** 2 < 1)

    def boxes(self, fields: Iterable[tuple[float, float, float, float]]) -> Cells:
        """Find the cells inside (x, y, width, height) fields, from the top left corner."""
        mask = np.zeros(self.shape, bool)
        x, y = self.mm[..., 0], self.mm[..., 1]
        for left, top, width, height in fields:
            mask |= (x > left) & (x < left + width) & (y > top) & (y < top + height)
        return mask

    @cached_property
    def card_cells(self) -> float:
        """How many cells a card covers in the middle."""
        return self.size_mm[0] * self.size_mm[1] * (self.view.pixels_per_mm() / CELL) ** 2

    def region(self, cells: Cells, spare: int = 1) -> Array:
        """Outline some cells: their convex hull (n, 2) px, ``spare`` cells more all round."""
        ys, xs = np.nonzero(cells)
        corners = [(xs + x, ys + y) for x in (-spare, 1 + spare) for y in (-spare, 1 + spare)]
        points = np.concatenate([np.column_stack(corner) for corner in corners]).astype(np.int32)
        height, width = self.shape
        points = np.clip(points, 0, (width, height)) * CELL
        return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)

    def places(self, cells: Cells) -> ChangedPlaces:
        """Locate some cells on the mat: their centres in mm, and the mm² that each stands for."""
        return ChangedPlaces(self.mm[cells], (CELL / self.view.pixels_per_mm()) ** 2)

    def cells_along(self, points: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Find the cells of places (ways, places, 2) in mm along ways outwards: (ways, places) numbers of cells.

        0 beyond the picture, and from there on; with it how many places of each way lie in the picture, (ways,).
        """
        cells = np.floor(self.view.project(points.reshape(-1, 2)) / CELL).astype(int).reshape(points.shape)
        height, width = self.shape
        inside = (cells[..., 0] >= 0) & (cells[..., 0] < width) & (cells[..., 1] >= 0) & (cells[..., 1] < height)
        inside = np.logical_and.accumulate(inside, axis=1)
        return np.where(inside, cells[..., 1] * width + cells[..., 0], 0), inside.sum(1)

    def quad(self, pose: Pose) -> Array:
        """Project a card's corners: (4, 2) px."""
        return self.view.project(card_corners(pose, self.size_mm))

    def picture(self, image: Picture, pose: Pose) -> bytes:
        """Encode a picture of the card alone, upright, as JPEG."""
        size = (round(self.size_mm[0] * PICTURE_PX_PER_MM), round(self.size_mm[1] * PICTURE_PX_PER_MM))
        return encode_jpeg(rectify_card(image, self.quad(pose), size), PICTURE_QUALITY)

    def lone_card(self, cells: Cells) -> Pose | None:
        """Find the pose of the card that the largest patch of ``cells`` is; None without a card's size and shape."""
        count, patches, stats, _ = cv2.connectedComponentsWithStats(cells.view(np.uint8), connectivity=8)
        if count < 2:
            return None
        largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
        places = self.mm[patches == largest].astype(np.float32)
        if len(places) < LONE_CARD.least_card_share * self.card_cells:
            return None
        (x, y), sides, turn = cv2.minAreaRect(places)
        cell = CELL / self.view.pixels_per_mm()
        width, height = (side - 2 * cell for side in sides)  # the cells' blur makes a patch a cell larger all round
        angle = math.radians(turn)
        if width > height:
            width, height, angle = height, width, angle + math.pi / 2
        right = (
            abs(width / self.size_mm[0] - 1) < LONE_CARD.side_error
            and abs(height / self.size_mm[1] - 1) < LONE_CARD.side_error
        )
        full = len(places) * cell * cell > LONE_CARD.filled_share * width * height
        return (float(x), float(y), angle) if right and full else None


@dataclass(frozen=True, slots=True, eq=False)
class MatRegions:
    """The grid with the parts of the mat."""

    grid: CellGrid
    half_axes: tuple[float, float]  # of the ellipse in which tricks are laid, mm
    reach: tuple[float, float]  # half axes in mm within which a card's centre lies in the middle
    middle: Cells
    piles: Cells
    won: tuple[tuple[tuple[float, float], Cells], ...]  # centre of each field for tricks won, and its cells

    @classmethod
    def of(cls, calibration: Calibration, layout: MatLayout, size_mm: tuple[float, float]) -> "MatRegions":
        """Make the regions of a calibrated view; a table set by hand has no fields for tricks won."""
        grid = CellGrid(calibration.view, size_mm)
        fields = layout.won_fields if calibration.layout else {}
        return cls(
            grid,
            layout.middle,
            (layout.middle[0] + BEYOND_MIDDLE_MM, layout.middle[1] + BEYOND_MIDDLE_MM),
            grid.ellipse(layout.middle, BEYOND_MIDDLE_MM),
            grid.boxes(fields.values()),
            tuple((layout.won_places[seat], grid.boxes([box])) for seat, box in fields.items()),
        )

    @property
    def laid_on(self) -> Cells:
        """The cells on which tricks are laid: the middle, but for the fields of tricks won."""
        return self.middle & ~self.piles

    def holds(self, pose: Pose) -> bool:
        """Check whether a card lies in the middle: its centre, or enough of it."""
        if (pose[0] / self.reach[0]) ** 2 + (pose[1] / self.reach[1]) ** 2 < 1:
            return True
        return count_cells(self.grid.card(pose) & self.laid_on) >= IN_MIDDLE_SHARE * self.grid.card_cells
