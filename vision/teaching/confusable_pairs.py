"""Find the confusable pairs of a learned deck: faces that may be taken for each other, and at what margin.

Each face is rendered as the camera sees it (its scale, blur and noise; whole, and half covered) and compared pair by
pair as recognition compares rivals.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.deck.deck import Deck
from vision.geometry.projection import Array
from vision.images import Picture
from vision.messages import ConfusablePair
from vision.recognition.classification import PARAMS, padded_patch, pairwise_leads
from vision.recognition.tile_correlation import SHIFT
from vision.recognition.tiles import ReferenceTiles, cut_tiles, tile_evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfusablePairLimits:
    """Margins below which faces count as confusable, and the simulated camera that they are measured with."""

    #: Margin of the whole card below which a pair is reported.
    min_margin: float = 0.35
    #: Margin of the less distinct half below which a pair is reported.
    min_half_margin: float = 0.22
    #: Standard deviation of the camera's blur, px.
    blur_px: float = 0.8
    #: Standard deviation of the camera's noise, grey levels.
    noise_levels: float = 4.0


LIMITS = ConfusablePairLimits()
#: Scale in px a mm that is checked where the camera is not known: the whole of an A3 mat in 1280 × 720.
USUAL_SCALE_PX_PER_MM = 2.2


def confusable_pairs(
    deck: Deck,
    scale: float = USUAL_SCALE_PX_PER_MM,
    blur: float = LIMITS.blur_px,
    each: Callable[[], None] = lambda: None,
) -> list[ConfusablePair]:
    """Measure all pairs of a deck's faces with print in common, the most alike first.

    ``scale``: px a mm of the camera; ``blur``: of its picture in px. ``each`` is called after every face, for it takes
    some seconds.
    """
    steps = confusable_pairs_in_steps(deck, scale, blur)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return list(done.value)
        each()


def confusable_pairs_in_steps(
    deck: Deck, scale: float = USUAL_SCALE_PX_PER_MM, blur: float = LIMITS.blur_px
) -> Generator[None, None, list[ConfusablePair]]:
    """Yield once a face while ``confusable_pairs`` are found, and return them."""
    ref = _references(deck)
    found: dict[tuple[int, int], dict[bool, float]] = {}
    for own, face in enumerate(deck.faces.values()):
        patch = _seen(face, deck, ref, scale, blur, np.random.default_rng(own))
        agreement = ref.agreement(cut_tiles(patch[None, SHIFT:-SHIFT, SHIFT:-SHIFT], ref.side))[0]
        for part in _parts(ref):
            open_ = np.kron(part.reshape(ref.grid[::-1]), np.ones((ref.side, ref.side))).astype(np.uint8)
            rows = _near(ref, agreement, part, own)
            if len(rows) < 2:
                continue
            lead = pairwise_leads(ref, patch[None].repeat(len(rows), 0), rows, open_)[0]
            whole = bool(part.all())
            for row, margin in zip(rows[1:], lead[1:], strict=True):
                other = int(row) // 2
                margins = found.setdefault((min(own, other), max(own, other)), {})
                margins[whole] = min(float(margin), margins.get(whole, 1.0))
        yield
    names = deck.labels
    return sorted(
        ConfusablePair(round(m.get(True, 1.0), 3), round(m.get(False, 1.0), 3), names[one], names[other])
        for (one, other), m in found.items()
    )


def too_similar(pairs: Iterable[ConfusablePair]) -> tuple[ConfusablePair, ...]:
    """Select the pairs that are worth a person's check."""
    return tuple(pair for pair in pairs if pair.margin < LIMITS.min_margin or pair.half < LIMITS.min_half_margin)


def _references(deck: Deck) -> ReferenceTiles:
    """Return the sharp references of recognition, without the back."""
    return ReferenceTiles.of(replace(deck, back=None) if deck.back is not None else deck, 24, 0.6)


def _seen(
    face: Picture, deck: Deck, ref: ReferenceTiles, scale: float, blur: float, rng: np.random.Generator
) -> Picture:
    """Render a face as the camera sees it, rectified as recognition does, with the pixels that a tile may shift by."""
    width, height = (max(8, round(side * scale)) for side in deck.size_mm)
    smooth = cv2.GaussianBlur(cv2.resize(face, (width, height), interpolation=cv2.INTER_AREA), (0, 0), blur)
    small = np.clip(smooth + rng.normal(0, LIMITS.noise_levels, smooth.shape), 0, 255).astype(np.uint8)
    size_mm, shape = padded_patch(ref)
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


def _parts(ref: ReferenceTiles) -> Iterator[Array]:
    """Yield (tiles,) bool: the whole card, its upper half and its left half; most cards are the same upside down."""
    across, down = ref.grid
    y, x = np.divmod(np.arange(across * down), across)
    yield np.ones(across * down, bool)
    yield y < down / 2
    yield x < across / 2


def _near(ref: ReferenceTiles, agreement: Array, part: Array, own: int) -> Array:
    """Select the rows of the references that recognition would compare: the face's own first, then its rivals'."""
    evidence = tile_evidence(ref.weights, agreement, part)
    best = np.maximum(evidence[0::2], evidence[1::2])
    least = PARAMS.rival_evidence_share * best[own]
    order = [int(n) for n in np.argsort(-best) if n != own and best[n] > least][: PARAMS.max_rivals - 1]
    return np.array([2 * own, *(2 * n + int(evidence[2 * n + 1] > evidence[2 * n]) for n in order)])
