"""Print a rule book: as a page for a browser, and on paper."""

from collections.abc import Sequence
from html import escape
from typing import TypeAlias

from kiosk.language import say
from kiosk.language.rules import book_name
from kiosk.paper.sheet import BOTTOM_MM, FAINT_GREY, LEFT_MM, RIGHT_MM, TOP_MM, PdfSheet
from kiosk.paper.type import MM, clean, wrapped
from kiosk.rules.describe import describe, options_facts
from kiosk.rules.describe.fact import Fact
from kiosk.rules.describe.told import tell
from kiosk.rules.engine.book import RuleBook
from kiosk.table.scoresheet.written import section_number

#: Label, value, section of each row, under the heading of its chapter.
Chapters: TypeAlias = Sequence[tuple[str, Sequence[tuple[str, str, str]]]]

_LABEL_MM, _VALUE_MM, _SECTION_MM = 58.0, 88.0, 28.0
_SIZE, _GAP_MM = 8.5, 1.6


def chapters_of(book: RuleBook, language: str) -> Chapters:
    """List everything that a book says, in words: its rules, the club's own sentences, its options."""

    def row(fact: Fact) -> tuple[str, str, str]:
        return tell(fact.label, language), tell(fact.value, language), _numbers(fact.section, book)

    found = [(tell(one.title, language), [row(fact) for fact in one.facts]) for one in describe(book)]
    if book.own is not None and book.own.sentences:
        said = [(_numbers(section, book), text, "") for section, text in book.own.sentences.items()]
        found.insert(0, (say("new_book", "sentences", language), said))
    return [*found, (say("chapters", "options", language), [row(fact) for fact in options_facts(book)])]


def _numbers(sections: str, book: RuleBook) -> str:
    """Return sections as the book itself names them: its own by their numbers alone, others with their book."""
    return ", ".join(section_number(one, book.name) for one in sections.split(", "))


def under_title(book: RuleBook, language: str) -> str:
    """Return what stands under a book's title: name, source, and on what it stands."""
    parts = [book_name(book.name, language), book.source]
    if book.own is not None:
        parts.append(say("new_book", "stands_upon", language, base=book_name(book.own.base, language)))
    return " · ".join(parts)


_STYLE = """
body { font: 16px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #111 }
h1 { line-height: 1.2 } h2 { margin: 2.2rem 0 .4rem } p { color: #555 }
table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 600; width: 32% }
th, td { padding: .35rem .6rem .35rem 0; border-top: 1px solid #ddd; vertical-align: top }
td + td { width: 16%; color: #555; white-space: nowrap } @media print { body { font-size: 11px; margin: 0 } }
@media (max-width: 40rem) { h1 { font-size: 1.5rem } th { overflow-wrap: anywhere } td + td { white-space: normal } }
"""


def as_html(book: RuleBook, language: str) -> str:
    """Return a whole page that needs nothing else."""
    lines = [
        f'<!doctype html><html lang="{escape(language)}"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(book.title)}</title><style>{_STYLE}</style>",
        f"<h1>{escape(book.title)}</h1><p>{escape(under_title(book, language))}</p>",
    ]
    for title, rows in chapters_of(book, language):
        lines.append(f"<h2>{escape(title)}</h2><table>")
        lines += [
            f'<tr><th scope="row">{escape(label)}</th><td>{escape(value)}</td><td>{escape(section)}</td></tr>'
            for label, value, section in rows
        ]
        lines.append("</table>")
    return "\n".join([*lines, "</html>", ""])


def as_pdf(book: RuleBook, language: str) -> bytes:
    """Return A4 pages."""
    sheet = PdfSheet(book.title, footer=under_title(book, language))
    y = TOP_MM + 5
    y = sheet.paragraph(y, book.title, 16, bold=True)
    y = sheet.paragraph(y + 1, under_title(book, language), 8) + 3
    for title, rows in chapters_of(book, language):
        if y > BOTTOM_MM - 20:
            y = _next(sheet)
        sheet.text(LEFT_MM, y + 4, title, 11, bold=True)
        y += 6
        for label, value, section in rows:
            y = _row(sheet, y, label, value, section)
        y += 4
    return sheet.finish()


def _next(sheet: PdfSheet) -> float:
    sheet.new_page()
    return TOP_MM


def _row(sheet: PdfSheet, y: float, label: str, value: str, section: str) -> float:
    """Draw one row; return its bottom edge."""
    widths = (_LABEL_MM, _VALUE_MM, _SECTION_MM)
    cells = [wrapped(clean(text), wide - 3, _SIZE) for text, wide in zip((label, value, section), widths, strict=True)]
    step = 1.25 * _SIZE / MM
    if y + step * max(map(len, cells)) + _GAP_MM > BOTTOM_MM:
        y = _next(sheet)
    sheet.line(LEFT_MM, y, RIGHT_MM, y, 0.25, 0.7)
    x = LEFT_MM
    for place, (lines, wide) in enumerate(zip(cells, widths, strict=True)):
        for number, line in enumerate(lines):
            grey = FAINT_GREY if place == 2 else 0.0
            sheet.text(x, y + step * (number + 1), line, _SIZE, grey=grey)
        x += wide
    return y + step * max(map(len, cells)) + _GAP_MM
