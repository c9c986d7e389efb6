"""Place cards and camera: poses in mm on the table, quads, and the projection into the picture."""

import math
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

import cv2
import numpy as np

from vision.geometry.lens import Lens

#: Width and height of a simulated picture in pixels, where no other is asked for.
SIZE = (1280, 720)
#: Sizes that cameras give.
SIZES = ((640, 480), (1280, 720), (1920, 1080))
#: Name → k1 and k2 of ``geometry.lens.Lens``. ``wide``: twice what a published calibration of a Raspberry Pi Camera
#: Module 3 Wide gives for a cropped picture (1.8 % at its corners); ``webcam``: a cheap wide angle.
LENSES = MappingProxyType(
    {"none": (0.0, 0.0), "wide": (-0.045, 0.006), "webcam": (-0.13, 0.025), "cushion": (0.03, -0.008)}
)

Homography: TypeAlias = np.ndarray  # (3, 3) float64, mm on the table → px; a pixel's centre has whole numbers


@dataclass(frozen=True, slots=True)
class CardPose:
    """Centre of a card in mm and its turn in radians, clockwise as seen; 0 is upright."""

    x: float
    y: float
    angle: float

    def quad(self, size_mm: tuple[float, float], spare: float = 0.0) -> np.ndarray:
        """Compute the corners (4, 2) in mm: top left of the face first, then clockwise; ``spare`` mm more all round."""
        width, height = size_mm[0] / 2 + spare, size_mm[1] / 2 + spare
        return self.place(np.array([(-width, -height), (width, -height), (width, height), (-width, height)]))

    def place(self, points: np.ndarray) -> np.ndarray:
        """Transform (n, 2) points in the card's own mm, its centre at the origin, to mm on the table."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        placed: np.ndarray = points @ np.array([(c, s), (-s, c)]) + (self.x, self.y)
        return placed


def to_px(homography: Homography, mm: np.ndarray) -> np.ndarray:
    """Project (n, 2) mm to (n, 2) px."""
    projected: np.ndarray = cv2.perspectiveTransform(np.asarray(mm, np.float64).reshape(1, -1, 2), homography)[0]
    return projected


def to_mm(homography: Homography, px: np.ndarray) -> np.ndarray:
    """Project (n, 2) px back to (n, 2) mm."""
    return to_px(np.linalg.inv(homography), px)


def look_down(
    focal_px: float,
    px_per_mm: float,
    tilt: float,
    towards: float,
    turn: float = 0.0,
    at: tuple[float, float] = (0, 0),
    size: tuple[int, int] = SIZE,
) -> Homography:
    """Return the view of a camera above the table that is pointed at ``at`` (mm).

    :param focal_px: focal length in pixels; the smaller, the stronger the perspective.
    :param px_per_mm: scale in the middle of the picture.
    :param tilt: angle off the vertical in radians, ``towards`` this direction.
    :param turn: rotation about the line of sight in radians.
    """
    axis = np.array([math.cos(towards), math.sin(towards), 0.0]) * tilt
    rotation = cv2.Rodrigues(np.array([0.0, 0.0, turn]))[0] @ cv2.Rodrigues(axis)[0]
    camera = np.array([(focal_px, 0, (size[0] - 1) / 2), (0, focal_px, (size[1] - 1) / 2), (0, 0, 1)])
    away = np.array([0, 0, focal_px / px_per_mm]) - rotation @ np.array([*at, 0.0])
    view = camera @ np.column_stack([rotation[:, 0], rotation[:, 1], away])
    mat_to_picture: Homography = view / view[2, 2]
    return mat_to_picture


def disturbed(
    homography: Homography, rng: np.random.Generator, sigma_px: float = 0.7, size: tuple[int, int] = SIZE
) -> Homography:
    """Return the same view as a calibration finds it: known at four points of the picture to ``sigma_px``."""
    w, h = size
    points = np.array([(100, 100), (w - 100, 100), (w - 100, h - 100), (100, h - 100)], np.float32)
    seen = points + rng.normal(0, sigma_px, (4, 2)).astype(np.float32)
    return cv2.getPerspectiveTransform(to_mm(homography, points).astype(np.float32), seen)


def lens_of(name: str | None, size: tuple[int, int] = SIZE) -> Lens | None:
    """Return the lens of this name in ``LENSES`` for pictures of this size; None where it bends nothing.

    :raises KeyError: for an unknown name
    """
    k1, k2 = LENSES[name or "none"]
    return Lens.of(k1, k2, size) if k1 or k2 else None


@lru_cache(maxsize=4)
def _through(lens: Lens, size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(np.arange(size[0], dtype=np.float64), np.arange(size[1], dtype=np.float64))
    straight = lens.undistort(np.stack([x.ravel(), y.ravel()], 1)).reshape(size[1], size[0], 2).astype(np.float32)
    return cv2.convertMaps(straight[..., 0], straight[..., 1], cv2.CV_16SC2)


def through(lens: Lens, picture: np.ndarray) -> np.ndarray:
    """Distort a straight picture, (H, W, 3), as this lens does."""
    maps = _through(lens, (picture.shape[1], picture.shape[0]))
    return cv2.remap(picture, *maps, interpolation=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)


def overlap(a: np.ndarray, b: np.ndarray) -> float:
    """Compute the area that two convex quads share."""
    return float(cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))[0])


def visible(region: np.ndarray, above: list[np.ndarray]) -> float:
    """Share of a quad that none of the quads above it covers, 0 … 1 (counted on a grid of 60 cells)."""
    low, extent = region.min(0), np.ptp(region, axis=0)
    scale = 60 / extent.max()
    grid = np.zeros((int(extent[1] * scale) + 2, int(extent[0] * scale) + 2), np.uint8)
    cv2.fillConvexPoly(grid, ((region - low) * scale).round().astype(np.int32), 1)
    whole = int(grid.sum())
    for quad in above:
        cv2.fillConvexPoly(grid, ((quad - low) * scale).round().astype(np.int32), 0)
    return int(grid.sum()) / max(1, whole)


def index_corners(pose: CardPose, size_mm: tuple[float, float]) -> list[np.ndarray]:
    """Return the two corners of a card, 20 % × 22 % of it, that carry its indices, as quads in mm."""
    w, h = size_mm
    corner = np.array([(-w / 2, -h / 2), (-0.3 * w, -h / 2), (-0.3 * w, -0.28 * h), (-w / 2, -0.28 * h)])
    return [pose.place(corner), pose.place(-corner)]


def in_view(homography: Homography, quad_mm: np.ndarray, margin_px: float = 8.0, size: tuple[int, int] = SIZE) -> bool:
    """Check whether the whole quad is in the picture."""
    px = to_px(homography, quad_mm)
    return bool((px > margin_px).all() and (px < np.array(size) - margin_px).all())
