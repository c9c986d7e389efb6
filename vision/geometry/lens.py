"""Model a lens: radial distortion with two terms (Brown 1966, the first two of OpenCV's model)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import VisionError

Array = NDArray[np.float64]

#: Radius up to which a lens must keep the order of points, in half diagonals: somewhat beyond the picture's corners.
MAX_RADIUS = 1.15


@dataclass(frozen=True, slots=True)
class Lens:
    """Radial distortion; a point of the straight picture is seen at ``centre + (p - centre) · (1 + k1 r² + k2 r⁴)``.

    r is the straight point's distance from ``centre`` (px) in units of ``radius`` (px), half the picture's diagonal; so
    ``k1 + k2`` is the shift at a corner as a share of its distance, below 0 for a wide angle's barrel.

    :raises VisionError: numbers under which parts of the picture would be seen twice
    """

    k1: float
    k2: float
    centre: tuple[float, float]
    radius: float

    def __post_init__(self) -> None:
        r2 = np.linspace(0, MAX_RADIUS, 24) ** 2
        if not np.isfinite([self.k1, self.k2]).all() or (1 + 3 * self.k1 * r2 + 5 * self.k2 * r2 * r2).min() < 0.05:
            raise VisionError(f"lens: no camera bends a picture by k1 {self.k1:.3f} and k2 {self.k2:.3f}")

    @classmethod
    def of(cls, k1: float, k2: float, size: tuple[int, int]) -> "Lens":
        """Make a lens for pictures of ``size`` (width, height), centred in their middle."""
        width, height = size
        return cls(k1, k2, ((width - 1) / 2, (height - 1) / 2), float(np.hypot(width, height)) / 2)

    def distort(self, px: ArrayLike) -> Array:
        """Distort (n, 2) straight px to (n, 2) px as seen."""
        away = np.asarray(px, np.float64) - self.centre
        r2 = (away * away).sum(-1, keepdims=True) / self.radius**2
        r2 = np.minimum(r2, MAX_RADIUS * MAX_RADIUS)  # beyond the picture the terms do not hold: go on straight
        return np.asarray(away * (1 + r2 * (self.k1 + r2 * self.k2)) + self.centre)

    def undistort(self, px: ArrayLike) -> Array:
        """Undistort (n, 2) px as seen to (n, 2) straight px, the inverse of ``distort``."""
        away = np.asarray(px, np.float64) - self.centre
        seen = np.sqrt((away * away).sum(-1, keepdims=True)) / self.radius
        edge = MAX_RADIUS * (1 + MAX_RADIUS**2 * (self.k1 + MAX_RADIUS**2 * self.k2))
        r = seen.copy()
        for _ in range(6):  # Newton; the derivative is above 0.05 everywhere
            r2 = r * r
            value, slope = r * (1 + r2 * (self.k1 + r2 * self.k2)), 1 + r2 * (3 * self.k1 + 5 * r2 * self.k2)
            r = np.clip(r - (value - seen) / np.maximum(slope, 0.05), 0, MAX_RADIUS)
        share = np.where(seen >= edge, MAX_RADIUS / edge, np.divide(r, seen, out=np.ones_like(r), where=seen > 1e-9))
        return np.asarray(away * share + self.centre)

    def cropped(self, dx: float, dy: float) -> "Lens":
        """Move the lens's centre into a part of the picture that begins at (dx, dy) px."""
        return Lens(self.k1, self.k2, (self.centre[0] - dx, self.centre[1] - dy), self.radius)

    @property
    def corner_shift(self) -> float:
        """Shift of the picture's corners, px."""
        return abs(self.k1 + self.k2) * self.radius
