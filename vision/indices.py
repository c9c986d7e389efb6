"""Where the indices of French-suited cards are in a picture, and what they say, on any deck.

An index is the rank's glyph above the suit's pip, as in a card's corner; English (A K Q J 10 9 … 2) and German ones
(D is the queen, B the knave). Two small networks do it: a finder that marks indices in a picture of any size, and a
reader that names one at a given place and says how its place is to be mended. ``docs/network.md`` tells what they
learned from and how far they can be trusted.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources

import cv2
import numpy as np

from vision.errors import VisionError

RANKS = "AKQJT98765432"
SUITS = "CSHD"
#: Patches for the reader: width and height in px; an index's height there.
PATCH, PATCH_INDEX = (40, 64), 40.0
#: Cells of the finder's answer are as many px wide; heights of indices that it finds at one scale of the picture.
STRIDE, FOUND = 4, (10.0, 24.0)
_UNIT = 16.0  # px; the finder tells heights as the logarithm of their ratio to it
#: A place of which the reader says less than this at first sight is not read again.
_HOPELESS = 0.02
#: What white is brought to before a network sees it.
_WHITE = 200.0


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
class Place:
    """Where an index may be: centre, direction of "up" and height as in ``Index``, and how sure the finder is."""

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
    most: int = 120,
) -> list[Index]:
    """All indices in a picture, surest first.

    :param picture: (h, w, 3) uint8, BGR.
    :param smallest: px; indices lower than this are not looked for. Twice as large is four times as fast.
    :param finder_score: places that the finder gives less are not read; 0.05 … 0.5, lower finds more and costs time.
    :param score: indices that the reader gives less are left out.
    :param most: so many places are read, the best ones.
    """
    levels = pyramid(picture)
    places = find_places(picture, smallest, largest, finder_score)[:most]
    found = [index for index in read_places(levels, places) if index.score >= score]
    return apart(found)


def read_index(picture: np.ndarray, place: Place, rounds: int = 3) -> Index:
    """What stands at one place, wherever that is; see ``read_places`` for many."""
    return read_places(pyramid(picture), [place], rounds)[0]


def pyramid(picture: np.ndarray) -> list[np.ndarray]:
    """The picture and its halves, for ``read_places``."""
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 2 * PATCH[1]:
        levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return levels


def find_places(
    picture: np.ndarray, smallest: float = 10.0, largest: float = 320.0, finder_score: float = 0.2
) -> list[Place]:
    """Places that look like an index, surest first; a fraction of them are none."""
    found: list[Place] = []
    scale = min(FOUND[0] / smallest, 2.0)
    net = _network("finder")
    while scale > 0.02 and FOUND[0] / scale <= largest * 1.01:
        size = (max(8, round(picture.shape[1] * scale)), max(8, round(picture.shape[0] * scale)))
        if min(size) < 32:
            break
        shrunk = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
        net.setInput(finder_input([whitened(shrunk)]))
        answer = net.forward()[0]
        found += _places(answer, picture.shape[1] / size[0], picture.shape[0] / size[1], finder_score)
        scale /= 2
    found.sort(key=lambda place: -place.score)
    kept: list[Place] = []
    for place in found:
        if all(math.hypot(place.x - p.x, place.y - p.y) > 0.25 * min(place.height, p.height) for p in kept):
            kept.append(place)
    return kept


def whitened(picture: np.ndarray) -> np.ndarray:
    """The picture with the brightest of each channel round about brought to white; (h, w, 3) uint8."""
    height, width = picture.shape[:2]
    coarse = cv2.resize(picture, (max(1, width // 4), max(1, height // 4)), interpolation=cv2.INTER_AREA)
    white = cv2.blur(cv2.dilate(coarse, np.ones((11, 11), np.uint8)), (9, 9))
    white = cv2.resize(np.maximum(white, 24), (width, height), interpolation=cv2.INTER_LINEAR)
    return cv2.divide(picture, white, scale=_WHITE)


def finder_input(pictures: Sequence[np.ndarray]) -> np.ndarray:
    """Whitened pictures of one size as the finder takes them: (n, 3, h, w) float32, sides multiples of 8."""
    height, width = pictures[0].shape[:2]
    batch = np.zeros((len(pictures), 3, -(-height // 8) * 8, -(-width // 8) * 8), np.float32)
    for n, picture in enumerate(pictures):
        batch[n, :, :height, :width] = picture.transpose(2, 0, 1)
    return batch / 255.0 - 0.5


def _places(answer: np.ndarray, sx: float, sy: float, least: float) -> list[Place]:
    heat = answer[0]
    logit = math.log(least / (1 - least))
    peak = (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > logit)
    places = []
    for row, column in zip(*np.nonzero(peak), strict=True):
        value, cos, sin, log_height, dx, dy = answer[:, row, column].tolist()
        height = _UNIT * math.exp(min(max(log_height, -2.0), 2.0))
        x, y = (column + 0.5 + dx) * STRIDE, (row + 0.5 + dy) * STRIDE
        places.append(Place(x * sx, y * sy, math.atan2(sin, cos), height * (sx + sy) / 2, 1 / (1 + math.exp(-value))))
    return places


def read_places(levels: Sequence[np.ndarray], places: Sequence[Place], rounds: int = 3) -> list[Index]:
    """What stands at each place, in the same order; each place is mended by the reader before it is read again.

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
        again = [n for n in again if found[n].score > _HOPELESS]
    return found


