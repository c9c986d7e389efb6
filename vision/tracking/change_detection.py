"""Detect motion and change on coarse planes of grey levels, at a fraction of a millisecond a frame.

It works on a coarse grid of cells (8 px), so that the costly recognition runs only where and when something has come to
rest. Light is levelled out first, for the whole picture and row by row: automatic exposure would be detected as motion,
and lamps on 50 Hz beat against a rolling shutter as bands that run through the picture.
"""

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import QUARTER
from vision.tracking.lamp_change import LIMITS as LAMP
from vision.tracking.lamp_change import fill, lamp_factors

#: Edge of a cell in pixels of the picture, and of a quarter of its size. 8 … 16: smaller sees finer changes and costs
#: by the square.
CELL = 8
CELL_QUARTER_PX = CELL // QUARTER


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeLimits:
    """Limits of detecting motion and change on coarse planes of grey levels."""

    #: Grey levels by which a cell must differ to count as changed, 5 … 20: lower sees white on white, and also noise.
    changed_levels: float = 9.0
    #: Grey levels below which the mean counts as dark.
    dark_mean: float = 14.0
    #: Standard deviation of the cells, in grey levels, below which nothing is seen: a cap or a cloth on the lens.
    flat_deviation: float = 3.0
    #: Share of the frame before that a cell takes from each frame until it moves, so that a hand creeping by a level a
    #: frame is motion too.
    anchor_share: float = 0.1
    #: Share of an unchanged cell that the settled picture takes from each frame: follows daylight within minutes; and
    #: seconds that the cell must have been at rest.
    follow_share: float = 0.03
    follow_at_rest_s: float = 0.2
    #: Factor by which light may change a place against the rest within some frames and be no motion; and share by which
    #: such factors may differ in a place and be light.
    drift_factor: float = 1.2
    drift_unevenness: float = 0.05
    #: Edge in cells of the squares in which such factors are compared.
    drift_edge_cells: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class LightLimits:
    """Limits of matching the light of two planes."""

    #: Share of the light by which a whole picture, or a row against it, may differ and still be light only.
    picture_share: float = 0.6
    row_share: float = 0.25
    #: Share of the way to a frame's light that a remembered plane goes with each frame.
    relight_share: float = 0.1
    #: Share of the light by which cells may differ and agree, at first and at last.
    first_tolerance: float = 0.35
    tolerance: float = 0.22
    #: Grey levels by which cells may differ besides.
    spare_levels: float = 6.0
    #: Share of the cells that must agree for the gain of the frame before to be refined; and by how much the refined
    #: one may differ from it.
    near_agreeing_share: float = 0.7
    near_gain_share: float = 0.02
    #: Share of the cells below which those that agree do not determine the gain; and of a row for it to have its own.
    least_agreeing_share: float = 0.3
    least_row_share: float = 0.4


@dataclass(frozen=True, slots=True, kw_only=True)
class BareMatLimits:
    """Limits of knowing the bare mat by its grey level and its colour."""

    #: Factor on ``ChangeLimits.changed_levels`` by which the bare mat may differ from how it is known.
    changed_factor: float = 1.3
    #: Share by which the light on the open table must have changed for that below cards to be thought changed too, the
    #: edges in cells of the squares that it is taken from, and the share of them that must be open.
    light_share: float = 0.04
    light_edges_cells: tuple[int, ...] = (11, 21, 41)
    light_open_share: float = 0.05
    #: Seconds of seeing it after which the bare mat is not known any better; something else in its place must be seen
    #: for as long as the mat was to become the mat: a packet's tip or a drink goes again.
    longest_known_s: float = 30.0
    #: Seconds between two times of learning that count at most.
    longest_step_s: float = 1.0
    #: Seconds between two measurements of the bare mat's colour.
    colour_interval_s: float = 1.0
    #: How far a mat's colour must be from grey to be known by it, how far it may differ, and from where on it
    #: is something else (log-chromaticity: natural logs of ratios of colours); and the factor by which sun and shade
    #: may change its grey level.
    coloured: float = 0.3
    same_colour: float = 0.2
    other_colour: float = 0.45
    sun_factor: float = 2.5
    #: Factor by which the grey level, and distance by which the colour, of a cell may differ whose light was estimated
    #: from cells round about, as a card hid it when another lamp was lit.
    estimated_factor: float = 1.3
    estimated_colour: float = 0.35


CHANGE = ChangeLimits()
LIGHT = LightLimits()
BARE_MAT = BareMatLimits()

