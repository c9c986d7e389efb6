"""Read a table from text: pasted names, CSV files of any program (RFC 4180 and what is usual beside it)."""

import csv
import re
from collections import Counter
from typing import Literal

from kiosk.tournament.intake.table import BadTable, Table, made_table

#: What stands between two cells, the likeliest first.
_SEPARATORS = "\t;,|"

#: A quotation mark that is never closed swallows lines; a cell of more lines than this is such a one.
_MOST_LINES_OF_CELL = 5


def text_table(content: bytes) -> Table:
    """Read a table from text in UTF-8, UTF-16, Windows-1252 or DOS letters.

    :raises BadTable: it is no text, or nothing is in it.
    """
    text = decoded(content)
    separator, text, skipped = _said_separator(text)
    best = separator or _best_separator(text)
    rows = _rows(text, best)
    # "Name" above "Ott, Anna": the comma is in the names
    if best == "," and len(rows) > 1 and len(rows[0][1]) == 1 and not separator:
        rows = [(number, [line]) for number, line in enumerate(text.splitlines(), start=1)]
    return made_table([(number + skipped, cells) for number, cells in rows])


def decoded(content: bytes) -> str:
    """Decode text: by its byte order mark, else UTF-8 if it is, else as Windows has it, else as DOS had.

    Nothing is guessed by frequency: a club's list has three umlauts, on which statistics cannot decide.

    :raises BadTable: it is no text.
    """
    for mark, code in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if content.startswith(mark):
            return _plain(content[len(mark) :].decode(code, errors="replace"))
    nul = content.count(0)
    if nul > len(content) // 4:  # UTF-16 without a mark: every second byte of Latin letters is zero
        even = content[::2].count(0)
        return _plain(content.decode("utf-16-be" if even > nul // 2 else "utf-16-le", errors="replace"))
    for code in ("utf-8", "cp1252", "cp850"):
        try:
            return _plain(content.decode(code))
        except UnicodeDecodeError:
            continue
    raise BadTable("no_text", "this file is no list that can be read; export it as CSV, xlsx or ods")


def _plain(text: str) -> str:
    odd = sum(sign < " " and sign not in "\t\r\n\f\v" for sign in text[:10_000])
    if odd > len(text[:10_000]) // 100 or re.match(r"\s*(%PDF|<!doctype|<html|\{\\rtf)", text, re.IGNORECASE):
        raise BadTable("no_text", "this file is no list that can be read; export it as CSV, xlsx or ods")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def _said_separator(text: str) -> tuple[str, str, int]:
    """What Excel writes in a first line of its own: ``sep=;``."""
    said = re.match(r"sep=(.)\n", text, re.IGNORECASE)
    return (said[1], text[said.end() :], 1) if said else ("", text, 0)


def _best_separator(text: str) -> str:
    """The separator by which most lines fall into the same number of cells, at least two."""

    def agreeing(separator: str) -> int:
        counts = Counter(len(cells) for _, cells in _rows(text, separator) if any(cells))
        return max((count for cells, count in counts.items() if cells > 1), default=0)

    return max(_SEPARATORS, key=lambda one: (agreeing(one), -_SEPARATORS.index(one)))


def _rows(text: str, separator: str) -> list[tuple[int, list[str]]]:
    found = _parsed(text, separator, csv.QUOTE_MINIMAL)
    if any(cell.count("\n") > _MOST_LINES_OF_CELL for _, cells in found for cell in cells):
        found = _parsed(text, separator, csv.QUOTE_NONE)
    return found


def _parsed(text: str, separator: str, quoting: Literal[0, 3]) -> list[tuple[int, list[str]]]:
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator, quoting=quoting, skipinitialspace=True)
    rows, line = [], 1
    try:
        for cells in reader:
            rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise BadTable("no_text", f"line {line}: {error}") from None
    return rows
