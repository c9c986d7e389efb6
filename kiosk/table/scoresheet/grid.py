"""Format tables of cells as text and as CSV."""

import csv
import io
import re
from collections.abc import Sequence

from kiosk.table.scoresheet import written

Cell = str | int


def as_text(heads: Sequence[str], lines: Sequence[Sequence[Cell]], left: Sequence[int] = ()) -> list[str]:
    """Format the table line by line, columns as wide as needed; those in ``left`` are aligned left, others right."""
    body = [[str(cell) for cell in line] for line in lines]
    widths = [max(len(line[i]) for line in [list(heads), *body]) for i in range(len(heads))]

    def shown(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join(padded).rstrip()

    return [shown(heads), "  ".join("-" * width for width in widths), *map(shown, body)]


def as_csv(heads: Sequence[str], lines: Sequence[Sequence[Cell]]) -> str:
    """Format the table as CSV with semicolons, as spreadsheets in Germany open it."""
    out = io.StringIO()
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    write([_cell(head) for head in heads])
    for line in lines:
        write([_cell(cell) for cell in line])
    return out.getvalue()


def _cell(cell: Cell) -> object:
    """Amounts stay numbers; other text is never a formula."""
    return cell if isinstance(cell, str) and re.fullmatch(r"-?[\d.,]+", cell) else written.cell(cell)
