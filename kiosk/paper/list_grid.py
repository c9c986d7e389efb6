"""Draw the grid of a list: heads, rows, totals carried over, foot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from kiosk.language import Language
from kiosk.language.scoresheet import list_word
from kiosk.paper.sheet import FAINT_GREY, LEFT_MM, RIGHT_MM, PdfSheet
from kiosk.paper.type import MM
from kiosk.table.scoresheet.written import marks

Data: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMeasures:
    """Measures of a printed list, in mm."""

    number_width: float = 8.5  # column with the game's number
    head_height: float = 13.5  # names
    signs_height: float = 5.0  # the line with + and −
    foot_height: float = 7.0  # a line of sums
    signatures_height: float = 14.0
    row_height_most: float = 8.2
    row_height_with_notes: float = 4.6  # rows are made narrower down to this to leave room for notes
    row_height_least: float = 3.9  # narrower ones go on to another page
    note_line_height: float = 3.45
    note_size_pt: float = 7.4
    initials_width: float = 34.0  # room for the referee's initials
    signed_width: float = 22.0  # room for the direction's signature at a game


MEASURES = ListMeasures()

#: Marks of who played alone.
SOLO_MARKS = {"duty": "P", "lust": "L", "solo": "S", "still": "S", "hochzeit": "H"}


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that belong together: those of a player, or one of the others."""

    seat: int | None
    kinds: tuple[str, ...]
    first: int  # index of its first column
    x: float
    width: float  # of the whole group

    @property
    def cell(self) -> float:
        return self.width / len(self.kinds)


def _printed(cell: object) -> str:
    """A cell as printed: a real minus before numbers."""
    return str(cell).replace("-", "−") if isinstance(cell, int) else str(cell)


