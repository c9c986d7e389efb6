"""Define a table as read from a file or pasted, before anybody knows what its columns mean."""

from dataclasses import dataclass

from kiosk.errors import LocalisedError

#: Lines, columns and letters of a cell that are taken in: ten times the largest tournament.
MOST_LINES, MOST_COLUMNS, LONGEST_CELL = 5000, 40, 200


class BadTable(LocalisedError):
    """A file that is no list of people."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table that holds anything."""

    number: int  # in the file, from 1
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Return a cell; "" where the line is shorter."""
        return self.cells[column] if column < len(self.cells) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The lines of a file."""

    lines: tuple[Line, ...]
    sheets: tuple[str, ...] = ()  # names of a workbook's sheets
    sheet: str = ""  # the one that was read

    @property
    def columns(self) -> int:
        """The number of columns."""
        return max((len(line.cells) for line in self.lines), default=0)


def made_table(rows: list[tuple[int, list[str]]], sheets: tuple[str, ...] = (), sheet: str = "") -> Table:
    """Make a table of rows with their line numbers; empty rows, and columns that are empty everywhere on the right, go.

    :raises BadTable: nothing is in it, or more than any tournament has.
    """
    lines = []
    for number, cells in rows:
        clean = [" ".join(cell.replace("\N{ZERO WIDTH NO-BREAK SPACE}", "").split())[:LONGEST_CELL] for cell in cells]
        while clean and not clean[-1]:
            clean.pop()
        if any(sign.isalnum() for cell in clean for sign in cell):
            lines.append(Line(number, tuple(clean[:MOST_COLUMNS])))
    if not lines:
        raise BadTable("empty_table", "nothing is in this list")
    if len(lines) > MOST_LINES:
        raise BadTable(
            "long_table", f"{len(lines)} lines; a list of people has at most {MOST_LINES}, divide it", most=MOST_LINES
        )
    return Table(lines=tuple(lines), sheets=sheets, sheet=sheet)
