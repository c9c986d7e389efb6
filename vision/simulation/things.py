"""Draw foreign objects on a card table, each flat as seen from above, by name and seed."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import cv2
import numpy as np

#: Pixels a millimetre in which things are drawn.
PX_PER_MM = 4.0

Colour = tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A thing from above: (h, w, 4) uint8 BGRA, and its width and height in mm."""

    name: str
    picture: np.ndarray
    size_mm: tuple[float, float]


class _ThingCanvas:
    """A canvas in mm with a cover of its own."""

    def __init__(self, width: float, height: float) -> None:
        self.size_mm = (width, height)
        self.colours = np.zeros((round(height * PX_PER_MM), round(width * PX_PER_MM), 3), np.uint8)
        self.cover = np.zeros(self.colours.shape[:2], np.uint8)

    def box(
        self, x: float, y: float, w: float, h: float, colour: Colour, round_mm: float = 0, cover: int = 255
    ) -> None:
        r = min(round_mm, w / 2, h / 2)
        corners = [(x + r, y + r), (x + w - r, y + r), (x + w - r, y + h - r), (x + r, y + h - r)]
        turn = np.linspace(0, np.pi / 2, 8)
        outline = [
            (cx + r * np.cos(t + quarter), cy + r * np.sin(t + quarter))
            for (cx, cy), quarter in zip(corners, (np.pi, 1.5 * np.pi, 0.0, 0.5 * np.pi), strict=True)
            for t in turn
        ]
        points = np.round(np.array(outline) * PX_PER_MM * 8).astype(np.int32)
        cv2.fillPoly(self.colours, [points], colour, cv2.LINE_AA, 3)
        cv2.fillPoly(self.cover, [points], cover, cv2.LINE_AA, 3)

    def disc(self, x: float, y: float, radius: float, colour: Colour, ring: float = 0, cover: int = 255) -> None:
        centre, r = (round(x * PX_PER_MM * 8), round(y * PX_PER_MM * 8)), round(radius * PX_PER_MM * 8)
        thick = max(1, round(ring * PX_PER_MM)) if ring else -1
        cv2.circle(self.colours, centre, r, colour, thick, cv2.LINE_AA, 3)
        cv2.circle(self.cover, centre, r, cover, thick, cv2.LINE_AA, 3)

    def line(self, points: np.ndarray, colour: Colour, width: float) -> None:
        px = np.round(points * PX_PER_MM * 8).astype(np.int32)
        cv2.polylines(
            self.colours, [px], False, colour, max(1, round(width * PX_PER_MM)),
            cv2.LINE_AA, 3,
        )  # fmt: skip

    def words(self, x: float, y: float, text: str, size: float, colour: Colour, thick: int = 1) -> None:
        face = cv2.FONT_HERSHEY_SIMPLEX
        place = (round(x * PX_PER_MM), round(y * PX_PER_MM))
        cv2.putText(self.colours, text, place, face, size * PX_PER_MM / 22, colour, thick, cv2.LINE_AA)

    def thing(self, name: str) -> Thing:
        return Thing(name, np.dstack([self.colours, self.cover]), self.size_mm)


def _glass(rng: np.random.Generator) -> _ThingCanvas:
    """Draw a tumbler: liquid that one sees through, a thick foot, a bright rim with the lamp in it."""
    radius = rng.uniform(32, 42)
    sheet, middle = _ThingCanvas(2 * radius + 4, 2 * radius + 4), radius + 2
    drink: Colour = ((30, 150, 215), (25, 45, 90), (215, 225, 225), (40, 40, 150))[rng.integers(4)]
    sheet.disc(middle, middle, radius, (170, 185, 185), cover=70)
    sheet.disc(middle, middle, radius * 0.86, drink, cover=150)
    sheet.disc(middle, middle, radius * 0.62, tuple(0.8 * c for c in drink), ring=2.5, cover=170)  # type: ignore[arg-type]
    sheet.disc(middle, middle, radius, (225, 230, 230), ring=2.0, cover=200)
    sheet.disc(middle, middle, radius * 0.88, (120, 130, 130), ring=0.8, cover=150)
    start = rng.uniform(0, 360)
    size = (round(0.94 * radius * PX_PER_MM),) * 2
    centre = (round(middle * PX_PER_MM), round(middle * PX_PER_MM))
    for turn, spread in ((start, 35), (start + 170, 18)):
        cv2.ellipse(sheet.colours, centre, size, 0, turn, turn + spread, (255, 255, 255), 9, cv2.LINE_AA)
        cv2.ellipse(sheet.cover, centre, size, 0, turn, turn + spread, 240, 9, cv2.LINE_AA)
    return sheet


