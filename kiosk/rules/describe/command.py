"""Run ``stichwart rules``: list the books, print a book's rules or the differences between two."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, TextIO

from kiosk.errors import BadConfig, shorten
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.known import ENDING, FOLDER, put_books, read_book
from kiosk.rules.describe import Difference, compare, data, near
from kiosk.rules.describe.text import LEAST_WIDTH_COLUMNS, WIDTH_COLUMNS, book_text, books_text, differences_text
from kiosk.rules.describe.told import tell
from kiosk.rules.engine.book import RuleBook


def run(names: Sequence[str], language: str, as_json: bool, out: TextIO | None = None) -> int:
    """Print the requested description and return the exit status.

    :raises BadConfig: for a book that there is not, more than two of them, or one twice.
    """
    if len(names) > 2:
        raise BadConfig(f"{len(names)} books were named: {', '.join(names)}; name none, one, or two to compare")
    books = [named(name, language) for name in names[:1]]
    books += [_base(books[0]) if name == _BASE else named(name, language) for name in names[1:]]
    if len(books) == 2 and books[0] is books[1]:
        raise BadConfig(f"{books[0].name} was named twice; name two different books, known are {', '.join(BOOKS)}")
    if as_json:
        text = json.dumps(_data(books, language), ensure_ascii=False, indent=2) + "\n"
    elif not books:
        _take_own_books(language)
        text = books_text(BOOKS.values(), language, _width())
    elif len(books) == 1:
        text = book_text(books[0], language, _width())
    else:
        text = differences_text(books[0], books[1], language, _width())
    (out or sys.stdout).write(text)
    return 0


def _take_own_books(language: str) -> None:
    """Put this machine's own books on the shelf; what is wrong with one is told."""
    for wrong in put_books(FOLDER):
        print(wrong.told(language), file=sys.stderr)


#: What is written for the book that a club's own stands upon.
_BASE = "base"


def _base(book: RuleBook) -> RuleBook:
    """:raises BadConfig: the book stands upon no other."""
    if book.own is None:
        raise BadConfig(f"{book.name} stands upon no other book; name the one to compare with: {', '.join(BOOKS)}")
    return BOOKS[book.own.base]


def _width() -> int:
    """As wide as the terminal, within what reads well."""
    return min(WIDTH_COLUMNS, max(LEAST_WIDTH_COLUMNS, get_terminal_size((WIDTH_COLUMNS, 24)).columns))


def named(name: str, language: str = "en") -> RuleBook:
    """Return the book of that name.

    :raises BadConfig: if there is none; with what may have been meant.
    """
    if name.endswith(ENDING):
        return read_book(Path(name))
    if name not in BOOKS:
        _take_own_books(language)
    if name in BOOKS:
        return BOOKS[name]
    guess = near(name.lower(), list(BOOKS))
    meant = f"; did you mean {guess!r}?" if guess else ""
    raise BadConfig(f"rule book {shorten(name)} is not known; there are {', '.join(BOOKS)}{meant}")


def _data(books: Sequence[RuleBook], language: str) -> dict[str, Any]:
    if len(books) == 1:
        return data(books[0], language)
    if books:
        first, second = books
        found = [_difference(one, first, second, language) for one in compare(first, second)]
        return {"books": [first.name, second.name], "differences": found}
    keys = ("name", "title", "source", "players", "cards")
    return {"books": [{key: data(book, language)[key] for key in keys} for book in BOOKS.values()]}


def _difference(one: Difference, first: RuleBook, second: RuleBook, language: str) -> dict[str, Any]:
    sides = {first.name: one.first, second.name: one.second}
    return {
        "chapter": one.chapter,
        "key": one.key,
        "label": tell(one.label, language),
        "values": {name: tell(fact.value, language) if fact else None for name, fact in sides.items()},
        "sections": {name: fact.section if fact else None for name, fact in sides.items()},
    }
