"""Detect and read the indices of French-suited cards in a picture, on any deck, with two small networks.

An index is the rank's glyph above the suit's pip, as in a card's corner; English (A K Q J 10 9 … 2) and German ones
(D is the queen, B the knave). The finder detects indices in a picture of any size; the reader
classifies the one at a given place and regresses how the place is to be corrected. ``docs/network.md`` states what they
learned from and how far they can be trusted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from typing import TypeVar

import cv2
import numpy as np

from vision.errors import VisionError
from vision.geometry.pose import non_maximum_suppression

RANKS = "AKQJT98765432"
SUITS = "CSHD"
#: Width and height in px of the reader's input patch.
PATCH_PX = (40, 64)
#: Height in px of an index in the reader's input patch.
PATCH_INDEX_PX = 40.0
#: Width in px of a cell of the finder's output.
STRIDE_PX = 4
#: Heights in px, least and most, of the indices that the finder finds at one scale of the picture.
FOUND_HEIGHTS_PX = (10.0, 24.0)
#: Height in px whose logarithm the finder gives as 0.
_UNIT_HEIGHT_PX = 16.0
#: Pixels that the finder is given at once, besides what overlaps, and the rows by which strips of a picture overlap: as
#: far as the finder looks from a cell, a multiple of 8.
_STRIP_PIXELS, _OVERLAP_PX = 1_000_000, 64
#: Score of the first reading below which a place is not read again.
_MIN_FIRST_SCORE = 0.02
#: Logarithm of the ratio of two heights below which the reader's correction makes them one.
_SAME_HEIGHT = 0.12
#: Score from which an index of the right height surely is one.
_SURE_SCORE = 0.9
#: Grey level that white is brought to in the networks' input.
_INPUT_WHITE = 200.0


@dataclass(frozen=True, slots=True)
class Index:
    """An index in a picture.

    ``angle`` is where its "up" points, rad clockwise from the picture's up; ``height`` that of rank and suit together.
    ``ranks`` and ``suits`` are probabilities in the order of ``RANKS`` and ``SUITS``, ``score`` that of being an index
    at all, which shows wholly.
    """

    x: float
    y: float
    angle: float
    height: float
    score: float
    ranks: tuple[float, ...]
    suits: tuple[float, ...]

    @property
    def label(self) -> str:
        """The likeliest card, suit then rank."""
        return SUITS[int(np.argmax(self.suits))] + RANKS[int(np.argmax(self.ranks))]

    @property
    def certainty(self) -> float:
        """Probability that this is an index and that of this card."""
        return self.score * max(self.ranks) * max(self.suits)


@dataclass(frozen=True, slots=True)
class IndexPlace:
    """Proposed position of an index: centre, direction of "up" and height as in ``Index``, and the finder's score."""

    x: float
    y: float
    angle: float
    height: float
    score: float = 1.0


def find_indices(
    picture: np.ndarray,
    smallest: float = 10.0,
    largest: float = 320.0,
    finder_score: float = 0.2,
    score: float = 0.5,
    max_places: int = 120,
    usual: float | None = None,
) -> list[Index]:
    """Detect and read all indices in a picture, surest first.

    :param picture: (h, w, 3) uint8, BGR.
    :param smallest: px; indices lower than this are not searched. Twice as large is four times as fast.
    :param finder_score: places that the finder gives less are not read; 0.05 … 0.5, lower finds more and costs time.
    :param score: indices that the reader gives less are left out.
    :param max_places: so many places are read, the best ones.
    :param usual: px, the height of all indices, where that is known: what the finder takes for higher or lower ones is
        read in this height, too.
    """
    levels = pyramid(picture)
    places = find_places(picture, smallest, largest, finder_score)[:max_places]
    read = read_places(levels, places)
    found = [index for index in read if index.score >= score]
    if usual is not None:  # more print gets such a chance, so it must be an index of some card
        again = read_places(levels, _in_height(places, usual, read))
        found += [index for index in again if index.certainty >= score]
    return suppress_overlapping(found)


def read_index(picture: np.ndarray, place: IndexPlace, rounds: int = 3) -> Index:
    """Read the index at one place, wherever that is; see ``read_places`` for many."""
    return read_places(pyramid(picture), [place], rounds)[0]


def pyramid(picture: np.ndarray) -> list[np.ndarray]:
    """Build the image pyramid for ``read_places``: the picture and its halves."""
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 2 * PATCH_PX[1]:
        levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return levels


