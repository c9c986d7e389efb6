"""Project millimetres of the mat's plane into the picture and back: a homography and a lens."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import VisionError
from vision.geometry.lens import Lens
from vision.images import Picture

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class PlaneProjection:
    """Projection of the table's plane into the picture: a homography, a lens and the picture's size.

    ``H``: (3, 3) float64, takes (x mm, y mm, 1) on the mat to the picture's pixels. ``size``: (width, height) in
    pixels. ``lens``: what bends the picture after that; None where lines stay straight. ``white_mm``: (n, 2) places on
    the mat that are white paper.

    :raises VisionError: a homography that is not 3 × 3, holds NaN or cannot be inverted
    """

    H: Array
    size: tuple[int, int]
    lens: Lens | None = None
    white_mm: Array = field(default_factory=lambda: np.zeros((0, 2)))

    def __post_init__(self) -> None:
        matrix = np.asarray(self.H, np.float64)
        if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
            raise VisionError(f"view: not an invertible 3 × 3 homography: {matrix.tolist()}; calibrate the mat again")
        object.__setattr__(self, "H", matrix / matrix[2, 2] if abs(matrix[2, 2]) > 1e-9 else matrix)

    @property
    def inverse(self) -> Array:
        """The inverse homography (3, 3): pixels to millimetres, but for the lens."""
        return np.linalg.inv(self.H)

    def project(self, mm: ArrayLike) -> Array:
        """Project (n, 2) millimetres to (n, 2) pixels."""
        points = np.asarray(mm, np.float64).reshape(-1, 1, 2)
        straight = np.asarray(cv2.perspectiveTransform(points, self.H)).reshape(-1, 2)
        return straight if self.lens is None else self.lens.distort(straight)

    def unproject(self, px: ArrayLike) -> Array:
        """Project (n, 2) pixels back to (n, 2) millimetres."""
        points = np.asarray(px, np.float64).reshape(-1, 2)
        if self.lens is not None:
            points = self.lens.undistort(points)
        return np.asarray(cv2.perspectiveTransform(points.reshape(-1, 1, 2), self.inverse)).reshape(-1, 2)

    @cached_property
    def white_px(self) -> Array:
        """(k, 2) int, the pixels of those white places that are in the picture."""
        places = np.round(self.project(self.white_mm)).astype(int) if len(self.white_mm) else np.zeros((0, 2), int)
        return np.asarray(places[((places >= 0) & (places < self.size)).all(1)])

    def crop(self, x: int, y: int, size: tuple[int, int]) -> "PlaneProjection":
        """Restrict the view to the part of the picture from (x, y) px on of ``size`` (width, height) px."""
        shift = np.array([(1.0, 0.0, -x), (0.0, 1.0, -y), (0.0, 0.0, 1.0)])
        lens = None if self.lens is None else self.lens.cropped(x, y)
        return PlaneProjection(shift @ self.H, size, lens, self.white_mm)

    def warp(self, picture: Picture, to_mm: Array, size: tuple[int, int], border: int = cv2.BORDER_CONSTANT) -> Picture:
        """Warp a part of the plane from ``picture``; ``size``: (width, height) in pixels of its own.

        ``to_mm``: (3, 3), takes those pixels to millimetres.
        """
        into = self.H @ to_mm
        if self.lens is None:
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            return np.asarray(cv2.warpPerspective(picture, into, size, flags=flags, borderMode=border), np.uint8)
        map_x, map_y = _remap_grid(into, self.lens, size)
        return np.asarray(cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=border), np.uint8)

    def bounds(self, px: ArrayLike | None = None) -> tuple[Array, Array]:
        """Bound a polygon in pixels, by default the whole picture: least and greatest (x, y) in millimetres."""
        width, height = self.size
        corners = [[0, 0], [width, 0], [width, height], [0, height]] if px is None else px
        if px is None and self.lens is not None:  # its sides may bulge
            corners = [*np.asarray(corners), [width / 2, 0], [width, height / 2], [width / 2, height], [0, height / 2]]
        mm = self.unproject(corners)
        return mm.min(0), mm.max(0)

    def pixels_per_mm(self, mm: ArrayLike = (0.0, 0.0)) -> float:
        """Compute the scale at a place: square root of the area that a square millimetre takes there."""
        x, y = np.asarray(mm, np.float64)
        square = self.project([[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1]])
        return float(np.sqrt(cv2.contourArea(square.astype(np.float32))))

    @classmethod
    def of_card(cls, quad: ArrayLike, size_mm: tuple[float, float], size: tuple[int, int]) -> "PlaneProjection":
        """Find the view in which a card of ``size_mm`` is upright in the middle, its corners at ``quad`` (4, 2) px."""
        corners = card_corners((0.0, 0.0, 0.0), size_mm).astype(np.float32)
        return cls(cv2.getPerspectiveTransform(corners, np.asarray(quad, np.float32)), size)


#: Pixels between the places whose distortion is computed; between them it is interpolated.
_LENS_STEP_PX = 8


def _remap_grid(into: Array, lens: Lens, size: tuple[int, int]) -> tuple[Array, Array]:
    """Map a flat cut-out's pixels into the picture, (h, w) float32 x and y; ``into`` takes them to straight px."""
    columns, rows = (side // _LENS_STEP_PX + 3 for side in size)
    x = np.arange(columns) * _LENS_STEP_PX + (_LENS_STEP_PX - 1) / 2 - _LENS_STEP_PX
    y = np.arange(rows) * _LENS_STEP_PX + (_LENS_STEP_PX - 1) / 2 - _LENS_STEP_PX
    grid = np.stack(np.meshgrid(x, y), -1).reshape(-1, 1, 2)
    seen = lens.distort(np.asarray(cv2.perspectiveTransform(grid, into)).reshape(-1, 2))
    wide = cv2.resize(
        seen.reshape(rows, columns, 2).astype(np.float32),
        (columns * _LENS_STEP_PX, rows * _LENS_STEP_PX),
        interpolation=cv2.INTER_LINEAR,
    )
    inner = wide[_LENS_STEP_PX : _LENS_STEP_PX + size[1], _LENS_STEP_PX : _LENS_STEP_PX + size[0]]
    return np.ascontiguousarray(inner[..., 0]), np.ascontiguousarray(inner[..., 1])


def card_corners(pose: ArrayLike, size_mm: tuple[float, float]) -> Array:
    """Compute the corners (4, 2) mm of a card at ``pose`` (x mm, y mm, angle rad), clockwise as seen.

    The first is the upper left corner of the card itself; the angle turns its upright axis clockwise as seen,
    because y runs downwards.
    """
    x, y, angle = np.asarray(pose, np.float64)
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.asarray(size_mm, np.float64) / 2
    corners: Array = half @ np.array([[c, s], [-s, c]]) + [x, y]
    return corners
