"""Print badges and seat cards on sheets of labels, beginning at any label of a sheet that was begun before."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kiosk.language import Language, say
from kiosk.paper.codes import draw_bars, draw_qr
from kiosk.paper.label_formats import LabelFormat
from kiosk.paper.sheet import FAINT_GREY, PAGE_MM, PdfSheet
from kiosk.paper.type import MM, in_lines, line_height, wrapped

#: What a scanner reads: number and name, the number alone, nothing.
Code: TypeAlias = Literal["qr", "bars", "none"]

#: Printers leave the paper's edge white.
_EDGE_MM = 5.0
_PADDING_MM = 2.0
_LARGEST_QR_MM = 30.0

#: Sizes of a name in points, the first that fits.
_NAME_SIZES = (60, 54, 48, 42, 36, 32, 28, 25, 22, 20, 18, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5)


#: A name that would be set smaller than this in whole words is broken within one instead.
_LEAST_WHOLE = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What stands on a badge or seat card."""

    name: str
    head: str  # the tournament, the round
    number: int | None = None  # start number
    club: str = ""
    place: str = ""  # table and seat

    @property
    def scanned(self) -> str:
        """What a table's scanner reads (docs/hardware.md); "" without a number."""
        return "" if self.number is None else f"P:{self.number} {self.name}"


@dataclass(frozen=True, slots=True)
class _Box:
    """A part of a page: left, top, width, height in mm."""

    x: float
    y: float
    wide: float
    high: float


def labels_pdf(
    form: LabelFormat, labels: Sequence[Label], *, start: int = 1, code: Code = "qr", language: Language = "de"
) -> bytes:
    """Print labels.

    :param start: the first label of the first sheet that is still there, from 1.
    """
    sheet = PdfSheet(say("labels", "title", language), footer=None)
    for count, label in enumerate(labels, start=start - 1):
        number = count % form.each
        if number == 0 and count > start - 1:
            sheet.new_page()
        x, y = form.place(number)
        _label(sheet, form, _Box(x, y, form.wide, form.high), label, code, language)
    return sheet.finish()


def _label(sheet: PdfSheet, form: LabelFormat, box: _Box, label: Label, code: Code, language: Language) -> None:
    if form.plain:
        sheet.frame(box.x, box.y, box.wide, box.high, 0.2)
    if not form.folded:
        _side(sheet, _printed(box), label, code, language)
        return
    half = box.high / 2
    sheet.line(box.x, box.y + half, box.x + 4, box.y + half, 0.2)  # where it is folded
    sheet.line(box.x + box.wide - 4, box.y + half, box.x + box.wide, box.y + half, 0.2)
    front = _printed(_Box(box.x, box.y + half, box.wide, half))
    _side(sheet, front, label, code, language)
    with sheet.turned(box.x + box.wide / 2, box.y + half):  # the back, for who sits opposite
        _side(sheet, front, label, "none", language)


def _printed(box: _Box) -> _Box:
    """What of a label may be printed on."""
    left = max(_PADDING_MM, _EDGE_MM - box.x)
    top = max(_PADDING_MM, _EDGE_MM - box.y)
    right = max(_PADDING_MM, _EDGE_MM - (PAGE_MM[0] - box.x - box.wide))
    bottom = max(_PADDING_MM, _EDGE_MM - (PAGE_MM[1] - box.y - box.high))
    return _Box(box.x + left, box.y + top, box.wide - left - right, box.high - top - bottom)


def _side(sheet: PdfSheet, box: _Box, label: Label, code: Code, language: Language) -> None:
    """Head, name, club and place on the left, the code on the right or bars below."""
    small = min(1.0, box.high / 46)  # large labels have small print as large as small ones can bear
    room, low = box.wide, box.y + box.high
    if code == "qr" and label.scanned:
        side = min(_LARGEST_QR_MM, box.high, 0.45 * box.wide)
        draw_qr(sheet, box.x + box.wide - side, box.y + (box.high - side) / 2, side, label.scanned)
        room -= side + 0.5
    elif code == "bars" and label.scanned:
        high = min(12.0, 0.3 * box.high)
        draw_bars(sheet, box.x, low - high, high, f"P:{label.number}")
        low -= high + 1
    head, foot = 5 + 3.5 * small, 6 + 6 * small
    y = box.y + 0.36 * head
    number = "" if label.number is None else say("labels", "number", language, number=label.number)
    taken = sheet.text(box.x + room, y, number, head, bold=True, align="right")
    sheet.text(box.x, y, label.head, head, room=room - taken - 1, smallest=4, grey=FAINT_GREY)
    for line, sizes in ((label.club, (foot, 0.85 * foot, 0.7 * foot, 5.0)), (label.place, (1.4 * foot, foot, 5.0))):
        if line:
            lines, size = in_lines(line, room, sizes, 2.1 * line_height(0.7 * foot), bold=line == label.place)
            low -= 0.3 * size / MM + line_height(size) * (len(lines) - 1)
            sheet.lines(box.x, low, line, room, (size,), 99, bold=line == label.place)
            low -= 0.8 * size / MM
    _name(sheet, _Box(box.x, y + 1, room, low - y - 1.5), label.name)


def _name(sheet: PdfSheet, box: _Box, name: str) -> None:
    """Draw a name as large as it fits; broken within a word rather than too small to be read."""
    sizes = tuple(one for one in _NAME_SIZES if line_height(one) <= box.high) or _NAME_SIZES[-1:]
    _, size = in_lines(name, box.wide, sizes, box.high, bold=True)
    if size < _LEAST_WHOLE:
        broken = (one for one in sizes if _LEAST_WHOLE <= one <= 16)
        size = next(
            (one for one in broken if len(wrapped(name, box.wide, one, True)) * line_height(one) <= box.high), size
        )
    sheet.lines(box.x, box.y + box.high / 2, name, box.wide, (size,), box.high, bold=True, middle=True)
