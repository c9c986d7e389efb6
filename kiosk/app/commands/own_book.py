"""Begin a club's own book, and print a book: ``stichwart rules --new``, ``--html`` and ``--pdf``."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from kiosk.errors import BadConfig, shorten
from kiosk.paper.command import refuse_overwriting, write
from kiosk.paper.rule_book import as_html, as_pdf
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import NAME
from kiosk.rules.composed.known import ENDING, FOLDER
from kiosk.rules.composed.new import new_text
from kiosk.rules.describe.command import named


def begin(name: str, base: str, target: Path, language: str, out: TextIO | None = None) -> int:
    """Write the file of a new book that plays as its base does, and say what to do with it.

    :raises BadConfig: no book can be called so or stand upon that, or there is such a file.
    """
    if not NAME.fullmatch(name) or name in BOOKS.shipped:
        raise BadConfig(
            f"--new {shorten(name)}: a book's name is 2 to 24 small letters, digits and -, and not {_shipped()}"
        )
    if base not in BOOKS.shipped:
        raise BadConfig(f"--from {shorten(base)}: a club's book stands upon one of {_shipped()}; name it")
    path = target / f"{name}{ENDING}"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(new_text(BOOKS[base], language))
    except FileExistsError:
        raise BadConfig(f"{path} is there already; choose another name, or move it away") from None
    except OSError as error:
        raise BadConfig(f"{path} cannot be written: {error.strerror}") from error
    told = f"{path} is written. Change it, then: stichwart rules {path}; and lay it into {FOLDER}, or beside the file"
    print(f"{told} of table or direction in a folder 'books'", file=out or sys.stdout)
    return 0


def print_book(books: Sequence[str], html: Path | None, pdf: Path | None, language: str) -> int:
    """Write one book as a page, or as A4 pages.

    :raises KioskError: there is no such book, or a file cannot be written.
    """
    if len(books) != 1:
        raise BadConfig("--html and --pdf print one book; name it")
    book = named(books[0], language)
    refuse_overwriting([Path(books[0])], {"--html": html, "--pdf": pdf})
    if html is not None:
        write(html, as_html(book, language).encode())
    if pdf is not None:
        write(pdf, as_pdf(book, language))
    return 0


def _shipped() -> str:
    return ", ".join(BOOKS.shipped)
