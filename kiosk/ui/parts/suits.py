"""Draw the signs of the Bavarian suits and hand them to Kivy as a font: no font that comes with it has them.

Outlines are polygons in units of which 1000 make the height of a line, y up; a contour that turns the other way cuts a
hole. :func:`font` writes them as TrueType with the tables that FreeType wants (OpenType 1.9: ``glyf``, ``loca``,
``cmap``, ``head``, ``hhea``, ``hmtx``, ``maxp``).
"""

import atexit
import math
import shutil
import struct
import tempfile
from functools import cache
from pathlib import Path
from typing import TypeAlias

from kivy.core.text import LabelBase

Contour: TypeAlias = list[tuple[float, float]]

#: Name of the font within markup.
FONT = "Suits"

#: The character of each suit, in the area for private use.
SIGNS = {"E": "\ue000", "G": "\ue001", "H": "\ue002", "S": "\ue003"}

#: Measures of the font in its units, 1000 to an em; height above and below the baseline.
_UNITS_PER_EM, _ADVANCE, _ASCENT, _DESCENT = 1000, 860, 800, -200
#: Straight pieces of a full arc.
_STEPS = 40


def _arc(x: float, y: float, rx: float, ry: float, start: float = 0.0, end: float = 360.0) -> Contour:
    """Points on an ellipse, degrees counted from the right, clockwise if ``end`` is below ``start``."""
    angles = [math.radians(start + (end - start) * step / _STEPS) for step in range(_STEPS + 1)]
    return [(x + rx * math.cos(angle), y + ry * math.sin(angle)) for angle in angles]


def _disc(x: float, y: float, r: float) -> Contour:
    return _arc(x, y, r, r, 360.0, 0.0)


def _hole(contour: Contour) -> Contour:
    return contour[::-1]


