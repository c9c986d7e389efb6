"""How well references' tiles correlate with what is seen, each at the shift where it does best, between pixels too.

Colours are taken as brightness and, more strongly, tint: ink of another colour is another ink.
"""

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.view import Array

if TYPE_CHECKING:
    from vision.tiles import References

#: How far a tile may shift, px of the sharp references (2.6 a mm). 1 … 3.
SHIFT = 1
#: Weight of tint beside brightness. 1 … 3; a camera's tint is coarse.
TINT = 1.7
#: BGR to brightness and two tints.
AXES = np.array([[1, TINT, TINT], [1, -TINT, TINT], [1, 0, -2 * TINT]] / np.sqrt([3, 2, 6]), np.float32)


def tiled(picture: Array, side: int) -> Array:
    """(tiles, side² × channels) of a picture (h, w, channels) made of whole tiles."""
    height, width, channels = picture.shape
    parts = picture.reshape(height // side, side, width // side, side, channels).transpose(0, 2, 1, 3, 4)
    return parts.reshape(-1, side * side * channels)


def unit(vectors: Array, masks: Array | None, paper: float = 1.0) -> tuple[Array, Array]:
    """Tiles (…, tiles, 3 side²) of BGR as unit vectors (of what ``masks`` (tiles, side²) leave), and their power."""
    flat = vectors.reshape(*vectors.shape[:-1], -1, 3) @ AXES
    count: Array | int = flat.shape[-2] * 3
    if masks is not None:
        kept = masks[..., None]
        area = masks.sum(-1)
        flat *= kept
        flat -= (np.einsum("...tpc->...tc", flat) / area[:, None])[..., None, :] * kept
        count = 3 * area
    flat = flat.reshape(vectors.shape)
    square = np.einsum("...i,...i->...", flat, flat)
    return flat / np.sqrt(np.maximum(square, 1e-9))[..., None], square / count / paper**2


def correlation(
    patches: Array, ref: "References", tiles: Array, units: Array, masks: Array | None
) -> tuple[Array, Array]:
    """Of references' tiles (rows, tiles, n) with what is seen: correlation and power seen, both (rows, tiles).

    ``patches``: (rows, h, w, 3) uint8, ``SHIFT`` pixels larger on each side; equal ones are looked at once.
    """
    likeness, power = np.zeros(units.shape[:2]), np.zeros(units.shape[:2])
    same = all(np.array_equal(patches[0], patch) for patch in patches[1:])
    for group in [np.arange(len(patches))] if same else np.arange(len(patches))[:, None]:
        windows, powers = _windows(patches[group[0]], ref, tiles, masks)
        likeness[group] = _peak(windows, units[group])
        power[group] = powers
    return likeness, power


def _windows(patch: Array, ref: "References", tiles: Array, masks: Array | None) -> tuple[Array, Array]:
    """Some tiles of a widened patch at each shift over their lengths, (tiles, shifts, 3 side²), and power at none."""
    side, across, reach = ref.side, ref.grid[0], 2 * SHIFT + 1
    paper = np.maximum(np.percentile(patch.reshape(-1, 3)[::7], 90, axis=0), 20).astype(np.float32)
    values = np.ascontiguousarray((patch.astype(np.float32) / paper) @ AXES)
    every = np.lib.stride_tricks.sliding_window_view(values, (side, side), (0, 1))  # (y, x, 3, side, side)
    y, x = side * (tiles // across), side * (tiles % across)
    dy, dx = (grid.ravel() for grid in np.mgrid[:reach, :reach])
    flat = np.ascontiguousarray(every[y[:, None] + dy, x[:, None] + dx].transpose(0, 1, 3, 4, 2))
    flat = flat.reshape(len(tiles), len(dy), side * side, 3)
    if masks is None:
        count: Array | int = side * side
        sums, squares = np.einsum("tspc->tsc", flat), np.einsum("tspc,tspc->ts", flat, flat)
    else:
        count = masks.sum(1)[:, None]
        sums = np.einsum("tspc,tp->tsc", flat, masks)
        squares = np.einsum("tspc,tp->ts", flat * flat, masks)
    # The references' vectors have zero mean, so the windows need not: their length without the mean is enough.
    square = np.maximum(squares - np.einsum("tsc,tsc->ts", sums, sums) / count, 1e-9)
    flat = flat.reshape(len(tiles), len(dy), -1)
    flat /= np.sqrt(square)[..., None]
    bright = cv2.resize(values[SHIFT:-SHIFT, SHIFT:-SHIFT, 0], ref.grid, interpolation=cv2.INTER_AREA)
    bright = cv2.dilate(bright, np.ones((3, 3))).ravel()[tiles] / np.sqrt(3)  # shadow, or glare
    middle = reach * reach // 2
    return flat, square[:, middle] / (3 * np.ravel(count)) / np.maximum(bright, 0.1) ** 2


def _peak(windows: Array, units: Array) -> Array:
    """(rows, tiles): correlation of units (rows, tiles, n) with windows (tiles, shifts, n) where it is greatest."""
    reach = 2 * SHIFT + 1
    flat = np.matmul(windows, units.transpose(1, 2, 0)).transpose(2, 0, 1)
    each = flat.reshape(*flat.shape[:2], reach, reach)
    best = flat.argmax(2)
    y, x = best // reach, best % reach
    i, j = np.ogrid[: flat.shape[0], : flat.shape[1]]
    return np.asarray(np.minimum(flat.max(2) + _rise(each[i, j, :, x], y) + _rise(each[i, j, y], x), 1.0))


def _rise(line: Array, at: Array) -> Array:
    """How much higher than its sample ``at`` (…) the parabola through three samples (…, 3) gets between them."""
    before, middle, after = line[..., 0], line[..., 1], line[..., 2]
    slope, bend = (after - before) / 2, before + after - 2 * middle
    vertex = np.clip(-slope / np.minimum(bend, -1e-6), -1, 1)
    top = middle + slope * vertex + bend * vertex**2 / 2
    return np.asarray(np.maximum(top - np.take_along_axis(line, at[..., None], -1)[..., 0], 0))


def alike(ref: "References", row: int) -> Array:
    """(rows, tiles) correlation of one reference's tiles with all references' tiles, each at the best shift."""
    wide = cv2.copyMakeBorder(ref.patches[row], SHIFT, SHIFT, SHIFT, SHIFT, cv2.BORDER_REPLICATE)
    tiles = np.arange(ref.tiles.power.shape[1])
    windows, _ = _windows(wide, ref, tiles, None)
    every = np.array_split(np.arange(len(ref.patches)), min(12, len(ref.patches)))  # in parts, for memory's sake
    return np.vstack([_peak(windows, ref.units(part, tiles, None)[0]) for part in every]).astype(np.float32)
