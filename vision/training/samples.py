"""Cut batches for the two networks out of the scenes of shards, with NumPy and OpenCV alone."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.indices.networks import FOUND_HEIGHTS_PX, STRIDE_PX, IndexPlace, patch, pyramid, reader_input, whitened
from vision.training.scenes import HIDDEN_UP_TO_SHARE, SIZE, VISIBLE_FROM_SHARE
from vision.training.shards import read

#: Side in px of the pictures that the finder learns from.
CANVAS_PX = 192
#: Largest error of a place that the reader learns to correct: shares of the height, rad, logarithm of the height.
MAX_OFFSET_SHARE = 0.17
MAX_TURN_RAD = 0.24
MAX_LOG_HEIGHT = 0.24
#: Heights in px between these and ``FOUND_HEIGHTS_PX`` are taught neither as indices nor as background.
_IGNORED_HEIGHTS_PX = (8.5, 29.0)


@dataclass(slots=True)
class Patches:
    """For the reader: input (n, 3, 64, 40), ranks and suits (-1 where it is no index), is it one, moves (n, 4)."""

    inputs: np.ndarray
    ranks: np.ndarray
    suits: np.ndarray
    index: np.ndarray
    moves: np.ndarray


class Shelf:
    """Shards of a folder, opened as they are needed, also those that come later."""

    def __init__(self, folder: Path, validation: bool = False) -> None:
        self._folder, self._validation = folder, validation
        self._open: dict[Path, tuple[list[np.ndarray], list[np.ndarray]]] = {}

    def open_new(self) -> int:
        """Open new shards, and return how many scenes there are now."""
        for path in sorted(self._folder.glob("*-????.npz")):
            if path not in self._open and path.name.startswith("validation") == self._validation:
                pictures, table = read(path)
                self._open[path] = (pictures, [table[table[:, 0] == n][:, 1:] for n in range(len(pictures))])
        return sum(len(pictures) for pictures, _ in self._open.values())

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Sample a scene: picture (256, 256, 3) uint8, table (n, 7) of its indices."""
        shards = list(self._open.values())
        pictures, tables = shards[rng.integers(len(shards))]
        n = int(rng.integers(len(pictures)))
        return _opened(pictures[n]), tables[n]

    def every(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield all scenes in order."""
        for pictures, tables in self._open.values():
            for data, table in zip(pictures, tables, strict=True):
                yield _opened(data), table


def _opened(data: np.ndarray) -> np.ndarray:
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("a shard holds a picture that cannot be read; render it again")
    return picture


def patches(rng: np.random.Generator, shelf: Shelf, count: int, mined: np.ndarray | None = None) -> Patches:
    """Make a batch for the reader; a few come from ``mined``, patches that were taken for an index and are none."""
    cut: list[np.ndarray] = []
    rows: list[tuple[float, ...]] = []
    while len(cut) < count:
        picture, table = shelf.draw(rng)
        levels = pyramid(picture)
        for row in table[rng.permutation(len(table))[:5]]:
            if row[4] >= VISIBLE_FROM_SHARE:
                place, move = _jittered(rng, row)
                cut.append(patch(levels, place))
                rows.append((row[5], row[6], 1.0, *move))
        for place in _wrong(rng, table):
            cut.append(patch(levels, place))
            rows.append((-1, -1, 0.0, 0, 0, 0, 0))
    values = np.array(rows[:count], np.float32)
    stacked = np.stack(cut[:count])
    if mined is not None and len(mined):
        some = count // 8
        stacked[:some] = mined[rng.integers(0, len(mined), some)]
        values[:some] = (-1, -1, 0, 0, 0, 0, 0)
    return Patches(
        reader_input(stacked), values[:, 0].astype(np.int64), values[:, 1].astype(np.int64), values[:, 2], values[:, 3:]
    )


def _jittered(rng: np.random.Generator, row: np.ndarray) -> tuple[IndexPlace, tuple[float, ...]]:
    """Draw a place near an index; also return what the reader is to answer there."""
    x, y, angle, height = (float(v) for v in row[:4])
    near = 1.0 if rng.random() < 0.6 else 0.35  # the second reading starts close by
    grow, turn = near * rng.uniform(-MAX_LOG_HEIGHT, MAX_LOG_HEIGHT), near * rng.uniform(-MAX_TURN_RAD, MAX_TURN_RAD)
    h, a = height * math.exp(-grow), angle - turn
    right, down = near * rng.uniform(-MAX_OFFSET_SHARE, MAX_OFFSET_SHARE, 2)
    c, s = math.cos(a) * h, math.sin(a) * h
    return IndexPlace(x - (right * c - down * s), y - (right * s + down * c), a, h), (right, down, turn, grow)


def _wrong(rng: np.random.Generator, table: np.ndarray) -> list[IndexPlace]:
    """Draw places that are no index: anywhere, beside one, one turned, one of the wrong size, one that is covered."""
    places = []
    heights = table[:, 3] if len(table) else np.exp(rng.uniform(2.3, 4.2, 3))
    for _ in range(2):
        height = float(heights[rng.integers(len(heights))]) * math.exp(rng.uniform(-0.5, 0.5))
        x, y = rng.uniform(0, SIZE, 2).tolist()
        places.append(IndexPlace(x, y, rng.uniform(0, 2 * math.pi), height))
    for row in table[rng.permutation(len(table))[:2]]:
        x, y, angle, height = (float(v) for v in row[:4])
        kind = rng.integers(4)
        if kind == 0:
            way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.5, 1.3) * height
            along = rng.random() < 0.5  # half of an index, then something else
            turn = rng.normal(0, 0.1)
            way = angle + (math.pi if rng.random() < 0.5 else 0) if along else way
            places.append(
                IndexPlace(
                    x + far * math.sin(way),
                    y - far * math.cos(way),
                    angle + turn,
                    height * math.exp(rng.uniform(-0.3, 0.3)),
                )
            )
        elif kind == 1:
            turn = (
                math.pi + rng.normal(0, 0.15) if rng.random() < 0.5 else rng.choice([-1, 1]) * rng.uniform(0.8, math.pi)
            )
            places.append(IndexPlace(x, y, angle + turn, height))
        elif kind == 2:
            wrong = rng.uniform(0.4, 0.58) if rng.random() < 0.5 else rng.uniform(1.75, 2.6)
            places.append(
                IndexPlace(x + rng.normal(0, 0.1) * height, y + rng.normal(0, 0.1) * height, angle, height * wrong)
            )
        elif row[4] <= HIDDEN_UP_TO_SHARE:
            places.append(IndexPlace(x, y, angle, height))
    return [p for p in places if 6 < p.height < 160 and clear(p, table)]


def clear(place: IndexPlace, table: np.ndarray) -> bool:
    """Check whether no index that shows at all lies about there in about this pose."""
    for x, y, angle, height, shown, _, _ in table.tolist():
        near = math.hypot(place.x - x, place.y - y) < 0.45 * max(height, place.height)
        alike = abs(math.remainder(place.angle - angle, 2 * math.pi)) < 0.75 and 0.62 < place.height / height < 1.6
        if near and alike and shown > HIDDEN_UP_TO_SHARE:
            return False
    return True


@dataclass(slots=True)
class Canvases:
    """For the finder: input (n, 3, 192, 192), the map of centres, weights of its cells, poses (n, 5, 48, 48), where."""

    inputs: np.ndarray
    heat: np.ndarray
    weight: np.ndarray
    poses: np.ndarray
    taught: np.ndarray


def canvases(rng: np.random.Generator, shelf: Shelf, count: int) -> Canvases:
    """Make a batch for the finder: scenes scaled so that indices have all heights, also too large or small ones."""
    cells = CANVAS_PX // STRIDE_PX
    done = Canvases(
        np.empty((count, 3, CANVAS_PX, CANVAS_PX), np.float32),
        np.zeros((count, cells, cells), np.float32),
        np.ones((count, cells, cells), np.float32),
        np.zeros((count, 5, cells, cells), np.float32),
        np.zeros((count, cells, cells), np.float32),
    )
    for n in range(count):
        canvas = np.empty((CANVAS_PX, CANVAS_PX, 3), np.uint8)
        canvas[:] = rng.integers(0, 256, 3)
        shown: list[np.ndarray] = []
        scene = _scaled(rng, shelf, CANVAS_PX)
        if scene[0].shape[0] > CANVAS_PX // 2:
            shown.append(_paste(canvas, *scene, (0, 0), CANVAS_PX, rng))
        else:
            half = CANVAS_PX // 2
            for corner in ((0, 0), (0, half), (half, 0), (half, half)):
                shown.append(_paste(canvas, *scene, corner, half, rng))
                scene = _scaled(rng, shelf, half)
        done.inputs[n] = whitened(canvas).transpose(2, 0, 1) / 255.0 - 0.5
        for row in np.concatenate(shown):
            _teach(done, n, row)
    return done


def _scaled(rng: np.random.Generator, shelf: Shelf, room: int) -> tuple[np.ndarray, np.ndarray]:
    """Shrink a scene to a random height of indices, with its table."""
    picture, table = shelf.draw(rng)
    own = float(table[rng.integers(len(table)), 3]) if len(table) else float(math.exp(rng.uniform(2.3, 4.2)))
    wanted = (
        math.exp(rng.uniform(math.log(9), math.log(25))) if rng.random() < 0.85 else math.exp(rng.uniform(1.6, 4.3))
    )
    scale = min(1.25, max(0.2, wanted / own))
    side = max(32, round(SIZE * scale))
    if side <= room // 2 < CANVAS_PX // 2:
        side = room // 2
    scale = side / SIZE
    table = table.copy()
    table[:, [0, 1, 3]] *= scale
    return cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR), table


def _paste(
    canvas: np.ndarray,
    picture: np.ndarray,
    table: np.ndarray,
    corner: tuple[int, int],
    room: int,
    rng: np.random.Generator,
) -> np.ndarray:
    """Put the picture, or a part of it, into a square of the canvas; the table in the canvas's px."""
    side = picture.shape[0]
    size = min(side, room)
    y0, x0 = (int(v) for v in rng.integers(0, side - size + 1, 2))
    r0, c0 = corner
    canvas[r0 : r0 + size, c0 : c0 + size] = picture[y0 : y0 + size, x0 : x0 + size]
    moved = table.copy()
    # what is cut shows less
    cut = (table[:, 0] < x0 + 0.4 * table[:, 3]) | (table[:, 0] > x0 + size - 0.4 * table[:, 3])
    cut |= (table[:, 1] < y0 + 0.4 * table[:, 3]) | (table[:, 1] > y0 + size - 0.4 * table[:, 3])
    if side > size:
        moved[cut, 4] = np.minimum(moved[cut, 4], (VISIBLE_FROM_SHARE + HIDDEN_UP_TO_SHARE) / 2)
    inside = (table[:, 0] > x0) & (table[:, 0] < x0 + size) & (table[:, 1] > y0) & (table[:, 1] < y0 + size)
    moved[:, 0] += c0 - x0
    moved[:, 1] += r0 - y0
    kept: np.ndarray = moved[inside]
    return kept


def _teach(done: Canvases, n: int, row: np.ndarray) -> None:
    x, y, angle, height, shown = (float(v) for v in row[:5])
    cells = done.heat.shape[1]
    column, line = x / STRIDE_PX - 0.5, y / STRIDE_PX - 0.5
    grid_y, grid_x = np.mgrid[0:cells, 0:cells]
    d2 = (grid_x - column) ** 2 + (grid_y - line) ** 2
    if shown <= HIDDEN_UP_TO_SHARE or not _IGNORED_HEIGHTS_PX[0] <= height <= _IGNORED_HEIGHTS_PX[1]:
        return
    if shown < VISIBLE_FROM_SHARE or not FOUND_HEIGHTS_PX[0] <= height <= FOUND_HEIGHTS_PX[1]:
        done.weight[n][d2 < (0.6 * height / STRIDE_PX) ** 2] = 0
        return
    spread = 0.55 + 0.03 * height / STRIDE_PX
    at = round(line), round(column)
    if not (0 <= at[0] < cells and 0 <= at[1] < cells):
        return
    done.heat[n] = np.maximum(done.heat[n], np.exp(-d2 / (2 * spread**2)))
    done.heat[n][at] = 1.0
    near = d2 < 2.0
    values = (math.cos(angle), math.sin(angle), math.log(height / 16.0))
    for k, value in enumerate(values):
        done.poses[n, k][near] = value
    done.poses[n, 3][near] = (column - grid_x)[near]
    done.poses[n, 4][near] = (line - grid_y)[near]
    done.taught[n][near] = 1.0
