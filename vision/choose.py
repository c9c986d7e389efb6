"""Which of the possible cards are there: the best explained first, and each then owns what it explains.

Cards cover each other, so a tile belongs to one card only. Greedy: take the pose and face with the most evidence,
settle its label against the rivals at the same pose on the same tiles, give it the tiles it explains, go on with what
is left.
"""

from functools import partial

import cv2
import numpy as np

from vision.plane import Plane
from vision.refine import Slopes, refined
from vision.settle import AGAINST, OWNS, SPEAKS, Choice, settled, widened
from vision.tiles import INSET, References, TileSet
from vision.view import Array, card_corners

#: Least evidence of a card: sum over its free tiles of weight × (agreement − SPEAKS). 1 … 3.
ENOUGH = 0.8
#: Two poses closer than this (mm, at nearly one angle) are the same card. 8 … 20.
SAME_PLACE = 12.0
#: A tile whose centre is this far (mm) beyond a covering card is still partly covered. 3 … 6.
TILE_REACH = 4.5
#: What a covering card hides beyond its edge, mm: its shadow, and what its pose is off. 0.8 … 2.
RIM = 1.2
#: Faces looked at for each pose. 6 … 24; time grows with it.
FACES = 10


class Chooser:
    """Evidence of all poses at once; ``choices`` takes them one by one."""

    def __init__(
        self, plane: Plane, references: References, slopes: Slopes, sharp: References, poses: Array, rows: Array
    ) -> None:
        self.sharp = sharp
        self.plane, self.references, self.slopes, self.poses, self.rows = plane, references, slopes, poses, rows
        self.seen: TileSet = references.seen(plane, poses)
        self.agreement = references.agreement(self.seen, rows)
        self.weights = references.weights[rows]
        across, down = references.grid
        width, height = references.size_mm
        x, y = np.meshgrid(
            ((np.arange(across) + 0.5) / across - 0.5) * width, ((np.arange(down) + 0.5) / down - 0.5) * height
        )
        self.offsets = np.column_stack([x.ravel(), y.ravel()])
        self.tile = np.array([width / across, height / down])
        cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
        self.x = cos * self.offsets[:, 0] - sin * self.offsets[:, 1] + poses[:, :1]
        self.y = sin * self.offsets[:, 0] + cos * self.offsets[:, 1] + poses[:, 1:2]
        self.corner = np.array([self.x.min(), self.y.min()]) - 20
        size = np.ceil(np.array([self.x.max(), self.y.max()]) - self.corner + 20).astype(int)
        self.owned = np.zeros((size[1], size[0]), np.uint8)  # a pixel a millimetre

    def choices(self) -> list[Choice]:
        """Cards, most evidence first, each settled with what the cards above it leave to see."""
        taken = self._taken()
        visible, above = self._visible(taken)
        if not taken:
            return []
        index = np.array([i for i, _ in taken])
        rows = self.rows[index, [k for _, k in taken]]
        shown = np.array(visible)
        poses = refined(self.plane, self.references, self.slopes, self.poses[index], rows, 3, True, shown)
        patches = self.plane.sharp(poses, *widened(self.sharp))
        masks = [open_part(self.sharp, poses[n], poses[above[n]]) for n in range(len(taken))]
        look = partial(where_it_would_lie, self.plane, self.references, self.slopes, self.sharp)
        found = [
            settled(self.sharp, poses[n], patches[n], shown[n], masks[n], partial(look, poses[n], shown[n]))
            for n in range(len(taken))
        ]
        return sorted(found, key=lambda choice: -choice.evidence)

    def _taken(self) -> list[tuple[int, int]]:
        """Poses and faces (as columns) in the order of their evidence, each with the tiles no earlier one owns."""
        taken: list[tuple[int, int]] = []
        still = np.ones(len(self.poses), bool)
        gain = self.weights * np.clip(self.agreement - SPEAKS, -AGAINST, 1)
        columns, rows = (self.x - self.corner[0]).astype(int), (self.y - self.corner[1]).astype(int)
        while still.any():
            free = self.owned[rows, columns] == 0
            evidence = (gain * free[:, None]).sum(2)
            evidence[~still] = -9
            i, k = (int(n) for n in np.unravel_index(int(evidence.argmax()), evidence.shape))
            if evidence[i, k] < ENOUGH:
                break
            taken.append((i, k))
            self._own(i, k, free[i])
            turn = np.abs(np.mod(self.poses[:, 2] - self.poses[i, 2] + np.pi / 2, np.pi) - np.pi / 2)
            near = np.hypot(self.poses[:, 0] - self.poses[i, 0], self.poses[:, 1] - self.poses[i, 1]) < SAME_PLACE
            still &= ~(near & (turn < 0.4))
            still[i] = False
        return taken

    def _visible(self, taken: list[tuple[int, int]]) -> tuple[list[Array], list[list[int]]]:
        """For each card taken, its tiles (bool) of which others cover little, and which of the cards taken lie on it.

        Of two cards that overlap, the one whose own tiles agree better in the common part lies above.
        """
        visible = [np.ones(len(self.offsets), bool) for _ in taken]
        on: list[list[int]] = [[] for _ in taken]
        for a, (i, k) in enumerate(taken):
            for b, (j, m) in enumerate(taken[:a]):
                in_j, in_i = self._within(i, j, 0.0), self._within(j, i, 0.0)
                if not in_j.any() and not in_i.any():
                    continue
                above = self._agreeing(j, m, in_i) - self._agreeing(i, k, in_j)
                covered, under, over = (a, i, j) if above > 0 else (b, j, i)
                on[covered].append(b if above > 0 else a)
                visible[covered] &= ~self._within(under, over, TILE_REACH)
        return visible, on

    def _agreeing(self, i: int, column: int, tiles: Array) -> float:
        """Mean agreement of some tiles, those with print counting more; -1 if there is none."""
        if not tiles.any():
            return -1.0
        weight = self.weights[i, column, tiles]
        return float((weight * self.agreement[i, column, tiles]).sum() / weight.sum())

    def _within(self, i: int, j: int, reach: float) -> Array:
        """(tiles,) bool: which tile centres of pose ``i`` lie within card ``j``, made ``reach`` mm larger."""
        x, y, angle = self.poses[j]
        cos, sin = np.cos(angle), np.sin(angle)
        right, down = self.x[i] - x, self.y[i] - y
        across, along = cos * right + sin * down, -sin * right + cos * down
        width, height = np.array(self.references.size_mm) / 2 + INSET + reach
        return np.asarray((np.abs(across) < width) & (np.abs(along) < height))

    def _own(self, i: int, column: int, free: Array) -> None:
        """Marks what the face in ``column`` explains at pose ``i``."""
        x, y, angle = self.poses[i]
        cos, sin = np.cos(angle), np.sin(angle)
        turn = np.array([[cos, sin], [-sin, cos]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.tile / 2
        for tile in np.flatnonzero(free & (self.agreement[i, column] > OWNS)):
            corners = (self.offsets[tile] + half) @ turn + [x, y] - self.corner
            cv2.fillConvexPoly(self.owned, np.round(corners).astype(np.int32), 1)


def where_it_would_lie(
    plane: Plane, references: References, slopes: Slopes, sharp: References, pose: Array, shown: Array, rows: Array
) -> Array:
    """What is seen where a card would lie if it were each of the references ``rows``, as ``widened`` says."""
    poses = np.repeat(pose[None], len(rows), 0)
    visible = np.repeat(shown[None], len(rows), 0)
    poses = refined(plane, references, slopes, poses, rows, 2, True, visible)
    return plane.sharp(poses, *widened(sharp))


def open_part(sharp: References, pose: Array, above: Array) -> Array:
    """(h, w) uint8 of a patch of the sharp references: 1 where none of the cards at ``above`` (n, 3) lies."""
    (width_mm, height_mm), (width, height) = sharp.size_mm, sharp.shape
    mask = np.ones((height, width), np.uint8)
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    size = (width_mm + 2 * (INSET + RIM), height_mm + 2 * (INSET + RIM))
    for other in above:
        quad = (card_corners(other, size) - pose[:2]) @ np.array([[cos, -sin], [sin, cos]])
        pixels = (quad / (width_mm, height_mm) + 0.5) * (width, height) - 0.5
        cv2.fillConvexPoly(mask, np.round(pixels * 16).astype(np.int32), 0, shift=4)
    return mask
