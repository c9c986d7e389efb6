"""Rectify a frame to the mat seen straight from above at a fixed scale, and cut patches of cards from it."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.geometry.projection import Array, PlaneProjection, card_corners
from vision.images import Picture, checked_picture

#: Pixels a millimetre of the rectified mat. 1.5 … 3; time grows with its square, small indices need at least 1.5.
SCALE = 2.0
#: Greatest side of the rectified mat: a view that would need more shows far more than a table. 1000 … 3000.
MAX_SIDE_PX = 1800
#: Places in the picture where the mat is white from which its white is known. 8 … 16; a mark has four.
LEAST_WHITE_PLACES = 8
#: Grey level of the weakest channel from which a place is burnt out. 230 … 250.
BURNT_OUT_GREY = 240


@dataclass(frozen=True, eq=False)
class RectifiedPlane:
    """A part of the mat's plane, rectified.

    ``frame``: the picture it came from, smoothed if it is much finer. ``fine``: (h, w, 3) uint8 BGR at ``SCALE``.
    ``coarse``: the same smoothed, at half of it. ``origin``: millimetres of the upper left corner. ``view``: where it
    came from. ``mat_white``: (3,) BGR of what the mat has of white paper, as most of it looks; None: it has none.
    """

    frame: Picture
    fine: Picture
    coarse: Picture
    origin: Array
    view: PlaneProjection
    mat_white: Array | None

    @classmethod
    def of(cls, frame: Picture, view: PlaneProjection, box: tuple[Any, Any] | None = None) -> "RectifiedPlane":
        """Rectify ``frame`` between the least and greatest (x, y) of ``box`` in mm; by default all of it."""
        low, high = (np.asarray(corner, np.float64) for corner in box or view.bounds())
        middle, reach = (low + high) / 2, np.minimum((high - low) / 2, MAX_SIDE_PX / SCALE / 2)
        origin = middle - reach
        width, height = (int(x) for x in np.maximum(np.ceil(2 * reach * SCALE), 8))
        to_mm = np.array([[1 / SCALE, 0, origin[0] + 0.5 / SCALE], [0, 1 / SCALE, origin[1] + 0.5 / SCALE], [0, 0, 1]])
        blur = 0.45 * view.pixels_per_mm(middle) / SCALE
        if blur > 0.8:  # the frame is much finer: smooth first, or fine print aliases
            frame = np.asarray(cv2.GaussianBlur(frame, (0, 0), blur))
        fine = view.warp(frame, to_mm, (width, height))
        coarse = cv2.resize(fine, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        return cls(frame, fine, cv2.GaussianBlur(coarse, (0, 0), 0.6), origin, view, _mat_white(frame, view))

    def patches(self, poses: Array, size_mm: tuple[float, float], shape: tuple[int, int], fine: bool = True) -> Array:
        """Cut upright patches of ``size_mm`` around ``poses`` (n, 3: mm, mm, rad): (n, height, width, 3) uint8.

        ``shape``: (width, height) in pixels. What is beyond the picture repeats its border.
        """
        picture, scale = (self.fine, SCALE) if fine else (self.coarse, SCALE / 2)
        width, height = shape
        per_x, per_y = size_mm[0] / width, size_mm[1] / height
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        first_x, first_y = 0.5 * per_x - size_mm[0] / 2, 0.5 * per_y - size_mm[1] / 2
        maps = np.empty((len(poses), 2, 3))
        maps[:, 0, 0], maps[:, 0, 1] = cos * per_x * scale, -sin * per_y * scale
        maps[:, 1, 0], maps[:, 1, 1] = sin * per_x * scale, cos * per_y * scale
        maps[:, 0, 2] = (cos * first_x - sin * first_y + poses[:, 0] - self.origin[0]) * scale - 0.5
        maps[:, 1, 2] = (sin * first_x + cos * first_y + poses[:, 1] - self.origin[1]) * scale - 0.5
        out = np.empty((len(poses), height, width, 3), np.uint8)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        for k in range(len(poses)):
            cv2.warpAffine(picture, maps[k], (width, height), dst=out[k], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return out

    def sharp_patches(self, poses: Array, size_mm: tuple[float, float], shape: tuple[int, int]) -> Array:
        """Cut patches as ``patches`` does, but from the frame itself, so that nothing is lost on the way."""
        width, height = shape
        corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        out = np.empty((len(poses), height, width, 3), np.uint8)
        if self.view.lens is not None:
            scale = np.diag([size_mm[0] / width, size_mm[1] / height, 1.0])
            scale[:2, 2] = (scale[0, 0] - size_mm[0]) / 2, (scale[1, 1] - size_mm[1]) / 2
            for k, (x, y, angle) in enumerate(poses):
                c, s = np.cos(angle), np.sin(angle)
                to_mm = np.array([[c, -s, x], [s, c, y], [0, 0, 1]]) @ scale
                out[k] = self.view.warp(self.frame, to_mm, shape, cv2.BORDER_REPLICATE)
            return out
        for k, pose in enumerate(poses):
            quad = self.view.project(card_corners(pose, size_mm)).astype(np.float32)
            matrix = cv2.getPerspectiveTransform(corners, quad)
            cv2.warpPerspective(self.frame, matrix, shape, dst=out[k], flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return out


def _mat_white(frame: Picture, view: PlaneProjection) -> Array | None:
    """Find the colour (3,) of most of the mat's white places in a picture: a hand or a thing may be upon some.

    Those that are burnt out do not tell the colour of their light.
    """
    columns, rows = view.white_px.T
    found = frame[rows, columns]
    found = found[found.min(1) < BURNT_OUT_GREY]
    if len(found) < LEAST_WHITE_PLACES:
        return None
    return np.asarray(np.median(found / np.maximum(found.max(1, keepdims=True), 1), 0)) * 255


def plane_around(
    frame: Picture, size_mm: tuple[float, float], view: PlaneProjection | None, region: ArrayLike | None
) -> RectifiedPlane:
    """Rectify a frame round ``region`` (n, 2 px), with three quarters of a card added; without one all of it.

    :raises PictureError: a frame of another shape or type
    :raises ValueError: no view
    """
    if view is None:
        raise ValueError("cards of a deck that nobody has taught are read on a mat alone: no view")
    low, high = view.bounds()
    if region is not None:
        inner_low, inner_high = view.bounds(region)
        reach = float(np.hypot(*size_mm)) * 0.75
        low, high = np.maximum(inner_low - reach, low), np.minimum(inner_high + reach, high)
    return RectifiedPlane.of(checked_picture(frame), view, (low, high))
