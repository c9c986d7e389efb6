"""Wear cards as months of play do: rubbed, dirty, sleeved, bent, and as a press prints them.

``worn(art, WEAR["old"], seed)`` is the same deck with each card worn in its own way; what is true of the deck (labels,
size) stays. A picture that reaches beyond its card (a sleeve, a bent corner) has that margin in ``Art.margin_mm``.
"""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import cv2
import numpy as np

from vision.simulation.artwork import BACK, PX_PER_MM, Art


@dataclass(frozen=True, slots=True, kw_only=True)
class Wear:
    """Wear of a deck; each card draws its own from these."""

    dirt: float = 0.0  # share of the light that smudges and fingers' grease take
    rubbed: float = 0.0  # mm along edges and corners where the print is rubbed off
    scratches: int = 0  # most scratches on a card
    creases: int = 0  # most creases across a corner
    faded: float = 0.0  # share of the ink that the light has bleached
    yellowed: float = 0.0  # share of blue that the paper has lost
    sleeve: float = 0.0  # mm that a clear sleeve stands out
    sheen: float = 0.0  # grey levels of a sleeve's reflexes
    bend: float = 0.0  # mm by which edges or middle stand up
    offset: float = 0.0  # mm by which the press's colours miss each other
    spread: float = 0.0  # mm by which ink spreads


#: By name. ``printed`` is what a press makes of clean drawings or scans, new cards.
WEAR = MappingProxyType(
    {
        "used": Wear(dirt=0.05, rubbed=0.35, scratches=3, faded=0.05, yellowed=0.03),
        "old": Wear(dirt=0.14, rubbed=1.6, scratches=10, creases=1, faded=0.15, yellowed=0.1),
        "dirty": Wear(dirt=0.28, rubbed=0.5, yellowed=0.12),
        "faded": Wear(faded=0.4, yellowed=0.06, rubbed=0.3),
        "scratched": Wear(scratches=28, rubbed=0.5, creases=2),
        "sleeved": Wear(sleeve=2.0, sheen=70.0),
        "bent": Wear(bend=4.5, dirt=0.04),
        "printed": Wear(offset=0.12, spread=0.09),
    }
)


def worn(art: Art, wear: Wear, seed: int = 0) -> Art:
    """Return the deck after this wear, the same for the same seed; each face is made when it is first asked for."""
    margin = max(wear.sleeve, 3.0 if wear.bend else 0.0)
    faces = _Faces({**art.faces, BACK: art.back}, wear, margin, art.size_mm, seed)
    return Art(art.name, art.size_mm, faces, faces.back, margin)


class _Faces(Mapping[str, np.ndarray]):
    """Faces worn on demand: a scene needs few of them."""

    def __init__(
        self, faces: Mapping[str, np.ndarray], wear: Wear, margin: float, size_mm: tuple[float, float], seed: int
    ) -> None:
        self._new, self._wear, self._margin, self._size_mm, self._seed = faces, wear, margin, size_mm, seed
        self._made: dict[str, np.ndarray] = {}

    def __getitem__(self, label: str) -> np.ndarray:
        if label == BACK:
            raise KeyError(label)
        return self._make(label)

    def __iter__(self) -> Iterator[str]:
        return (label for label in self._new if label != BACK)

    def __len__(self) -> int:
        return len(self._new) - 1

    @property
    def back(self) -> np.ndarray:
        """The back, worn as well."""
        return self._make(BACK)

    def _make(self, label: str) -> np.ndarray:
        if label not in self._made:
            rng = np.random.default_rng([self._seed, zlib.crc32(label.encode())])
            self._made[label] = _card(self._new[label], self._wear, self._margin, self._size_mm, rng)
        return self._made[label]


