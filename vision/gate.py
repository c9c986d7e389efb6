"""The change gate: what moves and what lies otherwise than before, at a fraction of a millisecond a frame.

It works on a coarse grid of cells (8 px), so that the costly recognition runs only where and when something has come to
rest. Light is levelled out first, for the whole picture and row by row: automatic exposure would look like motion, and
lamps on 50 Hz beat against a rolling shutter as bands that run through the picture.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import QUARTER

#: Edge of a cell in pixels of the picture, and of a quarter of its size. 8 … 16: smaller sees finer changes and costs
#: by the square.
CELL = 8
SIDE = CELL // QUARTER
#: Grey levels by which a cell must differ to count as changed, 5 … 20: lower sees white on white, and also noise.
CHANGED = np.float32(9.0)
#: Grey levels below which the mean counts as dark.
DARK = 14.0
#: Standard deviation of the cells, in grey levels, below which nothing is seen: a cap or a cloth on the lens.
FLAT = 3.0
#: Share of the light by which a whole picture, or a row against it, may differ and still be light only.
LIGHT, BAND = 0.6, 0.25
#: Share of an unchanged cell that the settled picture takes from each frame: follows daylight within minutes.
FOLLOW = 0.03
#: Share by which the light on the open table must have changed for that below cards to be thought changed too, and the
#: edges in cells of the squares that it is taken from.
ELSEWHERE, AROUND = 0.04, (11, 21, 41)
#: Factor by which light may change a place against the rest within some frames and be no motion; and share by which
#: such factors may differ in a place and be light.
DRIFT, UNEVEN = 1.2, 0.05
#: Seconds between two looks at the bare mat's colour.
HUE = 1.0
#: How far a mat's colour must be from grey to be known by it, how far it may look otherwise (natural logs of ratios of
#: colours), from where on it is something else, and the factor by which sun and shade may change it.
COLOURED, SAME_HUE, OTHER_HUE, SUNNY = 0.3, 0.2, 0.45, 2.5

Cells = NDArray[np.bool_]
Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What the gate says of one frame; all planes are (H / CELL, W / CELL)."""

    moved: Cells  # differs from the frame before
    rest: NDArray[np.float32]  # seconds since a cell last moved
    differs: Cells  # differs from the settled picture
    blind: str  # "" | dark | covered
    light: float  # gain against the settled picture

    @property
    def moving(self) -> bool:
        """Whether anything worth the name moves: two cells that touch."""
        return bool(cv2.countNonZero(cv2.erode(self.moved.view(np.uint8), _PAIR, borderValue=0)))


_PAIR = np.ones((1, 2), np.uint8)
_LOGS = np.log(np.arange(256, dtype=np.float32) + 3.0)


