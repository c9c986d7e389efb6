"""Read a table from a spreadsheet (.xlsx, .ods, .xls), in a process of its own that may not grow or last.

The file comes from anywhere. A few kilobytes may unpack to gigabytes, or name a cell in the last row and column, for
which any reader lays out the whole sheet. So memory and time are bounded by the kernel, not by looking at the file.
"""

import json
import subprocess
import sys
from pathlib import Path

from kiosk.tournament.intake.table import MOST_COLUMNS, MOST_LINES, BadTable, Table, made_table

#: How a file begins that is a zip archive (xlsx, ods) or an older workbook (xls).
SIGNATURES = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")

#: The file that reads, run alone.
_READER = Path(__file__).with_name("spreadsheet_process.py")

#: Seconds after which the reader is given up; 400 people take 0.1.
_PATIENCE_S = 20.0


def spreadsheet_table(content: bytes, sheet: str = "") -> Table:
    """Read a sheet of a workbook: the one named, else the first that holds anything.

    :raises BadTable: it cannot be read within bounds, or nothing is in it.
    """
    command = [sys.executable, "-I", str(_READER), str(MOST_LINES + 1), str(MOST_COLUMNS), sheet]
    try:
        done = subprocess.run(command, input=content, capture_output=True, timeout=_PATIENCE_S, check=False)
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        raise BadTable(
            "no_workbook", "this workbook cannot be read: it is damaged, locked by a password, or far too large"
        ) from None
    rows = [(number, list(cells)) for number, cells in said["rows"]]
    return made_table(rows, tuple(said["sheets"]), str(said["sheet"]))
