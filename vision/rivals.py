"""A learned deck checked against itself: which two faces may be taken for each other, and at what margin.

Each face is seen as the camera sees it (its scale, blur and noise; whole, and half covered) and named by the
recognition's own comparison of rivals, pair by pair.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.deck import Deck
from vision.pictures import Picture
from vision.settle import NEAR, SPEAKS, settled, widened
from vision.tiles import References, TileSet, cut
from vision.view import Array

#: Margins below which two faces are told to be alike: of the whole card, and of its less telling half.
ALIKE, ALIKE_HALF = 0.35, 0.22
#: What a camera adds to the picture of a card: blur in px (standard deviation) and noise in grey levels.
BLUR, NOISE = 0.8, 4.0
#: Scale in px a mm that is checked where the camera is not known: the whole of an A3 mat in 1280 × 720.
USUAL_SCALE = 2.2


@dataclass(frozen=True, slots=True, order=True)
class Rivals:
    """Two faces that are alike. ``margin`` (-1 … 1) is by how much the right one is ahead where the card is whole,
    ``half`` where half of it is covered; the worse of the two faces counts."""

    margin: float
    half: float
    one: str
    other: str


def rivals(
    deck: Deck, scale: float = USUAL_SCALE, blur: float = BLUR, each: Callable[[], None] = lambda: None
) -> list[Rivals]:
    """All pairs of a deck's faces with print in common, the most alike first.

    ``scale``: px a mm of the camera; ``blur``: of its picture in px. ``each`` is called after every face, for it takes
    some seconds.
    """
    steps = rivals_in_steps(deck, scale, blur)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return list(done.value)
        each()


def rivals_in_steps(deck: Deck, scale: float = USUAL_SCALE, blur: float = BLUR) -> Generator[None, None, list[Rivals]]:
    """``rivals``, one face a step."""
    ref = _references(deck)
    found: dict[tuple[str, str], dict[bool, float]] = {}
    for number, label in enumerate(deck.faces):
        patch = _seen(deck.faces[label], deck, ref, scale, blur, np.random.default_rng(number))
        seen = cut(patch[None, 1:-1, 1:-1], ref.side)
        agreement = ref.agreement(seen)[0]
        for part in _parts(ref):
            whole = bool(part.all())
            open_ = np.kron(part.reshape(ref.grid[::-1]), np.ones((ref.side, ref.side))).astype(np.uint8)
            for other in _near(ref, agreement, part, number):
                pair = _pair(ref, number, other)
                choice = settled(pair, np.zeros(3), patch, part, open_)
                margin = choice.margin if choice.labels[0][0] == label else -choice.margin
                one, two = sorted((label, ref.labels[other]), key=list(deck.faces).index)
                margins = found.setdefault((one, two), {})
                margins[whole] = min(margin, margins.get(whole, 1.0))
        yield
    pairs = [Rivals(round(m.get(True, 1.0), 3), round(m.get(False, 1.0), 3), *pair) for pair, m in found.items()]
    return sorted(pairs)


def alike(pairs: Iterable[Rivals]) -> tuple[Rivals, ...]:
    """Those of ``rivals`` that are worth a person's second look."""
    return tuple(pair for pair in pairs if pair.margin < ALIKE or pair.half < ALIKE_HALF)


def _references(deck: Deck) -> References:
    """The sharp references of recognition, without the back."""
    return References.of(replace(deck, back=None) if deck.back is not None else deck, 24, 0.6)


def _seen(face: Picture, deck: Deck, ref: References, scale: float, blur: float, rng: np.random.Generator) -> Picture:
    """A face as the camera sees it, cut out as recognition does, with the pixels that a tile may shift by."""
    width, height = (max(8, round(side * scale)) for side in deck.size_mm)
    smooth = cv2.GaussianBlur(cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA), (0, 0), blur)
    small = np.clip(smooth + rng.normal(0, NOISE, smooth.shape), 0, 255).astype(np.uint8)
    size_mm, shape = widened(ref)
    edge_x, edge_y = (deck.size_mm[0] - size_mm[0]) / 2, (deck.size_mm[1] - size_mm[1]) / 2
    step_x, step_y = size_mm[0] / shape[0], size_mm[1] / shape[1]
    across, down = width / deck.size_mm[0], height / deck.size_mm[1]
    to_small = np.array(
        [
            (step_x * across, 0, (edge_x + 0.5 * step_x) * across - 0.5),
            (0, step_y * down, (edge_y + 0.5 * step_y) * down - 0.5),
        ]
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(small, to_small, shape, flags=flags, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _parts(ref: References) -> Iterator[Array]:
    """(tiles,) bool: the whole card, its upper half and its left half; most cards are the same upside down."""
    across, down = ref.grid
    y, x = np.divmod(np.arange(across * down), across)
    yield np.ones(across * down, bool)
    yield y < down / 2
    yield x < across / 2


def _near(ref: References, agreement: Array, part: Array, own: int) -> list[int]:
    """Faces with so much evidence that recognition would compare them."""
    evidence = (ref.weights * np.clip(agreement - SPEAKS, 0, 1) * part).sum(1)
    best = np.maximum(evidence[0::2], evidence[1::2])
    return [int(n) for n in np.flatnonzero(best > NEAR * best[own]) if n != own]


def _pair(ref: References, one: int, other: int) -> References:
    """The references of two faces alone."""
    rows = np.array([2 * one, 2 * one + 1, 2 * other, 2 * other + 1])
    tiles = TileSet(ref.tiles.vectors[rows], ref.tiles.means[rows], ref.tiles.power[rows])
    return References(
        (ref.labels[one], ref.labels[other]),
        ref.size_mm,
        ref.shape,
        ref.side,
        tiles,
        ref.weights[rows],
        ref.patches[rows],
    )