class ListGrid:
    """The columns and rows of a list."""

    def __init__(self, sheet: PdfSheet, data: Data) -> None:
        self.sheet, self.data = sheet, data
        self.language: Language = data["language"]
        self.groups = self._groups()
        self.signs = any(len(group.kinds) > 1 for group in self.groups)  # a line with + and −
        self.blank = data["games_left"] or 0
        self.many = len(data["rows"]) + self.blank
        seats = range(1, len(data["players"]) + 1)
        self.at = {seat: next(group for group in self.groups if group.seat == seat) for seat in seats}

    def _groups(self) -> list[ColumnGroup]:
        fields = self.data["fields"]
        players = len(self.data["players"])
        widths = {"winners": 14.5, "value": 15.0}
        others = sum(widths.get(field["kind"], 0.0) for field in fields)
        whole = RIGHT_MM - LEFT_MM - MEASURES.number_width
        each = min(25.5, (whole - others - 36.0) / players)
        rest = whole - others - each * players
        found: list[ColumnGroup] = []
        x = LEFT_MM + MEASURES.number_width
        index = 0
        while index < len(fields):
            seat = fields[index]["seat"]
            end = index + 1
            while seat is not None and end < len(fields) and fields[end]["seat"] == seat:
                end += 1
            kinds = tuple(field["kind"] for field in fields[index:end])
            wide = each if seat is not None else widths.get(kinds[0], rest)
            found.append(ColumnGroup(seat, kinds, index, x, wide))
            x += wide
            index = end
        return found

    def word(self, code: str, **fill: object) -> str:
        return list_word(code, self.language, **fill)

    def _heads(self, y: float) -> float:
        """The names; the bottom edge."""
        sheet, data = self.sheet, self.data
        high = MEASURES.head_height + (MEASURES.signs_height if self.signs else 0)
        sheet.fill(LEFT_MM, y, RIGHT_MM - LEFT_MM, high, 0.92)
        sheet.text(
            LEFT_MM + MEASURES.number_width / 2,
            y + high - 1.8,
            self.word("number_short"),
            6.5,
            bold=True,
            align="centre",
        )
        for group in self.groups:
            middle = group.x + group.width / 2
            if group.seat is None:
                words = data["columns"][group.first]
                left = group.kinds[0] == "game"
                place = group.x + 1.6 if left else middle
                sheet.lines(
                    place, y + high / 2, words, group.width - 2, (7.5, 6.6, 5.8), 12, bold=True, middle=True,
                    align="left" if left else "centre",
                )  # fmt: skip
                continue
            sheet.text(middle, y + 2.9, f"{self.word('seat')} {group.seat}", 6, align="centre", grey=FAINT_GREY)
            name = data["players"][group.seat - 1]
            sizes = (9.5, 8.5, 7.5, 6.5, 5.6)
            sheet.lines(middle, y + 8, name, group.width - 2, sizes, 9, bold=True, align="centre", middle=True)
            for place, kind in enumerate(group.kinds if self.signs else ()):
                sign = {"plus": "+", "minus": "−"}[kind]
                x = group.x + group.cell * (place + 0.5)
                sheet.text(x, y + high - 1.3, sign, 10, bold=True, align="centre")
        if self.signs:
            for group in self.at.values():
                sheet.line(
                    group.x, y + MEASURES.head_height, group.x + group.width, y + MEASURES.head_height, 0.25, 0.4
                )
        return y + high

    def _figure(self, x: float, y: float, high: float, words: object, size: float, **how: Any) -> None:
        """A number in the middle of its cell."""
        size = min(size, 2.3 * high)
        self.sheet.text(x, y + high / 2 + 0.36 * size / MM, _printed(words), size, align="centre", **how)

    def _row(self, y: float, high: float, number: int) -> None:
        sheet, data = self.sheet, self.data
        row, cells = data["rows"][number], data["lines"][number]
        self._figure(LEFT_MM + MEASURES.number_width / 2 - (1.4 if row["marks"] else 0), y, high, row["game"], 8)
        if row["marks"]:  # a Berichtigung, told below
            sheet.text(
                LEFT_MM + MEASURES.number_width - 0.5, y + high / 2 + 0.6, marks(row), 5.6, align="right", room=4.6
            )
        for group in self.groups:
            for place, kind in enumerate(group.kinds):
                cell = cells[group.first + place]
                x = group.x + group.cell * (place + 0.5)
                if kind == "game":
                    words = str(cell) + (f" ({self.word('open')})" if row["open"] else "")
                    room = group.width - 2.4 - (MEASURES.signed_width if row["leave"] else 0)
                    sizes = (8, 7, 6.2, 5.6, 5)
                    sheet.lines(group.x + 1.6, y + high / 2, words, room, sizes, high - 0.3, middle=True)
                    if row["leave"]:  # the direction signs its note at the game itself (schaffkopf III 3.1)
                        sheet.line(
                            RIGHT_MM - MEASURES.signed_width + 5, y + high - 1, RIGHT_MM - 1.5, y + high - 1, 0.4
                        )
                        label = self.word("direction_short")
                        sheet.text(
                            RIGHT_MM - MEASURES.signed_width + 4.5,
                            y + high - 1.2,
                            label,
                            5.6,
                            align="right",
                            grey=FAINT_GREY,
                        )
                elif kind == "total":
                    scored = row["score"][str(group.seat)] != 0
                    self._figure(x + 1.5, y, high, cell, 10.5, bold=scored, grey=0.0 if scored else 0.4)
                elif group.seat is not None:
                    self._figure(x + (2.0 if place == 0 else 0.0), y, high, cell, 9.5)
                else:
                    shown = cell.replace(" ", ", ") if kind == "winners" else cell
                    self._figure(x, y, high, shown, 9)
        tight = self.signs
        sheet.dot(self.at[row["dealer"]].x + (1.3 if tight else 1.9), y + high / 2, 0.6 if tight else 0.75)
        if row["alone"] is not None:
            aside, size = (3.7, 4.4) if tight else (5.0, 5.6)
            sheet.badge(self.at[row["alone"]].x + aside, y + high / 2, SOLO_MARKS[row["solo"]], min(size, 1.45 * high))
        if row["struck"]:
            sheet.line(LEFT_MM + 1, y + high / 2, self.groups[-1].x - 1, y + high / 2, 0.7)

    def _carried(self, y: float, start: int, high: float) -> float:
        """The line with the totals of the page before."""
        sheet, rows = self.sheet, self.data["rows"][:start]
        for group in self.groups:
            for place, kind in enumerate(group.kinds):
                x = group.x + group.cell * (place + 0.5)
                if group.seat is None:
                    if kind == "game":
                        sheet.text(group.x + 1.6, y + high - 1.4, self.word("carried"), 8, bold=True)
                    continue
                scores = [row["score"][str(group.seat)] for row in rows]
                sign = {"total": 0, "plus": 1, "minus": -1}[kind]
                carried = sum(abs(score) if sign else score for score in scores if score * sign > 0 or not sign)
                self._figure(x + (0 if sign else 1.5), y, high, carried, 9.5, bold=True)
        y += high
        sheet.line(LEFT_MM, y, RIGHT_MM, y, 0.8)
        return y

    def _not_played(self, top: float, bottom: float) -> None:
        """Rows that nobody may fill in any more are crossed out, as book-keepers do."""
        sheet, first = self.sheet, self.groups[0].x
        sheet.line(first, top + 1, RIGHT_MM, top + 1, 0.7)
        sheet.line(RIGHT_MM, top + 1, first, bottom - 1, 0.7)
        sheet.line(first, bottom - 1, RIGHT_MM, bottom - 1, 0.7)

    def _foot(self, y: float) -> float:
        """Sums and results; the bottom edge."""
        sheet = self.sheet
        sheet.line(LEFT_MM, y, RIGHT_MM, y, 1.1)
        for label, cells in self.data["foot"]:
            sheet.fill(LEFT_MM, y + 0.2, RIGHT_MM - LEFT_MM, MEASURES.foot_height - 0.2, 0.92)
            last = self.groups[-1]
            short = len(label) < 3
            if short:
                self._figure(LEFT_MM + MEASURES.number_width / 2, y, MEASURES.foot_height, label, 10, bold=True)
            else:
                base = y + MEASURES.foot_height / 2 + 0.36 * 8.5 / MM
                sheet.text(last.x + 1.6, base, label, 8.5, bold=True, room=last.width - 2.4)
            for group in self.groups[:-1]:
                own = cells[group.first : group.first + len(group.kinds)]
                if group.seat is not None and len(own) > 1 and own[1] == "":  # one field for both columns
                    self._figure(group.x + group.width / 2, y, MEASURES.foot_height, own[0], 11.5, bold=True)
                    continue
                for place, cell in enumerate(own):
                    nudge = 1.5 if group.kinds[place] == "total" else 0.0
                    x = group.x + group.cell * (place + 0.5)
                    self._figure(x + nudge, y, MEASURES.foot_height, cell, 11.5 if nudge else 10, bold=True)
                    if place:
                        sheet.line(
                            group.x + group.cell * place,
                            y,
                            group.x + group.cell * place,
                            y + MEASURES.foot_height,
                            0.25,
                            0.4,
                        )
            y += MEASURES.foot_height
            sheet.line(LEFT_MM, y, RIGHT_MM, y, 0.5)
        return y

    def _verticals(self, top: float, body: float, bottom: float) -> None:
        sheet = self.sheet
        rows = bottom - len(self.data["foot"]) * MEASURES.foot_height
        for number, group in enumerate(self.groups):
            strong = group.seat is not None or (number and self.groups[number - 1].seat is not None)
            sheet.line(group.x, top, group.x, bottom, 0.6 if strong else 0.25, 0.0 if strong else 0.4)
            for place in range(1, len(group.kinds)):
                x = group.x + group.cell * place
                sheet.line(x, body - MEASURES.signs_height, x, rows, 0.25, 0.4)
        sheet.line(LEFT_MM, body, RIGHT_MM, body, 0.8)
        sheet.frame(LEFT_MM, top, RIGHT_MM - LEFT_MM, bottom - top, 1.0)
