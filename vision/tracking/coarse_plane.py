"""Compute coarse planes of grey levels, one value a cell of 8 px, and match the light of one to another.

Light is levelled out for the whole picture and row by row: automatic exposure would be detected as motion, and lamps on
50 Hz beat against a rolling shutter as bands that run through the picture.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import QUARTER

#: Edge of a cell in pixels of the picture, and of a quarter of its size. 8 … 16: smaller sees finer changes and costs
#: by the square.
CELL = 8
CELL_QUARTER_PX = CELL // QUARTER
#: Grey levels by which a cell must differ to count as changed, 5 … 20: lower sees white on white, and also noise.
CHANGED_LEVELS = 9.0


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


LIGHT = LightLimits()

Cells = NDArray[np.bool_]
Plane = NDArray[np.float32]

_LOGS = np.log(np.arange(256, dtype=np.float32) + 3.0)


def count_cells(cells: Cells) -> int:
    """Count the cells that are True."""
    return cv2.countNonZero(cells.view(np.uint8))


def cell_means(quarter: NDArray[np.uint8]) -> Plane:
    """Average the green channel of ``Frame.quarter`` by cell, lightly blurred: (H / CELL, W / CELL) float32."""
    green = np.asarray(cv2.extractChannel(quarter, 1), np.uint8)
    return np.asarray(cv2.boxFilter(_cells(green), cv2.CV_32F, (3, 3)), np.float32)


def _cells(quarter: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Average a picture by cells of ``CELL_QUARTER_PX`` pixels each way: (H / CELL, W / CELL …) uint8."""
    height, width = quarter.shape[0] // CELL_QUARTER_PX, quarter.shape[1] // CELL_QUARTER_PX
    whole = quarter[: height * CELL_QUARTER_PX, : width * CELL_QUARTER_PX]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def log_chromaticity(quarter: NDArray[np.uint8]) -> Plane:
    """Compute the log-chromaticity of each cell's mean: natural logs of green over blue and over red.

    :return: (H / CELL, W / CELL, 2) float32
    """
    small = cv2.blur(_cells(quarter), (3, 3))
    logs = _LOGS[small]
    return np.asarray(logs[..., 1:2] - logs[..., ::2])


def within(ratio: NDArray[Any], factor: float) -> Cells:
    """Find where a ratio is at most ``factor`` and at least its inverse."""
    return (ratio > 1 / factor) & (ratio < factor)


def relight(plane: Plane, gain: float) -> None:
    """Take ``plane`` a step towards the light of a frame that it matches after ``gain``, in place."""
    if 1.0 - LIGHT.picture_share < gain < 1.0 / (1.0 - LIGHT.picture_share):
        plane *= np.float32(1.0 + LIGHT.relight_share * (1.0 / gain - 1.0))


def follow(plane: Plane, newer: Plane, cells: Cells, share: float) -> None:
    """Blend a share of ``newer`` into the cells of ``plane``, in place."""
    cv2.copyTo(cv2.addWeighted(plane, 1.0 - share, newer, share, 0.0), cells.view(np.uint8), plane)


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
