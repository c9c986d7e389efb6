"""Print a series: everybody's place over its evenings, the clubs' below."""

from collections.abc import Mapping
from typing import Any

from kiosk.language import Language
from kiosk.language.ranking import ranking_word
from kiosk.paper.sheet import BOTTOM_MM, LEFT_MM, RIGHT_MM, Column, PdfSheet
from kiosk.tournament.series import club_cells, series_cells, series_notes

#: Columns of evenings that fit beside names; a series of more shows sums only.
_MOST_EVENINGS = 7


def series_pdf(data: Mapping[str, Any], language: Language = "de") -> bytes:
    """Print the ranking, one column per evening, with the clubs and how it is counted."""
    sheet = PdfSheet(data["series"], data["series"])
    y = sheet.heading(data["series"], ranking_word("series", language))
    heads, lines = series_cells(data, language)
    many = len(data["evenings"]) > _MOST_EVENINGS
    if many:
        heads, lines = [*heads[:3], heads[-1]], [[*line[:3], line[-1]] for line in lines]
    evenings = 0 if many else len(data["evenings"])
    wide = RIGHT_MM - LEFT_MM - 14 - 20 - 16 * evenings
    columns = [
        Column(heads[0], 14, "right", bold=True),
        Column(heads[1], wide * 0.6, bold=True),
        Column(heads[2], wide * 0.4),
        *(Column(head, 16, "right") for head in heads[3:-1]),
        Column(heads[-1], 20, "right", bold=True),
    ]
    told = [[str(cell).replace("-", "−") if i > 2 else str(cell) for i, cell in enumerate(line)] for line in lines]
    y = sheet.table(y + 3, columns, told) + 6
    if data["clubs"]:
        if y + 40 > BOTTOM_MM:
            sheet.new_page()
            y = 17.0
        heads, lines = club_cells(data, language)
        columns = [
            Column(heads[0], 14, "right"),
            Column(heads[1], 90, bold=True),
            Column(heads[2], 20, "right", bold=True),
        ]
        y = sheet.table(y, columns, [[str(cell) for cell in line] for line in lines]) + 6
    for note in series_notes(data, language):
        if y + 8 > BOTTOM_MM:
            sheet.new_page()
            y = 17.0
        y = sheet.paragraph(y, note)
    return sheet.finish()