Cells = NDArray[np.bool_]
Plane = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class FrameChange:
    """Cells that move and cells that differ in one frame; all planes are (H / CELL, W / CELL)."""

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


class ChangeDetector:
    """Remembers coarse planes: the frame before (its cells as they last moved), the settled picture, the bare table."""

    def __init__(self) -> None:
        self._anchor: Plane | None = None
        self._settled: Plane | None = None
        self._rest: Plane | None = None
        self._bare: Plane | None = None  # NaN where it was never seen
        self._known_s: Plane | None = None  # seconds that the bare mat was seen as it is known, less those it was not
        self._otherwise: Cells | None = None  # where something else was let go in its place
        self._learned_at = -math.inf
        self._gains: tuple[float | None, float | None] = None, None
        self._at = 0.0
        self._quarter: NDArray[np.uint8] | None = None
        self._lit: tuple[Plane, NDArray[np.uint8]] | None = None  # the last frame with light enough
        self._colour_at = 0.0
        self._estimated: Cells | None = None  # where another lamp's light on the bare table was never seen
        self._bare_colour: Plane | None = None  # (h, w, 2), of the bare table where it is known
        self.plane: Plane | None = None  # the newest frame's, light as it came

    def update(self, quarter: NDArray[np.uint8], at: float) -> FrameChange:
        """Compare a frame, as ``Frame.quarter``, with those before ``at`` (s); the first becomes the settled one."""
        plane = cell_means(quarter)
        mean = cv2.mean(plane)[0]
        anchor, settled, rest = self._anchor, self._settled, self._rest
        if anchor is None or settled is None or rest is None or anchor.shape != plane.shape:
            anchor, settled = plane.copy(), plane.copy()
            rest = np.zeros_like(plane)
            self._at = at
        levelled, gain = match_light(plane, anchor, self._gains[0])
        if mean >= LAMP.least_mean and self._light_up(quarter, plane, levelled, anchor, settled, rest):
            levelled, gain = match_light(plane, anchor, self._gains[0])
        self.plane, self._quarter = plane, quarter
        moved = _opened(cv2.absdiff(levelled, anchor) > CHANGE.changed_levels)
        some_move = moved.any()
        if some_move:
            drifted = _smooth(levelled, anchor, CHANGE.drift_factor)
            _follow(anchor, levelled, moved & drifted, 1.0)
            moved = _opened(moved & ~drifted)
            some_move = moved.any()
        # The anchor hardly follows until its cell moves, so that a hand creeping by a level a frame is motion too.
        cv2.addWeighted(anchor, 1.0 - CHANGE.anchor_share, levelled, CHANGE.anchor_share, 0.0, anchor)
        if some_move:
            cv2.copyTo(levelled, moved.view(np.uint8), anchor)
        _relight(anchor, gain)
        from_anchor = gain
        rest += max(0.0, at - self._at)
        if some_move:
            cv2.copyTo(np.zeros_like(rest), moved.view(np.uint8), rest)
        levelled, gain = match_light(plane, settled, self._gains[1])
        differs = _opened(cv2.absdiff(levelled, settled) > CHANGE.changed_levels)
        _follow(settled, levelled, (rest > CHANGE.follow_at_rest_s) & ~differs, CHANGE.follow_share)
        _relight(settled, gain)
        if self._bare is not None:
            _relight(self._bare, gain)  # as far as it cannot be seen for cards, too
        self._gains = from_anchor, gain
        self._anchor, self._settled, self._rest, self._at = anchor, settled, rest, at
        if self._bare is None or self._bare.shape != plane.shape:
            self._bare = np.full_like(plane, np.nan)
        if mean >= LAMP.least_mean:
            self._lit = plane, quarter
        deviation = math.sqrt(max(0.0, float(np.vdot(plane, plane)) / plane.size - mean**2))
        blind = "dark" if mean < CHANGE.dark_mean else "covered" if deviation < CHANGE.flat_deviation else ""
        return FrameChange(moved, rest.copy(), differs, blind, gain)

    def _light_up(
        self, quarter: NDArray[np.uint8], plane: Plane, levelled: Plane, anchor: Plane, settled: Plane, rest: Plane
    ) -> bool:
        """Take what is remembered into another lamp's light, in place; False if none has been lit."""
        if self._lit is None or self._lit[0].shape != plane.shape:
            return False
        found = lamp_factors(plane, self._lit[0], levelled, anchor, rest)
        if found is None:
            return False
        factors, known = found
        if self._bare is not None:  # below a card as round about: white paper may be overexposed
            open_ = known & (cv2.absdiff(settled, self._bare) < CHANGE.changed_levels)
            self._bare *= fill(factors, open_)
            self._estimated = ~open_ if self._estimated is None else self._estimated | ~open_
            if self._bare_colour is not None and open_.any():
                tint = _log_chromaticity(quarter) - _log_chromaticity(self._lit[1])
                self._bare_colour += np.where(open_[..., None], tint, np.median(tint[open_], axis=0))
        factors = fill(factors, known)
        anchor *= factors
        settled *= factors
        return True

    def accept(self, cells: Cells | None = None) -> None:
        """Take the newest frame as settled there (everywhere by default)."""
        if self.plane is None or self._settled is None or self._anchor is None:
            return
        if cells is None:
            self._settled = self.plane.copy()
            return
        # In the settled picture's light, or the edge of what was accepted would differ from its surroundings.
        levelled, _ = match_light(self.plane, self._settled)
        cv2.copyTo(levelled, cells.view(np.uint8), self._settled)

    @property
    def settled(self) -> Plane | None:
        """The settled picture as it is now: it will not change."""
        return None if self._settled is None else self._settled.copy()

    def things_again(self, earlier: Plane) -> Cells:
        """Find the cells in which the newest frame shows what a settled picture of before has, and that is not the mat.

        The mat itself is known better: a hand in deep shadow is as dark.
        """
        if self.plane is None or self._bare is None or not self.plane.shape == self._bare.shape == earlier.shape:
            return np.zeros(earlier.shape, bool)
        limit = BARE_MAT.changed_factor * CHANGE.changed_levels
        mat = np.where(np.isfinite(self._bare), self._bare, earlier).astype(np.float32)
        thing = cv2.absdiff(match_light(earlier, mat)[0], mat) >= limit
        return np.asarray(thing & (cv2.absdiff(match_light(self.plane, earlier)[0], earlier) < limit))

    def learn_bare(self, cells: Cells) -> None:
        """Take the settled picture there as the bare table; where cards hide it, the light is that round about.

        Where the table was known otherwise for longer, it stays as it was known, and counts as unknown.
        """
        bare, settled = self._bare, self._settled
        if bare is None or settled is None:
            return
        cells = self._believed(cells, bare.shape)
        seen = cells & (bare > 1.0)  # never where it is NaN
        ratio = np.divide(settled, bare, out=np.ones_like(bare), where=seen)
        if float(np.abs(ratio - 1).max()) > BARE_MAT.light_share:
            hidden = ~cells
            for edge in BARE_MAT.light_edges_cells:  # cells nearby are better evidence
                weight = cv2.blur(seen.astype(np.float32), (edge, edge))
                near = hidden & (weight > BARE_MAT.light_open_share)
                np.multiply(bare, cv2.blur(ratio * seen, (edge, edge)) / np.maximum(weight, 1e-6), out=bare, where=near)
                hidden &= ~near
        new = bool(np.any(cells & ~np.isfinite(bare)))  # or nothing would be known of their colour when sun falls there
        cv2.copyTo(settled, cells.view(np.uint8), bare)
        if self._estimated is not None:
            self._estimated &= ~cells
        if self._quarter is not None and (
            new or self._bare_colour is None or self._at - self._colour_at > BARE_MAT.colour_interval_s
        ):
            colour, self._colour_at = _log_chromaticity(self._quarter), self._at
            if self._bare_colour is None:
                self._bare_colour = np.zeros_like(colour)
            cv2.copyTo(colour, cells.view(np.uint8), self._bare_colour)

    def _believed(self, cells: Cells, shape: tuple[int, ...]) -> Cells:
        """Select the cells that show the mat as it is known, or something else for as long as that was seen."""
        if self._known_s is None or self._otherwise is None or self._known_s.shape != shape:
            self._known_s, self._otherwise = np.zeros(shape, np.float32), np.zeros(shape, bool)
        elapsed = min(self._at - self._learned_at, BARE_MAT.longest_step_s)
        self._learned_at = self._at
        alike, known = self._resembles_bare()
        otherwise = cells & known & ~alike
        if self._estimated is not None:
            otherwise &= ~self._estimated
        self._known_s += np.where(otherwise, -elapsed, np.where(cells, elapsed, 0.0)).astype(np.float32)
        otherwise &= self._known_s > 0.0
        np.clip(self._known_s, 0.0, BARE_MAT.longest_known_s, out=self._known_s)
        self._otherwise = (self._otherwise & ~cells) | otherwise
        return cells & ~otherwise

    def forget_bare(self) -> None:
        """Forget the bare mat: mat or camera were pushed."""
        self._bare = self._bare_colour = self._estimated = self._known_s = self._otherwise = None

    def bare(self) -> tuple[Cells, Cells]:
        """Find the cells in which the newest frame shows the bare mat; and those in which it is known for certain."""
        alike, known = self._resembles_bare()
        if self._otherwise is None or self._otherwise.shape != known.shape:
            return alike, known
        return alike & ~self._otherwise, known & ~self._otherwise

    def _resembles_bare(self) -> tuple[Cells, Cells]:
        """Find the cells in which the newest frame is like the bare mat; and those in which that was ever seen."""
        if self.plane is None or self._bare is None:
            empty = np.zeros((0, 0), bool)
            return empty, empty
        known = np.isfinite(self._bare)
        if not known.any():
            return known, known
        likely = self._gains[1]
        levelled = self.plane if self._settled is None else match_light(self.plane, self._settled, likely)[0]
        reference = np.where(known, self._bare, levelled).astype(np.float32)  # both in the settled picture's light
        levelled, _ = match_light(self.plane, reference, likely)
        alike = cv2.absdiff(levelled, reference) < BARE_MAT.changed_factor * CHANGE.changed_levels
        ratio = (levelled + np.float32(2.0)) / (reference + np.float32(2.0))
        if self._estimated is not None:
            alike |= self._estimated & _within(ratio, BARE_MAT.estimated_factor)
        if self._quarter is not None and self._bare_colour is not None:
            # A coloured mat is recognised by its colour in sun and shade, too; nothing white or grey has it.
            coloured = _greater(np.abs(self._bare_colour)) > BARE_MAT.coloured
            off = _greater(cv2.absdiff(_log_chromaticity(self._quarter), self._bare_colour))
            alike |= coloured & (off < BARE_MAT.same_colour) & _within(ratio, BARE_MAT.sun_factor)
            other: Plane | float = BARE_MAT.other_colour  # in deep shadow a hand is as dark as the mat
            if self._estimated is not None:
                other = np.where(self._estimated, BARE_MAT.estimated_colour, other)
            alike &= ~(coloured & (off > other))
        return np.asarray(known & alike), known


