"""Where millimetres of the table lie in the picture."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import VisionError

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class View:
    """How a camera sees the plane of the table: a homography and the picture's size.

    ``H``: (3, 3) float64, takes (x mm, y mm, 1) on the mat to the picture's pixels. ``size``: (width, height) in
    pixels. Lens distortion is not modelled: correct the frame before if the lens needs it.

    :raises VisionError: a homography that is not 3 × 3, holds NaN or cannot be inverted
    """

    H: Array
    size: tuple[int, int]

    def __post_init__(self) -> None:
        matrix = np.asarray(self.H, np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
            raise VisionError(f"view: not an invertible 3 × 3 homography: {matrix.tolist()}; calibrate the mat again")
        object.__setattr__(self, "H", matrix / matrix[2, 2] if abs(matrix[2, 2]) > 1e-9 else matrix)

    @property
    def inverse(self) -> Array:
        """(3, 3): pixels to millimetres."""
        return np.linalg.inv(self.H)

    def project(self, mm: ArrayLike) -> Array:
        """(n, 2) pixels of (n, 2) millimetres."""
        points = np.asarray(mm, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(points, self.H)).reshape(-1, 2)

    def unproject(self, px: ArrayLike) -> Array:
        """(n, 2) millimetres of (n, 2) pixels."""
        points = np.asarray(px, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(points, self.inverse)).reshape(-1, 2)

    def bounds(self, px: ArrayLike | None = None) -> tuple[Array, Array]:
        """Least and greatest (x, y) in millimetres of a polygon in pixels; by default of the whole picture."""
        width, height = self.size
        corners = [[0, 0], [width, 0], [width, height], [0, height]] if px is None else px
        mm = self.unproject(corners)
        return mm.min(0), mm.max(0)

    def pixels_per_mm(self, mm: ArrayLike = (0.0, 0.0)) -> float:
        """The scale at a place: square root of the area that a square millimetre takes there."""
        x, y = np.asarray(mm, np.float64)
        square = self.project([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]])
        return float(np.sqrt(cv2.contourArea(square.astype(np.float32))))

    @classmethod
    def of_card(cls, quad: ArrayLike, size_mm: tuple[float, float], size: tuple[int, int]) -> "View":
        """The view in which a card of ``size_mm`` lies upright in the middle, its corners at ``quad`` (4, 2) px."""
        corners = card_corners((0.0, 0.0, 0.0), size_mm).astype(np.float32)
        return cls(cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32)), size)


def card_corners(pose: ArrayLike, size_mm: tuple[float, float]) -> Array:
    """(4, 2) corners in millimetres of a card at ``pose`` (x mm, y mm, angle rad), clockwise as seen.

    The first is the upper left corner of the card itself; the angle turns its upright axis clockwise as seen,
    because y runs downwards.
    """
    x, y, angle = np.asarray(pose, np.float64)
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(size_mm, np.float64) / 2
    return half @ np.array([[c, s], [-s, c]]) + [x, y]