class Gate:
    """Remembers coarse planes: the frame before (its cells as they last moved), the settled picture, the bare table."""

    def __init__(self) -> None:
        self._anchor: Plane | None = None
        self._settled: Plane | None = None
        self._rest: Plane | None = None
        self._bare: Plane | None = None  # NaN where it was never seen
        self._gains: tuple[float | None, float | None] = None, None
        self._at = 0.0
        self._quarter: NDArray[np.uint8] | None = None
        self._hue_at = 0.0
        self._bare_hue: Plane | None = None  # (h, w, 2), of the bare table where it is known
        self.plane: Plane | None = None  # the newest frame's, light as it came

    def step(self, quarter: NDArray[np.uint8], at: float) -> Change:
        """What changed with a frame at ``at`` seconds, as ``Frame.quarter``; the first becomes the settled one."""
        plane = coarse(quarter)
        self.plane, self._quarter = plane, quarter
        anchor, settled, rest = self._anchor, self._settled, self._rest
        if anchor is None or settled is None or rest is None or anchor.shape != plane.shape:
            anchor, settled = plane.copy(), plane.copy()
            rest = np.zeros_like(plane)
            self._at = at
        levelled, gain = level(plane, anchor, self._gains[0])
        moved = _opened(cv2.absdiff(levelled, anchor) > CHANGED)
        some_move = moved.any()
        if some_move:
            drifted = _smooth(levelled, anchor, DRIFT)
            _follow(anchor, levelled, moved & drifted, 1.0)
            moved = _opened(moved & ~drifted)
            some_move = moved.any()
        # The anchor hardly follows until its cell moves, so that a hand creeping by a level a frame is motion too.
        cv2.addWeighted(anchor, 0.9, levelled, 0.1, 0.0, anchor)
        if some_move:
            cv2.copyTo(levelled, moved.view(np.uint8), anchor)
        _relight(anchor, gain)
        from_anchor = gain
        rest += max(0.0, at - self._at)
        if some_move:
            cv2.copyTo(np.zeros_like(rest), moved.view(np.uint8), rest)
        levelled, gain = level(plane, settled, self._gains[1])
        differs = _opened(cv2.absdiff(levelled, settled) > CHANGED)
        _follow(settled, levelled, (rest > 0.2) & ~differs, FOLLOW)
        _relight(settled, gain)
        if self._bare is not None:
            _relight(self._bare, gain)  # as far as it cannot be seen for cards, too
        self._gains = from_anchor, gain
        self._anchor, self._settled, self._rest, self._at = anchor, settled, rest, at
        if self._bare is None or self._bare.shape != plane.shape:
            self._bare = np.full_like(plane, np.nan)
        mean = cv2.mean(plane)[0]
        deviation = math.sqrt(max(0.0, float(np.vdot(plane, plane)) / plane.size - mean**2))
        blind = "dark" if mean < DARK else "covered" if deviation < FLAT else ""
        return Change(moved, rest.copy(), differs, blind, gain)

    def accept(self, cells: Cells | None = None) -> None:
        """Take the newest frame as settled there (everywhere by default)."""
        if self.plane is None or self._settled is None or self._anchor is None:
            return
        if cells is None:
            self._settled = self.plane.copy()
            return
        # In the settled picture's light, or the edge of what was accepted would differ from its surroundings.
        levelled, _ = level(self.plane, self._settled)
        cv2.copyTo(levelled, cells.view(np.uint8), self._settled)

    def learn_bare(self, cells: Cells) -> None:
        """Take the settled picture there as the bare table; where cards hide it, the light is that round about."""
        bare, settled = self._bare, self._settled
        if bare is None or settled is None:
            return
        seen = cells & (bare > 1.0)  # never where it is NaN
        ratio = np.divide(settled, bare, out=np.ones_like(bare), where=seen)
        if float(np.abs(ratio - 1).max()) > ELSEWHERE:
            hidden = ~cells
            for edge in AROUND:  # what is near says more
                weight = cv2.blur(seen.astype(np.float32), (edge, edge))
                near = hidden & (weight > 0.05)
                np.multiply(bare, cv2.blur(ratio * seen, (edge, edge)) / np.maximum(weight, 1e-6), out=bare, where=near)
                hidden &= ~near
        new = bool(np.any(cells & ~np.isfinite(bare)))  # or nothing would be known of their colour when sun falls there
        cv2.copyTo(settled, cells.view(np.uint8), bare)
        if self._quarter is not None and (new or self._bare_hue is None or self._at - self._hue_at > HUE):
            hue, self._hue_at = _hue(self._quarter), self._at
            if self._bare_hue is None:
                self._bare_hue = np.zeros_like(hue)
            cv2.copyTo(hue, cells.view(np.uint8), self._bare_hue)

    def forget_bare(self) -> None:
        """The table looks otherwise now: mat or camera were pushed."""
        self._bare = self._bare_hue = None

    def bare(self) -> tuple[Cells, Cells]:
        """Where the newest frame shows the bare table; and where the bare table is known at all."""
        if self.plane is None or self._bare is None:
            empty = np.zeros((0, 0), bool)
            return empty, empty
        known = np.isfinite(self._bare)
        if not known.any():
            return known, known
        likely = self._gains[1]
        levelled = self.plane if self._settled is None else level(self.plane, self._settled, likely)[0]
        reference = np.where(known, self._bare, levelled).astype(np.float32)  # both in the settled picture's light
        levelled, _ = level(self.plane, reference, likely)
        alike = cv2.absdiff(levelled, reference) < 1.3 * CHANGED
        if self._quarter is not None and self._bare_hue is not None:
            # The colour of a mat that has one tells it in sun and shade, too; nothing white or grey has it.
            coloured = np.abs(self._bare_hue).max(2) > COLOURED
            off = np.abs(_hue(self._quarter) - self._bare_hue).max(2)
            same = off < SAME_HUE
            ratio = (levelled + np.float32(2.0)) / (reference + np.float32(2.0))
            alike |= coloured & same & (ratio > 1 / SUNNY) & (ratio < SUNNY)
            alike &= ~(coloured & (off > OTHER_HUE))  # in deep shadow a hand is as dark as the mat
        return np.asarray(known & alike), known


def count(cells: Cells) -> int:
    """How many of the cells are True."""
    return cv2.countNonZero(cells.view(np.uint8))


def _follow(plane: Plane, newer: Plane, cells: Cells, share: float) -> None:
    """Blend a share of ``newer`` into the cells of ``plane``, in place."""
    cv2.copyTo(cv2.addWeighted(plane, 1.0 - share, newer, share, 0.0), cells.view(np.uint8), plane)


def _hue(quarter: NDArray[np.uint8]) -> Plane:
    """(H / CELL, W / CELL, 2) float32: natural logs of green over blue and over red, of each cell's mean."""
    small = cv2.blur(_cells(quarter), (3, 3))
    logs = _LOGS[small]
    return np.asarray(logs[..., 1:2] - logs[..., ::2])