def _card(
    face: np.ndarray, wear: Wear, margin: float, size_mm: tuple[float, float], rng: np.random.Generator
) -> np.ndarray:
    """Wear one card's picture, (h, w, 4) uint8 BGRA, ``margin`` mm larger all round."""
    picture, cover = face[..., :3].astype(np.float32), face[..., 3].astype(np.float32) / 255
    if wear.offset or wear.spread:
        picture = _pressed(picture, wear, rng)
    if wear.faded or wear.yellowed:
        picture = _bleached(picture, wear, rng)
    if wear.rubbed:
        picture = _rubbed(picture, cover, wear, rng)
    for _ in range(int(rng.integers(0, wear.scratches + 1))):
        _scratch(picture, rng)
    for _ in range(int(rng.integers(0, wear.creases + 1))):
        _crease(picture, rng)
    if wear.dirt:
        picture *= _smudges(picture.shape[:2], wear.dirt, rng)
    if margin:
        edge = round(margin * PX_PER_MM)
        sides = (edge, edge, edge, edge)
        picture = np.asarray(cv2.copyMakeBorder(picture, *sides, cv2.BORDER_REPLICATE), np.float32)
        cover = np.asarray(cv2.copyMakeBorder(cover, *sides, cv2.BORDER_CONSTANT, value=0), np.float32)
    if wear.bend:
        picture, cover = _bent(picture, cover, wear.bend, size_mm, rng)
    if wear.sleeve:
        picture, cover = _sleeved(picture, cover, wear, rng)
    return np.dstack([np.clip(picture, 0, 255), np.clip(255 * cover, 0, 255)]).round().astype(np.uint8)


def _spots(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> np.ndarray:
    """Draw noise (h, w) float32, about normal, with spots of ``grain`` px."""
    coarse = rng.standard_normal((int(shape[0] / grain) + 2, int(shape[1] / grain) + 2)).astype(np.float32)
    return cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)