def find_places(
    picture: np.ndarray, smallest: float = 10.0, largest: float = 320.0, finder_score: float = 0.2
) -> list[IndexPlace]:
    """Propose places of indices, surest first; a part of them are none."""
    found: list[IndexPlace] = []
    scale = min(FOUND_HEIGHTS_PX[0] / smallest, 2.0)
    net = _network("finder")
    while scale > 0.02 and FOUND_HEIGHTS_PX[0] / scale <= largest * 1.01:
        size = (max(8, round(picture.shape[1] * scale)), max(8, round(picture.shape[0] * scale)))
        if min(size) < 32:
            break
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        shrunk = picture if scale == 1 else cv2.resize(picture, size, interpolation=how)
        answer = _in_strips(net, whitened(shrunk))
        found += _places(answer, picture.shape[1] / size[0], picture.shape[0] / size[1], finder_score)
        scale /= 2
    found.sort(key=lambda place: -place.score)
    return _suppressed(found, 0.25)


def _in_height(places: Sequence[IndexPlace], height: float, read: Sequence[Index]) -> list[IndexPlace]:
    """Place indices of a known height where the finder has lower or higher ones: they share their head, middle or foot.

    Of a rank and a large pip it may have found the one alone. Not where one of that height was ``read`` surely.
    """
    sure = [(one.x, one.y) for one in read if one.score > _SURE_SCORE and _as_high(one, height)]
    taken = np.array(sure).reshape(-1, 2)
    found = []
    for one in places:
        if _as_high(one, height) or (np.hypot(*(taken - (one.x, one.y)).T) < height / 2).any():
            continue
        up = (math.sin(one.angle), -math.cos(one.angle))
        for moved in ((one.height - height) / 2, 0.0, (height - one.height) / 2):
            found.append(replace(one, x=one.x + moved * up[0], y=one.y + moved * up[1], height=height))
    return found


def _as_high(one: IndexPlace | Index, height: float) -> bool:
    return abs(math.log(height / one.height)) < _SAME_HEIGHT


