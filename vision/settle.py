"""Which face it is that lies at a known pose: rivals compared pair by pair on the same tiles.

References are learned from a camera, so one face's print may sit half a millimetre off another's; and a pose fits the
face it was refined with. So each tile may shift a little before it is compared, and what two faces have in common but
for such a shift does not count between them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.tellings import SHIFT, correlation, tiled
from vision.tiles import BLANK, References, cut
from vision.view import Array

#: Agreement from which a tile speaks for a card. 0.3 … 0.5.
SPEAKS = 0.4
#: What a tile that disagrees may cost, in units of evidence. 0 … 0.2; more loses covered cards.
AGAINST = 0.04
#: Agreement from which a tile is owned by the card that explains it. 0.2 … 0.5.
OWNS = 0.3
#: Rivals compared pair by pair. 3 … 8; time grows with their square.
RIVALS = 5
#: Share of the best face's evidence from which another is a rival. 0.3 … 0.6.
NEAR = 0.45
#: Share of a face's evidence the one way from which it may lie the other way round. 0.6 … 0.95.
TURNED = 0.85
#: Lead below which two faces are compared again, each where it would lie itself. 0.2 … 1.
CLOSE = 0.45
#: Grey level (mean of a tile's weakest channel) from which light hides print. 230 … 252.
BURNT = 240
#: Share of a tile that must be open for it to tell rivals apart. 0.2 … 0.6.
LEAST_OPEN = 0.3
#: Squared distance of two tiles (unit vectors) that print, pose and blur may cause. 0.02 … 0.1.
BLUR = 0.04
#: Tiles looked at, those that tell most. 12 … 40; time grows with it.
TELLING = 24
#: Of these, tiles that tell most of each pair. 4 … 12.
EACH = 8
#: Difference between two faces (sum over tiles, squares of paper white) that is as good as none. 0.002 … 0.02.
LITTLE = 0.004
#: Power of a tile that is lost in noise, squares of paper white. 0.0005 … 0.005.
FAINT = 0.002


@dataclass(frozen=True, eq=False)
class Choice:
    """A card found: its pose (rad in 0 … 2π, upright), labels with scores, likeliest first, and its evidence."""

    pose: Array
    labels: tuple[tuple[str, float], ...]
    margin: float
    evidence: float
    printed: float  # the evidence of printed tiles alone: blank paper agrees with any ace
    refuted: float  # share of the visible print that is not there
    row: int  # of the references
    visible: Array  # (tiles,) bool: tiles that other cards hardly cover
    open: Array  # (h, w) uint8 of the sharp references' shape: 1 where no other card lies


def widened(ref: References) -> tuple[tuple[float, float], tuple[int, int]]:
    """Size in mm and shape in px of a patch with ``SHIFT`` pixels more on every side."""
    (width_mm, height_mm), (width, height) = ref.size_mm, ref.shape
    wide, high = width + 2 * SHIFT, height + 2 * SHIFT
    return (width_mm * wide / width, height_mm * high / height), (wide, high)


def settled(
    ref: References, pose: Array, patch: Array, free: Array, open_: Array, look: Callable[[Array], Array] | None = None
) -> Choice:
    """The face at a pose. ``patch``: (h, w, 3) uint8 as ``widened`` says; ``free``: (tiles,) bool, hardly covered;
    ``open_``: (h, w) uint8 of the references' shape, 1 where nothing covers the card.

    ``look`` gives such a patch for each of some references (m,), cut where the card would lie if it were that one.
    Rivals are compared on what is open alone, for what a covering edge leaves of a spade may look like a club.
    """
    seen = cut(patch[None, SHIFT:-SHIFT, SHIFT:-SHIFT], ref.side)
    agreement = ref.agreement(seen)[0]
    evidence = (ref.weights * np.clip(agreement - SPEAKS, -AGAINST, 1) * free).sum(1)
    order = np.argsort(-np.maximum(evidence[0::2], evidence[1::2]))[:RIVALS]
    faces = [f for f in order if evidence[2 * f : 2 * f + 2].max() > NEAR * evidence.max()] or [order[0]]
    # Many faces look nearly the same turned by half: then both ways have to be tried.
    tried = [
        r for f in faces for r in (2 * f, 2 * f + 1) if evidence[r] > TURNED * evidence[2 * f : 2 * f + 2].max()
    ] or [int(evidence.argmax())]
    rows, lead = np.array(tried), np.ones((1, 1))
    if len(rows) > 1:
        patches = np.stack([patch] * len(rows))
        rows, lead = one_way_each(rows, leads(ref, patches, rows, open_))
        first = int(np.argmax(lead.min(1)))
        close = np.flatnonzero((lead[first] < CLOSE) | (np.arange(len(rows)) == first))
        if look and len(close) > 1:  # each where it would lie itself
            rows = rows[close]
            lead = leads(ref, look(rows), rows, open_)
    worst = lead.min(1)
    best = int(np.argmax(worst))
    row = int(rows[best])
    turned = pose.copy()  # odd rows are references turned by half
    turned[2] = np.mod(pose[2] + (np.pi if row % 2 else 0), 2 * np.pi)
    scores = [(ref.labels[r // 2], float(evidence[r])) for r in rows]
    scores = [scores[best]] + [score for k, score in enumerate(scores) if k != best]
    own = agreement[row]
    printed = (ref.weights[row] - BLANK) * free
    spoken = float((printed * np.clip(own - SPEAKS, 0, 1)).sum())
    shown = printed * ~_burnt(patch, ref)
    refuted = float((shown * (own < 0.2)).sum() / max(shown.sum(), 1e-6))
    margin = float(np.clip(worst[best], 0, 1))
    return Choice(turned, tuple(scores), margin, float(evidence[row]), spoken, refuted, row, free, open_)


def _burnt(patch: Array, ref: References) -> Array:
    """(tiles,) bool: where glare leaves nothing to see."""
    across, down = ref.grid
    weakest = patch[SHIFT:-SHIFT, SHIFT:-SHIFT].min(2)
    return np.asarray(cv2.resize(weakest, (across, down), interpolation=cv2.INTER_AREA).ravel() >= BURNT)


def one_way_each(rows: Array, lead: Array) -> tuple[Array, Array]:
    """``rows`` and leads without those references whose face leads the other way round."""
    tried = rows.tolist()
    even = 1e-9  # a lead by rounding alone is none, and then the upright reference stays
    keep = [
        n
        for n, row in enumerate(tried)
        if row ^ 1 not in tried or lead[n, tried.index(row ^ 1)] >= (even if row % 2 else -even)
    ]
    return rows[keep], lead[np.ix_(keep, keep)]


def leads(ref: References, patches: Array, rows: Array, open_: Array) -> Array:
    """(m, m) -1 … 1: how far the face in row a is ahead of that in row b; the diagonal is 1.

    ``patches``: (m, h, w, 3) uint8 as ``widened`` says, what is seen where each would lie.
    """
    share = cv2.resize(open_.astype(np.float32), ref.grid, interpolation=cv2.INTER_AREA).ravel()
    # Only tiles with print on one of the rivals can tell them apart, and a few tell enough.
    tiles = np.flatnonzero((share > LEAST_OPEN) & (ref.tiles.power[rows].max(0) > FAINT))
    if not len(tiles):
        return np.eye(len(rows))
    common = np.stack([[ref.common(a, b)[tiles] for b in rows.tolist()] for a in rows.tolist()])
    common = np.maximum(common, common.transpose(1, 0, 2))
    told = _told(ref.tiles.power[rows][:, tiles], common)[0] * share[tiles]
    if len(tiles) > TELLING:
        # Those that tell most of each pair first: what tells hearts from bells says nothing of the eight and the nine.
        each = np.unique(np.argsort(-told, 2)[..., :EACH][~np.eye(len(rows), dtype=bool)])
        value = told.max((0, 1))
        value[each] += 1.0
        most = np.sort(np.argsort(-value)[: max(TELLING, len(each))])
        tiles, common = tiles[most], common[..., most]
    masks = tiled(open_[..., None], ref.side)[tiles].astype(np.float32) if share[tiles].min() < 0.999 else None
    units, powers = ref.units(rows, tiles, masks)
    likeness, here = correlation(patches, ref, tiles, units, masks)
    if masks is not None:  # what a shift makes up for in the whole it does in the open part
        whole, _ = ref.units(rows, tiles, None)
        common = 1 - (1 - _products(units)) * np.clip((1 - common) / np.maximum(1 - _products(whole), 1e-4), 0, 1)
    trust = np.clip((likeness.max(0) - OWNS) / (1 - OWNS), 0, 1) ** 2 * share[tiles]
    weight, apart, proof = _told(powers, common)
    t = np.where(proof, (here / (here + FAINT))[:, None], 1.0)
    length = np.where(proof, (powers / (powers + FAINT))[:, None], 1.0)
    own = 2 * likeness[:, None] * np.sqrt(t * length) - length
    weight = weight * trust
    ratio = np.clip((own - own.transpose(1, 0, 2)) / apart, -1.5, 1.5)
    lead = (ratio * weight).sum(2) / (weight.sum(2) + LITTLE)
    np.fill_diagonal(lead, 1.0)
    return np.asarray(lead)


def _told(powers: Array, common: Array) -> tuple[Array, Array, Array]:
    """What tiles tell between references (m, m, tiles), their squared distance, and where one is all but blank.

    ``powers``: (m, tiles). Where both are printed, how much ink there is says nothing.
    """
    pa, pb = powers[:, None], powers[None]
    blank = np.minimum(pa, pb) <= 4 * FAINT
    ta, tb = np.where(blank, pa / (pa + FAINT), 1.0), np.where(blank, pb / (pb + FAINT), 1.0)
    apart = np.maximum(ta + tb - 2 * common * np.sqrt(ta * tb), 1e-4)
    differ = np.clip(pa + pb - 2 * common * np.sqrt(pa * pb), 0, 0.05)
    return differ * apart / (apart + BLUR), apart, blank


def _products(units: Array) -> Array:
    """(m, m, tiles) of unit vectors (m, tiles, n)."""
    return np.asarray(np.matmul(units.transpose(1, 0, 2), units.transpose(1, 2, 0)).transpose(1, 2, 0))
