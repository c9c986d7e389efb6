"""Read a list from a file, whatever program wrote it."""

from kiosk.tournament.intake.spreadsheet import SIGNATURES, spreadsheet_table
from kiosk.tournament.intake.table import Table
from kiosk.tournament.intake.text_table import text_table


def read_table(content: bytes, sheet: str = "") -> Table:
    """Read a table from a file's content: a workbook by its signature, else text.

    :param sheet: of a workbook; "": the first that holds anything.
    :raises BadTable: it is no list, or larger than any.
    """
    return spreadsheet_table(content, sheet) if content.startswith(SIGNATURES) else text_table(content)