def _read(levels: Sequence[np.ndarray], places: Sequence[Place]) -> list[Index]:
    """One reading of each place; the index's own place is as the reader mends it."""
    if not places:
        return []
    net = _network("reader")
    net.setInput(reader_input(np.stack([patch(levels, place) for place in places])))
    found = []
    for place, row in zip(places, net.forward().astype(np.float64), strict=True):
        last = _mended(place, row[18:22])
        score = 1 / (1 + math.exp(-min(max(row[17], -40), 40)))
        ranks, suits = _softmax(row[:13]), _softmax(row[13:17])
        found.append(Index(last.x, last.y, last.angle, last.height, score, ranks, suits))
    return found


def patch(levels: Sequence[np.ndarray], place: Place) -> np.ndarray:
    """(64, 40, 3) uint8: the picture round about a place, upright, the index 40 px high."""
    level = min(max(0, math.floor(math.log2(max(place.height, 1.0) / PATCH_INDEX) + 0.4)), len(levels) - 1)
    picture = levels[level]
    sx, sy = picture.shape[1] / levels[0].shape[1], picture.shape[0] / levels[0].shape[0]
    k = place.height * sx / PATCH_INDEX  # px of the level for one of the patch
    c, s = k * math.cos(place.angle), k * math.sin(place.angle)
    x, y = place.x * sx - 0.5, place.y * sy - 0.5
    u, v = (PATCH[0] - 1) / 2, (PATCH[1] - 1) / 2
    matrix = np.array([[c, -s, x - c * u + s * v], [s, c, y - s * u - c * v]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, matrix, PATCH, flags=flags, borderMode=cv2.BORDER_REPLICATE)


def reader_input(patches: np.ndarray) -> np.ndarray:
    """Patches (n, 64, 40, 3) uint8 as the reader takes them: (n, 3, 64, 40) float32, white alike in all channels."""
    flat = patches.reshape(len(patches), -1, 3)[:, ::4]
    white = np.sort(flat, axis=1)[:, round(flat.shape[1] * 0.9)].astype(np.float32)
    scaled = patches.transpose(0, 3, 1, 2) * (_WHITE / 255.0 / np.maximum(white, 12.0))[:, :, None, None]
    return np.minimum(scaled, 1.0).astype(np.float32) - np.float32(0.5)


def _mended(place: Place, by: np.ndarray) -> Place:
    """The place moved by what the reader says: right and down in heights, turn in rad, logarithm of the height."""
    right, down, turn, grow = (float(np.clip(value, -0.5, 0.5)) for value in by)
    c, s = math.cos(place.angle) * place.height, math.sin(place.angle) * place.height
    return replace(
        place,
        x=place.x + right * c - down * s,
        y=place.y + right * s + down * c,
        angle=math.remainder(place.angle + turn, 2 * math.pi),
        height=place.height * math.exp(grow),
    )


def apart(found: Sequence[Index]) -> list[Index]:
    """The surest of those that lie on one another, surest first."""
    kept: list[Index] = []
    for index in sorted(found, key=lambda one: -one.certainty):
        if all(math.hypot(index.x - k.x, index.y - k.y) > 0.4 * min(index.height, k.height) for k in kept):
            kept.append(index)
    return kept


def _softmax(values: np.ndarray) -> tuple[float, ...]:
    powers = np.exp(values - values.max())
    return tuple((powers / powers.sum()).tolist())


@lru_cache
def _network(name: str) -> cv2.dnn.Net:
    """A network of this package; one for the process, so one thread at a time may use it.

    :raises VisionError: if its file is missing or cannot be read.
    """
    file = resources.files("vision") / "networks" / f"{name}.onnx"
    try:
        return cv2.dnn.readNetFromONNX(np.frombuffer(file.read_bytes(), np.uint8))
    except (OSError, cv2.error) as error:
        raise VisionError(f"the network {file} cannot be read: {error}; install Stichwart again") from error