def count_cells(cells: Cells) -> int:
    """Count the cells that are True."""
    return cv2.countNonZero(cells.view(np.uint8))


def _follow(plane: Plane, newer: Plane, cells: Cells, share: float) -> None:
    """Blend a share of ``newer`` into the cells of ``plane``, in place."""
    cv2.copyTo(cv2.addWeighted(plane, 1.0 - share, newer, share, 0.0), cells.view(np.uint8), plane)


def _log_chromaticity(quarter: NDArray[np.uint8]) -> Plane:
    """Compute the log-chromaticity of each cell's mean: natural logs of green over blue and over red.

    :return: (H / CELL, W / CELL, 2) float32
    """
    small = cv2.blur(_cells(quarter), (3, 3))
    logs = _LOGS[small]
    return np.asarray(logs[..., 1:2] - logs[..., ::2])


def _within(ratio: NDArray[Any], factor: float) -> Cells:
    """Find where a ratio is at most ``factor`` and at least its inverse."""
    return (ratio > 1 / factor) & (ratio < factor)


def _greater(pair: NDArray[Any]) -> Plane:
    """Return the greater of two channels, (h, w); numpy is slow along an axis of two."""
    return np.asarray(cv2.max(*cv2.split(pair)))


def _smooth(plane: Plane, reference: Plane, max_ratio: float) -> Cells:
    """Find where the ratio of two planes is as in the cells round about, and at most ``max_ratio`` or its inverse."""
    ratio = (plane + np.float32(2.0)) / (reference + np.float32(2.0))
    around = np.asarray(cv2.blur(ratio, (CHANGE.drift_edge_cells, CHANGE.drift_edge_cells)))
    alike = np.abs(ratio - around) < np.float32(CHANGE.drift_unevenness) * around
    return np.asarray(alike & _within(around, max_ratio))


