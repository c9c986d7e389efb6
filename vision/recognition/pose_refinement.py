"""Refine poses: move a card until what it covers agrees best with a reference.

Gauss-Newton on the reference's own gradients, which need not be computed again at each step (Baker and Matthews,
*Lucas-Kanade 20 years on*, 2004, inverse compositional), tile by tile: a tile that does not agree is most likely
covered and has no weight.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.images import Picture
from vision.recognition.tiles import INSET_MM, ReferenceTiles, cut_tiles


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseRefinementParams:
    """Parameters of the refinement of poses."""

    #: Gauss-Newton steps of the eight degrees of a homography. 4 … 12; each cuts out the card once.
    homography_steps: int = 7
    #: Agreement above which a tile has weight. 0 … 0.4.
    weight_above: float = 0.15
    #: Longest step, mm, and rad. Longer ones come from tiles that do not belong to the card.
    max_step_mm: float = 1.5
    max_step_rad: float = 0.03


PARAMS = PoseRefinementParams()


@dataclass(frozen=True, eq=False)
class PoseRefiner:
    """Moves poses to where they agree best with ``references``.

    How an upright face's tiles change as a card moves, by mm right, mm down (in its own frame) and rad: ``images``, the
    steepest descent images (faces, 3, tiles × 3 s²), and ``hessian``, their products (faces, tiles, 3, 3).
    ``fine``: compares with the plane at full scale.
    """

    references: ReferenceTiles
    images: Array
    hessian: Array
    fine: bool

    @classmethod
    def of(cls, references: ReferenceTiles, *, fine: bool) -> "PoseRefiner":
        """Compute the steepest descent images of all references."""
        side = references.side
        across, rows = references.grid
        images = np.empty((len(references.patches), 3, rows * across, 3 * side * side), np.float32)
        height, width = references.patches.shape[1:3]
        per_x, per_y = references.size_mm[0] / width, references.size_mm[1] / height
        x = (((np.arange(width) + 0.5) * per_x - references.size_mm[0] / 2)[None, :, None]).astype(np.float32)
        y = (((np.arange(height) + 0.5) * per_y - references.size_mm[1] / 2)[:, None, None]).astype(np.float32)
        for n, patch in enumerate(references.patches):
            # The unit is that of the references' own tiles: divide by the same white as they were.
            power = float(_power(patch[None].astype(np.float32), side).sum())
            scale = np.float32(np.sqrt(references.tiles.power[n].sum() / max(power, 1e-6)))
            down, right = np.gradient(patch.astype(np.float32) * scale, per_y, per_x, axis=(0, 1))
            images[n] = [_as_tiles(part, references) for part in (right, down, x * down - y * right)]
        by_tile = images.swapaxes(1, 2)
        return cls(references, images.reshape(len(images), 3, -1), np.matmul(by_tile, by_tile.swapaxes(2, 3)), fine)

    def refine(
        self, plane: RectifiedPlane, poses: Array, rows: Array, steps: int, visible: Array | None = None
    ) -> Array:
        """Move ``poses`` (n, 3) to where each agrees best with one reference, ``rows`` (n,).

        ``steps``: 2 … 6; each cuts out every pose once. ``visible``: (n, tiles) bool, the tiles that have weight; by
        default all.
        """
        references, poses = self.references, poses.copy()
        faces, turned = rows // 2, rows % 2 == 1
        poses[:, 2] += np.pi * turned  # the same card, its face upright
        if visible is not None:
            visible = np.where(turned[:, None], visible[:, ::-1], visible)
        targets, hessian = references.tiles.vectors[faces], self.hessian[faces]
        for _ in range(steps):
            seen = cut_tiles(plane.patches(poses, references.size_mm, references.shape, self.fine), references.side)
            agreement, gain = references.fit(seen, faces, targets)
            weight = np.clip(agreement - PARAMS.weight_above, 0, 1)
            if visible is not None:
                weight = weight * visible
            off = seen.vectors * gain[..., None]
            off -= targets
            off *= weight[..., None]
            push = np.stack([self.images[r] @ o.ravel() for r, o in zip(faces, off, strict=True)])
            matrix = np.einsum("ptab,pt->pab", hessian, weight)
            size = np.trace(matrix, axis1=1, axis2=2)[:, None, None] / 3
            matrix = matrix + (1e-3 * size + 1e-6) * np.diag([1.0, 1.0, 500.0])[None]
            move = -np.linalg.solve(matrix, push[..., None])[..., 0]
            limit = np.minimum(1.0, PARAMS.max_step_mm / np.maximum(np.hypot(move[:, 0], move[:, 1]), 1e-6))
            move[:, :2] *= limit[:, None]
            move[:, 2] = np.clip(move[:, 2], -PARAMS.max_step_rad, PARAMS.max_step_rad)
            cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
            poses[:, 0] += cos * move[:, 0] - sin * move[:, 1]
            poses[:, 1] += sin * move[:, 0] + cos * move[:, 1]
            poses[:, 2] += move[:, 2]
        poses[:, 2] -= np.pi * turned
        return poses


def _power(patches: Array, side: int) -> Array:
    """Compute the power of each tile of patches, (n, tiles)."""
    n, height, width, _ = patches.shape
    parts = patches.reshape(n, height // side, side, width // side, side, 3).transpose(0, 1, 3, 2, 4, 5)
    parts = parts.reshape(n, -1, side * side, 3)
    return np.asarray(((parts - parts.mean(2, keepdims=True)) ** 2).mean((2, 3)))


def refine_homography(picture: Picture, references: ReferenceTiles, quad: Array, row: int, visible: Array) -> Array:
    """Move a card's ``quad`` ((4, 2) px, clockwise) freely until it agrees best with reference ``row``.

    All eight degrees of a homography: for pictures whose plane is known only roughly, and cards that are bent.
    ``visible``: (tiles,) bool, the tiles that have weight.
    """
    if row % 2:  # the same card turned by half, its face upright
        opposite = [2, 3, 0, 1]
        return refine_homography(picture, references, quad[opposite], row - 1, visible[::-1])[opposite]
    width, height = references.size_mm
    half = np.array([width, height]) / 2
    inner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    outer = inner * (half + INSET_MM) / half
    face = row // 2
    right, down, x, y = _gradients(references, face)
    fields = _fields(x, y, half[1])
    images = np.stack([_as_tiles(right * u + down * v, references) for u, v in fields], 1)  # (tiles, 8, n)
    hessian = np.einsum("tai,tbi->tab", images, images)
    target = references.tiles.vectors[face]
    damping = np.diag([0.0, 0.0, 0.0, 0.02, 0.05, 0.05, 0.1, 0.1])
    best: tuple[float, Array] | None = None
    for step in range(PARAMS.homography_steps + 1):
        to_px = cv2.getPerspectiveTransform(outer.astype(np.float32), quad.astype(np.float32))
        corners = cv2.perspectiveTransform(inner.reshape(-1, 1, 2), to_px).reshape(-1, 2)
        seen = cut_tiles(warp_quad(picture, corners, references.shape)[None], references.side)
        agreement, gain = (values[0] for values in references.fit(seen, np.array([face]), target[None]))
        weight = np.clip(agreement - PARAMS.weight_above, 0, 1) * visible
        total = float((weight * references.weights[row]).sum())
        if best is None or total > best[0]:
            best = total, quad
        if step == PARAMS.homography_steps:
            break
        off = seen.vectors[0] * gain[:, None] - target
        matrix = np.einsum("tab,t->ab", hessian, weight)
        push = np.einsum("tai,ti,t->a", images, off, weight)
        size = float(np.trace(matrix)) / 8 + 1e-6
        move = -np.linalg.solve(matrix + size * (damping + 1e-3 * np.eye(8)), push)
        move *= min(1.0, 2 * PARAMS.max_step_mm / max(float(np.abs(move).max()), 1e-6))
        ways = _fields(outer[:, 0], outer[:, 1], half[1])
        shift = sum(m * np.column_stack(way) for m, way in zip(move, ways, strict=True))
        quad = cv2.perspectiveTransform((outer + shift).reshape(-1, 1, 2), to_px).reshape(-1, 2)
    assert best is not None
    return best[1]


def _fields(x: Array, y: Array, unit: float) -> list[tuple[Array, Array]]:
    """List the eight motions of a homography at places in mm, each about a millimetre at the card's ends."""
    one, none = np.ones_like(x), np.zeros_like(x)
    x, y = x / unit, y / unit
    return [(one, none), (none, one), (-y, x), (x, y), (x, -y), (y, x), (x * x, x * y), (x * y, y * y)]


