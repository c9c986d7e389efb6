"""Cards compared tile by tile, so that a covered part costs its own tiles only.

A patch (a card without its border) is cut into tiles of about 9 mm. A tile agrees with a reference's tile by
structural similarity (Wang et al., *Image quality assessment*, 2004, without the luminance term) of its colours in
units of the card's white, times how well mean brightness and mean colour agree.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.deck import BACK, Deck
from vision.pictures import Picture
from vision.plane import Plane
from vision.tellings import alike, unit
from vision.view import Array

#: Border of a card that is not compared, mm. 1 … 4; borders look alike and would dominate the correlation.
INSET = 2.2
#: Tiles across a card. 4 … 8; more follow a covering edge more closely, fewer are surer each.
ACROSS = 6
#: What a blank tile tells, next to a full one's 1. 0.02 … 0.1.
BLANK = 0.05
#: Regularisation of similarity, in squares of paper white. 0.001 … 0.01; more makes near-blank tiles agree.
QUIET = 0.004
#: Contrast of a tile may be this much stronger … weaker than the reference's: haze and glare wash it out.
GAIN = (0.8, 2.5)
#: Allowed spread of a tile's mean brightness (natural log). 0.4 … 1.5; shadow and glare need much.
BRIGHTNESS_SPREAD = 0.9
#: Allowed spread of a tile's mean chromaticity. 0.05 … 0.2.
COLOUR_SPREAD = 0.09
#: Poses whose tiles are cut at once. 16 … 64.
MANY = 32


@dataclass(frozen=True, eq=False)
class TileSet:
    """Patches as tiles: ``vectors`` (n, tiles, 3 s²) of zero mean a channel, ``means`` (n, tiles, 3), ``power``."""

    vectors: Array
    means: Array
    power: Array

    def part(self, which: slice) -> "TileSet":
        """Some of the patches."""
        return TileSet(self.vectors[which], self.means[which], self.power[which])

    @cached_property
    def brightness(self) -> Array:
        """(n, tiles) natural log of the mean over the white."""
        return np.asarray(np.log(np.maximum(_sum3(self.means) / 3, 0.03)))

    @cached_property
    def colour(self) -> Array:
        """(n, tiles, 3) mean colour, summing to one."""
        return np.asarray(self.means / np.maximum(_sum3(self.means), 0.05)[..., None])


@dataclass(frozen=True, eq=False)
class References:
    """A deck's faces as tiles, upright (even rows) and turned by half (odd rows), at one resolution."""

    labels: tuple[str, ...]  # of the faces, then ``back`` if the deck knows it
    size_mm: tuple[float, float]  # of the patch, without the border
    shape: tuple[int, int]  # patch in px: width, height
    side: int  # tile in px
    tiles: TileSet
    weights: Array  # (2 faces, tiles): how much a tile tells
    patches: Array  # (2 faces, h, w, 3) uint8
    alike: dict[int, Array] = field(default_factory=dict)  # what settling labels found so far

    def units(self, rows: Array, tiles: Array, masks: Array | None) -> tuple[Array, Array]:
        """Unit vectors (rows, tiles, 3 side²) of what ``masks`` (tiles, side²) leave of tiles, and their power."""
        return unit(self.tiles.vectors[rows[:, None], tiles[None]], masks)

    def common(self, one: int, other: int) -> Array:
        """(tiles,) how alike two references are, each tile at its best shift."""
        if one not in self.alike:
            self.alike[one] = alike(self, one)
        return np.asarray(self.alike[one][other])

    def compare_next(self) -> None:
        """Find out how alike one more reference is with all; a look that needs it then need not wait for it."""
        row = next((row for row in range(len(self.patches)) if row not in self.alike), None)
        if row is not None:
            self.alike[row] = alike(self, row)

    @property
    def grid(self) -> tuple[int, int]:
        """Tiles across and down."""
        return self.shape[0] // self.side, self.shape[1] // self.side

    @classmethod
    def of(
        cls, deck: Deck, side: int, smooth: float, made_ready: Callable[[Picture], Picture] = lambda face: face
    ) -> "References":
        """References with tiles of ``side`` px, smoothed by ``smooth`` px to look as a camera sees them.

        ``made_ready`` is done to each face before, one after the other, for memory's sake.
        """
        width_mm, height_mm = deck.size_mm[0] - 2 * INSET, deck.size_mm[1] - 2 * INSET
        width = ACROSS * side
        height = round(width * height_mm / width_mm / side) * side
        faces = dict(deck.faces) if deck.back is None else {**deck.faces, BACK: deck.back}
        stack = np.empty((2 * len(faces), height, width, 3), np.uint8)
        for n, face in enumerate(map(made_ready, faces.values())):
            x, y = round(face.shape[1] * INSET / deck.size_mm[0]), round(face.shape[0] * INSET / deck.size_mm[1])
            patch = cv2.resize(face[y:-y, x:-x], (width, height), interpolation=cv2.INTER_AREA)
            patch = cv2.GaussianBlur(patch, (0, 0), smooth)
            stack[2 * n], stack[2 * n + 1] = patch, cv2.rotate(patch, cv2.ROTATE_180)
        number = width // side * (height // side)
        tiles = TileSet(*(np.empty((len(stack), number, *of), np.float32) for of in ((3 * side**2,), (3,), ())))
        for k in range(0, len(stack), 4):  # all at once would take thrice the memory
            part, some = tiles.part(slice(k, k + 4)), cut(stack[k : k + 4], side)
            part.vectors[:], part.means[:], part.power[:] = some.vectors, some.means, some.power
        weights = BLANK + tiles.power / (tiles.power + 0.01)
        return cls(tuple(faces), (width_mm, height_mm), (width, height), side, tiles, weights, stack)

    def seen(self, plane: Plane, poses: Array, fine: bool = True) -> TileSet:
        """What lies at ``poses`` (n, 3), as tiles."""
        return cut(plane.patches(poses, self.size_mm, self.shape, fine), self.side)

    def agreement_at(self, plane: Plane, poses: Array) -> Array:
        """(n, faces, tiles) ≤ 1: how well what lies at ``poses`` (n, 3), seen coarsely, agrees with each reference.

        Some at a time: the tiles of hundreds of poses would take more memory than all else.
        """
        parts = (poses[k : k + MANY] for k in range(0, len(poses), MANY))
        return np.concatenate([self.agreement(self.seen(plane, part, fine=False)) for part in parts])

    def agreement(self, seen: TileSet, rows: Array | None = None) -> Array:
        """(n, k, tiles) ≤ 1: how well each patch agrees with the references ``rows`` (n, k), by default with all."""
        if rows is None:
            # A few at a time, so that what is computed on the way stays in the processor's cache.
            parts = [self._with_all(seen.part(slice(k, k + 8))) for k in range(0, len(seen.vectors), 8)]
            return (
                np.concatenate(parts) if parts else np.zeros((0, len(self.weights), self.weights.shape[1]), np.float32)
            )
        columns = [self.fit(seen, rows[:, j])[0] for j in range(rows.shape[1])]
        return np.stack(columns, 1)

    def _with_all(self, seen: TileSet) -> Array:
        ref = self.tiles
        across = np.matmul(seen.vectors.transpose(1, 0, 2), ref.vectors.transpose(1, 2, 0)).transpose(1, 2, 0)
        across = np.ascontiguousarray(across) * np.float32(1 / seen.vectors.shape[2])
        gain = _gain(across, seen.power[:, None])
        similar = _similar(across, gain, seen.power[:, None], ref.power[None])
        return np.asarray(similar * self._tone(seen.brightness[:, None], seen.colour[:, None], slice(None)))

    def _tone(self, brightness: Array, colour: Array, rows: Array | slice) -> Array:
        """How well mean brightness and mean colour agree with those of references."""
        ref = self.tiles
        off = (brightness - ref.brightness[rows]) ** 2 * np.float32(1 / (2 * BRIGHTNESS_SPREAD**2))
        theirs = ref.colour[rows]
        for c in range(3):
            off += (colour[..., c] - theirs[..., c]) ** 2 * np.float32(1 / (2 * COLOUR_SPREAD**2))
        return np.asarray(np.exp(-off))

    def fit(self, seen: TileSet, rows: Array, targets: Array | None = None) -> tuple[Array, Array]:
        """(n, tiles) agreement of each patch with reference ``rows`` (n,), and the contrast by which it falls short.

        ``targets``: the references' vectors of these rows, if they are at hand.
        """
        vectors = self.tiles.vectors[rows] if targets is None else targets
        across = np.einsum("pti,pti->pt", seen.vectors, vectors) * np.float32(1 / seen.vectors.shape[2])
        gain = _gain(across, seen.power)
        similar = _similar(across, gain, seen.power, self.tiles.power[rows])
        return np.asarray(similar * self._tone(seen.brightness, seen.colour, rows), np.float32), gain


