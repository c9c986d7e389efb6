"""Compare cards tile by tile, so that a covered part costs its own tiles only.

A patch (a card without its border) is cut into tiles of about 9 mm. A tile agrees with a reference's tile by
structural similarity (Wang et al., *Image quality assessment*, 2004, without the luminance term) of its colours in
units of the card's white, times how well mean brightness and mean colour agree.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.deck.deck import BACK, Deck
from vision.geometry.projection import Array
from vision.geometry.rectification import RectifiedPlane
from vision.images import Picture
from vision.recognition.tile_correlation import AXES, SHIFT, in_axes, peak_correlation, shifted_windows


@dataclass(frozen=True, slots=True, kw_only=True)
class TileParams:
    """Parameters of the tiles and of their agreement."""

    #: Border of a card that is not compared, mm. 1 … 4; borders are alike and would dominate the correlation.
    inset_mm: float = 2.2
    #: Tiles across a card. 4 … 8; more follow a covering edge more closely, fewer are surer each.
    tiles_across: int = 6
    #: Weight of a blank tile next to a full one's 1. 0.02 … 0.1.
    blank_weight: float = 0.05
    #: Power of a tile (squares of paper white) at which it has half of the full weight.
    half_weight_power: float = 0.01
    #: Regularisation of similarity, in squares of paper white. 0.001 … 0.01; more makes near-blank tiles agree.
    similarity_regularisation: float = 0.004
    #: Contrast of a tile may be this much stronger … weaker than the reference's: haze and glare wash it out.
    contrast_gain: tuple[float, float] = (0.8, 2.5)
    #: Allowed spread of a tile's mean brightness (natural log). 0.4 … 1.5; shadow and glare need much.
    brightness_spread: float = 0.9
    #: Allowed spread of a tile's mean chromaticity. 0.05 … 0.2.
    chromaticity_spread: float = 0.09
    #: Poses whose tiles are cut at once. 16 … 64; more takes more memory.
    poses_at_once: int = 32
    #: Agreement above which a tile supports a face. 0.3 … 0.5.
    supports_above: float = 0.4
    #: The same while hundreds of poses are ranked on coarse tiles. 0.2 … 0.4.
    ranks_above: float = 0.3
    #: What a tile that disagrees may cost, in units of evidence. 0 … 0.2; more loses covered cards.
    most_against: float = 0.04
    #: Agreement from which a tile is explained by a card, and owned by it. 0.2 … 0.5.
    explained_above: float = 0.3
    #: Agreement below which print that a face has counts as absent.
    absent_below: float = 0.2


PARAMS = TileParams()
INSET_MM = PARAMS.inset_mm


def tile_support(agreement: Array) -> Array:
    """Compute how much each tile supports a face, at most 0.6, or, below 0, refutes it."""
    return np.asarray(np.clip(agreement - PARAMS.supports_above, -PARAMS.most_against, 1))


def tile_evidence(weights: Array, agreement: Array, visible: Array | None = None) -> Array:
    """Sum the evidence for faces over their tiles, the last axis; of the ``visible`` ones only if they are given."""
    each = weights * tile_support(agreement)
    return np.asarray((each if visible is None else each * visible).sum(-1))


def ranking_score(weights: Array, agreement: Array, visible: Array | None = None) -> Array:
    """Score poses against all faces, (n, faces): weights (faces, tiles), agreement (n, faces, tiles).

    ``visible``: (n, tiles) bool, the tiles that count; by default all.
    """
    each = weights[None] * np.clip(agreement - PARAMS.ranks_above, 0, 1)
    return np.asarray(each.sum(2) if visible is None else np.einsum("nft,nt->nf", each, visible))


@dataclass(frozen=True, eq=False)
class TileSet:
    """Patches as tiles: ``vectors`` (n, tiles, 3 s²) of zero mean a channel, ``means`` (n, tiles, 3), ``power``."""

    vectors: Array
    means: Array
    power: Array

    def part(self, which: slice) -> "TileSet":
        """Select some of the patches."""
        return TileSet(self.vectors[which], self.means[which], self.power[which])

    def with_turned(self) -> "TileSet":
        """Add the patches turned by half, after all that are not."""
        turned = _reversed(self.vectors.reshape(len(self.vectors), -1, 3)).reshape(self.vectors.shape)
        means, power = (np.concatenate([values, values[:, ::-1]]) for values in (self.means, self.power))
        return TileSet(np.concatenate([self.vectors, turned]), means, power)

    @cached_property
    def tone(self) -> Array:
        """(n, tiles, 4): log of the mean brightness over the white, and the mean colour, each over its allowed spread.

        Half of the square of two tones' distance is what tells against their being of one tile.
        """
        sums = _sum3(self.means)
        tone = np.empty((*sums.shape, 4), np.float32)
        tone[..., 0] = np.log(np.maximum(sums / 3, 0.03)) / PARAMS.brightness_spread
        tone[..., 1:] = self.means / np.maximum(sums, 0.05)[..., None] / PARAMS.chromaticity_spread
        return tone

    @cached_property
    def half_square(self) -> Array:
        """(n, tiles) half the square of the tones."""
        return np.asarray(np.einsum("pti,pti->pt", self.tone, self.tone) / 2)


@dataclass(frozen=True, eq=False)
class ReferenceTiles:
    """A deck's faces as tiles at one resolution.

    A reference is a face upright (row 2 × its number) or turned by half (the row after it). Only the upright ones are
    kept: a patch turned by half is compared with these instead.
    """

    labels: tuple[str, ...]  # of the faces, then ``back`` if the deck knows it
    size_mm: tuple[float, float]  # of the patch, without the border
    shape: tuple[int, int]  # patch in px: width, height
    side: int  # tile in px
    tiles: TileSet  # of the faces, upright
    weights: Array  # (2 faces, tiles): of a tile in the evidence, the more print the more
    patches: Array  # (faces, h, w, 3) uint8, upright
    #: Row → its tiles' correlation with those of all rows (rows, tiles); filled as classification asks for it.
    correlations: dict[int, Array] = field(default_factory=dict)

    @cached_property
    def print_weights(self) -> Array:
        """(2 faces, tiles): what of the weights is for print; a blank tile's is 0."""
        return self.weights - PARAMS.blank_weight

    @cached_property
    def power(self) -> Array:
        """(2 faces, tiles): power of the references' tiles."""
        return _both_ways(self.tiles.power)

    def vectors(self, rows: Array, tiles: Array) -> Array:
        """Look up the vectors of some tiles of references: (rows, tiles, 3 side²)."""
        turned = rows % 2 == 1
        there = np.where(turned[:, None], self.weights.shape[1] - 1 - tiles, tiles)
        found = self.tiles.vectors[rows[:, None] // 2, there]
        if turned.any():
            found[turned] = _reversed(found[turned].reshape(-1, self.side**2, 3)).reshape(-1, *found.shape[1:])
        return np.asarray(found)

    def in_axes(self, rows: Array, tiles: Array) -> Array:
        """Look up some tiles of references as brightness and tints: (rows, tiles, 3 side²)."""
        vectors = self.vectors(rows, tiles)
        return in_axes(vectors.reshape(*vectors.shape[:2], -1, 3)).reshape(vectors.shape)

    def correlation(self, one: int, other: int) -> Array:
        """Correlate two references' tiles, each at its best shift: (tiles,)."""
        if one not in self.correlations:
            self._correlate(one // 2)
        return np.asarray(self.correlations[one][other])

    def correlate_next(self) -> None:
        """Correlate one more face with all, so that a reading that needs it need not wait for it."""
        face = next((face for face in range(len(self.patches)) if 2 * face not in self.correlations), None)
        if face is not None:
            self._correlate(face)

    def _correlate(self, face: int) -> None:
        """Correlate a face's tiles, upright and turned by half, with those of all references: (rows, tiles) each."""
        patch = self.patches[face]
        upright, turned = (self._correlations_with_upright(one) for one in (patch, cv2.rotate(patch, cv2.ROTATE_180)))
        for row, same, other in ((2 * face, upright, turned), (2 * face + 1, turned, upright)):
            # Two that are both turned by half are alike as they were.
            self.correlations[row] = np.stack([same, other[:, ::-1]], 1).reshape(-1, same.shape[1])

    def _correlations_with_upright(self, patch: Picture) -> Array:
        """Correlate a patch's tiles with those of all faces, each at the best shift: (faces, tiles)."""
        wide = cv2.copyMakeBorder(patch, SHIFT, SHIFT, SHIFT, SHIFT, cv2.BORDER_REPLICATE)
        tiles = np.arange(self.tiles.power.shape[1])
        windows, lengths, _ = shifted_windows(wide, self.side, self.grid[0], tiles, None)
        # The windows are turned back to the references' colours: these are many, and stay as they are.
        windows = (windows.reshape(-1, 3) @ AXES.T).reshape(windows.shape)
        return peak_correlation(windows, lengths, self.tiles.vectors, self._lengths).astype(np.float32)

    @cached_property
    def _lengths(self) -> Array:
        """(faces, tiles): lengths of the tiles' vectors in brightness and tint."""
        tiles = np.arange(self.tiles.power.shape[1])
        each = [self.in_axes(np.array([2 * face]), tiles)[0] for face in range(len(self.patches))]
        return np.sqrt(np.maximum([np.einsum("ti,ti->t", vectors, vectors) for vectors in each], 1e-9))

    @property
    def grid(self) -> tuple[int, int]:
        """Tiles across and down."""
        return self.shape[0] // self.side, self.shape[1] // self.side

    @cached_property
    def centres(self) -> Array:
        """(tiles, 2) mm: the tiles' centres from the card's middle."""
        (across, down), (width, height) = self.grid, self.size_mm
        x, y = np.meshgrid(
            ((np.arange(across) + 0.5) / across - 0.5) * width, ((np.arange(down) + 0.5) / down - 0.5) * height
        )
        return np.column_stack([x.ravel(), y.ravel()])

    @property
    def tile_size_mm(self) -> Array:
        """(2,) width and height of a tile."""
        return np.array([self.size_mm[0] / self.grid[0], self.size_mm[1] / self.grid[1]])

    @classmethod
    def of(
        cls, deck: Deck, side: int, smooth: float, prepare: Callable[[Picture], Picture] = lambda face: face
    ) -> "ReferenceTiles":
        """Make references with tiles of ``side`` px, smoothed by ``smooth`` px as a camera blurs them.

        ``prepare`` is done to each face before, one after the other, for memory's sake.
        """
        width_mm, height_mm = deck.size_mm[0] - 2 * INSET_MM, deck.size_mm[1] - 2 * INSET_MM
        width = PARAMS.tiles_across * side
        height = round(width * height_mm / width_mm / side) * side
        faces = dict(deck.faces) if deck.back is None else {**deck.faces, BACK: deck.back}
        stack = np.empty((len(faces), height, width, 3), np.uint8)
        for n, face in enumerate(map(prepare, faces.values())):
            x, y = (round(face.shape[1 - k] * INSET_MM / deck.size_mm[k]) for k in (0, 1))
            patch = cv2.resize(face[y:-y, x:-x], (width, height), interpolation=cv2.INTER_AREA)
            stack[n] = cv2.GaussianBlur(patch, (0, 0), smooth)
        number = width // side * (height // side)
        tiles = TileSet(*(np.empty((len(stack), number, *of), np.float32) for of in ((3 * side**2,), (3,), ())))
        for k in range(0, len(stack), 4):  # all at once would take thrice the memory
            part, some = tiles.part(slice(k, k + 4)), cut_tiles(stack[k : k + 4], side)
            part.vectors[:], part.means[:], part.power[:] = some.vectors, some.means, some.power
        weights = PARAMS.blank_weight + _both_ways(tiles.power / (tiles.power + PARAMS.half_weight_power))
        return cls(tuple(faces), (width_mm, height_mm), (width, height), side, tiles, weights, stack)

    def tiles_at(self, plane: RectifiedPlane, poses: Array, fine: bool = True) -> TileSet:
        """Cut what lies at ``poses`` (n, 3) into tiles."""
        return cut_tiles(plane.patches(poses, self.size_mm, self.shape, fine), self.side)

    def agreement_at(self, plane: RectifiedPlane, poses: Array) -> Array:
        """Compare what lies at ``poses`` (n, 3), coarsely, with every reference: (n, faces, tiles) ≤ 1.

        Some at a time: the tiles of hundreds of poses would take more memory than all else.
        """
        batch = PARAMS.poses_at_once
        parts = (poses[k : k + batch] for k in range(0, len(poses), batch))
        return np.concatenate([self.agreement(self.tiles_at(plane, part, fine=False)) for part in parts])

    def agreement(self, seen: TileSet, rows: Array | None = None) -> Array:
        """Compare each patch with references: (n, k, tiles) ≤ 1.

        ``rows``: which; (k,), or (n, k) if each patch has its own; by default all.
        """
        if rows is not None and rows.ndim == 2:
            used, column = np.unique(rows, return_inverse=True)
            each = np.arange(len(rows))[:, None]
            if 2 * len(used) > len(self.weights):
                return np.asarray(self.agreement(seen)[each, rows])
            return np.asarray(self.agreement(seen, used)[each, column.reshape(rows.shape)])
        # A few at a time, so that what is computed on the way stays in the processor's cache.
        batches = [seen.part(slice(k, k + 8)) for k in range(0, len(seen.vectors), 8)]
        if not batches:
            return np.zeros((0, *self.weights[rows].shape[-2:]), np.float32)
        if rows is None:
            return np.concatenate([self._agreement_both_ways(batch) for batch in batches])
        faces, turned = rows // 2, rows[:, None] % 2 == 1
        power, means = self.power[rows], self.tiles.means[faces]
        means = np.where(turned[..., None], means[:, ::-1], means)
        some = TileSet(self.vectors(rows, np.arange(power.shape[1])), means, power)
        return np.concatenate([_agreement(batch, some) for batch in batches])

    def _agreement_both_ways(self, seen: TileSet) -> Array:
        """Compare each patch with every reference: (n, 2 faces, tiles)."""
        upright, turned = np.split(_agreement(seen.with_turned(), self.tiles), 2)
        return np.stack([upright, turned[..., ::-1]], 2).reshape(len(upright), *self.weights.shape)

    def fit(self, seen: TileSet, faces: Array, targets: Array) -> tuple[Array, Array]:
        """Compare each patch with one face upright, ``faces`` (n,): agreement, and the contrast that it lacks.

        Both (n, tiles). ``targets``: the faces' vectors.
        """
        across = np.einsum("pti,pti->pt", seen.vectors, targets) * np.float32(1 / seen.vectors.shape[2])
        gain = _gain(across, seen.power)
        similar = _similar(across, gain, seen.power, self.tiles.power[faces])
        off = seen.tone - self.tiles.tone[faces]
        return np.asarray(similar * np.exp(np.einsum("pti,pti->pt", off, off) / -2), np.float32), gain


def _both_ways(values: Array) -> Array:
    """Repeat values (faces, tiles) for each face turned by half: (2 faces, tiles)."""
    return np.stack([values, values[:, ::-1]], 1).reshape(-1, values.shape[1])


def _agreement(seen: TileSet, ref: TileSet) -> Array:
    """Compare each patch with each reference: (n, k, tiles)."""
    across = _products(seen.vectors, ref.vectors)
    across *= np.float32(1 / seen.vectors.shape[2])
    power = seen.power.T[..., None]
    similar = _similar(across, _gain(across, power), power, ref.power.T[:, None])
    off = _products(seen.tone, ref.tone)
    off -= seen.half_square.T[..., None]
    off -= ref.half_square.T[:, None]
    similar *= np.exp(off, out=off)
    return np.ascontiguousarray(similar.transpose(1, 2, 0))


def _products(one: Array, other: Array) -> Array:
    """Multiply vectors (n, tiles, i) and (k, tiles, i) tile by tile: (tiles, n, k)."""
    return np.asarray(np.matmul(one.transpose(1, 0, 2), other.transpose(1, 2, 0)))


def _gain(across: Array, power: Array) -> Array:
    """Compute the contrast by which patches fall short of references, within its bounds."""
    low, high = (np.float32(bound) for bound in PARAMS.contrast_gain)
    return np.asarray(np.minimum(np.maximum(across / np.maximum(power, 1e-6), low), high))


def _similar(across: Array, gain: Array, power: Array, theirs: Array) -> Array:
    """Compute the structural similarity of tiles whose contrast is made good by ``gain``."""
    quiet = np.float32(PARAMS.similarity_regularisation)
    return np.asarray((2 * gain * across + quiet) / (gain * gain * power + theirs + quiet))


def cut_tiles(patches: Array, side: int) -> TileSet:
    """Cut patches (n, h, w, 3) uint8 into tiles of ``side`` px, in units of the paper white round about."""
    n, height, width, _ = patches.shape
    down, across = height // side, width // side
    # Whole tiles make up a patch, so that means are those of a picture made smaller, all patches in one.
    tall = patches.reshape(n * height, width, 3).astype(np.float32)
    means = cv2.resize(tall, (across, n * down), interpolation=cv2.INTER_AREA)
    white = _local_white(_sampled(tall, n * down, across, side).reshape(n, down, across, -1, 3))

    def over_rows(grid: Array) -> Array:  # numpy is slow along an axis of three: a row of a tile is one axis here
        return np.tile(grid.reshape(n * down, across, 1, 3), side)

    flat = tall.reshape(n * down, side, across, 3 * side).transpose(0, 2, 1, 3) - over_rows(means)
    flat *= over_rows(1 / white)
    flat = flat.reshape(n, down * across, -1)
    power = np.einsum("pti,pti->pt", flat, flat) / flat.shape[2]
    return TileSet(flat, (means.reshape(white.shape) / white).reshape(n, -1, 3), power)


def _reversed(rows: Array) -> Array:
    """Reverse each row of pixels (rows, pixels, 3), in a sixth of the time that numpy takes."""
    return np.asarray(cv2.flip(rows, 1))


def _sampled(tall: Array, down: int, across: int, side: int) -> Array:
    """Take some pixels of each tile: (down, across, pixels, 3)."""
    places = np.arange(0, side * side, 9 if side > 8 else 3)
    tiles = tall.reshape(down, side, across, side, 3)
    return np.asarray(tiles[:, places // side, :, places % side].transpose(1, 2, 0, 3))


def _sum3(values: Array) -> Array:
    """Sum over the last axis of three; numpy's own sum is slow on so short an axis."""
    return np.asarray(values[..., 0] + values[..., 1] + values[..., 2])


def _local_white(sample: Array) -> Array:
    """Estimate the paper white at each tile, (n, down, across, 3): the brightest of it and its neighbours, smoothed.

    ``sample``: (n, down, across, pixels, 3).
    """
    count = sample.shape[3]
    bright = np.partition(sample, count - 4, axis=3)[..., count - 4, :]
    floor = 0.3 * np.partition(bright.reshape(len(sample), -1, 3), -8, axis=1)[:, -8]
    brightest = _over_neighbours(bright, np.maximum)
    mean = _over_neighbours(brightest, np.add) / 9
    return np.asarray(np.maximum(mean, floor[:, None, None]) + 1, np.float32)


def _over_neighbours(grid: Array, combine: np.ufunc) -> Array:
    """Apply ``combine`` over 3 × 3 neighbours in (n, down, across, 3); beyond the border its edge is repeated."""
    # numpy.pad takes longer than all the rest of a card's tiles.
    tall = np.concatenate([grid[:, :1], grid, grid[:, -1:]], 1)
    rows = combine(combine(tall[:, :-2], tall[:, 1:-1]), tall[:, 2:])
    wide = np.concatenate([rows[:, :, :1], rows, rows[:, :, -1:]], 2)
    return np.asarray(combine(combine(wide[:, :, :-2], wide[:, :, 1:-1]), wide[:, :, 2:]))