def _gradients(references: ReferenceTiles, face: int) -> tuple[Array, Array, Array, Array]:
    """Compute an upright face's gradients right and down, (h, w, 3) in its tiles' unit a mm, and x, y in mm."""
    patch = references.patches[face].astype(np.float32)
    height, width = patch.shape[:2]
    per_x, per_y = references.size_mm[0] / width, references.size_mm[1] / height
    x = ((np.arange(width) + 0.5) * per_x - references.size_mm[0] / 2)[None, :, None] + np.zeros((height, 1, 1))
    y = ((np.arange(height) + 0.5) * per_y - references.size_mm[1] / 2)[:, None, None] + np.zeros((1, width, 1))
    scale = np.sqrt(references.tiles.power[face].sum() / max(float(_power(patch[None], references.side).sum()), 1e-6))
    down, right = np.gradient(patch * scale, per_y, per_x, axis=(0, 1))
    return right, down, x, y


def _as_tiles(slope: Array, references: ReferenceTiles) -> Array:
    """Cut (h, w, 3) into tiles (tiles, n), each channel of a tile with zero mean."""
    across, rows = references.grid
    side = references.side
    parts = slope.reshape(rows, side, across, side, 3).transpose(0, 2, 1, 3, 4).reshape(rows * across, side * side, 3)
    return np.asarray((parts - parts.mean(1, keepdims=True)).reshape(rows * across, -1), np.float32)


def warp_quad(picture: Picture, quad: Array, shape: tuple[int, int]) -> Array:
    """Warp the inside of a quad to a rectangle: (h, w, 3) uint8."""
    width, height = shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners - 0.5, quad.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(picture, matrix, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE)