def _phone(rng: np.random.Generator) -> _ThingCanvas:
    """Draw a phone: black glass, or a lit screen full of white tiles and words."""
    sheet = _ThingCanvas(74, 152)
    sheet.box(0, 0, 74, 152, (38, 36, 36), 9)
    sheet.box(3, 4, 68, 144, (22, 20, 20), 7)
    if rng.random() < 0.6:
        sheet.box(3, 4, 68, 144, (235, 235, 235) if rng.random() < 0.5 else (70, 45, 30), 7)
        for row in range(6):
            for column in range(4):
                x, y = 8 + 15.5 * column, 22 + 20 * row
                sheet.box(x, y, 11, 11, tuple(rng.uniform(40, 250, 3).tolist()), 2.5)
                sheet.words(x, y + 15, "".join(chr(int(c)) for c in rng.integers(97, 122, 5)), 2.4, (90, 90, 90))
        sheet.words(24, 14, f"{rng.integers(10, 24)}:{rng.integers(10, 60)}", 7, (120, 120, 120), 2)
    return sheet


def _scrawl(rng: np.random.Generator, x: float, y: float, width: float, high: float) -> np.ndarray:
    """Draw a word by hand: (n, 2) mm."""
    n = max(6, int(width / 1.2))
    along = x + np.cumsum(rng.uniform(0.3, 1.7, n)) * width / n
    return np.column_stack([along, y + high * np.sin(np.arange(n) * rng.uniform(1.2, 2.2)) * rng.uniform(0.3, 1, n)])


def _score_sheet(rng: np.random.Generator) -> _ThingCanvas:
    """Draw the list of a table: printed lines and heads, names and numbers by hand."""
    width, height = (105.0, 148.0) if rng.random() < 0.6 else (148.0, 105.0)
    sheet = _ThingCanvas(width, height)
    sheet.box(0, 0, width, height, tuple(rng.uniform(215, 246, 3).tolist()))
    ink: Colour = (130, 60, 30) if rng.random() < 0.7 else (50, 45, 45)
    sheet.words(6, 9, "SPIELLISTE  Tisch Nr. ___", 4.5, (60, 60, 60))
    columns = np.linspace(6, width - 6, 6)
    rows = np.arange(16, height - 6, 7.5)
    for y in rows:
        sheet.line(np.array([(6, y), (width - 6, y)]), (120, 120, 120), 0.25)
    for x in columns:
        sheet.line(np.array([(x, 16), (x, rows[-1])]), (120, 120, 120), 0.25)
    filled = int(rng.integers(1, len(rows)))
    for y in rows[:filled]:
        for x in columns[:-1]:
            sheet.line(_scrawl(rng, x + 2, y + 4, rng.uniform(4, 10), 1.6), ink, 0.45)
    return sheet


def _beer_mat(rng: np.random.Generator) -> _ThingCanvas:
    """Draw a beer mat: white board with a brewery's print."""
    side = 94.0
    sheet = _ThingCanvas(side, side)
    ink: Colour = ((40, 30, 160), (60, 110, 30), (120, 60, 20), (20, 130, 190))[rng.integers(4)]
    if rng.random() < 0.5:
        sheet.disc(side / 2, side / 2, side / 2 - 0.5, (226, 234, 238))
    else:
        sheet.box(0, 0, side, side, (226, 234, 238), 9)
    sheet.disc(side / 2, side / 2, 38, ink, ring=2)
    sheet.disc(side / 2, side / 2, 20, ink)
    sheet.words(18, side / 2 + 4, ("BRAUHAUS", "SEIT 1516", "PILSENER")[rng.integers(3)], 10, (40, 200, 240), 3)
    if rng.random() < 0.5:  # a wet ring
        sheet.disc(side / 2 + rng.uniform(-9, 9), side / 2 + rng.uniform(-9, 9), 31, (150, 170, 185), ring=2.5)
    return sheet


def _pen(rng: np.random.Generator) -> _ThingCanvas:
    sheet = _ThingCanvas(12, 146)
    colour = tuple(rng.uniform(20, 230, 3).tolist())
    sheet.box(1.5, 8, 9, 130, colour, 3)
    sheet.box(3, 0, 6, 12, (190, 190, 190), 2.5)
    sheet.box(8, 12, 2.6, 38, (205, 205, 205), 1)
    sheet.line(np.array([(4.0, 20), (4.0, 132)]), (250, 250, 250), 0.8)
    sheet.box(4.6, 138, 2.8, 8, (80, 80, 80), 1.2)
    return sheet


