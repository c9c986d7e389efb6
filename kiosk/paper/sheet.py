"""Draw on A4 pages: places in mm from the top left corner, the same bytes for the same drawing."""

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from reportlab.pdfgen.canvas import Canvas

from kiosk.paper.type import MM, clean, fitting, in_lines, line_height, runs, shortened, width, wrapped

Align: TypeAlias = Literal["left", "centre", "right"]

#: Width and height of A4, and the edges of the printed area from its top left corner.
PAGE_MM = (210.0, 297.0)
LEFT_MM, RIGHT_MM = 20.0, 198.0  # room for a binder's holes on the left
TOP_MM, BOTTOM_MM = 13.0, 283.5
FAINT_GREY = 0.45  # grey of what only explains


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a ruled table."""

    head: str
    width: float  # mm
    align: Align = "left"
    bold: bool = False


class PdfSheet:
    """A PDF document in the making. Baselines, corners and widths are in mm, sizes of type and lines in points."""

    def __init__(self, title: str, footer: str | None = "") -> None:
        """Begin a document; ``footer`` None: pages have none, nor a number."""
        self._out = io.BytesIO()
        self._canvas: Any = Canvas(
            self._out, pagesize=(PAGE_MM[0] * MM, PAGE_MM[1] * MM), pageCompression=1, invariant=1
        )
        self._canvas.setTitle(clean(title))
        self._canvas.setAuthor("Stichwart")
        self._canvas.setCreator("Stichwart")
        self.footer = footer
        self.pages = 1
        self._numbered = ""

    # drawing

    def text(
        self,
        x: float,
        y: float,
        words: object,
        size: float = 9,
        *,
        bold: bool = False,
        align: Align = "left",
        room: float | None = None,
        smallest: float = 5.5,
        grey: float = 0.0,
    ) -> float:
        """Draw words on a baseline at ``y`` and return their width.

        With ``room`` they become smaller until they fit, and end in … where even ``smallest`` does not do.
        """
        said = clean(str(words))
        if room is not None:
            size = fitting(said, room, size, smallest, bold)
            said = shortened(said, room + 0.01, size, bold)
        wide = width(said, size, bold)
        place = x - wide * {"left": 0.0, "centre": 0.5, "right": 1.0}[align]
        self._canvas.setFillGray(grey)
        for font, piece in runs(said, bold):
            self._canvas.setFont(font, size)
            self._canvas.drawString(place * MM, (PAGE_MM[1] - y) * MM, piece)
            place += self._canvas.stringWidth(piece, font, size) / MM
        return wide

    def lines(
        self,
        x: float,
        y: float,
        words: str,
        room: float,
        sizes: tuple[float, ...],
        tall: float,
        *,
        bold: bool = False,
        align: Align = "left",
        grey: float = 0.0,
        middle: bool = False,
    ) -> float:
        """Draw words in lines that are ``tall`` mm together at most; return the next baseline.

        ``y`` is the first line's baseline, or the middle of all.
        """
        found, size = in_lines(clean(words), room, sizes, tall, bold)
        step = line_height(size)
        if middle:
            y += 0.36 * size / MM - step * (len(found) - 1) / 2
        for line in found:
            self.text(x, y, line, size, bold=bold, align=align, grey=grey)
            y += step
        return y

    def line(self, x1: float, y1: float, x2: float, y2: float, thick: float = 0.4, grey: float = 0.0) -> None:
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(thick)
        self._canvas.line(x1 * MM, (PAGE_MM[1] - y1) * MM, x2 * MM, (PAGE_MM[1] - y2) * MM)

    def fill(self, x: float, y: float, wide: float, high: float, grey: float) -> None:
        self._canvas.setFillGray(grey)
        self._canvas.rect(x * MM, (PAGE_MM[1] - y - high) * MM, wide * MM, high * MM, stroke=0, fill=1)

    def frame(self, x: float, y: float, wide: float, high: float, thick: float = 0.8) -> None:
        self._canvas.setStrokeGray(0)
        self._canvas.setLineWidth(thick)
        self._canvas.rect(x * MM, (PAGE_MM[1] - y - high) * MM, wide * MM, high * MM, stroke=1, fill=0)

    def dot(self, x: float, y: float, radius: float) -> None:
        self._canvas.setFillGray(0)
        self._canvas.circle(x * MM, (PAGE_MM[1] - y) * MM, radius * MM, stroke=0, fill=1)

    def badge(self, x: float, y: float, letter: str, size: float = 5.2) -> float:
        """Draw a white letter in a black box with its middle at (x, y); return the box's width."""
        side = 1.5 * size / MM
        self._canvas.setFillGray(0)
        self._canvas.roundRect(
            (x - side / 2) * MM,
            (PAGE_MM[1] - y - side / 2) * MM,
            side * MM,
            side * MM,
            0.25 * side * MM,
            stroke=0,
            fill=1,
        )
        self.text(x, y + 0.36 * size / MM, letter, size, bold=True, align="centre", grey=1.0)
        return side

    def place(self, graphic: Any, x: float, y: float) -> None:
        """Draw a graphic of reportlab with its lower left corner there."""
        self._canvas.setFillGray(0)
        graphic.drawOn(self._canvas, x * MM, (PAGE_MM[1] - y) * MM)

    @contextmanager
    def turned(self, x: float, y: float) -> Iterator[None]:
        """Draw upside down, turned about a point."""
        self._canvas.saveState()
        self._canvas.translate(2 * x * MM, 2 * (PAGE_MM[1] - y) * MM)
        self._canvas.rotate(180)
        yield
        self._canvas.restoreState()

    # parts of a page

    def heading(self, title: str, under: str, right: str = "") -> float:
        """Draw the page's head, with its subject on the right; return where the next part may begin."""
        taken = self.text(LEFT_MM, TOP_MM + 6.5, title, 20, bold=True)
        if right:
            room = RIGHT_MM - LEFT_MM - taken - 8
            self.lines(RIGHT_MM, TOP_MM + 3.4, right, room, (12, 10.5, 9, 8), 10, bold=True, align="right", middle=True)
        self.text(LEFT_MM, TOP_MM + 11.2, under, 8, grey=FAINT_GREY, room=RIGHT_MM - LEFT_MM)
        return TOP_MM + 14

    def facts(self, y: float, fields: Sequence[tuple[str, str, float]], high: float = 9.5) -> float:
        """Draw a row of boxes (label, value, share of the width), empty values for the pen; return the bottom edge."""
        x, whole = LEFT_MM, sum(share for _, _, share in fields)
        for label, value, share in fields:
            wide = (RIGHT_MM - LEFT_MM) * share / whole
            self.text(x + 1.4, y + 2.9, label, 5.8, grey=FAINT_GREY)
            self.text(x + 1.4, y + high - 2, value, 11, bold=True, room=wide - 2.8, smallest=6)
            if x > LEFT_MM:
                self.line(x, y, x, y + high, 0.3)
            x += wide
        self.frame(LEFT_MM, y, RIGHT_MM - LEFT_MM, high)
        return y + high

    def paragraph(self, y: float, words: str, size: float = 8, *, bold: bool = False, x: float = LEFT_MM) -> float:
        """Draw a paragraph over the page's width from baseline ``y`` on; return the next baseline."""
        for line in wrapped(clean(words), RIGHT_MM - x, size, bold):
            self.text(x, y, line, size, bold=bold)
            y += 1.3 * size / MM
        return y

    def table(
        self,
        y: float,
        columns: Sequence[Column],
        rows: Iterable[Sequence[object]],
        *,
        high: float = 6.0,
        size: float = 9,
        strong: Sequence[int] = (),
    ) -> float:
        """Draw a ruled table over as many pages as it needs, its head repeated; return the bottom edge.

        :param rows: cells by column; lines with the numbers in ``strong`` are set in bold.
        """
        top = y = self._table_head(y, columns)
        for number, row in enumerate(rows):
            if y + high > BOTTOM_MM:
                self._rule_off(top, y, columns)
                self.new_page()
                top = y = self._table_head(TOP_MM, columns)
            x = LEFT_MM
            for column, cell in zip(columns, row, strict=True):
                place = x + {"left": 1.4, "centre": column.width / 2, "right": column.width - 1.6}[column.align]
                base = y + high / 2 + 0.36 * size / MM
                bold = column.bold or number in strong
                self.text(place, base, cell, size, bold=bold, align=column.align, room=column.width - 2.6)
                x += column.width
            y += high
            self.line(LEFT_MM, y, x, y, 0.25, 0.4)
        self._rule_off(top, y, columns)
        return y

    def _table_head(self, y: float, columns: Sequence[Column], high: float = 8.0) -> float:
        self.fill(LEFT_MM, y, sum(column.width for column in columns), high, 0.9)
        x = LEFT_MM
        for column in columns:
            place = x + {"left": 1.4, "centre": column.width / 2, "right": column.width - 1.6}[column.align]
            room, middle = column.width - 2, y + high / 2
            self.lines(
                place, middle, column.head, room, (8, 7, 6), high - 1, bold=True, align=column.align, middle=True
            )
            x += column.width
        return y + high

    def _rule_off(self, top: float, bottom: float, columns: Sequence[Column], head: float = 8.0) -> None:
        wide = sum(column.width for column in columns)
        x = LEFT_MM
        for column in columns[:-1]:
            x += column.width
            self.line(x, top - head, x, bottom, 0.25, 0.4)
        self.line(LEFT_MM, top, LEFT_MM + wide, top, 0.8)
        self.frame(LEFT_MM, top - head, wide, bottom - top + head)

    # pages

    def new_page(self) -> None:
        """Begin the next page; the footer stands on each."""
        self._foot()
        self._canvas.showPage()
        self.pages += 1

    def number(self, words: str) -> None:
        """Set the text at the right of this page's footer in place of its number."""
        self._numbered = words

    def finish(self) -> bytes:
        """Finish the document and return it."""
        self._foot()
        self._canvas.showPage()
        self._canvas.save()
        return self._out.getvalue()

    def _foot(self) -> None:
        if self.footer is None:
            return
        self.line(LEFT_MM, 288.0, RIGHT_MM, 288.0, 0.25, FAINT_GREY)
        self.text(LEFT_MM, 291.2, self.footer, 6.2, grey=FAINT_GREY, room=RIGHT_MM - LEFT_MM - 30)
        self.text(RIGHT_MM, 291.2, self._numbered or str(self.pages), 6.2, grey=FAINT_GREY, align="right")
        self._numbered = ""
