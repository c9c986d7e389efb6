"""Draw smooth, antialiased shapes in mm on card faces."""

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TypeAlias

import cv2
import numpy as np

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = tuple[int, int, int]  # R G B

#: Drawn so much finer than the face, then averaged.
_OVERSAMPLING = 3

#: Points on a circle of radius 1 that are its outline.
_CIRCLE = np.array([(math.cos(turn), math.sin(turn)) for turn in np.linspace(0, 2 * math.pi, 49)[:-1]])


class Pen:
    """A sheet of paper in mm, origin at its centre, x to the right and y downwards."""

    def __init__(self, size_mm: tuple[float, float], px: tuple[int, int], paper: Colour) -> None:
        self.size_mm, self.px = size_mm, px
        width, height = px[0] * _OVERSAMPLING, px[1] * _OVERSAMPLING
        # Row by row: numpy fills pixel by pixel with a colour, which takes as long as all that is drawn.
        self._sheet = np.full((height, width * 3), np.tile(np.array(paper[::-1], np.uint8), width)).reshape(
            height, width, 3
        )
        self._base = np.array(
            [(width / size_mm[0], 0, width / 2 - 0.5), (0, height / size_mm[1], height / 2 - 0.5), (0, 0, 1)]
        )
        self._at = self._base

    def face(self) -> np.ndarray:
        """Return what is drawn so far, (h, w, 3) uint8 BGR."""
        return cv2.resize(self._sheet, self.px, interpolation=cv2.INTER_AREA)

    @contextmanager
    def placed(
        self, x: float = 0.0, y: float = 0.0, scale: float = 1.0, turn: float = 0.0, flip: bool = False
    ) -> Iterator[None]:
        """Draw about (x, y), scaled, turned clockwise (radians), mirrored left to right."""
        before = self._at
        c, s = math.cos(turn) * scale, math.sin(turn) * scale
        sign = -1 if flip else 1
        self._at = before @ np.array([(c * sign, -s, x), (s * sign, c, y), (0, 0, 1)])
        try:
            yield
        finally:
            self._at = before

    def keep_inside(self, left: float, top: float, right: float, bottom: float, before: np.ndarray) -> None:
        """Put back what stood outside of a box (mm on the sheet) in a copy made with ``copy``."""
        corners = self._base @ np.array([(left, right), (top, bottom), (1, 1)])
        (x0, x1), (y0, y1) = np.round(corners[:2]).astype(int)
        inner = self._sheet[y0:y1, x0:x1].copy()
        self._sheet[:] = before
        self._sheet[y0:y1, x0:x1] = inner

    def copy(self) -> np.ndarray:
        """Copy what is drawn so far, at the fine resolution."""
        return self._sheet.copy()

    def mirror_half(self) -> None:
        """Make the lower half the upper one, turned by half."""
        half = self._sheet.shape[0] // 2
        self._sheet[half:] = self._sheet[:half][::-1, ::-1]

    @property
    def scale(self) -> float:
        """Fine pixels a mm."""
        return float(math.sqrt(abs(np.linalg.det(self._at[:2, :2]))))

    def _pixels(self, points: Sequence[Point] | np.ndarray) -> np.ndarray:
        mm = np.asarray(points, np.float64).reshape(-1, 2)
        sixteenths: np.ndarray = np.round((mm @ self._at[:2, :2].T + self._at[:2, 2]) * 16).astype(np.int32)
        return sixteenths

    def polygon(
        self, points: Sequence[Point] | np.ndarray, fill: Colour | None, line: Colour | None = None, width: float = 0.35
    ) -> None:
        """Draw a polygon; ``width`` of the outline in mm."""
        px = self._pixels(points)
        if fill is not None:
            cv2.fillPoly(self._sheet, [px], fill[::-1], cv2.LINE_AA, 4)
        if line is not None:
            cv2.polylines(self._sheet, [px], True, line[::-1], self._thick(width), cv2.LINE_AA, 4)

    def polygons(self, outlines: Iterable[Sequence[Point] | np.ndarray], fill: Colour) -> None:
        """Draw several outlines filled as one, with holes where they cross."""
        cv2.fillPoly(self._sheet, [self._pixels(o) for o in outlines], fill[::-1], cv2.LINE_AA, 4)

    def blob(
        self, points: Sequence[Point], fill: Colour | None, line: Colour | None = None, width: float = 0.35
    ) -> None:
        """Draw a closed smooth outline through the points."""
        self.polygon(smooth(points, closed=True), fill, line, width)

    def line(self, points: Sequence[Point], colour: Colour, width: float, curved: bool = False) -> None:
        """Draw a line through the points, straight or smooth."""
        px = self._pixels(smooth(points, closed=False) if curved else points)
        cv2.polylines(self._sheet, [px], False, colour[::-1], self._thick(width), cv2.LINE_AA, 4)

    def ellipse(
        self,
        x: float,
        y: float,
        a: float,
        b: float,
        fill: Colour | None,
        line: Colour | None = None,
        width: float = 0.35,
    ) -> None:
        """Draw an ellipse with half axes ``a`` across and ``b`` down."""
        self.polygon(_CIRCLE * (a, b) + (x, y), fill, line, width)

    def text(
        self, words: str, x: float, y: float, height: float, colour: Colour, squeeze: float = 1.0, weight: int = 700
    ) -> None:
        """Draw words centred at (x, y), capitals ``height`` mm high, ``squeeze`` times as wide as in the font."""
        outlines, tall = _outlines(words, weight)
        scale = height / tall
        self.polygons([o * (scale * squeeze, scale) + (x, y) for o in outlines], colour)

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.scale))


@cache
def _outlines(words: str, weight: int) -> tuple[list[np.ndarray], int]:
    """Trace words in the font: outlines about their middle, each (n, 2), and how tall they are, in its pixels."""
    size = 400
    stencil = np.zeros((size * 2, int(size * 0.9 * (len(words) + 1)), 3), np.uint8)
    cv2.putText(stencil, words, (size // 4, int(size * 1.4)), (255, 255, 255), cv2.FontFace("sans"), size, weight)
    ink = stencil[..., 0]
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    ink = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    outlines, _ = cv2.findContours((ink > 127).astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    return [o[:, 0] - np.array(ink.shape[::-1]) / 2 for o in outlines], ink.shape[0]


def path(numbers: str) -> list[Point]:
    """Parse points written as ``x y x y …``."""
    values = [float(word) for word in numbers.split()]
    return list(zip(values[::2], values[1::2], strict=True))


def smooth(points: Sequence[Point], closed: bool, steps: int = 12) -> np.ndarray:
    """Interpolate points by a Catmull-Rom curve (Catmull and Rom 1974): (n, 2)."""
    p = np.asarray(points, np.float64)
    ends = np.vstack([p[-1], p, p[:2]]) if closed else np.vstack([p[0], p, p[-1]])
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    parts = []
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        parts.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    curve = np.vstack(parts)
    return curve if closed else np.vstack([curve, p[-1]])
