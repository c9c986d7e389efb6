"""Draw the mat's sheet: once as shapes, then as PDF in true size or as a picture for the simulated table."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

from vision.errors import MatError
from vision.mat.layout import DICTIONARY, MARK_CELLS, MatLayout, Place

Colour: TypeAlias = tuple[int, int, int]  # R G B

#: Colour of the ground: white cards stand out from it, and it glares less than white.
GROUND: Colour = (47, 94, 76)
LINE: Colour = (104, 146, 127)
FAINT: Colour = (78, 122, 103)
BLACK: Colour = (0, 0, 0)
WHITE: Colour = (255, 255, 255)
#: Width of the white rim in mm: printers leave one anyway.
RIM_MM = 5.0
#: Margin of a tile in mm: no printer prints there, and neighbours are glued along it.
TILE_MARGIN_MM = 10.0
#: Width and height in mm of the papers that the sheet can be tiled on (ISO 216, landscape).
TILE_SIZES_MM = {"A4": (297.0, 210.0), "A3": (420.0, 297.0)}


@dataclass(frozen=True, slots=True)
class SheetArea:
    """A filled polygon, corners in mm on the mat."""

    corners: tuple[Place, ...]
    colour: Colour


@dataclass(frozen=True, slots=True)
class SheetStroke:
    """A line through points; ``width`` in mm."""

    points: tuple[Place, ...]
    width: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class SheetText:
    """Words centred at a place; ``size`` of the capitals' em in mm, ``turn`` in radians clockwise."""

    at: Place
    size: float
    turn: float
    words: str
    colour: Colour
    bold: bool = False


Shape: TypeAlias = SheetArea | SheetStroke | SheetText


def _box(x: float, y: float, width: float, height: float) -> tuple[Place, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def _round_box(x: float, y: float, width: float, height: float, radius: float) -> tuple[Place, ...]:
    """Return a closed outline with round corners."""
    turns = np.linspace(0, math.pi / 2, 9)
    centres = [
        (x + width - radius, y + height - radius, 0.0),
        (x + radius, y + height - radius, math.pi / 2),
        (x + radius, y + radius, math.pi),
        (x + width - radius, y + radius, 1.5 * math.pi),
    ]
    points = [
        (cx + radius * math.cos(start + t), cy + radius * math.sin(start + t))
        for cx, cy, start in centres
        for t in turns
    ]
    return (*points, points[0])


def _ellipse(a: float, b: float) -> tuple[Place, ...]:
    return tuple((a * math.cos(t), b * math.sin(t)) for t in np.linspace(0, 2 * math.pi, 145))


def _mark(number: int, corners: np.ndarray) -> Iterator[Shape]:
    """Draw a mark on its white field, which gives the detector the quiet zone it needs."""
    side = float(corners[1, 0] - corners[0, 0])
    cell = side / MARK_CELLS
    x0, y0 = (float(v) for v in corners[0])
    quiet = cell  # with less, detectors sometimes take the white field for the mark
    yield SheetArea(_round_box(x0 - quiet, y0 - quiet, side + 2 * quiet, side + 2 * quiet, quiet), WHITE)
    yield SheetArea(_box(x0, y0, side, side), BLACK)
    cells = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(DICTIONARY), number, MARK_CELLS)
    for row in range(MARK_CELLS):
        column = 0
        while column < MARK_CELLS:
            end = column
            while end < MARK_CELLS and cells[row, end]:
                end += 1
            if end > column:
                # a hair's overlap downwards where white goes on, so that viewers show no seam
                below = row + 1 < MARK_CELLS and cells[row + 1, column:end].all()
                yield SheetArea(
                    _box(x0 + column * cell, y0 + row * cell, (end - column) * cell, cell + 0.05 * below), WHITE
                )
            column = end + 1


def _facing(turn: float) -> float:
    """Compute the turn, rad, of words that a person in this direction from the centre reads upright."""
    return turn - math.pi / 2


def shapes(layout: MatLayout) -> Iterator[Shape]:
    """Yield everything on the sheet, the lowest layer first."""
    width, height = layout.size_mm
    yield SheetArea(
        _round_box(RIM_MM - width / 2, RIM_MM - height / 2, width - 2 * RIM_MM, height - 2 * RIM_MM, 5), GROUND
    )
    inset = RIM_MM + 1.5
    yield SheetStroke(
        _round_box(inset - width / 2, inset - height / 2, width - 2 * inset, height - 2 * inset, 3.5), 0.3, FAINT
    )
    a, b = layout.middle
    yield SheetStroke(_ellipse(a, b), 0.5, LINE)
    yield SheetStroke(_ellipse(a - 2.2, b - 2.2), 0.25, FAINT)
    for seat, (x, y, w, h) in layout.won_fields.items():
        yield SheetStroke(_round_box(x, y, w, h, 5), 0.4, LINE)
        turn = _facing(math.pi / 2 * round(layout.seat_angle(seat) / (math.pi / 2)))
        yield SheetText((x + w / 2, y + h / 2), 5.2, turn, f"Stiche {seat}", LINE)
    for seat in range(1, layout.seats + 1):
        direction = layout.seat_angle(seat)
        yield from _seat_sign(layout, seat, direction)
    for number, corners in layout.marks.items():
        yield from _mark(number, corners)
    yield from _control(layout)


