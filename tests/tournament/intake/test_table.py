"""Tables as files have them: encodings, separators, quotation marks, workbooks, and what is no list."""

import io
import zipfile

import openpyxl
import pytest

from kiosk.tournament.intake.read import read_table
from kiosk.tournament.intake.table import MOST_LINES, BadTable

ROWS = [("Name", "Vorname", "Verein"), ("Müller", "Jörg", "SV Größe"), ("Aydın", "Cem", ""), ("Ott", "Zoë", "TV")]
LATIN = [row for row in ROWS if row[0] != "Aydın"]


def cells(content: bytes) -> list[tuple[int, tuple[str, ...]]]:
    return [(line.number, line.cells) for line in read_table(content).lines]


def wanted(rows):
    return [(number, row if row[-1] else row[:-1]) for number, row in enumerate(rows, start=1)]


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize(
    ("code", "rows"),
    [
        *(("utf-8", ROWS), ("utf-8-sig", ROWS), ("utf-16", ROWS), ("utf-16-le", ROWS), ("utf-16-be", ROWS)),
        *(("cp1252", LATIN), ("cp850", LATIN)),
    ],
)
def test_text_of_any_program(code, rows, separator, end):
    text = end.join(separator.join(row) for row in rows) + end
    assert cells(text.encode(code)) == wanted(rows)


@pytest.mark.parametrize(("text", "found"), [
    pytest.param("Anna\n\n  \nBernd  Uhl\n", [(1, ("Anna",)), (4, ("Bernd Uhl",))], id="names alone"),
    pytest.param('"Ott, Anna";"SV ""Kreuz"""\n', [(1, ("Ott, Anna", 'SV "Kreuz"'))], id="quoted"),
    pytest.param('A;"zwei\nZeilen"\nB;c\n', [(1, ("A", "zwei Zeilen")), (3, ("B", "c"))], id="two lines in a cell"),
    pytest.param('A;"offen\n' + "B;c\n" * 9, [(1, ("A", '"offen')), *((n, ("B", "c")) for n in range(2, 11))],
                 id="a mark that is never closed"),
    pytest.param("sep=|\nA|B\n", [(2, ("A", "B"))], id="the separator is said"),
    pytest.param("Name\nOtt, Anna\nUhl, Bernd\n", [(1, ("Name",)), (2, ("Ott, Anna",)), (3, ("Uhl, Bernd",))],
                 id="a comma in the names"),
    pytest.param("Nachname, Vorname\nOtt, Anna\n", [(1, ("Nachname", "Vorname")), (2, ("Ott", "Anna"))],
                 id="a comma between columns"),
    pytest.param("Name;Verein\nOtt, Anna;SV\nUhl, Bernd;\n",
                 [(1, ("Name", "Verein")), (2, ("Ott, Anna", "SV")), (3, ("Uhl, Bernd",))], id="commas and semicolons"),
    pytest.param(" Anna \u00a0 Ott ;;;\n", [(1, ("Anna Ott",))], id="blanks and empty columns"),
])  # fmt: skip
def test_what_people_paste(text, found):
    assert cells(text.encode()) == found


@pytest.mark.parametrize(("content", "code"), [
    (b"", "empty_table"), (b"  \n;;\n", "empty_table"), (b"%PDF-1.7 \n%\xe2\xe3", "no_text"),
    (b"<!DOCTYPE html><table>", "no_text"), (bytes(range(256)) * 4, "no_text"),
    (b"\x89PNG\r\n\x1a\n" + bytes(range(200)), "no_text"), (b"PK\x03\x04 broken", "no_workbook"),
    (b"\xd0\xcf\x11\xe0 broken", "no_workbook"), (b"Anna\n" * (MOST_LINES + 1), "long_table"),
], ids=["nothing", "blanks", "pdf", "html", "bytes", "picture", "xlsx", "xls", "long"])  # fmt: skip
def test_what_is_no_list_is_refused(content, code):
    with pytest.raises(BadTable) as refused:
        read_table(content)
    assert refused.value.code == code


def xlsx(rows, *, title="Liste", at=1) -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "Leer"
    sheet = book.create_sheet(title)
    for number, row in enumerate(rows, start=at):
        for column, value in enumerate(row, start=1):
            sheet.cell(number, column, value)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def ods(rows) -> bytes:
    """A sheet as LibreOffice writes it, with what it repeats."""
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    body = "".join(f"<table:table-row>{''.join(map(cell.format, row))}</table:table-row>" for row in rows)
    empty = (
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="1024"/>'
    )
    spaces = " ".join(
        f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces}><office:body><office:spreadsheet>'
        f'<table:table table:name="Liste">{body}{empty}</table:table-row></table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        made.writestr("META-INF/manifest.xml", "<manifest/>")
        made.writestr("content.xml", content)
    return out.getvalue()


def test_a_workbook_is_read_with_its_line_numbers():
    table = read_table(xlsx([("Nr.", "Name"), (1, "Ott, Anna"), (2.0, "Uhl"), (True, "Öz")], at=3))
    assert (table.sheets, table.sheet) == (("Leer", "Liste"), "Liste")  # the first that holds anything
    assert [(line.number, line.cells) for line in table.lines] == [
        (3, ("Nr.", "Name")), (4, ("1", "Ott, Anna")), (5, ("2", "Uhl")), (6, ("1", "Öz")),
    ]  # fmt: skip
    with pytest.raises(BadTable) as refused:
        read_table(xlsx([("Name",)]), "Leer")
    assert refused.value.code == "empty_table"


def test_a_sheet_of_libreoffice_is_read():
    assert cells(ods(ROWS)) == wanted(ROWS)


def bomb() -> bytes:
    """A hundred megabytes of blanks in half of one."""
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made,
        zipfile.ZipFile(io.BytesIO(xlsx(ROWS))) as book,
    ):
        for name in book.namelist():
            if name != "xl/worksheets/sheet2.xml":
                made.writestr(name, book.read(name))
        with made.open("xl/worksheets/sheet2.xml", "w", force_zip64=True) as sheet:
            sheet.write(b'<?xml version="1.0"?><worksheet><sheetData><row r="1"><c r="A1" t="str"><v>')
            for _ in range(100):
                sheet.write(b" " * 1024 * 1024)
    return out.getvalue()


def far(cell: str) -> bytes:
    """A workbook of two cells, one far away: 24 bytes are laid out for each between them."""
    book = openpyxl.Workbook()
    book.active["A1"], book.active[cell] = "Name", "x"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda: far("XFD1048576"), id="the last cell: 400 GB"),
        pytest.param(lambda: far("AX1048576"), id="50 columns: 1.2 GB"),
        pytest.param(bomb, id="what unpacks to far more"),
    ],
)
def test_what_would_fill_the_machine_is_refused(content):
    with pytest.raises(BadTable) as refused:
        read_table(content())
    assert refused.value.code == "no_workbook"


def test_a_long_sheet_that_is_nearly_empty_is_read():
    assert [line.number for line in read_table(far("B100000")).lines] == [1, 100_000]
