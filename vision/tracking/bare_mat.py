"""Know the bare mat by its grey level and its colour, in any light, and what of a frame shows it."""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tracking.coarse_plane import (
    CHANGED_LEVELS,
    Cells,
    Plane,
    count_cells,
    log_chromaticity,
    match_light,
    relight,
    within,
)
from vision.tracking.lamp_change import fill


@dataclass(frozen=True, slots=True, kw_only=True)
class BareMatLimits:
    """Limits of knowing the bare mat by its grey level and its colour."""

    #: Factor on ``CHANGED_LEVELS`` by which the bare mat may differ from how it is known.
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


LIMITS = BareMatLimits()


@dataclass(frozen=True, slots=True, eq=False)
class CoarseFrame:
    """The newest frame as the bare mat is compared with it; planes are (H / CELL, W / CELL)."""

    at: float  # s
    quarter: NDArray[np.uint8]
    plane: Plane  # light as it came
    settled: Plane  # the settled picture, in whose light the bare mat is kept
    gain: float | None  # of the frame against the settled picture, if it is known


class BareMat:
    """Remembers the bare mat cell by cell, in the light of the settled picture."""

    def __init__(self) -> None:
        self._grey: Plane | None = None  # NaN where it was never seen
        self._colour: Plane | None = None  # log-chromaticity, (H / CELL, W / CELL, 2), where it is known
        self._known_s: Plane | None = None  # seconds that it was seen as it is known, less those it was not
        self._otherwise: Cells | None = None  # where something else was let go in its place
        self._estimated: Cells | None = None  # where another lamp's light on it was never seen
        self._learned_at = self._colour_at = -math.inf

    def forget(self) -> None:
        """Forget it: mat or camera were pushed."""
        self._grey = self._colour = self._known_s = self._otherwise = self._estimated = None

    def relight(self, gain: float) -> None:
        """Take it a step towards the light of a frame with this gain, also where cards hide it."""
        if self._grey is not None:
            relight(self._grey, gain)

    def light_up(
        self, factors: Plane, known: Cells, settled: Plane, quarter: NDArray[np.uint8], before: NDArray[np.uint8]
    ) -> None:
        """Take it into another lamp's light; below a card that is as round about, for white paper may be overexposed.

        :param factors: of each cell's light, right where ``known``.
        :param settled: the settled picture in the light before; ``quarter`` and ``before`` are the frames of now and
            of then.
        """
        if self._grey is None or self._grey.shape != settled.shape:
            return
        open_ = known & (cv2.absdiff(settled, self._grey) < CHANGED_LEVELS)
        self._grey *= fill(factors, open_)
        self._estimated = ~open_ if self._estimated is None else self._estimated | ~open_
        if self._colour is not None and open_.any():
            tint = log_chromaticity(quarter) - log_chromaticity(before)
            self._colour += np.where(open_[..., None], tint, np.median(tint[open_], axis=0))

    def learn(self, cells: Cells, frame: CoarseFrame) -> None:
        """Take the settled picture there as the bare mat; where cards hide it, the light is that round about.

        Where the mat was known otherwise for longer, it stays as it was known, and counts as unknown.
        """
        if self._grey is None or self._grey.shape != frame.plane.shape:
            self.forget()
            self._grey = np.full_like(frame.plane, np.nan)
        grey, settled = self._grey, frame.settled
        self._follow_tint(cells, frame)
        cells = self._believed(cells, frame)
        seen = cells & (grey > 1.0)  # never where it is NaN
        ratio = np.divide(settled, grey, out=np.ones_like(grey), where=seen)
        if float(np.abs(ratio - 1).max()) > LIMITS.light_share:
            hidden = ~cells
            for edge in LIMITS.light_edges_cells:  # cells nearby are better evidence
                weight = cv2.blur(seen.astype(np.float32), (edge, edge))
                near = hidden & (weight > LIMITS.light_open_share)
                np.multiply(grey, cv2.blur(ratio * seen, (edge, edge)) / np.maximum(weight, 1e-6), out=grey, where=near)
                hidden &= ~near
        new = bool(np.any(cells & ~np.isfinite(grey)))  # or nothing would be known of their colour when sun falls there
        cv2.copyTo(settled, cells.view(np.uint8), grey)
        if self._estimated is not None:
            self._estimated &= ~cells
        if new or self._colour is None or frame.at - self._colour_at > LIMITS.colour_interval_s:
            colour, self._colour_at = log_chromaticity(frame.quarter), frame.at
            if self._colour is None:
                self._colour = np.zeros_like(colour)
            cv2.copyTo(colour, cells.view(np.uint8), self._colour)

    def _follow_tint(self, cells: Cells, frame: CoarseFrame) -> None:
        """Take its colour a step with the tint of the light or of the white balance, also where cards hide it.

        Another lamp that is as bright, and shines from as far, changes no grey level that a gain does not explain.
        """
        if self._grey is None or self._colour is None:
            return
        open_ = cells & (cv2.absdiff(frame.settled, self._grey) < CHANGED_LEVELS)
        if count_cells(open_) > LIMITS.light_open_share * open_.size:
            tint = log_chromaticity(frame.quarter) - self._colour
            self._colour += np.median(tint[open_], axis=0)

    def _believed(self, cells: Cells, frame: CoarseFrame) -> Cells:
        """Select the cells that show the mat as it is known, or something else for as long as that was seen."""
        if self._known_s is None or self._otherwise is None:
            self._known_s, self._otherwise = np.zeros_like(frame.plane), np.zeros(frame.plane.shape, bool)
        elapsed = min(frame.at - self._learned_at, LIMITS.longest_step_s)
        self._learned_at = frame.at
        alike, known = self._resembles(frame)
        otherwise = cells & known & ~alike
        if self._estimated is not None:
            otherwise &= ~self._estimated
        self._known_s += np.where(otherwise, -elapsed, np.where(cells, elapsed, 0.0)).astype(np.float32)
        otherwise &= self._known_s > 0.0
        np.clip(self._known_s, 0.0, LIMITS.longest_known_s, out=self._known_s)
        self._otherwise = (self._otherwise & ~cells) | otherwise
        return cells & ~otherwise

    def seen(self, frame: CoarseFrame) -> tuple[Cells, Cells]:
        """Find the cells in which the frame shows it; and those in which it is known for certain."""
        alike, known = self._resembles(frame)
        if self._otherwise is None or self._otherwise.shape != known.shape:
            return alike, known
        return alike & ~self._otherwise, known & ~self._otherwise

    def things_again(self, plane: Plane, earlier: Plane) -> Cells:
        """Find the cells in which a plane shows what a settled picture of before has, and that is not the mat.

        The mat itself is known better: a hand in deep shadow is as dark.
        """
        if self._grey is None or not plane.shape == self._grey.shape == earlier.shape:
            return np.zeros(earlier.shape, bool)
        mat = np.where(np.isfinite(self._grey), self._grey, earlier).astype(np.float32)
        thing = cv2.absdiff(match_light(earlier, mat)[0], mat) >= _DIFFERENT_LEVELS
        return np.asarray(thing & (cv2.absdiff(match_light(plane, earlier)[0], earlier) < _DIFFERENT_LEVELS))

    def _resembles(self, frame: CoarseFrame) -> tuple[Cells, Cells]:
        """Find the cells in which the frame is like the bare mat; and those in which that was ever seen."""
        if self._grey is None or self._grey.shape != frame.plane.shape:
            nowhere = np.zeros(frame.plane.shape, bool)
            return nowhere, nowhere
        known = np.isfinite(self._grey)
        if not known.any():
            return known, known
        levelled, _ = match_light(frame.plane, frame.settled, frame.gain)
        reference = np.where(known, self._grey, levelled).astype(np.float32)  # both in the settled picture's light
        levelled, _ = match_light(frame.plane, reference, frame.gain)
        alike = cv2.absdiff(levelled, reference) < _DIFFERENT_LEVELS
        ratio = (levelled + np.float32(2.0)) / (reference + np.float32(2.0))
        if self._estimated is not None:
            alike |= self._estimated & within(ratio, LIMITS.estimated_factor)
        if self._colour is not None:
            # A coloured mat is recognised by its colour in sun and shade, too; nothing white or grey has it.
            coloured = _greater(np.abs(self._colour)) > LIMITS.coloured
            off = _greater(cv2.absdiff(log_chromaticity(frame.quarter), self._colour))
            alike |= coloured & (off < LIMITS.same_colour) & within(ratio, LIMITS.sun_factor)
            other: Plane | float = LIMITS.other_colour  # in deep shadow a hand is as dark as the mat
            if self._estimated is not None:
                other = np.where(self._estimated, LIMITS.estimated_colour, other)
            alike &= ~(coloured & (off > other))
        return np.asarray(known & alike), known


_DIFFERENT_LEVELS = LIMITS.changed_factor * CHANGED_LEVELS


def _greater(pair: NDArray[Any]) -> Plane:
    """Return the greater of two channels, (h, w); numpy is slow along an axis of two."""
    return np.asarray(cv2.max(*cv2.split(pair)))
