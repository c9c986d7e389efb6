"""Record which card explains each place on the mat: a raster of a pixel a millimetre, one owner a place at most."""

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.geometry.rectification import SCALE, RectifiedPlane


class OwnershipRaster:
    """Raster of the cards, by number from 0 on, that own the places which their tiles explain.

    ``owner``: (h, w) uint8, 1 + number of the card, 0 where none does; ``corner``: mm of its upper left corner.
    """

    def __init__(self, plane: RectifiedPlane, reach_mm: float) -> None:
        """Make an empty raster; ``reach_mm``: how far beyond the plane cards may be."""
        self.corner = np.floor(plane.origin - reach_mm)
        width, height = np.ceil(np.array(plane.fine.shape[1::-1]) / SCALE + 2 * reach_mm + 1).astype(int)
        self.owner = np.zeros((height, width), np.uint8)

    def cells(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Find rows and columns of points in mm; those beyond it, for a refined pose may drift, at its rim."""
        height, width = self.owner.shape
        rows, columns = (y - self.corner[1]).astype(int), (x - self.corner[0]).astype(int)
        return np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)

    def owners(self, x: Array, y: Array) -> Array:
        """Look up 1 + number of the card that owns each point in mm, 0 where none does."""
        return np.asarray(self.owner[self.cells(x, y)])

    def claim(self, number: int, quads: Array) -> None:
        """Give a card the quads (n, 4, 2) in mm."""
        for quad in quads:
            cv2.fillConvexPoly(self.owner, np.round(quad - self.corner).astype(np.int32), number + 1)

    def clear(self, number: int) -> None:
        """Take from a card all that it owns."""
        self.owner[self.owner == number + 1] = 0

    def remove(self, number: int) -> None:
        """Take a card away; those after it move up by one."""
        self.clear(number)
        self.owner[self.owner > number + 1] -= 1
