"""Draw codes that scanners read: QR (ISO/IEC 18004) and bars (Code 128, ISO/IEC 15417)."""

from itertools import groupby

import segno
from reportlab.graphics.barcode.code128 import Code128

from kiosk.paper.sheet import PdfSheet
from kiosk.paper.type import MM

#: Light modules around a QR code, as the standard wants.
_QUIET_MODULES = 4

#: Width of the narrowest bar in mm: what usual scanners read from a hand's breadth away.
_BAR_MM = 0.33


def draw_qr(sheet: PdfSheet, x: float, y: float, side: float, text: str) -> None:
    """Draw a QR code, its quiet zone within the square; 15 % of it may be lost (level M)."""
    rows = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=_QUIET_MODULES)]
    module = side / len(rows)
    for number, row in enumerate(rows):
        column = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:  # a hair higher than a module: no light line between two
                sheet.fill(x + column * module, y + number * module, length * module, module + 0.02, 0.0)
            column += length


def draw_bars(sheet: PdfSheet, x: float, y: float, high: float, text: str) -> float:
    """Draw bars from ``x`` on, quiet zones within; return the width in mm."""
    bars = Code128(text, barWidth=_BAR_MM * MM, barHeight=high * MM, humanReadable=False)
    sheet.place(bars, x, y + high)
    return float(bars.width) / MM