def _gain(across: Array, power: Array) -> Array:
    """The contrast by which patches fall short of references, within ``GAIN``."""
    gain = across / np.maximum(power, 1e-6)
    return np.asarray(np.minimum(np.maximum(gain, np.float32(GAIN[0])), np.float32(GAIN[1])))


def _similar(across: Array, gain: Array, power: Array, theirs: Array) -> Array:
    """Structural similarity of tiles whose contrast is made good by ``gain``."""
    return np.asarray((2 * gain * across + np.float32(QUIET)) / (gain * gain * power + theirs + np.float32(QUIET)))


def cut(patches: Array, side: int) -> TileSet:
    """Tiles of ``side`` px of patches (n, h, w, 3) uint8, in units of the paper white round about."""
    n, height, width, _ = patches.shape
    down, across = height // side, width // side
    # Whole tiles make up a patch, so that means are those of a picture made smaller, all patches in one.
    tall = patches.reshape(n * height, width, 3).astype(np.float32)
    means = cv2.resize(tall, (across, n * down), interpolation=cv2.INTER_AREA).reshape(n, down * across, 3)
    values = tall.reshape(n, down, side, across, side, 3).transpose(0, 1, 3, 2, 4, 5)
    tiles = values.reshape(n, down * across, side * side, 3)
    white = _white(tiles[:, :, :: 9 if side > 8 else 3], down, across)
    flat = tiles.reshape(n, down * across, -1)
    flat -= np.tile(means, side * side)  # numpy is slow along an axis of three
    flat *= np.tile(1 / white, side * side)
    return TileSet(flat, means / white, np.einsum("pti,pti->pt", flat, flat) / flat.shape[2])


