"""Classify the card at a known pose: similar faces are compared pair by pair on the same tiles.

References are learned from a camera, so one face's print may be half a millimetre off another's; and a pose fits the
face it was refined with. So each tile may shift a little before it is compared, and what two faces have in common but
for such a shift does not count between them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry.projection import Array
from vision.recognition.tile_correlation import SHIFT, correlate, cut_grid, unit_vectors
from vision.recognition.tiles import PARAMS as TILE_PARAMS
from vision.recognition.tiles import ReferenceTiles, cut_tiles, tile_evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassificationParams:
    """Parameters of the choice between the faces that may be at a pose."""

    #: Faces compared pair by pair. 3 … 8; time grows with their square.
    max_rivals: int = 5
    #: Share of the best face's evidence from which another is a rival. 0.3 … 0.6.
    rival_evidence_share: float = 0.45
    #: Share of a face's evidence one way round from which the other way is compared too. 0.6 … 0.95.
    turned_evidence_share: float = 0.85
    #: Lead below which two faces are compared again, each where it would lie itself. 0.2 … 1.
    close_lead: float = 0.45
    #: Grey level (mean of a tile's weakest channel) from which light hides print. 230 … 252.
    glare_level: int = 240
    #: Share of a tile that must be open for it to separate rivals. 0.2 … 0.6.
    min_open_share: float = 0.3
    #: Squared distance of two tiles (unit vectors) that print, pose and blur may cause. 0.02 … 0.1.
    blur_distance: float = 0.04
    #: Tiles compared, those that differ most. 12 … 40; time grows with it.
    max_tiles: int = 24
    #: Of these, tiles that differ most of each pair. 4 … 12.
    max_tiles_per_pair: int = 8
    #: Difference between two faces (sum over tiles, squares of paper white) that is as good as none. 0.002 … 0.02.
    negligible_difference: float = 0.004
    #: Weight of print below which a tile counts as blank paper. 0.1 … 0.2.
    blank_below: float = 0.15
    #: Power of a tile that is lost in noise, squares of paper white. 0.0005 … 0.005.
    noise_power: float = 0.002


PARAMS = ClassificationParams()


@dataclass(frozen=True, eq=False)
class CardHypothesis:
    """A card that may lie somewhere, classified; ``card_acceptance`` decides whether it stands."""

    pose: Array  # mm, mm, rad in 0 … 2π, upright
    labels: tuple[tuple[str, float], ...]  # with their evidence, the likeliest first
    margin: float  # 0 … 1: lead on the best rival
    evidence: float
    printed: float  # the evidence of printed tiles alone: blank paper agrees with any ace
    refuted: float  # share of the visible print that is not there
    soiled: float  # share of the visible blank paper on which something else is
    row: int  # of the references
    visible: Array  # (tiles,) bool: tiles that other cards hardly cover
    open: Array  # (h, w) uint8 of the sharp references' shape: 1 where no other card lies


def padded_patch(ref: ReferenceTiles) -> tuple[tuple[float, float], tuple[int, int]]:
    """Compute the size in mm and shape in px of a patch with ``SHIFT`` pixels more on every side."""
    (width_mm, height_mm), (width, height) = ref.size_mm, ref.shape
    wide, high = width + 2 * SHIFT, height + 2 * SHIFT
    return (width_mm * wide / width, height_mm * high / height), (wide, high)


def classify(
    ref: ReferenceTiles,
    pose: Array,
    patch: Array,
    visible: Array,
    open_: Array,
    patches_at: Callable[[Array], Array] | None = None,
) -> CardHypothesis:
    """Find the likeliest face at a pose, and its lead on the others.

    ``patch``: (h, w, 3) uint8 as ``padded_patch`` has it; ``visible``: (tiles,) bool, hardly covered; ``open_``: (h, w)
    uint8 of the references' shape, 1 where nothing covers the card. Rivals are compared on what is open alone, for what
    a covering edge leaves of a spade may resemble a club.

    ``patches_at`` gives such a patch for each of some references (m,), cut where the card would be if it were that one.
    """
    agreement = ref.agreement(cut_tiles(patch[None, SHIFT:-SHIFT, SHIFT:-SHIFT], ref.side))[0]
    evidence = tile_evidence(ref.weights, agreement, visible)
    rows, lead = _rivals(evidence), np.ones((1, 1))
    if len(rows) > 1:
        rows, lead = better_orientations(rows, pairwise_leads(ref, np.stack([patch] * len(rows)), rows, open_))
        first = int(np.argmax(lead.min(1)))
        close = np.flatnonzero((lead[first] < PARAMS.close_lead) | (np.arange(len(rows)) == first))
        if patches_at and len(close) > 1:
            rows = rows[close]
            lead = pairwise_leads(ref, patches_at(rows), rows, open_)
    worst = lead.min(1)
    best = int(np.argmax(worst))
    row = int(rows[best])
    upright = pose.copy()  # odd rows are references turned by half
    upright[2] = np.mod(pose[2] + (np.pi if row % 2 else 0), 2 * np.pi)
    scores = [(ref.labels[r // 2], float(evidence[r])) for r in rows]
    scores = [scores[best]] + [score for k, score in enumerate(scores) if k != best]
    found = _print_found(ref, row, agreement[row], visible, patch)
    margin = float(np.clip(worst[best], 0, 1))
    return CardHypothesis(upright, tuple(scores), margin, float(evidence[row]), *found, row, visible, open_)


def _rivals(evidence: Array) -> Array:
    """Select the references worth comparing, by the evidence (2 faces,) of all.

    Many faces are nearly the same turned by half: then both ways have to be compared.
    """
    order = np.argsort(-np.maximum(evidence[0::2], evidence[1::2]))[: PARAMS.max_rivals]
    least = PARAMS.rival_evidence_share * evidence.max()
    faces = [f for f in order if evidence[2 * f : 2 * f + 2].max() > least] or [order[0]]
    share = PARAMS.turned_evidence_share
    rows = [r for f in faces for r in (2 * f, 2 * f + 1) if evidence[r] > share * evidence[2 * f : 2 * f + 2].max()]
    return np.array(rows or [int(evidence.argmax())])


def _print_found(
    ref: ReferenceTiles, row: int, agreement: Array, visible: Array, patch: Array
) -> tuple[float, float, float]:
    """Sum the evidence of a face's printed tiles; find what share of visible print, and of blank paper, is absent."""
    weights = ref.print_weights[row] * visible
    found = float((weights * np.clip(agreement - TILE_PARAMS.supports_above, 0, 1)).sum())
    disagrees = agreement < TILE_PARAMS.absent_below
    shown = weights * ~_glare(patch, ref)
    absent = float((shown * disagrees).sum() / max(shown.sum(), 1e-6))
    blank = visible & (ref.print_weights[row] < PARAMS.blank_below)  # light hides nothing of it
    return found, absent, float(disagrees[blank].mean()) if blank.any() else 0.0


