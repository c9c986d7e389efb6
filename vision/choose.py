"""Which of the possible cards are there: the best explained first, and each then owns what it explains.

Cards cover each other, so a tile belongs to one card only. Greedy: take the pose and face with the most evidence,
settle its label against the rivals at the same pose on the same tiles, give it the tiles it explains, go on with what
is left.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import cv2
import numpy as np

from vision.board import Pose
from vision.leftover import left_over
from vision.plane import SCALE, Plane
from vision.refine import Slopes, refined
from vision.settle import AGAINST, OWNS, SPEAKS, Choice, settled, widened
from vision.tiles import BLANK, INSET, References
from vision.view import Array, card_corners

#: Least evidence of a card: sum over its free tiles of weight × (agreement − SPEAKS). 0.5 … 2.
ENOUGH = 0.65
#: Share of a card's tiles that no other may explain. 0.1 … 0.25; where 40 % of a card shows it is 0.17 at least.
LEAST_FREE = 0.13
#: Two poses closer than this (mm, at nearly one angle) are the same card. 8 … 20.
SAME_PLACE = 12.0
#: Poses closer than this (mm, at one angle) to one that no card stands at are given up with it. 1 … 4.
GIVEN_UP = 2.5
#: A tile whose centre is this far (mm) beyond a covering card is still partly covered. 3 … 6.
TILE_REACH = 4.5
#: What a covering card hides beyond its edge, mm: its shadow, and what its pose is off. 0.8 … 2.
RIM = 1.2
#: Share of its print that may be refuted where a card lies, as long as others may still be found on it. 0.4 … 0.7.
REFUTED = 0.55
#: Evidence of print below which a better place is looked for. 0.8 … 2.
WEAK = 1.2
#: A card may lie elsewhere if its print has less evidence than this and the lesser share of it is found, or less than
#: that and more than this share of it is absent. 3 … 6; 0.4 … 0.6; 8 … 14; 0.04 … 0.1.
LITTLE, MOST, MUCH, LACKING = 4.5, 0.5, 10.0, 0.05
#: How far it is then looked for across and along it, and in what steps, mm: pips repeat. 5 … 10; 15 … 30; 1.5 … 2.5.
ACROSS, ALONG, STEP = 8.0, 24.0, 2.0
#: Of these places, those that are looked at closely. 2 … 6.
CLOSELY = 3
#: mm and rad within which two of them, refined, are one. 0.5 … 2, 0.02 … 0.05.
SAME = 1.0, 0.03
#: mm and rad within which a card is one that is known to lie there. 2 … 6; pips are 10 apart at least. 0.05 … 0.2.
KNOWN = 4.0, 0.1
#: Only of a card of which less shows: of others the outline is exact. 0.6 … 0.9.
GAP = 0.8
#: Where a better place is looked for then, mm.
NARROW = np.array([(x, y, 0.0) for y in range(-3, 4) for x in range(-3, 4)])
#: Of these places, those that are compared in detail. 8 … 49.
LIKELY = 12
#: Margin below which, and share of refuted print from which, a card's pose may be wrong. 0.3 … 0.6; 0.1 … 0.25.
SHAKY, OFF = 0.5, 0.15
#: Where a better one is looked for then, mm and rad; and how much more print must agree there. 1.02 … 1.2.
ROUND_ABOUT = np.array([(x, y, turn) for turn in (-0.05, 0, 0.05) for y in range(-4, 5, 2) for x in range(-4, 5, 2)])
BETTER = 1.05
#: Faces looked at for each pose. 6 … 24; time grows with it.
FACES = 10


class Chooser:
    """Evidence of all poses at once; ``choices`` takes them one by one."""

    def __init__(
        self,
        plane: Plane,
        references: References,
        slopes: Slopes,
        sharp: References,
        coarse: References,
        poses: Array,
        rows: Array,
    ) -> None:
        self.sharp, self.coarse = sharp, coarse
        self.plane, self.references, self.slopes = plane, references, slopes
        across, down = references.grid
        width, height = references.size_mm
        x, y = np.meshgrid(
            ((np.arange(across) + 0.5) / across - 0.5) * width, ((np.arange(down) + 0.5) / down - 0.5) * height
        )
        self.offsets = np.column_stack([x.ravel(), y.ravel()])
        self.tile = np.array([width / across, height / down])
        reach = float(np.hypot(width, height)) / 2
        self.corner = np.floor(plane.origin - reach)
        size = np.ceil(np.array(plane.fine.shape[1::-1]) / SCALE + 2 * reach + 1).astype(int)
        self.owned = np.zeros((size[1], size[0]), np.uint8)  # a pixel a millimetre; 1 + number of the card taken
        self.taken: list[tuple[int, int]] = []  # pose and face (as column), in the order of their evidence
        self.poses, self.rows = poses[:0], rows[:0]
        self.given_up = poses[:0]  # poses at which no card can stand
        self._exact: dict[tuple[int, int], Array] = {}
        self._settled: dict[tuple[tuple[int, int], frozenset[tuple[int, int]]], Choice] = {}
        self.agreement = np.zeros((0, FACES, len(self.offsets)), np.float32)
        self.x = self.y = np.zeros((0, len(self.offsets)))
        self.add(poses, rows)
        self.take()

    def add(self, poses: Array, rows: Array) -> None:
        """Further possible poses (n, 3), and the faces that may lie there: rows (n, faces) of the references."""
        references = self.references
        agreement = references.agreement(references.seen(self.plane, poses), rows)
        x, y = self._tiles_of(poses)
        self.poses, self.rows = np.vstack([self.poses, poses]), np.vstack([self.rows, rows])
        self.agreement = np.concatenate([self.agreement[:, : rows.shape[1]], agreement])
        self.x, self.y = np.vstack([self.x, x]), np.vstack([self.y, y])
        self.weights = references.weights[self.rows]

    def unexplained(self) -> Array | None:
        """(h, w) uint8, a pixel a millimetre from ``corner`` on: not 0 where paper lies that no card taken explains.

        None where nothing of a card's size is left. Cards of which more is refuted than shown are taken back before.
        """
        for n in reversed(range(len(self.taken))):
            i, k = self.taken[n]
            tiles = np.isin(self.owned[self._at(i)], (0, n + 1))
            printed = (self.weights[i, k] - BLANK) * tiles
            if (printed * (self.agreement[i, k] < 0.2)).sum() > REFUTED * printed.sum():
                self._take_back(n)
        return left_over(self.plane, self.owned, self.corner) if self.taken else None

    def choices(self, lying: Sequence[tuple[Pose, str]] = ()) -> list[Choice]:
        """Cards, most evidence first, each settled with what the cards above it leave to see.

        ``lying``: poses and labels of cards known to lie there; none of them may lie elsewhere.
        """
        rivals = {
            n: self._elsewhere(n)
            for n, choice in enumerate(self._each())
            if self._may_lie_elsewhere(choice) and not any(_is(choice, *card) for card in lying)
        }
        found = self._each()
        for n, rival in rivals.items():
            margin = 1 - rival / max(_borne_out(found[n]), 1e-6)
            found[n] = replace(found[n], margin=float(np.clip(margin, 0, found[n].margin)))
        return sorted(found, key=lambda choice: -choice.evidence)

    def _may_lie_elsewhere(self, choice: Choice) -> bool:
        """Whether so little of a card's print is found, or so much absent, that it may be another a few pips away."""
        possible = float((self.sharp.weights[choice.row] - BLANK)[choice.visible].sum())
        little = choice.printed < min(LITTLE, MOST * possible)
        return choice.evidence > 0.5 * WEAK and (little or (choice.refuted > LACKING and choice.printed < MUCH))

    def _elsewhere(self, n: int) -> float:
        """Moves the card taken with number ``n`` to where more print agrees; the evidence of the best other face.

        The outline of a card in a narrow gap may be off, and pips, which repeat, then agree with those of a face that
        has more or fewer of them.
        """
        here = self._each()
        i = self.taken[n][0]
        x, y = (g.ravel() for g in np.mgrid[-ACROSS : ACROSS + 0.1 : STEP, -ALONG : ALONG + 0.1 : STEP])
        cos, sin = np.cos(self.poses[i, 2]), np.sin(self.poses[i, 2])
        poses = self.poses[i] + np.column_stack([cos * x - sin * y, sin * x + cos * y, np.zeros(len(x))])
        others = [m + 1 for m, choice in enumerate(here) if m != n and choice.printed >= WEAK]
        free = ~np.isin(self.owned[self._cells(*self._tiles_of(poses))], others)
        agreement = self.coarse.agreement_at(self.plane, poses)
        evidence = np.einsum("nft,ft,nt->nf", np.clip(agreement - SPEAKS, -AGAINST, 1), self.coarse.weights, free)
        best = np.argsort(-evidence.max(1))[:CLOSELY]
        rows = np.argsort(-evidence[best], 1)[:, : self.rows.shape[1]]
        poses = refined(self.plane, self.references, self.slopes, poses[best], rows[:, 0], 3, True, free[best])
        new = _new(poses, here[n].pose)  # most come back to where they set out
        if not new:
            return 0.0
        self.add(poses[new], rows[new])
        tries = [(here[n], self.taken[n])]
        for j, open_ in zip(range(len(self.poses) - len(new), len(self.poses)), free[best[new]], strict=True):
            gain = self.weights[j] * np.clip(self.agreement[j] - SPEAKS, -AGAINST, 1) * open_
            self.taken[n] = j, int(gain.sum(1).argmax())
            (there,) = self._each(n)
            tries.append((there, self.taken[n]))
        choice, self.taken[n] = max(tries, key=lambda one: _borne_out(one[0]))
        if self.taken[n][0] != i:
            self.owned[self.owned == n + 1] = 0
            self._own(n, ~np.isin(self.owned[self._at(self.taken[n][0])], others))
        return max((_borne_out(other) for other, _ in tries if other.labels[0][0] != choice.labels[0][0]), default=0.0)

    def give_up(self, stands: Callable[[Choice], bool]) -> bool:
        """Takes back for good cards whose choices do not stand; whether there were any.

        Only those that no other of them covers: with these gone, and others found there, what they covered may stand.
        """
        bad = {n for n, choice in enumerate(self._each()) if not stands(choice)}
        _, above = self._visible(self.taken)
        for n in sorted({n for n in bad if not bad & set(above[n])} or bad, reverse=True):
            self._give_up(n)
        return bool(bad)

    def standing(self, stands: Callable[[Choice], bool]) -> dict[tuple[int, int], Choice]:
        """Of the cards taken, by pose and face, those whose choices stand."""
        each = zip(self.taken, self._each(), strict=True)
        return {which: choice for which, choice in each if stands(choice)}

    def defend(self, before: dict[tuple[int, int], Choice], stands: Callable[[Choice], bool]) -> None:
        """Takes back for good new cards under which those that stood ``before`` and explain more would no longer."""
        each = self._each()
        _, above = self._visible(self.taken)
        harm = np.zeros(len(each))
        for n, choice in enumerate(each):
            if self.taken[n] in before and not stands(choice):
                harm[[m for m in above[n] if self.taken[m] not in before]] += before[self.taken[n]].evidence
        for n in reversed(range(len(each))):
            if harm[n] > (each[n].evidence if stands(each[n]) else 0):
                self._give_up(n)

    def _give_up(self, n: int) -> None:
        self.given_up = np.vstack([self.given_up, self.poses[self.taken[n][0]]])
        self._take_back(n)

    def _take_back(self, n: int) -> None:
        del self.taken[n]
        self.owned[self.owned == n + 1] = 0
        self.owned[self.owned > n + 1] -= 1

    def _each(self, only: int | None = None) -> list[Choice]:
        """The choice of each card taken, or of one ``only``; one settled before, with the same cards above it, is not
        settled again.
        """
        taken = self.taken
        visible, above = self._visible(taken)
        keys = {n: (taken[n], frozenset(taken[m] for m in above[n])) for n in range(len(taken)) if only in (None, n)}
        new = [n for n, key in keys.items() if key not in self._settled]
        if new:
            index = np.array([taken[n][0] for n in new])
            rows = self.rows[index, [taken[n][1] for n in new]]
            shown = np.array([visible[n] for n in new])
            exact = refined(self.plane, self.references, self.slopes, self.poses[index], rows, 3, True, shown)
            self._exact.update({taken[n]: pose for n, pose in zip(new, exact, strict=True)})
        for n in new:
            over = np.array([self._exact[taken[m]] for m in above[n]]).reshape(-1, 3)
            self._settled[keys[n]] = self._choice(n, visible[n], over)
        return [self._settled[key] for key in keys.values()]

    def _choice(self, n: int, shown: Array, above: Array) -> Choice:
        """A card taken, settled. ``shown``: (tiles,) bool, hardly covered; ``above``: (m, 3) what covers it."""
        i, k = self.taken[n]
        pose = self._exact[i, k]
        patch = self.plane.sharp(pose[None], *widened(self.sharp))[0]
        look = partial(where_it_would_lie, self.plane, self.references, self.slopes, self.sharp, pose, shown)
        choice = settled(self.sharp, pose, patch, shown, open_part(self.sharp, pose, above), look)
        if choice.evidence > 0.5 * WEAK and choice.printed < WEAK and choice.open.mean() < GAP:
            again = self._searched(choice, self.rows[i], above, NARROW)
            return again if again.printed > choice.printed else choice
        for _ in range(2):
            if choice.printed < WEAK or (choice.margin > SHAKY and choice.refuted < OFF):
                break
            again = self._searched(choice, self.rows[i], above, ROUND_ABOUT)
            if again.printed < BETTER * choice.printed:
                break
            choice = again
        return choice

    def _searched(self, choice: Choice, rows: Array, above: Array, moves: Array) -> Choice:
        """A card that agrees badly, settled where it does better after one of ``moves`` (n, 3: mm, mm, rad).

        The outline of an ace in a narrow gap may be off by 3 mm, and its small index then agrees with nothing; in glare
        a pose may have stopped as far from the right one, where pips meet others.
        """
        pose = choice.pose.copy()
        pose[2] -= np.pi * (choice.row % 2)
        poses = pose + moves
        rows = np.unique(np.r_[rows, choice.row])
        for references, fine in ((self.coarse, False), (self.references, True)):
            agreement = references.agreement(references.seen(self.plane, poses, fine), np.tile(rows, (len(poses), 1)))
            evidence = (references.weights[rows] * np.clip(agreement - SPEAKS, -AGAINST, 1) * choice.visible).sum(2)
            if not fine:
                poses = poses[np.argsort(-evidence.max(1))[:LIKELY]]
        best, column = np.unravel_index(int(evidence.argmax()), evidence.shape)
        shown = choice.visible[None]
        best_pose = refined(self.plane, self.references, self.slopes, poses[[best]], rows[[column]], 3, True, shown)
        patch = self.plane.sharp(best_pose, *widened(self.sharp))[0]
        look = partial(where_it_would_lie, self.plane, self.references, self.slopes, self.sharp)
        open_ = open_part(self.sharp, best_pose[0], above)
        return settled(
            self.sharp, best_pose[0], patch, choice.visible, open_, partial(look, best_pose[0], choice.visible)
        )

    def take(self) -> None:
        """Takes poses and faces in the order of their evidence, each with the tiles no earlier one owns."""
        still = ~self._hopeless(self.poses)
        for i, _ in self.taken:
            still &= ~self._same_place(i)
        gain = self.weights * np.clip(self.agreement - SPEAKS, -AGAINST, 1)
        rows, columns = self._cells(self.x, self.y)
        while still.any():
            free = self.owned[rows, columns] == 0
            evidence = (gain * free[:, None]).sum(2)
            evidence[~still | (free.mean(1) < LEAST_FREE)] = -9
            i, k = (int(n) for n in np.unravel_index(int(evidence.argmax()), evidence.shape))
            if evidence[i, k] < ENOUGH:
                break
            self.taken.append((i, k))
            self._own(len(self.taken) - 1, free[i])
            still &= ~self._same_place(i)

    def free(self, poses: Array) -> Array:
        """(n, tiles) bool: which tiles of ``poses`` (n, 3) no card taken explains; none where a card is taken."""
        x, y = self._tiles_of(poses)
        free = self.owned[self._cells(x, y)] == 0
        for i, _ in self.taken:
            turn = _turn(poses[:, 2] - self.poses[i, 2])
            free[(np.hypot(*(poses[:, :2] - self.poses[i, :2]).T) < SAME_PLACE) & (turn < 0.4)] = False
        free[self._hopeless(poses)] = False
        return np.asarray(free)

    def owner(self, places: Array) -> Array:
        """(…,) uint8: of places (…, 2) in mm, 1 + number of the card taken that explains each, 0 if none does."""
        return np.asarray(self.owned[self._cells(places[..., 0], places[..., 1])])

    def _hopeless(self, poses: Array) -> Array:
        """(n,) bool: which of ``poses`` (n, 3) are given up."""
        far = np.hypot(*(poses[:, None, :2] - self.given_up[None, :, :2]).transpose(2, 0, 1)) >= GIVEN_UP
        return ~(far | (_turn(poses[:, None, 2] - self.given_up[None, :, 2]) >= 0.1)).all(1)

    def _tiles_of(self, poses: Array) -> tuple[Array, Array]:
        """x and y (n, tiles) in mm of the tiles' centres at ``poses`` (n, 3)."""
        cos, sin = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
        x = cos * self.offsets[:, 0] - sin * self.offsets[:, 1] + poses[:, :1]
        y = sin * self.offsets[:, 0] + cos * self.offsets[:, 1] + poses[:, 1:2]
        return x, y

    def _same_place(self, i: int) -> Array:
        """(poses,) bool: which would be the same card as that at pose ``i``."""
        turn = _turn(self.poses[:, 2] - self.poses[i, 2])
        near = np.hypot(self.poses[:, 0] - self.poses[i, 0], self.poses[:, 1] - self.poses[i, 1]) < SAME_PLACE
        return np.asarray(near & (turn < 0.4))

    def _at(self, i: int) -> tuple[Array, Array]:
        """Where in ``owned`` the tiles of pose ``i`` lie."""
        return self._cells(self.x[i], self.y[i])

    def _cells(self, x: Array, y: Array) -> tuple[Array, Array]:
        """Rows and columns of ``owned`` of points in mm; those beyond it, for a refined pose may drift, at its rim."""
        height, width = self.owned.shape
        rows, columns = (y - self.corner[1]).astype(int), (x - self.corner[0]).astype(int)
        return np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)

    def _visible(self, taken: list[tuple[int, int]]) -> tuple[list[Array], list[list[int]]]:
        """For each card taken, its tiles (bool) of which others cover little, and which of the cards taken lie on it.

        Of two cards that overlap, the one whose own tiles agree better in the common part lies above. What a third
        card that lies on both covers of that part says nothing, once that is known.
        """
        common = {}
        for a, (i, _) in enumerate(taken):
            for b, (j, _) in enumerate(taken[:a]):
                in_j, in_i = self._within(i, j, 0.0), self._within(j, i, 0.0)
                if in_j.any() or in_i.any():
                    common[a, b] = in_j, in_i
        on: list[list[int]] = [[] for _ in taken]
        for _ in range(2):
            before, on = on, [[] for _ in taken]
            for (a, b), (in_j, in_i) in common.items():
                (i, k), (j, m) = taken[a], taken[b]
                third = [taken[c][0] for c in set(before[a]) & set(before[b])]
                open_i = in_j & ~np.any([self._within(i, c, 0.0) for c in third], 0) if third else in_j
                open_j = in_i & ~np.any([self._within(j, c, 0.0) for c in third], 0) if third else in_i
                if open_i.any() and open_j.any():
                    in_j, in_i = open_i, open_j
                under = self._agreeing(j, m, in_i) > self._agreeing(i, k, in_j)
                on[a if under else b].append(b if under else a)
        visible = [np.ones(len(self.offsets), bool) for _ in taken]
        for a, above in enumerate(on):
            for b in above:
                visible[a] &= ~self._within(taken[a][0], taken[b][0], TILE_REACH)
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

    def _own(self, n: int, free: Array) -> None:
        """Marks what the card taken with number ``n`` explains of its ``free`` tiles."""
        i, column = self.taken[n]
        x, y, angle = self.poses[i]
        cos, sin = np.cos(angle), np.sin(angle)
        turn = np.array([[cos, sin], [-sin, cos]])
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * self.tile / 2
        for tile in np.flatnonzero(free & (self.agreement[i, column] > OWNS)):
            corners = (self.offsets[tile] + half) @ turn + [x, y] - self.corner
            cv2.fillConvexPoly(self.owned, np.round(corners).astype(np.int32), n + 1)


def _turn(angles: Array) -> Array:
    """Angles (…) rad without their sign, those turned by half being the same: 0 … π/2."""
    return np.asarray(np.abs(np.mod(angles + np.pi / 2, np.pi) - np.pi / 2))


def _new(poses: Array, known: Array) -> list[int]:
    """Which of ``poses`` (n, 3) are neither where a pose (3,) nor where one before them is."""
    kept: list[int] = []
    for k, pose in enumerate(poses):
        others = np.vstack([known, poses[kept]])
        near = (np.hypot(*(others[:, :2] - pose[:2]).T) < SAME[0]) & (_turn(others[:, 2] - pose[2]) < SAME[1])
        if not near.any():
            kept.append(k)
    return kept


def _is(choice: Choice, pose: Pose, label: str) -> bool:
    """Whether a choice is a card known to lie at ``pose``."""
    x, y, angle = choice.pose - np.array(pose)
    return choice.labels[0][0] == label and math.hypot(x, y) < KNOWN[0] and bool(_turn(angle) < KNOWN[1])


def _borne_out(choice: Choice) -> float:
    """Evidence of print, less where much is absent."""
    return choice.printed * (1 - choice.refuted)


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