def _sum3(values: Array) -> Array:
    """Sum over the last axis of three; numpy's own is slow on so short an axis."""
    return np.asarray(values[..., 0] + values[..., 1] + values[..., 2])


def _white(sample: Array, down: int, across: int) -> Array:
    """(n, tiles, 3): the brightest paper of a tile and its neighbours, smoothed; glare and shadow end where it ends."""
    count = sample.shape[2]
    bright = np.partition(sample, count - 4, axis=2)[:, :, count - 4].reshape(len(sample), down, across, 3)
    floor = 0.3 * np.partition(bright.reshape(len(sample), -1, 3), -8, axis=1)[:, -8]
    most = _over_neighbours(bright, np.maximum)
    mean = _over_neighbours(most, np.add) / 9
    return np.asarray(np.maximum(mean, floor[:, None, None]).reshape(len(sample), -1, 3) + 1, np.float32)


def _over_neighbours(grid: Array, combine: np.ufunc) -> Array:
    """``combine`` over the 3 × 3 neighbourhood of (n, down, across, 3); beyond the border its edge is repeated."""
    wide = np.pad(grid, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="edge")
    rows = combine(combine(wide[:, :-2], wide[:, 1:-1]), wide[:, 2:])
    return np.asarray(combine(combine(rows[:, :, :-2], rows[:, :, 1:-1]), rows[:, :, 2:]))