def _glare(patch: Array, ref: ReferenceTiles) -> Array:
    """Find the tiles (tiles,) bool in which glare hides all print."""
    across, down = ref.grid
    blue, green, red = cv2.split(patch[SHIFT:-SHIFT, SHIFT:-SHIFT])
    weakest = cv2.min(cv2.min(blue, green), red)
    means = cv2.resize(weakest, (across, down), interpolation=cv2.INTER_AREA).ravel()
    return np.asarray(means >= PARAMS.glare_level)


def better_orientations(rows: Array, lead: Array) -> tuple[Array, Array]:
    """Drop those of ``rows``, and of their leads, whose face leads the other way round."""
    tried = rows.tolist()
    even = 1e-9  # a lead by rounding alone is none, and then the upright reference stays
    keep = [
        n
        for n, row in enumerate(tried)
        if row ^ 1 not in tried or lead[n, tried.index(row ^ 1)] >= (even if row % 2 else -even)
    ]
    return rows[keep], lead[np.ix_(keep, keep)]


def pairwise_leads(ref: ReferenceTiles, patches: Array, rows: Array, open_: Array) -> Array:
    """Compare faces pair by pair: (m, m) -1 … 1, the lead of the one in row a on that in row b; the diagonal is 1.

    ``patches``: (m, h, w, 3) uint8 as ``padded_patch`` has it, cut where each would lie.
    """
    share = cv2.resize(open_.astype(np.float32), ref.grid, interpolation=cv2.INTER_AREA).ravel()
    # Only tiles with print on one of the rivals can separate them, and a few are enough.
    tiles = np.flatnonzero((share > PARAMS.min_open_share) & (ref.power[rows].max(0) > PARAMS.noise_power))
    if not len(tiles):
        return np.eye(len(rows))
    common = np.stack([[ref.correlation(a, b)[tiles] for b in rows.tolist()] for a in rows.tolist()])
    common = np.maximum(common, common.transpose(1, 0, 2))
    if len(tiles) > PARAMS.max_tiles:
        chosen = _most_different(_difference(ref.power[rows][:, tiles], common)[0] * share[tiles])
        tiles, common = tiles[chosen], common[..., chosen]
    masks = cut_grid(open_[..., None], ref.side)[tiles].astype(np.float32) if share[tiles].min() < 0.999 else None
    whole = ref.in_axes(rows, tiles)
    units, powers = unit_vectors(whole, masks)
    likeness, here = correlate(patches, ref.side, ref.grid[0], tiles, units, masks)
    if masks is not None:  # what a shift makes up for in the whole it does in the open part
        alike = _products(unit_vectors(whole, None)[0])
        common = 1 - (1 - _products(units)) * np.clip((1 - common) / np.maximum(1 - alike, 1e-4), 0, 1)
    least = TILE_PARAMS.explained_above
    trust = np.clip((likeness.max(0) - least) / (1 - least), 0, 1) ** 2 * share[tiles]
    weight, distance, blank = _difference(powers, common)
    noise = PARAMS.noise_power
    t = np.where(blank, (here / (here + noise))[:, None], 1.0)
    length = np.where(blank, (powers / (powers + noise))[:, None], 1.0)
    own = 2 * likeness[:, None] * np.sqrt(t * length) - length
    weight = weight * trust
    ratio = np.clip((own - own.transpose(1, 0, 2)) / distance, -1.5, 1.5)
    lead = (ratio * weight).sum(2) / (weight.sum(2) + PARAMS.negligible_difference)
    np.fill_diagonal(lead, 1.0)
    return np.asarray(lead)


