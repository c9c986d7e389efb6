"""Print standing, cash book and the year's ranking from their data alone. The same data give the same bytes."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from kiosk.language import Language
from kiosk.language.cash import cash_word
from kiosk.language.ranking import ranking_word
from kiosk.paper.sheet import BOTTOM_MM, FAINT_GREY, LEFT_MM, RIGHT_MM, Column, PdfSheet
from kiosk.table.scoresheet.grid import Cell
from kiosk.tournament import cash, ranking

Data: TypeAlias = Mapping[str, Any]

_WIDTH_MM = RIGHT_MM - LEFT_MM
#: Columns of days that fit beside names; a year of more shows sums only, and each day's winner below.
_MOST_DAY_COLUMNS = 9


def standing_pdf(data: Data, language: Language = "de") -> bytes:
    """Print the standing with tie-breaks, lots drawn, a line for the signature; first whether it may change."""
    sheet = PdfSheet(ranking.standing_title(data, language), data["title"])
    y = sheet.heading(ranking.standing_title(data, language), data["title"], data.get("tournament", ""))
    notes = ranking.standing_notes(data, language)
    if not data["final"]:  # whoever reads a place must have read first that it may change
        y = sheet.paragraph(y + 5, notes.pop(0), 10, bold=True)
    heads, lines = ranking.standing_cells(data, language)
    rounds = len(data["rounds"]) if len(data["rounds"]) > 1 else 0
    widths = [min(17.0, 60 / max(1, rounds))] * rounds + [17.0]  # rounds, points, then what decided ties
    widths += [12.0 if name == "lot" else 21.0 for name in data["columns"]]
    columns = [
        Column(heads[0], 12, "right", bold=True),
        Column(heads[1], _WIDTH_MM - 12 - sum(widths), bold=True),
        *(
            Column(head, wide, "right", bold=i == rounds)
            for i, (head, wide) in enumerate(zip(heads[2:], widths, strict=False))
        ),
    ]
    y = sheet.table(y + 3, columns, _minus([line[: len(columns)] for line in lines])) + 6
    out = [f"{one['name']} ({ranking_word(one['out'], language)})" for one in data["places"] if one["out"]]
    if out:
        y = _paragraph(sheet, y, f"{ranking_word('out', language)}: {', '.join(out)}.")
    for note in notes:
        y = _paragraph(sheet, y, note)
    for one in data.get("draws", ()):
        y = _paragraph(sheet, y, ranking.draw_text(one, language))
    if any(one["seed"] for one in data.get("draws", ())):
        y = _paragraph(sheet, y, ranking_word("lot_check", language))
    _signature(sheet, y, ranking_word("direction", language))
    return sheet.finish()


def year_pdf(data: Data, language: Language = "de") -> bytes:
    """Print the year's ranking, one column per day, with the winners of each day."""
    title = f"{ranking_word('year', language)} {data['year']}"
    sheet = PdfSheet(title, data["title"])
    y = sheet.heading(title, data["title"], data["section"])
    heads, lines = ranking.year_cells(data, language)
    if len(heads) - 3 > _MOST_DAY_COLUMNS:
        heads, lines = [*heads[:2], heads[-1]], [[*line[:2], line[-1]] for line in lines]
    days = len(heads) - 3
    columns = [
        Column(heads[0], 14, "right", bold=True),
        Column(heads[1], _WIDTH_MM - 14 - 20 - 12 * days, bold=True),
        *(Column(head, 12, "right") for head in heads[2:-1]),
        Column(heads[-1], 20, "right", bold=True),
    ]
    y = sheet.table(y + 3, columns, _minus(lines)) + 6
    for line in ranking.year_notes(data, language):
        y = _paragraph(sheet, y, line)
    return sheet.finish()


def cash_pdf(data: Data, language: Language = "de") -> bytes:
    """Print the cash book: its entries, open debts, everybody's sums, and a line for the treasurer."""
    title = cash_word("title", language)
    sheet = PdfSheet(title, data["title"])
    y = sheet.heading(title, data["title"], data.get("tournament", "")) + 3
    if not data["entries"]:
        sheet.paragraph(y + 4, cash_word("empty", language))
        return sheet.finish()
    y = _grid(sheet, y, cash.cash_cells(data, language, line=False), (21, 28, 28, 51, 16.5, 16.5, 17), 4)
    y = _part(sheet, y, cash_word("still", language))
    if data["open"]:
        y = _grid(sheet, y, cash.open_cells(data, language), (50, 50, 25), 2)
    else:
        y = sheet.paragraph(y + 4, cash_word("nothing", language))
    y = _part(sheet, y, cash_word("people", language))
    y = _grid(sheet, y, cash.people_cells(data, language), (50, 25, 25, 25, 25), 1)
    y = _paragraph(sheet, y + 6, cash.club_text(data["club"], language))
    _signature(sheet, y, cash_word("treasurer", language))
    return sheet.finish()


def _grid(
    sheet: PdfSheet, y: float, cells: tuple[list[str], list[list[Cell]]], widths: Sequence[float], words: int
) -> float:
    """A table whose first ``words`` columns are words, the others amounts; the bottom edge."""
    heads, lines = cells
    columns = [
        Column(head, wide, "left" if i < words else "right", bold=i == len(heads) - 1)
        for i, (head, wide) in enumerate(zip(heads, widths, strict=True))
    ]
    return sheet.table(y, columns, lines, size=8)


def _part(sheet: PdfSheet, y: float, title: str) -> float:
    """A part's title, on the next page if nothing would fit below it; where the part begins."""
    if y + 30 > BOTTOM_MM:
        sheet.new_page()
        y = 13.0
    sheet.text(LEFT_MM, y + 8, title, 11, bold=True)
    return y + 10.5


def _paragraph(sheet: PdfSheet, y: float, words: str) -> float:
    if y + 8 > BOTTOM_MM:
        sheet.new_page()
        y = 17.0
    return sheet.paragraph(y, words)


def _signature(sheet: PdfSheet, y: float, who: str) -> None:
    if y + 18 > BOTTOM_MM:
        sheet.new_page()
        y = 13.0
    sheet.line(LEFT_MM, y + 14, LEFT_MM + 70, y + 14)
    sheet.text(LEFT_MM, y + 17.2, who, 6.5, grey=FAINT_GREY)


def _minus(lines: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Cells as printed: a real minus before numbers."""
    return [[str(cell).replace("-", "−") if isinstance(cell, int) else str(cell) for cell in line] for line in lines]
