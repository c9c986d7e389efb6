"""Read a workbook from standard input and print one sheet's cells as JSON; run as a process with bounds of its own.

Arguments: lines and columns at most, the name of a sheet or "".
"""

import datetime
import io
import json
import resource
import sys
import zipfile
from typing import Any

from python_calamine import CalamineWorkbook

_MEMORY_BYTES = 768 * 1024 * 1024  # of addresses; 400 people take 40 MB, 5,000 lines of 40 columns 110
_PROCESSOR_S = 10
_UNPACKED_BYTES = 64 * 1024 * 1024  # as the archive says; one that lies meets the other bounds


def text_of(value: Any) -> str:
    """Return a cell as a person would write it: whole numbers without a point, days as ISO 8601 has them."""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, float) and value == int(value):
        return str(int(value))
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def main(lines: int, columns: int, wanted: str) -> None:
    """Print ``{"sheets", "sheet", "rows": [[number, [cells]]]}``."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_PROCESSOR_S, _PROCESSOR_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    content = io.BytesIO(sys.stdin.buffer.read())
    if zipfile.is_zipfile(content):
        with zipfile.ZipFile(content) as archive:
            if sum(one.file_size for one in archive.infolist()) > _UNPACKED_BYTES:
                sys.exit("it unpacks to more than any list of people")
    content.seek(0)
    book = CalamineWorkbook.from_filelike(content)
    names = book.sheet_names
    rows: list[tuple[int, list[str]]] = []
    name = ""
    for name in [wanted] if wanted in names else names:
        sheet = book.get_sheet_by_name(name)
        for number, cells in enumerate(sheet.iter_rows(), start=1):
            if len(rows) >= lines:
                break
            row = [text_of(cell) for cell in cells[:columns]]
            if any(row):
                rows.append((number, row))
        if rows:
            break
    json.dump({"sheets": names, "sheet": name, "rows": rows}, sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