def _coins(rng: np.random.Generator) -> _ThingCanvas:
    sheet = _ThingCanvas(86, 66)
    for _ in range(int(rng.integers(3, 9))):
        radius = rng.choice([8.1, 9.4, 10.6, 11.6, 12.9])
        x, y = rng.uniform(radius, 86 - radius), rng.uniform(radius, 66 - radius)
        metal: Colour = ((70, 110, 170), (90, 175, 205), (190, 195, 195))[rng.integers(3)]
        sheet.disc(x, y, radius, tuple(0.6 * c for c in metal))  # type: ignore[arg-type]
        sheet.disc(x - 0.3, y - 0.3, radius - 0.6, metal)
        sheet.disc(x, y, 0.72 * radius, tuple(0.85 * c for c in metal), ring=0.8)  # type: ignore[arg-type]
        sheet.words(x - 4, y + 3, ("1", "2", "5", "10", "20", "50")[rng.integers(6)], 7, (60, 70, 80), 2)
    return sheet


def _glasses_case(rng: np.random.Generator) -> _ThingCanvas:
    sheet = _ThingCanvas(162, 62)
    colour = np.array(((60, 40, 36), (40, 50, 110), (58, 58, 58), (150, 165, 180))[rng.integers(4)], np.float32)
    sheet.box(0, 0, 162, 62, tuple(colour.tolist()), 24)
    yy = np.abs(np.linspace(-1, 1, sheet.cover.shape[0], dtype=np.float32))[:, None, None]
    sheet.colours = np.clip(sheet.colours * (1.25 - 0.6 * yy * yy), 0, 255).astype(np.uint8)
    sheet.line(np.array([(12.0, 50), (150, 50)]), tuple((0.5 * colour).tolist()), 0.8)
    sheet.words(60, 34, "OPTIK", 7, (130, 170, 190), 2)
    return sheet


def _visiting_card(rng: np.random.Generator) -> _ThingCanvas:
    """Draw a visiting card: white, printed and almost as large as a card, so the hardest to reject."""
    sheet = _ThingCanvas(85, 55)
    sheet.box(0, 0, 85, 55, (240, 243, 244), 1.5)
    ink: Colour = ((160, 90, 20), (40, 40, 180), (40, 40, 40))[rng.integers(3)]
    sheet.disc(14, 14, 8, ink)
    for n, y in enumerate((14.0, 30.0, 36.0, 42.0, 48.0)):
        text = "".join(chr(int(c)) for c in rng.integers(97, 122, rng.integers(9, 15))).title()
        sheet.words(26 if n == 0 else 8, y, text, 5 if n == 0 else 3.4, (40, 40, 40) if n else ink, 1 + (n == 0))
    return sheet


def _newspaper(rng: np.random.Generator) -> _ThingCanvas:
    """Draw a newspaper, a folded page: heads, columns of small print, a picture."""
    sheet = _ThingCanvas(150, 110)
    sheet.box(0, 0, 150, 110, (205, 214, 218))
    sheet.words(6, 16, "TAGEBLATT", 14, (40, 40, 40), 3)
    for column in range(3):
        x = 6 + 48 * column
        for y in np.arange(26.0, 104.0, 3.2).tolist():
            if column == 1 and 40 < y < 80:
                continue
            sheet.line(np.array([(x, y), (x + rng.uniform(30, 42), y)]), (110, 110, 110), 0.9)
    sheet.box(54, 42, 42, 36, tuple(rng.uniform(60, 160, 3).tolist()))
    for _ in range(5):
        sheet.disc(rng.uniform(60, 90), rng.uniform(48, 72), rng.uniform(3, 6), tuple(rng.uniform(30, 220, 3).tolist()))
    return sheet


_DRAWERS: dict[str, Callable[[np.random.Generator], _ThingCanvas]] = {
    "glass": _glass,
    "phone": _phone,
    "score sheet": _score_sheet,
    "beer mat": _beer_mat,
    "pen": _pen,
    "coins": _coins,
    "glasses case": _glasses_case,
    "visiting card": _visiting_card,
    "newspaper": _newspaper,
}
#: Names of all things.
OBJECTS = tuple(_DRAWERS)
#: mm that each stands above the table; the others are flat.
HEIGHTS = MappingProxyType({"glass": 40.0, "phone": 8.0, "glasses case": 30.0, "pen": 8.0, "coins": 2.0})


@lru_cache(maxsize=64)
def thing(name: str, seed: int = 0) -> Thing:
    """Draw one of ``OBJECTS``, the same for the same seed.

    :raises KeyError: for a name that is none of them.
    """
    if name not in _DRAWERS:
        raise KeyError(f"there is no thing {name!r}; there are {', '.join(OBJECTS)}")
    return _DRAWERS[name](np.random.default_rng([seed, len(name)])).thing(name)