def _bow(start: tuple[float, float], pull: tuple[float, float], end: tuple[float, float]) -> Contour:
    """Points on a quadratic curve."""
    points = []
    for step in range(_STEPS // 2 + 1):
        t = step / (_STEPS // 2)
        points.append(
            tuple((1 - t) ** 2 * a + 2 * t * (1 - t) * b + t**2 * c for a, b, c in zip(start, pull, end, strict=True))
        )
    return [(x, y) for x, y in points]


def _acorn() -> list[Contour]:
    """A nut that hangs out of its cup."""
    cup = [*_arc(430, 400, 330, 250, 180, 0), (745, 345), *_bow((745, 345), (430, 285), (115, 345))]
    nut = [(170, 265), *_bow((170, 265), (430, 205), (690, 265)), *_bow((690, 265), (650, -10), (430, -125))]
    nut += _bow((430, -125), (210, -10), (170, 265))
    stem: Contour = [(390, 620), (330, 770), (430, 790), (475, 620)]
    upper, lower = ((310, 555), (430, 570), (550, 555)), ((250, 455), (370, 480), (490, 480), (610, 455))
    knots = [_hole(_disc(x, y, 28)) for x, y in (*upper, *lower)]
    return [cup, nut, stem, *knots]


def _leaf() -> list[Contour]:
    """A leaf upright on its stalk, with its vein."""
    right = [*_bow((430, 800), (800, 560), (800, 250)), *_bow((800, 250), (790, 20), (600, 30))]
    right += _bow((600, 30), (490, 40), (465, 130))
    left = [(860 - x, y) for x, y in right][::-1]
    stalk: Contour = [(465, 130), (480, -40), (560, -130), (470, -175), (395, -60), (395, 130)]
    middle = _hole([(415, 640), (445, 640), (448, 150), (412, 150)])
    drawn: list[Contour] = [[*right, *left], stalk, middle]
    return [[(430 + (x - 430) * 0.9, 320 + (y - 320) * 0.9) for x, y in contour] for contour in drawn]


def _heart() -> list[Contour]:
    right = [*_bow((430, 560), (470, 720), (610, 720)), *_bow((610, 720), (800, 710), (800, 500))]
    right += _bow((800, 500), (790, 270), (430, -110))
    left = [(860 - x, y) for x, y in right][::-1]
    return [[*right, *left]]


def _bell() -> list[Contour]:
    """A round bell with its band, its slit and its ring."""
    ball = _disc(430, 270, 370)
    slit = [_hole(_disc(430, 60, 62)), _hole([(408, -6), (452, -6), (452, -110), (408, -110)])]
    ring = [_disc(430, 690, 100), _hole(_disc(430, 690, 50))]
    return [ball, _stripe(290, 330), _stripe(195, 235), *slit, *ring]


def _stripe(low: float, high: float) -> Contour:
    """A stripe across the bell, no wider than it is there."""
    below, above = (math.sqrt(370.0**2 - (y - 270) ** 2) for y in (low, high))
    return [(430 - below, low), (430 + below, low), (430 + above, high), (430 - above, high)]


_DRAWN = {"E": _acorn, "G": _leaf, "H": _heart, "S": _bell}


def _glyph(contours: list[Contour]) -> bytes:
    """An entry of the table ``glyf``: simple polygons, all points on the curve, coordinates as 16 bits."""
    rounded = [[(round(x), round(y)) for x, y in contour] for contour in contours]
    xs = [x for contour in rounded for x, _ in contour]
    ys = [y for contour in rounded for _, y in contour]
    data = struct.pack(">hhhhh", len(rounded), min(xs), min(ys), max(xs), max(ys))
    last = -1
    for contour in rounded:
        last += len(contour)
        data += struct.pack(">H", last)
    data += struct.pack(">H", 0) + bytes([1] * len(xs))
    for values in (xs, ys):
        before = 0
        for value in values:
            data += struct.pack(">h", value - before)
            before = value
    return data + bytes(-len(data) % 4)


def font() -> bytes:
    """Write the signs as a TrueType font."""
    glyphs = [_glyph([_arc(430, 300, 300, 300, 360, 0)]), *(_glyph(_DRAWN[suit]()) for suit in SIGNS)]
    offsets = [sum(map(len, glyphs[:number])) for number in range(len(glyphs) + 1)]
    first, last = ord(min(SIGNS.values())), ord(max(SIGNS.values()))
    segments = struct.pack(">HHHH", 4, 4, 1, 0)  # twice their number, and what a search by halves wants
    segments += struct.pack(">HHHHH", last, 0xFFFF, 0, first, 0xFFFF)
    segments += struct.pack(">HHHH", (1 - first) & 0xFFFF, 1, 0, 0)
    cmap = struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHH", 4, len(segments) + 6, 0) + segments
    box = (0, -200, _ADVANCE, 820)
    most = max(struct.unpack(">h", glyph[:2])[0] for glyph in glyphs)
    points = max((len(glyph) - 12) // 5 for glyph in glyphs)
    tables = {
        b"cmap": cmap,
        b"glyf": b"".join(glyphs),
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _UNITS_PER_EM, 0, 0, *box, 0, 8, 2, 1, 0
        ),
        b"hhea": struct.pack(
            ">IhhhHhhhh14xhH", 0x10000, _ASCENT, _DESCENT, 0, _ADVANCE, 0, 0, _ADVANCE, 1, 0, len(glyphs)
        ),
        b"hmtx": struct.pack(">Hh", _ADVANCE, 60) * len(glyphs),
        b"loca": struct.pack(f">{len(offsets)}I", *offsets),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, len(glyphs), points, most, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0),
    }
    at = 12 + 16 * len(tables)
    power = 2 ** int(math.log2(len(tables)))
    head = struct.pack(">IHHHH", 0x10000, len(tables), power * 16, int(math.log2(power)), (len(tables) - power) * 16)
    body = b""
    for name, data in tables.items():
        padded = data + bytes(-len(data) % 4)
        words = struct.unpack(f">{len(padded) // 4}I", padded)
        head += struct.pack(">4sIII", name, sum(words) & 0xFFFFFFFF, at + len(body), len(data))
        body += padded
    return head + body


@cache
def register() -> Path:
    """Make the font known to Kivy and return its path. Kivy reads fonts from files only."""
    folder = tempfile.mkdtemp(prefix="stichwart-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "suits.ttf"
    path.write_bytes(font())
    LabelBase.register(FONT, str(path))
    return path


def sign(suit: str) -> str:
    """Return markup of a Bavarian suit's sign."""
    register()
    return f"[font={FONT}]{SIGNS[suit]}[/font]"