def _in_strips(net: cv2.dnn.Net, picture: np.ndarray) -> np.ndarray:
    """Let the finder look at a whitened picture, (6, h / 4, w / 4) float32, in strips that overlap.

    A whole picture of 24 million pixels at once takes 1.8 GB; the answers are the same.
    """
    rows, strip = picture.shape[0], max(8, _STRIP_PIXELS // picture.shape[1] // 8 * 8)
    answers = []
    for top in range(0, rows, strip):
        first = max(0, top - _OVERLAP_PX)
        net.setInput(finder_input([picture[first : top + strip + _OVERLAP_PX]]))
        inner = slice((top - first) // STRIDE_PX, (top - first + strip) // STRIDE_PX)
        answers.append(net.forward()[0][:, inner].copy())
    return np.concatenate(answers, axis=1)


def whitened(picture: np.ndarray) -> np.ndarray:
    """Normalise each channel to its local maximum (white paper): (h, w, 3) uint8."""
    height, width = picture.shape[:2]
    white = cv2.resize(local_white(picture), (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.divide(picture, white, scale=_INPUT_WHITE)


def local_white(picture: np.ndarray) -> np.ndarray:
    """Find each channel's maximum round about, 11 of its pixels wide, and smooth it: (h // 4, w // 4, 3) uint8."""
    height, width = picture.shape[:2]
    coarse = cv2.resize(picture, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
    return np.maximum(cv2.blur(cv2.dilate(coarse, np.ones((11, 11), np.uint8)), (9, 9)), 24)


def finder_input(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """Pack whitened pictures of one size as the finder takes them: (n, 3, h, w) float32, sides multiples of 8."""
    height, width = pictures[0].shape[:2]
    batch = np.zeros((len(pictures), 3, -(-height // 8) * 8, -(-width // 8) * 8), np.float32)
    for n, picture in enumerate(pictures):
        batch[n, :, :height, :width] = picture.transpose(2, 0, 1)
    return batch / 255.0 - 0.5


def _places(answer: np.ndarray, sx: float, sy: float, least: float) -> list[IndexPlace]:
    heat = answer[0]
    logit = math.log(least / (1 - least))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > logit)
    places = []
    for row, column in zip(*np.nonzero(peak), strict=True):
        value, cos, sin, log_height, dx, dy = answer[:, row, column].tolist()
        height = _UNIT_HEIGHT_PX * math.exp(min(max(log_height, -2.0), 2.0))
        x, y = (column + 0.5 + dx) * STRIDE_PX, (row + 0.5 + dy) * STRIDE_PX
        places.append(
            IndexPlace(x * sx, y * sy, math.atan2(sin, cos), height * (sx + sy) / 2, 1 / (1 + math.exp(-value)))
        )
    return places


def read_places(levels: Sequence[np.ndarray], places: Sequence[IndexPlace], rounds: int = 3) -> list[Index]:
    """Read the index at each place, in the same order; the reader corrects each place before it is read again.

    :param levels: of ``pyramid``.
    :param rounds: how often a place is read that may be an index; the last reading counts.
    """
    found: list[Index] = []
    current, again = list(places), list(range(len(places)))
    for turn in range(rounds):
        read = _read(levels, [current[n] for n in again])
        if turn == 0:
            found = read
        for n, index in zip(again, read, strict=True):
            found[n] = index
            current[n] = replace(current[n], x=index.x, y=index.y, angle=index.angle, height=index.height)
        again = [n for n in again if found[n].score > _MIN_FIRST_SCORE]
    return found


def _read(levels: Sequence[np.ndarray], places: Sequence[IndexPlace]) -> list[Index]:
    """Read each place once; an index's place is as the reader corrects it."""
    if not places:
        return []
    net = _network("reader")
    net.setInput(reader_input(np.stack([patch(levels, place) for place in places])))
    found = []
    for place, row in zip(places, net.forward().astype(np.float64), strict=True):
        last = _corrected(place, row[18:22])
        score = 1 / (1 + math.exp(-min(max(row[17], -40), 40)))
        ranks, suits = _softmax(row[:13]), _softmax(row[13:17])
        found.append(Index(last.x, last.y, last.angle, last.height, score, ranks, suits))
    return found


def patch(levels: Sequence[np.ndarray], place: IndexPlace) -> np.ndarray:
    """Cut out the picture round a place, upright, the index 40 px high: (64, 40, 3) uint8."""
    level = min(max(0, math.floor(math.log2(max(place.height, 1.0) / PATCH_INDEX_PX) + 0.4)), len(levels) - 1)
    picture = levels[level]
    sx, sy = picture.shape[1] / levels[0].shape[1], picture.shape[0] / levels[0].shape[0]
    k = place.height * sx / PATCH_INDEX_PX  # px of the level for one of the patch
    c, s = k * math.cos(place.angle), k * math.sin(place.angle)
    x, y = place.x * sx - 0.5, place.y * sy - 0.5
    u, v = (PATCH_PX[0] - 1) / 2, (PATCH_PX[1] - 1) / 2
    matrix = np.array([[c, -s, x - c * u + s * v], [s, c, y - s * u - c * v]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, matrix, PATCH_PX, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def reader_input(patches: np.ndarray) -> np.ndarray:
    """Pack patches (n, 64, 40, 3) uint8 as the reader takes them: (n, 3, 64, 40) float32, white balanced."""
    flat = patches.reshape(len(patches), -1, 3)[:, ::4]
    white = np.sort(flat, axis=1)[:, round(flat.shape[1] * 0.9)].astype(np.float32)
    scaled = patches.transpose(0, 3, 1, 2) * (_INPUT_WHITE / 255.0 / np.maximum(white, 12.0))[:, :, None, None]
    return np.minimum(scaled, 1.0).astype(np.float32) - np.float32(0.5)


def _corrected(place: IndexPlace, by: np.ndarray) -> IndexPlace:
    """Correct a place by the reader's regression: right and down in heights, turn in rad, logarithm of the height."""
    right, down, turn, grow = (float(np.clip(value, -0.5, 0.5)) for value in by)
    c, s = math.cos(place.angle) * place.height, math.sin(place.angle) * place.height
    return replace(
        place,
        x=place.x + right * c - down * s,
        y=place.y + right * s + down * c,
        angle=math.remainder(place.angle + turn, 2 * math.pi),
        height=place.height * math.exp(grow),
    )


def suppress_overlapping(found: Sequence[Index]) -> list[Index]:
    """Keep the surest of overlapping indices, surest first (non-maximum suppression)."""
    return _suppressed(sorted(found, key=lambda one: -one.certainty), 0.4)


Found = TypeVar("Found", Index, IndexPlace)


def _suppressed(found: Sequence[Found], share: float) -> list[Found]:
    """Suppress those, best first, whose centre is within this share of the smaller height of a better one's."""
    x, y, height = np.array([(one.x, one.y, one.height) for one in found]).reshape(-1, 3).T
    kept = non_maximum_suppression(
        range(len(found)),
        len(found),
        lambda k: np.hypot(x - x[k], y - y[k]) <= share * np.minimum(height, height[k]),
    )
    return [found[k] for k in kept]


def _softmax(values: np.ndarray) -> tuple[float, ...]:
    powers = np.exp(values - values.max())
    return tuple((powers / powers.sum()).tolist())


@lru_cache
def _network(name: str) -> cv2.dnn.Net:
    """Load a network of this package, once a process; one thread at a time may use it.

    :raises VisionError: if its file is missing or cannot be read.
    """
    file = resources.files("vision.indices") / "onnx" / f"{name}.onnx"
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(file.read_bytes(), np.uint8))
    except (OSError, cv2.error) as error:
        raise VisionError(f"the network {file} cannot be read: {error}; install Stichwart again") from error
