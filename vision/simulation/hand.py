"""Draw a player's hand with its arm from above: a sprite that is drawn once an act and then moved."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np

Box: TypeAlias = tuple[slice, slice]  # rows and columns of a part of a picture
Place: TypeAlias = tuple[float, float]

_SKINS = ((168, 190, 226), (150, 178, 220), (120, 155, 205), (92, 128, 184), (62, 88, 136), (44, 62, 98))  # BGR
_SLEEVES = ((110, 62, 40), (70, 70, 74), (52, 48, 120), (196, 190, 182), (60, 84, 48), (40, 36, 34), (150, 128, 96))

# A right hand that points upwards, mm, tip of the middle finger at the origin: (from, to, thickness) of each limb.
_FINGERS = (
    ((-18.0, 8.0), (-13.0, 80.0), 17.0),
    ((0.0, 1.0), (2.0, 80.0), 17.5),
    ((17.0, 9.0), (16.0, 80.0), 16.5),
    ((32.0, 29.0), (29.0, 86.0), 14.0),
)
_THUMB = (((-40.0, 62.0), (-40.0, 84.0), 18.0), ((-40.0, 84.0), (-19.0, 122.0), 21.0))
_PALM = ((-21, 74), (-10, 66), (26, 66), (36, 80), (37, 118), (27, 152), (24, 185), (-12, 185), (-15, 152), (-25, 116))
_WRIST = 150.0


@dataclass(frozen=True, slots=True)
class HandAppearance:
    """Appearance of a seat's hand."""

    skin: tuple[int, int, int]  # BGR
    sleeve: tuple[int, int, int]
    cuff: float  # mm from the finger tips where the sleeve begins
    size: float  # 1 is a hand of 185 mm
    stripes: bool
    left: bool
    glove: tuple[int, int, int] | None = None  # BGR
    rings: int = 0
    nails: tuple[int, int, int] | None = None  # BGR of long, painted ones; None: short
    checks: tuple[int, int, int] | None = None  # BGR of a sleeve's checks

    @classmethod
    def drawn_by(cls, rng: np.random.Generator) -> "HandAppearance":
        """Draw somebody's appearance from random numbers."""
        return cls(
            skin=_SKINS[rng.integers(len(_SKINS))],
            sleeve=_SLEEVES[rng.integers(len(_SLEEVES))],
            cuff=float(rng.choice([rng.uniform(165, 200), rng.uniform(260, 330)], p=[0.75, 0.25])),
            size=float(rng.uniform(0.86, 1.06)),
            stripes=bool(rng.random() < 0.35),
            left=bool(rng.random() < 0.12),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A picture to lay over another: result = below · keep + colours, all 0 … 255."""

    colours: np.ndarray  # (h, w, 3) uint8, already weighed by the cover
    keep: np.ndarray  # (h, w, 3) uint8
    anchor: tuple[int, int]  # px in the sprite of the point that is placed

    def onto(self, picture: np.ndarray, x: float, y: float) -> Box | None:
        """Lay it over a (H, W, 3) uint8 picture in place, its anchor at (x, y) px; returns where."""
        left, top = round(x) - self.anchor[0], round(y) - self.anchor[1]
        height, width = self.keep.shape[:2]
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(picture.shape[1], left + width), min(picture.shape[0], top + height)
        if x1 <= x0 or y1 <= y0:
            return None
        part = picture[y0:y1, x0:x1]
        mine = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
        cv2.multiply(part, self.keep[mine], part, 1 / 255)
        cv2.add(part, self.colours[mine], part)
        return np.s_[y0:y1, x0:x1]


def draw_hand(
    person: HandAppearance,
    px_per_mm: float,
    direction: float,
    reach_px: float,
    tint: np.ndarray,
    shadow_px: tuple[float, float],
) -> Sprite:
    """Draw a hand whose arm goes off in a direction.

    :param direction: of the arm away from the finger tips, radians, 0 right, a quarter turn down.
    :param reach_px: length of hand and arm together.
    :param tint: (3,) BGR factors of the light.
    :param shadow_px: how far the shadow falls.
    """
    scale = px_per_mm * person.size
    turn = direction - math.pi / 2
    c, s = math.cos(turn) * scale, math.sin(turn) * scale
    mirror = -1.0 if person.left else 1.0
    reach = max(reach_px / scale, 220.0)
    outline = np.array([(-75, -25), (75, -25), (95, reach), (-95, reach)], np.float64)
    matrix = np.array([(c, s), (-s, c)])
    corners = outline @ matrix
    low, high = np.floor(corners.min(0)) - 8, np.ceil(corners.max(0)) + 8
    width, height = (int(v) for v in high - low)

    def px(points: object) -> np.ndarray:
        mm = np.asarray(points, np.float64).reshape(-1, 2) * (mirror, 1.0)
        sixteenths: np.ndarray = np.round((mm @ matrix - low) * 16).astype(np.int32)
        return sixteenths

    skin, sleeve, lines = (np.zeros((height, width), np.uint8) for _ in range(3))
    for start, end, thick in (*_FINGERS, *_THUMB):
        _limb(skin, px([start, end]), thick * scale)
    for tips in _long_nails(person):
        cv2.fillPoly(skin, [px(tips)], 255, cv2.LINE_AA, 4)
    cv2.fillPoly(skin, [px(_PALM)], 255, cv2.LINE_AA, 4)
    forearm = [(-16, _WRIST), (27, _WRIST), (40, 300), (46, reach), (-36, reach), (-30, 300)]
    cv2.fillPoly(skin, [px(forearm)], 255, cv2.LINE_AA, 4)
    cuff = person.cuff
    cv2.fillPoly(sleeve, [px([(-33, cuff), (42, cuff), (66, reach), (-58, reach)])], 255, cv2.LINE_AA, 4)
    for (a, b, _), (d, e, _) in pairwise(_FINGERS):
        gap = (np.add(a, d) / 2 + (0, 9), np.add(b, e) / 2 + (0, 2))
        cv2.line(lines, *_ends(px(gap)), 255, max(1, round(1.6 * scale)), cv2.LINE_AA, 4)
    cover = cv2.GaussianBlur(cv2.max(skin, sleeve), (0, 0), 0.8).astype(np.float32) / 255

    # An arm covers a part of the picture only: colours are those of the covered pixels, (n, 3).
    covered = np.flatnonzero(cover)
    places = np.full((height, width), -1, np.int32)
    places.ravel()[covered] = np.arange(len(covered))
    colours = _shaded(skin, person.glove or person.skin, 8.5 * scale, covered)
    creases = cv2.GaussianBlur(lines, (0, 0), max(0.6, 0.7 * scale)).ravel()[covered].astype(np.float32) / 255
    colours *= (1 - 0.34 * creases)[:, None]
    fingers = (*_FINGERS, _THUMB[0])
    for start, end, thick in fingers if person.glove is None else ():
        _nail(colours, places, px([start, end]), thick * scale)
    for mark, tone in _adornments(person, skin.shape, px, scale):
        share = (mark.ravel()[covered].astype(np.float32) / 255)[:, None]
        colours += (np.array(tone, np.float32) - colours) * share
    cloth = _cloth(person, sleeve, px, scale, reach, covered)
    on = (cv2.GaussianBlur(sleeve, (0, 0), 0.8).ravel()[covered].astype(np.float32) / 255)[:, None]
    colours += (cloth - colours) * on
    colours *= tint.astype(np.float32)

    shadow = np.zeros_like(cover)
    dx, dy = (round(v) for v in shadow_px)
    shadow[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)] = cover[
        max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)
    ]
    small = cv2.resize(shadow, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    soft = cv2.resize(cv2.GaussianBlur(small, (0, 0), 1.6 * px_per_mm), (width, height))
    keep = (1 - cover) * (1 - 0.42 * soft)
    flat = np.zeros((height, width, 3), np.uint8)
    weighed = np.clip(colours * cover.ravel()[covered][:, None], 0, 255)
    flat.reshape(-1, 3)[covered] = weighed.round().astype(np.uint8)
    dim = (keep * 255).round().astype(np.uint8)
    origin = np.round(-low).astype(int)
    return Sprite(flat, cv2.merge([dim, dim, dim]), (int(origin[0]), int(origin[1])))


def _cloth(
    person: HandAppearance,
    sleeve: np.ndarray,
    px: Callable[[object], np.ndarray],
    scale: float,
    reach: float,
    covered: np.ndarray,
) -> np.ndarray:
    """Colour a sleeve with its pattern: (n, 3) float32 of the covered pixels."""
    height, width = sleeve.shape
    cuff = person.cuff
    cloth = _shaded(sleeve, person.sleeve, 26 * scale, covered)
    if person.stripes:
        stripes = np.zeros((height, width), np.uint8)
        for k in range(-5, 8):
            cv2.line(
                stripes,
                *_ends(px([(k * 11 - 4, cuff), (k * 15 - 6, reach)])),
                255,
                max(1, round(1.8 * scale)),
                cv2.LINE_AA,
                4,
            )
        cloth *= (1 - 0.22 * stripes.ravel()[covered].astype(np.float32) / 255)[:, None]
    if person.checks is not None:
        crossed = np.zeros((height, width), np.uint8)
        for k in range(-4, 8):
            cv2.line(crossed, *_ends(px([(k * 12, cuff), (k * 14, reach)])), 255, max(1, round(5 * scale)), 4, 4)
        for along in np.arange(cuff, reach, 16.0).tolist():
            cv2.line(crossed, *_ends(px([(-60, along), (70, along)])), 255, max(1, round(5 * scale)), 4, 4)
        cloth += (np.array(person.checks, np.float32) - cloth) * (crossed.ravel()[covered] > 127)[:, None]
    hem = np.zeros((height, width), np.uint8)
    cv2.line(hem, *_ends(px([(-33, cuff + 9), (42, cuff + 9)])), 255, max(1, round(1.4 * scale)), cv2.LINE_AA, 4)
    cloth *= (1 - 0.3 * hem.ravel()[covered].astype(np.float32) / 255)[:, None]
    return cloth


def _long_nails(person: HandAppearance) -> list[tuple[Place, ...]]:
    """Outline long nails, mm: they reach beyond the finger tips, over the card."""
    if person.nails is None:
        return []
    return [((x - 5.5, y), (x - 4, y - 15), (x + 4, y - 15), (x + 5.5, y)) for (x, y), _, _ in _FINGERS]


def _adornments(
    person: HandAppearance, shape: tuple[int, ...], px: Callable[[object], np.ndarray], scale: float
) -> Iterator[tuple[np.ndarray, tuple[int, int, int]]]:
    """Yield what is worn on fingers: where it covers, (h, w) uint8, and its colour."""
    for (x, y), (x1, y1), thick in _FINGERS[1 : 1 + person.rings]:
        mark = np.zeros(shape, np.uint8)
        middle = (x + 0.62 * (x1 - x), y + 0.62 * (y1 - y))
        ends = _ends(px([(middle[0] - thick / 2, middle[1]), (middle[0] + thick / 2, middle[1])]))
        cv2.line(mark, *ends, 255, max(1, round(4.5 * scale)), cv2.LINE_AA, 4)
        yield mark, (96, 196, 232)
    for nail in _long_nails(person):
        mark = np.zeros(shape, np.uint8)
        cv2.fillPoly(mark, [px(nail)], 255, cv2.LINE_AA, 4)
        assert person.nails is not None
        yield mark, person.nails


def _limb(mask: np.ndarray, ends: np.ndarray, thick: float) -> None:
    cv2.line(mask, *_ends(ends), 255, max(1, round(thick)), cv2.LINE_AA, 4)


def _ends(points: np.ndarray) -> tuple[tuple[int, int], tuple[int, int]]:
    (x0, y0), (x1, y1) = points.tolist()
    return (x0, y0), (x1, y1)


def _shaded(mask: np.ndarray, colour: tuple[int, int, int], depth_px: float, pixels: np.ndarray) -> np.ndarray:
    """Shade some pixels (n,), darker towards the outline as round things are: (n, 3) float32."""
    inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 3)
    soft = cv2.GaussianBlur(inside, (0, 0), max(0.6, 0.12 * depth_px)).ravel()[pixels]
    rounded = np.sqrt(np.clip(soft / depth_px, 0, 1))
    shaded: np.ndarray = (0.62 + 0.38 * rounded)[:, None] * np.array(colour, np.float32)
    return shaded


def _nail(colours: np.ndarray, places: np.ndarray, ends: np.ndarray, thick: float) -> None:
    """Draw a lighter spot near the tip of a finger; ``places`` (h, w): which of the colours is a pixel's, -1: none."""
    (x0, y0), (x1, y1) = ends.astype(np.float64) / 16
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    centre = (round((x0 + dx * 0.02 * thick) * 16), round((y0 + dy * 0.02 * thick) * 16))
    size = (round(0.34 * thick * 16), round(0.27 * thick * 16))
    height, width = places.shape
    if not (0 <= x0 < width and 0 <= y0 < height):
        return
    x, y = max(0, int(x0 - thick)), max(0, int(y0 - thick))
    part = places[y : int(y0 + thick) + 1, x : int(x0 + thick) + 1]
    spot = np.zeros(part.shape, np.uint8)
    cv2.ellipse(
        spot,
        (centre[0] - x * 16, centre[1] - y * 16),
        size,
        math.degrees(math.atan2(dy, dx)),
        0,
        360,
        255,
        -1,
        cv2.LINE_AA,
        4,
    )
    seen = (part >= 0) & (spot > 0)
    own = colours[part[seen]]
    lighter = (own * (1.06, 1.09, 1.1) + 8 - own) * (0.8 * spot[seen].astype(np.float32) / 255)[:, None]
    colours[part[seen]] = own + lighter