def _pressed(picture: np.ndarray, wear: Wear, rng: np.random.Generator) -> np.ndarray:
    """Print with misregistered inks: cyan, magenta and yellow a little off, spread at edges, one or two too strong."""
    height, width = picture.shape[:2]
    plates = []
    for plate in cv2.split(picture):  # yellow takes blue, magenta green, cyan red
        dx, dy = rng.normal(0, wear.offset / 2, 2) * PX_PER_MM
        matrix = np.array([(1, 0, dx), (0, 1, dy)], np.float32)
        shifted = cv2.warpAffine(plate, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
        ink = np.asarray(1 - shifted / 255, np.float32)
        if wear.spread:
            wide = cv2.GaussianBlur(ink, (0, 0), max(0.5, wear.spread * PX_PER_MM))
            spread_limit = cv2.dilate(ink, np.ones((5, 5), np.uint8))
            ink = np.maximum(ink, np.minimum(np.clip(1.35 * wide - 0.1, 0, 1), spread_limit))
        plates.append(255 * (1 - np.clip(ink * rng.uniform(0.88, 1.06), 0, 1)))
    printed: np.ndarray = cv2.merge(plates)
    return printed


def _bleached(picture: np.ndarray, wear: Wear, rng: np.random.Generator) -> np.ndarray:
    """Bleach ink as light does, red and yellow before black; paper turns yellow."""
    share = wear.faded * rng.uniform(0.5, 1.0)
    paper = np.array((240, 242, 243), np.float32)
    colourful = (picture.max(2) - picture.min(2)) / 255
    out = picture + (paper - picture) * (share * (0.6 + 0.4 * colourful))[..., None]
    yellow = wear.yellowed * rng.uniform(0.4, 1.0)
    return np.asarray(out * np.array((1 - yellow, 1 - 0.3 * yellow, 1 - 0.15 * yellow), np.float32), np.float32)


def _rubbed(picture: np.ndarray, cover: np.ndarray, wear: Wear, rng: np.random.Generator) -> np.ndarray:
    """Rub print off: grey paper along edges and corners, and specks of it where fingers hold the card."""
    inside = np.float32(1 / PX_PER_MM) * cv2.distanceTransform((cover > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    near = cv2.GaussianBlur(np.asarray(inside, np.float32), (0, 0), 6)  # smaller in corners
    bare = np.clip(1.6 * (wear.rubbed * (1 + 0.6 * _spots(rng, cover.shape, 14)) - near), 0, 1)
    specks = np.clip(_spots(rng, cover.shape, 5) - 3.3 + 0.5 * wear.rubbed, 0, 1)
    gone = np.maximum(bare, specks)
    paper = np.array((214, 222, 226), np.float32) * (1 - 0.25 * bare[..., None])
    return np.asarray(picture + (paper - picture) * (0.8 * gone)[..., None], np.float32)


def _scratch(picture: np.ndarray, rng: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    turn, length = rng.uniform(0, 2 * np.pi), rng.uniform(4, 40) * PX_PER_MM
    points = [(x, y)]
    for _ in range(6):
        turn += rng.normal(0, 0.08)
        x, y = x + np.cos(turn) * length / 6, y + np.sin(turn) * length / 6
        points.append((x, y))
    line = np.zeros((height, width), np.uint8)
    cv2.polylines(line, [np.round(np.array(points) * 8).astype(np.int32)], False, 255, 1, cv2.LINE_AA, 3)
    grey = np.float32(225 if rng.random() < 0.7 else 90)
    share = (line.astype(np.float32) * (rng.uniform(0.25, 0.8) / 255))[..., None]
    picture += (grey - picture) * share


def _crease(picture: np.ndarray, rng: np.random.Generator) -> None:
    """Draw the crease of a folded corner: a bright line with a dark side across it."""
    height, width = picture.shape[:2]
    reach = rng.uniform(8, 26) * PX_PER_MM
    ends = np.array([(0.0, reach * rng.uniform(0.6, 1.4)), (reach, 0.0)])
    flip = rng.integers(0, 2, 2)
    ends = np.abs(ends - flip * (width, height))
    for shift, grey, share in ((0.0, 235.0, 0.7), (3.0, 120.0, 0.35)):
        line = np.zeros((height, width), np.uint8)
        a, b = np.round((ends + shift) * 8).astype(int).tolist()
        cv2.line(line, a, b, 255, 2, cv2.LINE_AA, 3)
        soft = cv2.GaussianBlur(line, (0, 0), 1.2).astype(np.float32) * (share / 255)
        picture += (np.float32(grey) - picture) * soft[..., None]


def _smudges(shape: tuple[int, int], dirt: float, rng: np.random.Generator) -> np.ndarray:
    """Draw brownish smudges: (h, w, 3) float32 factors."""
    large, small = _spots(rng, shape, 70), _spots(rng, shape, 22)
    depth = np.clip(0.35 + 0.4 * large + 0.25 * small, 0, 1.6) * dirt * rng.uniform(0.5, 1.1)
    return np.asarray(1 - depth[..., None] * np.array((1.0, 0.85, 0.75), np.float32), np.float32)


def _bent(
    picture: np.ndarray, cover: np.ndarray, max_bend: float, size_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Bend a card about one axis, seen a little from the side: narrower, shifted where it stands up, and shaded."""
    height, width = cover.shape
    high = rng.uniform(0.3, 1.0) * max_bend * rng.choice([-1, 1])  # edges up, or the middle
    turn = rng.choice([0.0, np.pi / 2, rng.uniform(0, np.pi)])  # across which way
    across = np.array([np.cos(turn), np.sin(turn)])
    reach = float(abs(across[0]) * size_mm[0] + abs(across[1]) * size_mm[1]) / 2
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (xx - (width - 1) / 2) / PX_PER_MM, (yy - (height - 1) / 2) / PX_PER_MM
    s = np.clip((x * across[0] + y * across[1]) / reach, -1.1, 1.1)
    up = high * s * s if high > 0 else -high * (1 - s * s)
    aside = rng.uniform(-0.25, 0.25, 2)  # tangent of the angle under which it is seen
    stretch = reach * s * (2 / 3) * (high / reach) ** 2 * s * s  # arc against chord
    map_x = xx + (stretch * across[0] - up * aside[0]).astype(np.float32) * PX_PER_MM
    map_y = yy + (stretch * across[1] - up * aside[1]).astype(np.float32) * PX_PER_MM
    shade = 1 + rng.uniform(-0.6, 0.6) * 2 * high * s / reach
    seen = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen * shade[..., None], np.float32), cv2.remap(cover, map_x, map_y, cv2.INTER_LINEAR)


def _sleeved(
    picture: np.ndarray, cover: np.ndarray, wear: Wear, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Put a card in a clear sleeve: a hazy rim with a welded edge, less contrast, and a band of light across."""
    height, width = cover.shape
    film = np.float32(0.16)
    plastic = np.array((205, 205, 200), np.float32)
    hazy = picture * 0.93 + 9
    out = hazy * cover[..., None] + plastic * (1 - cover[..., None])
    alpha = np.maximum(cover, film)
    rim = np.zeros((height, width), np.uint8)
    cv2.rectangle(rim, (1, 1), (width - 2, height - 2), 255, 3)
    weld = cv2.GaussianBlur(rim, (0, 0), 1.0).astype(np.float32) / 255
    alpha = np.maximum(alpha, 0.5 * weld)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = rng.uniform(0, np.pi)
    along = (xx - width * rng.uniform(0.2, 0.8)) * np.cos(turn) + (yy - height * rng.uniform(0.2, 0.8)) * np.sin(turn)
    band = np.exp(-0.5 * (along / (rng.uniform(4, 14) * PX_PER_MM)) ** 2) * rng.uniform(0.2, 1.0) * wear.sheen
    return out + band[..., None].astype(np.float32), alpha