def _seat_sign(layout: MatLayout, seat: int, direction: float) -> Iterator[Shape]:
    """Draw the seat's number just outside the ellipse, with a small arc under it."""
    a, b = layout.middle
    x, y = a * math.cos(direction), b * math.sin(direction)
    normal = math.atan2(y / b**2, x / a**2)
    yield SheetText(
        (x + 10 * math.cos(normal), y + 10 * math.sin(normal)), 11, _facing(direction), str(seat), LINE, True
    )
    arc = tuple((a * math.cos(direction + t), b * math.sin(direction + t)) for t in np.linspace(-0.09, 0.09, 13))
    yield SheetStroke(arc, 1.4, LINE)


def _control(layout: MatLayout) -> Iterator[Shape]:
    (x0, y0), (x1, y1) = layout.control_line
    turn = math.atan2(y1 - y0, x1 - x0)
    nx, ny = -math.sin(turn), math.cos(turn)
    yield SheetStroke(((x0, y0), (x1, y1)), 0.25, LINE)
    for x, y in ((x0, y0), (x1, y1)):
        yield SheetStroke(((x - 1.5 * nx, y - 1.5 * ny), (x + 1.5 * nx, y + 1.5 * ny)), 0.25, LINE)
    words = "Kontrolle: diese Linie misst 100 mm (Druck in Originalgröße, 100 %)  ·  Stichwart"
    yield SheetText(((x0 + x1) / 2 - 3 * nx, (y0 + y1) / 2 - 3 * ny), 2.6, turn, words, LINE)


