"""Which face it is that lies at a known pose: rivals compared pair by pair on the same tiles.

References are learned from a camera, so one face's print may sit half a millimetre off another's; and a pose fits the
face it was refined with. So each tile may shift a little before it is compared, and what two faces have in common but
for such a shift does not count between them.
"""

from dataclasses import dataclass

import cv2
import numpy as np

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
#: How far a tile may shift, px of the sharp references (2.6 a mm). 1 … 3.
SHIFT = 1
#: Grey level (mean of a tile's weakest channel) from which light hides print. 230 … 252.
BURNT = 240
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
    whole: Array  # (tiles,) bool: tiles that no other card touches


def widened(ref: References) -> tuple[tuple[float, float], tuple[int, int]]:
    """Size in mm and shape in px of a patch with ``SHIFT`` pixels more on every side."""
    (width_mm, height_mm), (width, height) = ref.size_mm, ref.shape
    wide, high = width + 2 * SHIFT, height + 2 * SHIFT
    return (width_mm * wide / width, height_mm * high / height), (wide, high)


def settled(ref: References, pose: Array, patch: Array, free: Array, whole: Array) -> Choice:
    """The face at a pose. ``patch``: (h, w, 3) uint8 as ``widened`` says; ``free``: (tiles,) bool, hardly
    covered. ``whole``: those of which nothing is covered; only they decide between rivals, for what a covering edge
    leaves of a spade may look like a club.
    """
    seen = cut(patch[None, SHIFT:-SHIFT, SHIFT:-SHIFT], ref.side)
    agreement = ref.agreement(seen)[0]
    evidence = (ref.weights * np.clip(agreement - SPEAKS, -AGAINST, 1) * free).sum(1)
    upright = np.maximum(evidence[0::2], evidence[1::2])
    order = np.argsort(-upright)
    faces = [f for f in order[:RIVALS] if upright[f] > NEAR * upright[order[0]]] or [order[0]]
    rows = np.array([2 * f + int(evidence[2 * f + 1] > evidence[2 * f]) for f in faces])
    lead = _leads(ref, patch, seen.power[0], rows, whole) if len(rows) > 1 else np.ones((1, 1))
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
    return Choice(turned, tuple(scores), margin, float(evidence[row]), spoken, refuted, row, free, whole)


def _burnt(patch: Array, ref: References) -> Array:
    """(tiles,) bool: where glare leaves nothing to see."""
    across, down = ref.grid
    weakest = patch[SHIFT:-SHIFT, SHIFT:-SHIFT].min(2)
    return np.asarray(cv2.resize(weakest, (across, down), interpolation=cv2.INTER_AREA).ravel() >= BURNT)


def _leads(ref: References, patch: Array, power: Array, rows: Array, free: Array) -> Array:
    """(m, m) -1 … 1: how far the face in row a is ahead of that in row b; the diagonal is 1."""
    powers = ref.tiles.power[rows]
    # Only tiles with print on one of the rivals can tell them apart.
    tiles = np.flatnonzero(free & (powers.max(0) > FAINT))
    likeness = _likeness(ref, patch, rows, tiles)
    here = power[tiles] / (power[tiles] + FAINT)
    there = powers[:, tiles] / (powers[:, tiles] + FAINT)  # squared lengths of the faint-proof unit vectors
    trust = np.clip((likeness.max(0) - OWNS) / (1 - OWNS), 0, 1) ** 2
    lead = np.eye(len(rows))
    for a in range(len(rows)):
        for b in range(a):
            pa, pb = powers[a, tiles], powers[b, tiles]
            common = _alike(ref, int(rows[a]), int(rows[b]))[tiles]
            both = np.minimum(pa, pb) > 4 * FAINT  # print on either: how much ink there is says nothing
            ta, tb, t = (np.where(both, 1.0, length) for length in (there[a], there[b], here))
            apart = ta + tb - 2 * common * np.sqrt(ta * tb)
            along = 2 * (likeness[a] * np.sqrt(t * ta) - likeness[b] * np.sqrt(t * tb)) - (ta - tb)
            ratio = np.clip(along / np.maximum(apart, 1e-3), -1.5, 1.5)
            differ = np.maximum(pa + pb - 2 * common * np.sqrt(pa * pb), 0)
            weight = np.minimum(differ, 0.05) * trust
            lead[a, b] = (ratio * weight).sum() / (weight.sum() + LITTLE)
            lead[b, a] = -lead[a, b]
    return lead


def _likeness(ref: References, patch: Array, rows: Array, tiles: Array) -> Array:
    """(rows, tiles): correlation of the references' tiles with a patch as ``widened`` says, at the best shift.

    That of ``cv2.matchTemplate`` with TM_CCOEFF_NORMED, for all tiles at once.
    """
    side, (across, _) = ref.side, ref.grid
    if not len(tiles):
        return np.zeros((len(rows), 0))
    y, x = side * (tiles // across), side * (tiles % across)
    reach = 2 * SHIFT + 1
    windows = np.lib.stride_tricks.sliding_window_view(patch, (side, side), (0, 1))  # (y, x, channel, side, side)
    shown = np.stack([windows[y + dy, x + dx] for dy in range(reach) for dx in range(reach)], 1)
    shown = shown.reshape(len(tiles), reach * reach, -1).astype(np.float32)
    total, squares = cv2.integral2(patch, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)

    def over(table: Array) -> Array:
        """(tiles, shifts, channels) sums over the windows."""
        top, left = y[:, None] + np.repeat(np.arange(reach), reach), x[:, None] + np.tile(np.arange(reach), reach)
        low, right = top + side, left + side
        return np.asarray(table[low, right] - table[top, right] - table[low, left] + table[top, left])

    spread = np.maximum((over(squares) - over(total) ** 2 / side**2).sum(2), 0)  # (tiles, shifts)
    pixels = np.lib.stride_tricks.sliding_window_view(ref.patches, (side, side), (1, 2))
    wanted = pixels[rows[:, None], y, x].astype(np.float32)  # (rows, tiles, channel, side, side)
    wanted -= wanted.mean((3, 4), keepdims=True)
    wanted = wanted.reshape(len(rows), len(tiles), -1)
    length = np.sqrt(np.einsum("rti,rti->rt", wanted, wanted, dtype=np.float64))
    product = np.matmul(shown, wanted.transpose(1, 2, 0)).transpose(2, 0, 1)  # (rows, tiles, shifts)
    most = length[:, :, None] * np.sqrt(spread)
    found = np.where(most > 1e-6, np.clip(product / np.maximum(most, 1e-6), -1, 1), 0.0).max(2)
    return np.asarray(np.where(length > 1e-6, found, 1.0))


def _alike(ref: References, one: int, other: int) -> Array:
    """(tiles,) correlation of two references' tiles at the best shift, kept with the references."""
    key = (one, other) if one < other else (other, one)
    if key not in ref.alike:
        wide = cv2.copyMakeBorder(ref.patches[key[0]], SHIFT, SHIFT, SHIFT, SHIFT, cv2.BORDER_REPLICATE)
        ref.alike[key] = _likeness(ref, wide, np.array([key[1]]), np.arange(ref.grid[0] * ref.grid[1]))[0]
    return ref.alike[key]