def _most_different(difference: Array) -> Array:
    """Select the tiles that differ most, by the difference (m, m, tiles) of each pair of faces.

    Those of each pair first: what separates hearts from bells does not separate the eight from the nine.
    """
    pairs = ~np.eye(len(difference), dtype=bool)
    each = np.unique(np.argsort(-difference, 2)[..., : PARAMS.max_tiles_per_pair][pairs])
    value = difference.max((0, 1))
    value[each] += 1.0
    return np.sort(np.argsort(-value)[: max(PARAMS.max_tiles, len(each))])


def _difference(powers: Array, common: Array) -> tuple[Array, Array, Array]:
    """Weigh the tiles between references, (m, m, tiles); also their squared distance, and where one is all but blank.

    ``powers``: (m, tiles). Where both are printed, how much ink there is does not count.
    """
    noise = PARAMS.noise_power
    pa, pb = powers[:, None], powers[None]
    blank = np.minimum(pa, pb) <= 4 * noise
    ta, tb = np.where(blank, pa / (pa + noise), 1.0), np.where(blank, pb / (pb + noise), 1.0)
    distance = np.maximum(ta + tb - 2 * common * np.sqrt(ta * tb), 1e-4)
    differ = np.clip(pa + pb - 2 * common * np.sqrt(pa * pb), 0, 0.05)
    return differ * distance / (distance + PARAMS.blur_distance), distance, blank


def _products(units: Array) -> Array:
    """Multiply unit vectors (m, tiles, n) pair by pair: (m, m, tiles)."""
    return np.asarray(np.matmul(units.transpose(1, 0, 2), units.transpose(1, 2, 0)).transpose(1, 2, 0))