def draw(layout: MatLayout, px_per_mm: float) -> np.ndarray:
    """Draw the sheet as a picture, (H, W, 3) uint8, BGR; pixel (0, 0) begins at the sheet's top left corner."""
    width, height = layout.size_mm
    fine = 2.0 * px_per_mm  # twice as fine, then averaged
    picture = np.full((round(height * fine), round(width * fine), 3), 255, np.uint8)
    to_px = 16.0  # cv2 takes sixteenths of a pixel with shift 4

    def pixels(points: tuple[Place, ...]) -> np.ndarray:
        mm = np.asarray(points) + np.array((width, height)) / 2
        return np.round((mm * fine - 0.5) * to_px).astype(np.int32)

    for shape in shapes(layout):
        match shape:
            case SheetArea(corners, colour):
                cv2.fillPoly(picture, [pixels(corners)], colour[::-1], cv2.LINE_AA, 4)
            case SheetStroke(points, stroke, colour):
                thick = max(1, round(stroke * fine))
                cv2.polylines(picture, [pixels(points)], False, colour[::-1], thick, cv2.LINE_AA, 4)
            case SheetText():
                _write(picture, shape, fine, (width / 2, height / 2))
    return cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def _write(picture: np.ndarray, text: SheetText, scale: float, origin: Place) -> None:
    """Blend words into the picture at any turn."""
    size = max(4, round(text.size * scale))
    wide, high = int(size * 0.75 * (len(text.words) + 2)), size * 2
    stencil = np.zeros((high, wide, 3), np.uint8)
    face = cv2.FontFace("sans")
    weight = 700 if text.bold else 400
    end, _ = cv2.putText(stencil, text.words, (size // 2, int(1.35 * size)), WHITE, face, size, weight)
    middle = ((end[0] + size / 2) / 2, high / 2)
    c, s = math.cos(text.turn), math.sin(text.turn)
    cx, cy = (text.at[0] + origin[0]) * scale, (text.at[1] + origin[1]) * scale
    matrix = np.array(
        [[c, -s, cx - c * middle[0] + s * middle[1]], [s, c, cy - s * middle[0] - c * middle[1]]], np.float64
    )
    ink = cv2.warpAffine(stencil[..., 0], matrix, (picture.shape[1], picture.shape[0]))
    rows, columns = np.flatnonzero(ink.any(1)), np.flatnonzero(ink.any(0))
    if not rows.size:
        return
    window = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    alpha = ink[window][..., None] / 255.0
    picture[window] = (picture[window] * (1 - alpha) + np.array(text.colour[::-1]) * alpha).round().astype(np.uint8)


def write_pdf(path: Path, layout: MatLayout, tiles: str | None = None) -> Path:
    """Write the sheet in true size, on one page or cut into ``tiles``; returns the path.

    :raises MatError: for an unknown paper for the tiles or a path that cannot be written.
    """
    from reportlab.lib.units import mm
    from reportlab.pdfgen.canvas import Canvas

    width, height = layout.size_mm
    if tiles is not None and (tiles not in TILE_SIZES_MM or TILE_SIZES_MM[tiles][0] >= width):
        smaller = [name for name, (w, _) in TILE_SIZES_MM.items() if w < width]
        raise MatError(f"a mat on {layout.paper} cannot be cut into pages of {tiles!r}; choose {' or '.join(smaller)}")
    page = (width, height) if tiles is None else TILE_SIZES_MM[tiles]
    canvas = Canvas(str(path), pagesize=(page[0] * mm, page[1] * mm), pageCompression=1)
    canvas.setTitle(f"Stichwart: Unterlage {layout.paper} für {layout.seats} Plätze")
    canvas.setAuthor("Stichwart")
    if tiles is None:
        _paint(canvas, layout, (0.0, 0.0))
        canvas.showPage()
    else:
        step = (page[0] - 2 * TILE_MARGIN_MM, page[1] - 2 * TILE_MARGIN_MM)
        columns, rows = math.ceil(width / step[0]), math.ceil(height / step[1])
        for n in range(rows * columns):
            row, column = divmod(n, columns)
            # the sheet stands in the middle of all tiles together
            left = column * step[0] - (columns * step[0] - width) / 2
            top = row * step[1] - (rows * step[1] - height) / 2
            canvas.saveState()
            frame = canvas.beginPath()
            frame.rect(TILE_MARGIN_MM * mm, TILE_MARGIN_MM * mm, step[0] * mm, step[1] * mm)
            canvas.clipPath(frame, stroke=0, fill=0)
            _paint(canvas, layout, (TILE_MARGIN_MM - left, TILE_MARGIN_MM - top), page[1])
            canvas.restoreState()
            _tile_frame(canvas, page, f"Reihe {row + 1}, Spalte {column + 1} von {rows} × {columns}")
            canvas.showPage()
    try:
        canvas.save()
    except OSError as error:
        raise MatError(f"cannot write the mat to {path}: {error.strerror}; choose another file") from error
    return path


def _tile_frame(canvas: Any, page: tuple[float, float], words: str) -> None:
    """Draw cutting marks at the corners, and the tile's row and column in words."""
    from reportlab.lib.units import mm

    canvas.setStrokeGray(0.4)
    canvas.setLineWidth(0.2 * mm)
    for x, outwards in ((TILE_MARGIN_MM, -1), (page[0] - TILE_MARGIN_MM, 1)):
        for y, upwards in ((TILE_MARGIN_MM, -1), (page[1] - TILE_MARGIN_MM, 1)):
            canvas.line(x * mm, y * mm, (x + 5 * outwards) * mm, y * mm)
            canvas.line(x * mm, y * mm, x * mm, (y + 5 * upwards) * mm)
    canvas.setFillGray(0.4)
    canvas.setFont("Helvetica", 8)
    canvas.drawCentredString(
        page[0] / 2 * mm, 4 * mm, f"{words}  –  an den Marken schneiden und stumpf aneinanderkleben"
    )


def _paint(canvas: Any, layout: MatLayout, offset: Place, page_height: float | None = None) -> None:
    """Paint all shapes with the sheet's top left corner ``offset`` mm from the page's."""
    from reportlab.lib.units import mm

    width, height = layout.size_mm
    page_height = height if page_height is None else page_height

    def point(place: Place) -> tuple[float, float]:
        return (offset[0] + place[0] + width / 2) * mm, (page_height - offset[1] - place[1] - height / 2) * mm

    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for shape in shapes(layout):
        red, green, blue = (value / 255 for value in shape.colour)
        match shape:
            case SheetText(at, size, turn, words, _, bold):
                font, points = "Helvetica-Bold" if bold else "Helvetica", size * mm
                canvas.saveState()
                canvas.setFillColorRGB(red, green, blue)
                canvas.setFont(font, points)
                canvas.translate(*point(at))
                canvas.rotate(-math.degrees(turn))
                canvas.drawCentredString(0, -0.36 * points, words)
                canvas.restoreState()
            case SheetArea(corners) | SheetStroke(corners):
                outline = canvas.beginPath()
                outline.moveTo(*point(corners[0]))
                for corner in corners[1:]:
                    outline.lineTo(*point(corner))
                if isinstance(shape, SheetArea):
                    outline.close()
                    canvas.setFillColorRGB(red, green, blue)
                    canvas.drawPath(outline, stroke=0, fill=1)
                else:
                    canvas.setStrokeColorRGB(red, green, blue)
                    canvas.setLineWidth(shape.width * mm)
                    canvas.drawPath(outline, stroke=1, fill=0)