def _smooth(plane: Plane, reference: Plane, most: float) -> Cells:
    """Where the ratio of two planes is like that round about, and at most ``most`` or its inverse."""
    ratio = (plane + np.float32(2.0)) / (reference + np.float32(2.0))
    around = np.asarray(cv2.blur(ratio, (7, 7)))
    alike = np.abs(ratio - around) < np.float32(UNEVEN) * around
    return np.asarray(alike & (around < most) & (around > 1 / most))


def _relight(plane: Plane, gain: float) -> None:
    """Take ``plane`` a step towards the light of a frame that needed ``gain`` to look like it, in place."""
    if 1.0 - LIGHT < gain < 1.0 / (1.0 - LIGHT):
        plane *= np.float32(1.0 + 0.1 * (1.0 / gain - 1.0))


def coarse(quarter: NDArray[np.uint8]) -> Plane:
    """(H / CELL, W / CELL) float32 of the green channel of ``Frame.quarter``; each cell's mean, lightly blurred."""
    green = np.asarray(cv2.extractChannel(quarter, 1), np.uint8)
    return np.asarray(cv2.boxFilter(_cells(green), cv2.CV_32F, (3, 3)), np.float32)


def _cells(quarter: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H / CELL, W / CELL …) uint8 means of a picture of which a cell takes ``SIDE`` pixels each way."""
    height, width = quarter.shape[0] // SIDE, quarter.shape[1] // SIDE
    whole = quarter[: height * SIDE, : width * SIDE]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def level(plane: Plane, reference: Plane, likely: float | None = None) -> tuple[Plane, float]:
    """``plane`` in the light of ``reference``, and by which gain; ``likely``: that of the frame before.

    The gain comes from the cells that agree, first over all, then row by row; a hand that covers half a row leaves its
    neighbours' gain to it.
    """
    found = None if likely is None else _near(plane, reference, likely)
    gain, alike, own, due = found or _gain(plane, reference)
    if not 1.0 - LIGHT < gain < 1.0 / (1.0 - LIGHT):
        return plane, gain
    known = (cv2.reduce(alike, 1, cv2.REDUCE_SUM) > 0.4 * plane.shape[1]) & (own > 1.0)
    rows = np.where(known, due / np.maximum(own, 1.0), np.float32(gain))
    rows = np.minimum(np.maximum(rows, gain * (1.0 - BAND)), gain * (1.0 + BAND))
    return np.asarray(plane * rows, np.float32), gain


#: A gain, where planes then agree, and the sums (h, 1) of each row there of the one plane and the other.
Gain: TypeAlias = tuple[float, Plane, Plane, Plane]


def _near(plane: Plane, reference: Plane, likely: float) -> Gain | None:
    """The gain near a likely one; None if the planes do not agree in most of the picture then."""
    alike = _alike(plane, reference, likely, 0.22)
    if cv2.countNonZero(alike) < 0.7 * alike.size:
        return None
    own, due = _rows(plane, alike), _rows(reference, alike)
    gain = float(due.sum()) / max(float(own.sum()), 1.0)
    return (gain, alike, own, due) if abs(gain - likely) < 0.02 * likely else None


def _gain(plane: Plane, reference: Plane) -> Gain:
    """The gain, whatever it is."""
    gain = 1.0
    alike = np.ones(plane.shape, np.float32)
    for tolerance in (0.35, 0.22):
        denominator = float(np.vdot(plane, alike))
        if denominator < 1e-3:
            gain = 1.0
            break
        gain = float(np.vdot(reference, alike)) / denominator
        alike = _alike(plane, reference, gain, tolerance)
        if cv2.countNonZero(alike) < 0.3 * alike.size:
            # Most of the picture is something else now: the ratio of medians sees through up to half of it.
            gain = float(np.median(reference[::2, ::2] / (plane[::2, ::2] + 1.0)))
            alike = _alike(plane, reference, gain, tolerance)
    return gain, alike, _rows(plane, alike), _rows(reference, alike)


def _rows(plane: Plane, alike: Plane) -> Plane:
    """(h, 1) sums of a plane's rows where it agrees."""
    return np.asarray(cv2.reduce(cv2.multiply(plane, alike), 1, cv2.REDUCE_SUM))


def _alike(plane: Plane, reference: Plane, gain: float, tolerance: float) -> Plane:
    """1 where two planes agree up to ``tolerance`` of the light, else 0."""
    difference = cv2.absdiff(plane * np.float32(gain), reference)
    spare = cv2.addWeighted(reference, tolerance, difference, -1.0, 6.0)
    return np.asarray(cv2.threshold(spare, 0.0, 1.0, cv2.THRESH_BINARY)[1])


def _opened(mask: Cells) -> Cells:
    """Cells of ``mask`` with at least two neighbours in it: single cells are noise or a pixel on an edge."""
    if not mask.any():
        return mask
    count = cv2.boxFilter(mask.view(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mask & (count >= 3))
