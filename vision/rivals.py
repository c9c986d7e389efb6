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
from vision.settle import AGAINST, NEAR, RIVALS, SPEAKS, leads, widened
from vision.tellings import SHIFT
from vision.tiles import References, cut
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
    found: dict[tuple[int, int], dict[bool, float]] = {}
    for own, face in enumerate(deck.faces.values()):
        patch = _seen(face, deck, ref, scale, blur, np.random.default_rng(own))
        agreement = ref.agreement(cut(patch[None, SHIFT:-SHIFT, SHIFT:-SHIFT], ref.side))[0]
        for part in _parts(ref):
            open_ = np.kron(part.reshape(ref.grid[::-1]), np.ones((ref.side, ref.side))).astype(np.uint8)
            rows = _near(ref, agreement, part, own)
            if len(rows) < 2:
                continue
            lead = leads(ref, patch[None].repeat(len(rows), 0), rows, open_)[0]
            whole = bool(part.all())
            for row, margin in zip(rows[1:], lead[1:], strict=True):
                other = int(row) // 2
                margins = found.setdefault((min(own, other), max(own, other)), {})
                margins[whole] = min(float(margin), margins.get(whole, 1.0))
        yield
    names = deck.labels
    return sorted(
        Rivals(round(m.get(True, 1.0), 3), round(m.get(False, 1.0), 3), names[one], names[other])
        for (one, other), m in found.items()
    )


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


def _near(ref: References, agreement: Array, part: Array, own: int) -> Array:
    """Rows of the references that recognition would compare: the face's own first, then its rivals'."""
    evidence = (ref.weights * np.clip(agreement - SPEAKS, -AGAINST, 1) * part).sum(1)
    best = np.maximum(evidence[0::2], evidence[1::2])
    order = [int(n) for n in np.argsort(-best) if n != own and best[n] > NEAR * best[own]][: RIVALS - 1]
    return np.array([2 * own, *(2 * n + int(evidence[2 * n + 1] > evidence[2 * n]) for n in order)])
