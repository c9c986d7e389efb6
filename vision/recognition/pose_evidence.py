"""Compute the evidence of poses and faces, tile by tile, and where on the table the tiles are."""

import numpy as np

from vision.geometry.pose import poses_near
from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.tiles import INSET_MM, ReferenceTiles, tile_support


def tile_centres(references: ReferenceTiles, poses: Array) -> tuple[Array, Array]:
    """Place the tiles of cards at ``poses`` (n, 3: mm, mm, rad): x and y of their centres, (n, tiles) mm each."""
    offsets = references.centres
    cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x = cos * offsets[:, 0] - sin * offsets[:, 1] + poses[:, :1]
    y = sin * offsets[:, 0] + cos * offsets[:, 1] + poses[:, 1:2]
    return x, y


class PoseEvidence:
    """Agreement of faces with the picture at poses; poses are only ever added.

    ``poses``: (n, 3: mm, mm, rad); ``rows``: (n, faces) of the references, the faces that may lie there;
    ``agreement``, ``weights``: (n, faces, tiles); ``x``, ``y``: (n, tiles) mm, the tiles' centres.
    """

    def __init__(self, plane: RectifiedPlane, references: ReferenceTiles, poses: Array, rows: Array) -> None:
        self.plane, self.references = plane, references
        self.poses, self.rows = poses, rows
        self.agreement = references.agreement(references.tiles_at(plane, poses), rows)
        self.x, self.y = tile_centres(references, poses)
        self.weights = references.weights[rows]
        self._within: dict[tuple[int, int, float], Array] = {}  # asked for again with each card taken

    def add(self, poses: Array, rows: Array) -> None:
        """Compare some faces at further poses."""
        more = PoseEvidence(self.plane, self.references, poses, rows)
        self.poses, self.rows = np.vstack([self.poses, more.poses]), np.vstack([self.rows, more.rows])
        self.agreement = np.concatenate([self.agreement, more.agreement])
        self.x, self.y = np.vstack([self.x, more.x]), np.vstack([self.y, more.y])
        self.weights = np.concatenate([self.weights, more.weights])

    def support(self, which: int | slice = slice(None)) -> Array:
        """Weigh how much the tiles of some poses support each face: (…, faces, tiles)."""
        return np.asarray(self.weights[which] * tile_support(self.agreement[which]))

    def mean_agreement(self, i: int, column: int, tiles: Array) -> float:
        """Average the agreement of some tiles of a pose and face, weighed by their print; -1 if there are none."""
        if not tiles.any():
            return -1.0
        weight = self.weights[i, column, tiles]
        return float((weight * self.agreement[i, column, tiles]).sum() / weight.sum())

    def within(self, i: int, j: int, reach_mm: float) -> Array:
        """Find the tiles (tiles,) bool of pose ``i`` with their centre in card ``j``, made ``reach_mm`` larger."""
        key = i, j, reach_mm
        if key not in self._within:
            self._within[key] = self._find_within(i, j, reach_mm)
        return self._within[key]

    def _find_within(self, i: int, j: int, reach_mm: float) -> Array:
        x, y, angle = self.poses[j]
        cos, sin = np.cos(angle), np.sin(angle)
        right, down = self.x[i] - x, self.y[i] - y
        across, along = cos * right + sin * down, -sin * right + cos * down
        width, height = np.array(self.references.size_mm) / 2 + INSET_MM + reach_mm
        return np.asarray((np.abs(across) < width) & (np.abs(along) < height))

    def near(self, i: int, mm: float, rad: float) -> Array:
        """Find the poses (n,) bool near pose ``i``."""
        return poses_near(self.poses, self.poses[i], mm, rad)
