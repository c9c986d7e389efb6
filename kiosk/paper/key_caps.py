"""Print the caps of the number pads' keys in true size, and a card for each seat that says how they are used."""

from dataclasses import dataclass

from kiosk.language import Language, say
from kiosk.paper.sheet import FAINT_GREY, LEFT_MM, PdfSheet

#: A cap's label fits on the top of a usual key; Enter is two keys high, zero two wide.
CAP_MM, GAP_MM = 12.5, 3.0
ENTER_HIGH_MM = 2 * CAP_MM + GAP_MM
CARD_WIDE_MM = 92.0
PER_PAGE = 3


@dataclass(frozen=True, slots=True)
class Cap:
    """A label: its place in keys from the upper left, and what it says."""

    column: int
    row: int
    code: str
    high: float = CAP_MM


#: The pad as it lies before a player; the keys that say nothing have no cap.
CAPS = (
    Cap(2, 0, "minus"),
    *(Cap(number % 3, 3 - number // 3, str(number + 1)) for number in range(9)),
    Cap(3, 0, "back"),
    Cap(3, 1, "plus", ENTER_HIGH_MM),
    Cap(3, 3, "enter", ENTER_HIGH_MM),
)


def key_caps(seats: int, language: Language = "de") -> bytes:
    """Draw the sheet for so many seats, as a PDF."""

    def word(code: str, **fill: object) -> str:
        return say("key_caps", code, language, **fill)

    sheet = PdfSheet(word("title"), word("foot"))
    for seat in range(1, seats + 1):
        place = (seat - 1) % PER_PAGE
        if place == 0:
            if seat > 1:
                sheet.new_page()
            sheet.heading(word("title"), word("under"))
            _ruler(sheet, word("ruler"))
        _pad(sheet, 52.0 + place * 78.0, seat, language)
    return sheet.finish()


def _ruler(sheet: PdfSheet, words: str) -> None:
    """A line of 100 mm: who prints at another size sees it."""
    sheet.line(LEFT_MM, 38.0, LEFT_MM + 100.0, 38.0)
    for x in (LEFT_MM, LEFT_MM + 100.0):
        sheet.line(x, 36.5, x, 39.5)
    sheet.text(LEFT_MM + 103.0, 39.0, words, 8, grey=FAINT_GREY)


def _pad(sheet: PdfSheet, top: float, seat: int, language: Language) -> None:
    for cap in CAPS:
        x, y = LEFT_MM + cap.column * (CAP_MM + GAP_MM), top + cap.row * (CAP_MM + GAP_MM)
        sheet.frame(x, y, CAP_MM, cap.high, 0.3)
        middle_x, middle_y = x + CAP_MM / 2, y + cap.high / 2
        if cap.code.isdigit():
            sheet.text(middle_x, middle_y + 3.1, cap.code, 25, bold=True, align="centre")
        else:
            sheet.lines(
                middle_x,
                middle_y,
                say("key_caps", cap.code, language),
                CAP_MM - 1.0,
                (8, 7, 6, 5),
                cap.high - 2,
                bold=True,
                align="centre",
                middle=True,
            )
    x = LEFT_MM + 4 * (CAP_MM + GAP_MM) + 12.0
    sheet.frame(x, top, CARD_WIDE_MM, 66.0, 0.3)
    sheet.text(x + 4, top + 9, say("key_caps", "seat", language, n=seat), 15, bold=True)
    y = top + 16.0
    for code in ("how_digit", "how_enter", "how_more", "how_back"):
        y = sheet.lines(x + 4, y, say("key_caps", code, language), CARD_WIDE_MM - 8, (9, 8), 12.0) + 1.6
