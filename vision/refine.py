"""Poses made exact: a card is moved until what it covers agrees best with a reference.

Gauss-Newton on the reference's own gradients, which need not be computed anew at each step (Baker and Matthews,
*Lucas-Kanade 20 years on*, 2004, inverse compositional), tile by tile: a tile that does not agree is most likely
covered and has no say.
"""

from dataclasses import dataclass

import numpy as np

from vision.plane import Plane
from vision.tiles import References, cut
from vision.view import Array

#: Steps. 2 … 6; each costs a cut-out a pose.
STEPS = 3
#: Agreement from which a tile has a say. 0 … 0.4.
SAY = 0.15
#: Longest step, mm, and rad. Longer ones come from tiles that do not belong to the card.
MOST_MM, MOST_RAD = 1.5, 0.03


@dataclass(frozen=True, eq=False)
class Slopes:
    """How a reference's tiles change as a card moves: by mm right, mm down (in its own frame) and rad.

    ``steepest``: (2 faces, tiles, 3, 3 s²), ``normal``: (2 faces, tiles, 3, 3).
    """

    steepest: Array
    normal: Array

    @classmethod
    def of(cls, references: References) -> "Slopes":
        """Slopes of all references."""
        patches = references.patches.astype(np.float32)
        n, height, width, _ = patches.shape
        per_x, per_y = references.size_mm[0] / width, references.size_mm[1] / height
        down, right = np.gradient(patches, per_y, per_x, axis=(1, 2))
        x = ((np.arange(width) + 0.5) * per_x - references.size_mm[0] / 2)[None, None, :, None]
        y = ((np.arange(height) + 0.5) * per_y - references.size_mm[1] / 2)[None, :, None, None]
        side = references.side
        across, rows = references.grid
        # The unit is that of the references' own tiles: divide by the same white as they were.
        scale = np.sqrt(references.tiles.power.sum(1) / np.maximum(_power(patches, side).sum(1), 1e-6))

        def tiled(slope: Array) -> Array:
            slope = slope * scale[:, None, None, None]
            parts = slope.reshape(n, rows, side, across, side, 3).transpose(0, 1, 3, 2, 4, 5)
            parts = parts.reshape(n, rows * across, side * side, 3)
            return np.asarray((parts - parts.mean(2, keepdims=True)).reshape(n, rows * across, -1), np.float32)

        steepest = np.stack([tiled(right), tiled(down), tiled(np.asarray(x * down - y * right))], 2)
        return cls(steepest, np.einsum("rtai,rtbi->rtab", steepest, steepest))


def _power(patches: Array, side: int) -> Array:
    n, height, width, _ = patches.shape
    parts = patches.reshape(n, height // side, side, width // side, side, 3).transpose(0, 1, 3, 2, 4, 5)
    parts = parts.reshape(n, -1, side * side, 3)
    return np.asarray(((parts - parts.mean(2, keepdims=True)) ** 2).mean((2, 3)))


def refined(
    plane: Plane,
    references: References,
    slopes: Slopes,
    poses: Array,
    rows: Array,
    steps: int = STEPS,
    fine: bool = False,
    visible: Array | None = None,
) -> Array:
    """``poses`` (n, 3) moved to where each agrees best with reference ``rows`` (n,).

    ``visible``: (n, tiles) bool, the tiles that have a say; by default all.
    """
    poses = poses.copy()
    for _ in range(steps):
        seen = cut(plane.patches(poses, references.size_mm, references.shape, fine), references.side)
        agreement, gain = references.agreement(seen, rows[:, None]), references.gain(seen, rows)
        say = np.clip(agreement[:, 0] - SAY, 0, 1)
        if visible is not None:
            say = say * visible
        off = seen.vectors * gain[..., None] - references.tiles.vectors[rows]
        push = np.einsum("ptai,pti,pt->pa", slopes.steepest[rows], off, say)
        matrix = np.einsum("ptab,pt->pab", slopes.normal[rows], say)
        size = np.trace(matrix, axis1=1, axis2=2)[:, None, None] / 3
        matrix = matrix + (1e-3 * size + 1e-6) * np.diag([1.0, 1.0, 500.0])[None]
        move = -np.linalg.solve(matrix, push[..., None])[..., 0]
        limit = np.minimum(1.0, MOST_MM / np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-6))
        move[:, :2] *= limit[:, None]
        move[:, 2] = np.clip(move[:, 2], -MOST_RAD, MOST_RAD)
        cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
        poses[:, 0] += cos * move[:, 0] - sin * move[:, 1]
        poses[:, 1] += sin * move[:, 0] + cos * move[:, 1]
        poses[:, 2] += move[:, 2]
    return poses
