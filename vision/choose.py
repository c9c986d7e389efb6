"""Which of the possible cards are there: the best explained first, and each then owns what it explains.

Cards cover each other, so a tile belongs to one card only. Greedy: take the pose and face with the most evidence,
settle its label against the rivals at the same pose on the same tiles, give it the tiles it explains, go on with what
is left.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.plane import Plane
from vision.refine import Slopes, refined
from vision.tiles import BLANK, INSET, References, TileSet
from vision.view import Array

#: Agreement from which a tile speaks for a card. 0.3 … 0.5.
SPEAKS = 0.4
#: What a tile that disagrees may cost, in units of evidence. 0 … 0.2; more loses covered cards.
AGAINST = 0.04
#: Least evidence of a card: sum over its free tiles of weight × (agreement − SPEAKS). 1 … 3.
ENOUGH = 0.8
#: Two poses closer than this (mm, at nearly one angle) are the same card. 8 … 20.
SAME_PLACE = 12.0
#: A tile whose centre is this far (mm) beyond a covering card is still partly covered. 3 … 6.
TILE_REACH = 4.5
#: Faces looked at for each pose. 6 … 24; time grows with it.
FACES = 10
#: Power of a tile that is lost in noise, squares of paper white. 0.0005 … 0.005.
FAINT = 0.002
#: Agreement from which a tile is owned by the card that explains it. 0.2 … 0.5.
OWNS = 0.3


@dataclass(frozen=True, eq=False)
class Choice:
    """A card found: its pose (rad in 0 … 2π, upright), labels with scores, likeliest first, and its evidence."""

    pose: Array
    labels: tuple[tuple[str, float], ...]
    margin: float
    evidence: float
    printed: float  # the evidence of printed tiles alone: blank paper agrees with any ace
    refuted: float  # share of the visible print that is not there
    row: int  # of the references
    visible: Array  # (tiles,) bool: tiles that no other card covers


class Chooser:
    """Evidence of all poses at once; ``choices`` takes them one by one."""

    def __init__(self, plane: Plane, references: References, slopes: Slopes, poses: Array, rows: Array) -> None:
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
        visible = self._visible(taken)
        if not taken:
            return []
        index = np.array([i for i, _ in taken])
        rows = self.rows[index, [k for _, k in taken]]
        shown = np.array(visible)
        poses = refined(self.plane, self.references, self.slopes, self.poses[index], rows, 3, True, shown)
        seen = self.references.seen(self.plane, poses)
        agreement = self.references.agreement(seen)
        found = [settled(self.references, poses[n], seen, n, agreement[n], shown[n]) for n in range(len(taken))]
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

    def _visible(self, taken: list[tuple[int, int]]) -> list[Array]:
        """For each card taken, its tiles (bool) that no other covers: of two that overlap, the one whose own tiles
        agree better in the common part lies above."""
        visible = [np.ones(len(self.offsets), bool) for _ in taken]
        for a, (i, k) in enumerate(taken):
            for b, (j, m) in enumerate(taken[:a]):
                in_j, in_i = self._within(i, j, 0.0), self._within(j, i, 0.0)
                if not in_j.any() and not in_i.any():
                    continue
                above = self._agreeing(j, m, in_i) - self._agreeing(i, k, in_j)
                if above > 0:
                    visible[a] &= ~self._within(i, j, TILE_REACH)
                else:
                    visible[b] &= ~self._within(j, i, TILE_REACH)
        return visible

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


def settled(ref: References, pose: Array, seen: TileSet, n: int, agreement: Array, free: Array) -> Choice:
    """The label at a pose: rivals compared pair by pair on the tiles that either explains.

    ``seen``: what lies there (its row ``n``), ``agreement``: (2 faces, tiles), ``free``: (tiles,) bool.
    """
    evidence = (ref.weights * np.clip(agreement - SPEAKS, -AGAINST, 1) * free).sum(1)
    upright = np.maximum(evidence[0::2], evidence[1::2])
    order = np.argsort(-upright)
    faces = [f for f in order[:FACES] if upright[f] > 0.35 * upright[order[0]]] or [order[0]]
    rows = np.array([2 * f + int(evidence[2 * f + 1] > evidence[2 * f]) for f in faces])
    vectors, powers, agree = ref.tiles.vectors[rows], ref.tiles.power[rows], agreement[rows]
    # A tile says little if neither rival explains it well, as under glare.
    trust = free * np.clip((agree.max(0) - OWNS) / (1 - OWNS), 0, 1) ** 2
    unit = vectors / np.sqrt(vectors.shape[2] * (powers + FAINT))[..., None]
    here = seen.vectors[n] / np.sqrt(vectors.shape[2] * (seen.power[n] + FAINT))[:, None]
    lead = np.full((len(rows), len(rows)), 1.0)
    for a in range(len(rows)):
        for b in range(a):
            apart = unit[a] - unit[b]
            along = ((here - (unit[a] + unit[b]) / 2) * apart).sum(1)
            # of a tile: -1 … 1 on the way from b to a, whatever its contrast; it counts by how much the faces differ
            ratio = np.clip(2 * along / np.maximum((apart**2).sum(1), 1e-6), -1.5, 1.5)
            weight = np.minimum(((vectors[a] - vectors[b]) ** 2).mean(1), 0.05) * trust
            lead[a, b] = (ratio * weight).sum() / (weight.sum() + 0.01)
            lead[b, a] = -lead[a, b]
    worst = lead.min(1)
    best = int(np.argmax(worst))
    row = int(rows[best])
    turned = pose.copy()  # odd rows are references turned by half
    turned[2] = np.mod(pose[2] + (np.pi if row % 2 else 0), 2 * np.pi)
    scores = [(ref.labels[r // 2], float(evidence[r])) for r in rows]
    scores = [scores[best]] + [score for k, score in enumerate(scores) if k != best]
    own = agreement[row]
    printed = (ref.weights[row] - BLANK) * free
    spoken = float((printed * np.clip(own - SPEAKS, 0, 1)).sum())
    refuted = float((printed * (own < 0.2)).sum() / max(printed.sum(), 1e-6))
    margin = float(np.clip(worst[best], 0, 1))
    return Choice(turned, tuple(scores), margin, float(evidence[row]), spoken, refuted, row, free)
