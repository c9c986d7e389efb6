"""Correlate reference tiles with a picture's, each at the shift of a pixel or less where it does best.

Colours are taken as brightness and, more strongly, tint: ink of another colour is another ink.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class TileCorrelationParams:
    """Parameters of the correlation of tiles."""

    #: How far a tile may shift, px of the sharp references (2.6 a mm). 1 … 3; time grows with its square.
    max_shift_px: int = 1
    #: Weight of tint beside brightness. 1 … 3; a camera's tint is coarse.
    tint_weight: float = 1.7


PARAMS = TileCorrelationParams()
#: Pixels by which a patch is larger on each side than the reference it is compared with.
SHIFT = PARAMS.max_shift_px
#: BGR to brightness and two tints.
_TINT = PARAMS.tint_weight
AXES = np.array([[1, _TINT, _TINT], [1, -_TINT, _TINT], [1, 0, -2 * _TINT]] / np.sqrt([3, 2, 6]), np.float32)


def cut_grid(picture: Array, side: int) -> Array:
    """Cut a picture (h, w, channels) made of whole tiles into them: (tiles, side² × channels)."""
    height, width, channels = picture.shape
    parts = picture.reshape(height // side, side, width // side, side, channels).transpose(0, 2, 1, 3, 4)
    return parts.reshape(-1, side * side * channels)


def in_axes(colours: Array) -> Array:
    """Turn BGR (…, 3) float32 into brightness and two tints."""
    # numpy multiplies by so small a matrix in several times the time.
    return np.asarray(cv2.transform(colours.reshape(1, -1, 3), AXES.T)).reshape(colours.shape)


def unit_vectors(vectors: Array, masks: Array | None) -> tuple[Array, Array]:
    """Normalise what ``masks`` (tiles, side²) leave of tiles (…, tiles, 3 side²) in the axes; also their power."""
    count: Array | int = vectors.shape[-1]
    if masks is not None:
        each = _each_axis(masks.shape[1])
        kept = np.repeat(masks, 3, axis=1)
        area = masks.sum(-1)
        vectors = vectors * kept
        vectors -= (vectors @ each / area[:, None]) @ each.T * kept
        count = 3 * area
    square = np.einsum("...i,...i->...", vectors, vectors)
    return vectors / np.sqrt(np.maximum(square, 1e-9))[..., None], square / count


def _each_axis(pixels: int) -> Array:
    """Make a matrix (3 pixels, 3) that sums a tile's values of each axis; numpy is slow along an axis of three."""
    return np.tile(np.eye(3, dtype=np.float32), (pixels, 1))


def correlate(
    patches: Array, side: int, across: int, tiles: Array, units: Array, masks: Array | None
) -> tuple[Array, Array]:
    """Correlate tiles' unit vectors (rows, tiles, n) with patches; return correlation and power, both (rows, tiles).

    ``patches``: (rows, h, w, 3) uint8, ``SHIFT`` pixels larger on each side; equal ones are cut once. ``tiles``: their
    numbers in a grid of tiles of ``side`` px, ``across`` a row. ``masks``: (tiles, side²), what is compared of each,
    None for all.
    """
    likeness, power = np.zeros(units.shape[:2]), np.zeros(units.shape[:2])
    same = all(np.array_equal(patches[0], patch) for patch in patches[1:])
    for group in [np.arange(len(patches))] if same else np.arange(len(patches))[:, None]:
        windows, lengths, powers = shifted_windows(patches[group[0]], side, across, tiles, masks)
        likeness[group] = peak_correlation(windows, lengths, units[group])
        power[group] = powers
    return likeness, power


def shifted_windows(
    patch: Array, side: int, across: int, tiles: Array, masks: Array | None
) -> tuple[Array, Array, Array]:
    """Cut tiles from a patch at each shift: (tiles, shifts, 3 side²), their lengths (tiles, shifts), and their power
    unshifted (tiles,)."""
    reach = 2 * SHIFT + 1
    sample = patch.reshape(-1, 3)[::7]
    nine_tenths = len(sample) * 9 // 10  # of it are darker; numpy's percentile takes twice the time
    paper = np.maximum(np.partition(sample, nine_tenths, axis=0)[nine_tenths], 20).astype(np.float32)
    values = in_axes(patch.astype(np.float32) / paper)
    # Pixels with their three values side by side, so that a row of a window is copied in one.
    every = np.lib.stride_tricks.sliding_window_view(values.reshape(len(values), -1), (side, 3 * side))
    y, x = side * (tiles // across), side * (tiles % across)
    dy, dx = (shift.ravel() for shift in np.mgrid[:reach, :reach])
    windows = every[y[:, None] + dy, 3 * (x[:, None] + dx)].reshape(len(tiles), len(dy), -1)
    kept = windows if masks is None else windows * np.repeat(masks, 3, axis=1)[:, None]
    count = side * side if masks is None else masks.sum(1)[:, None]
    sums = kept @ _each_axis(side * side)
    squares = np.einsum("tsi,tsi->ts", kept, windows)
    # The references' vectors have zero mean, so the windows need not: their length without the mean is enough.
    square = np.maximum(squares - np.einsum("tsc,tsc->ts", sums, sums) / count, 1e-9)
    inner = values[SHIFT:-SHIFT, SHIFT:-SHIFT, 0]
    bright = cv2.resize(inner, (across, len(inner) // side), interpolation=cv2.INTER_AREA)
    bright = cv2.dilate(bright, np.ones((3, 3))).ravel()[tiles] / np.sqrt(3)  # shadow, or glare
    middle = reach * reach // 2
    power = square[:, middle] / (3 * np.ravel(count)) / np.maximum(bright, 0.1) ** 2
    return windows, np.sqrt(square), power


def peak_correlation(
    windows: Array, window_lengths: Array, vectors: Array, vector_lengths: Array | None = None
) -> Array:
    """Correlate vectors (rows, tiles, n) with windows (tiles, shifts, n): (rows, tiles) at each tile's best shift.

    Between the pixels a parabola through the neighbouring shifts is followed. ``window_lengths``: (tiles, shifts);
    ``vector_lengths``: (rows, tiles), unless they are unit vectors.
    """
    reach = 2 * SHIFT + 1
    flat = np.matmul(windows, vectors.transpose(1, 2, 0)).transpose(2, 0, 1) / window_lengths
    if vector_lengths is not None:
        flat /= vector_lengths[..., None]
    each = flat.reshape(*flat.shape[:2], reach, reach)
    best = flat.argmax(2)
    y, x = best // reach, best % reach
    i, j = np.ogrid[: flat.shape[0], : flat.shape[1]]
    return np.asarray(
        np.minimum(flat.max(2) + _parabola_rise(each[i, j, :, x], y) + _parabola_rise(each[i, j, y], x), 1.0)
    )


def _parabola_rise(line: Array, at: Array) -> Array:
    """Compute how much the parabola through three samples (…, 3) rises above its sample ``at`` (…)."""
    before, middle, after = line[..., 0], line[..., 1], line[..., 2]
    slope, bend = (after - before) / 2, before + after - 2 * middle
    vertex = np.clip(-slope / np.minimum(bend, -1e-6), -1, 1)
    top = middle + slope * vertex + bend * vertex**2 / 2
    return np.asarray(np.maximum(top - np.take_along_axis(line, at[..., None], -1)[..., 0], 0))