def _relight(plane: Plane, gain: float) -> None:
    """Take ``plane`` a step towards the light of a frame that it matches after ``gain``, in place."""
    if 1.0 - LIGHT.picture_share < gain < 1.0 / (1.0 - LIGHT.picture_share):
        plane *= np.float32(1.0 + LIGHT.relight_share * (1.0 / gain - 1.0))


def cell_means(quarter: NDArray[np.uint8]) -> Plane:
    """Average the green channel of ``Frame.quarter`` by cell, lightly blurred: (H / CELL, W / CELL) float32."""
    green = np.asarray(cv2.extractChannel(quarter, 1), np.uint8)
    return np.asarray(cv2.boxFilter(_cells(green), cv2.CV_32F, (3, 3)), np.float32)


def _cells(quarter: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Average a picture by cells of ``CELL_QUARTER_PX`` pixels each way: (H / CELL, W / CELL …) uint8."""
    height, width = quarter.shape[0] // CELL_QUARTER_PX, quarter.shape[1] // CELL_QUARTER_PX
    whole = quarter[: height * CELL_QUARTER_PX, : width * CELL_QUARTER_PX]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def match_light(plane: Plane, reference: Plane, likely: float | None = None) -> tuple[Plane, float]:
    """Match the light of ``plane`` to ``reference``; the plane then, and the gain applied.

    ``likely`` is the gain of the frame before.
    The gain comes from the cells that agree, first over all, then row by row; a hand that covers half a row leaves its
    neighbours' gain to it.
    """
    found = None if likely is None else _near(plane, reference, likely)
    gain, alike, own, due = found or _gain(plane, reference)
    if not 1.0 - LIGHT.picture_share < gain < 1.0 / (1.0 - LIGHT.picture_share):
        return plane, gain
    known = (cv2.reduce(alike, 1, cv2.REDUCE_SUM) > LIGHT.least_row_share * plane.shape[1]) & (own > 1.0)
    rows = np.where(known, due / np.maximum(own, 1.0), np.float32(gain))
    rows = np.minimum(np.maximum(rows, gain * (1.0 - LIGHT.row_share)), gain * (1.0 + LIGHT.row_share))
    return np.asarray(plane * rows, np.float32), gain


#: A gain, where planes then agree, and the sums (h, 1) of each row there of the one plane and the other.
Gain: TypeAlias = tuple[float, Plane, Plane, Plane]


def _near(plane: Plane, reference: Plane, likely: float) -> Gain | None:
    """Estimate the gain near a likely one; None if the planes do not agree in most of the picture then."""
    alike = _alike(plane, reference, likely, LIGHT.tolerance)
    if cv2.countNonZero(alike) < LIGHT.near_agreeing_share * alike.size:
        return None
    own, due = _rows(plane, alike), _rows(reference, alike)
    gain = float(due.sum()) / max(float(own.sum()), 1.0)
    return (gain, alike, own, due) if abs(gain - likely) < LIGHT.near_gain_share * likely else None


def _gain(plane: Plane, reference: Plane) -> Gain:
    """Estimate the gain with no likely one given."""
    gain = 1.0
    alike = np.ones(plane.shape, np.float32)
    for tolerance in (LIGHT.first_tolerance, LIGHT.tolerance):
        denominator = float(np.vdot(plane, alike))
        if denominator < 1e-3:
            gain = 1.0
            break
        gain = float(np.vdot(reference, alike)) / denominator
        alike = _alike(plane, reference, gain, tolerance)
        if cv2.countNonZero(alike) < LIGHT.least_agreeing_share * alike.size:
            # Most of the picture is something else now: the ratio of medians sees through up to half of it.
            gain = float(np.median(reference[::2, ::2] / (plane[::2, ::2] + 1.0)))
            alike = _alike(plane, reference, gain, tolerance)
    return gain, alike, _rows(plane, alike), _rows(reference, alike)


def _rows(plane: Plane, alike: Plane) -> Plane:
    """Sum a plane's rows where it agrees: (h, 1)."""
    return np.asarray(cv2.reduce(cv2.multiply(plane, alike), 1, cv2.REDUCE_SUM))


def _alike(plane: Plane, reference: Plane, gain: float, tolerance: float) -> Plane:
    """Mask where two planes agree up to ``tolerance`` of the light: 1 there, else 0."""
    difference = cv2.absdiff(plane * np.float32(gain), reference)
    spare = cv2.addWeighted(reference, tolerance, difference, -1.0, LIGHT.spare_levels)
    return np.asarray(cv2.threshold(spare, 0.0, 1.0, cv2.THRESH_BINARY)[1])


def _opened(mask: Cells) -> Cells:
    """Keep cells of ``mask`` with at least two neighbours in it: single cells are noise or a pixel on an edge."""
    if not mask.any():
        return mask
    count = cv2.boxFilter(mask.view(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mask & (count >= 3))
