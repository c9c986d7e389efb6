"""Let notes that name a club's own book carry it, so that every director of them has it."""

from collections.abc import Mapping
from typing import Any

from kiosk.errors import BadNote, shorten
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import book_by_content
from kiosk.rules.engine.book import RuleBook

#: The key of a note under which it has the content of each such book, by its full name.
CARRIED = "books"


def with_books(note: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the note with the content of every club's book that it names."""
    rounds = note.get("rounds")
    named = [note.get("rules")]
    named += [one.get("rules") for one in rounds if isinstance(one, Mapping)] if isinstance(rounds, list) else []
    books = [BOOKS.get(name) for name in named if isinstance(name, str)]
    carried = {book.name: dict(book.own.content) for book in books if book is not None and book.own is not None}
    return {**note, CARRIED: carried} if carried else note


def books_of(note: Mapping[str, Any]) -> tuple[RuleBook, ...]:
    """Return the clubs' books that a note carries; from now on they are found by their names.

    :raises BadNote: one of them is none.
    """
    carried = note.get(CARRIED) or {}
    if not isinstance(carried, Mapping):
        raise BadNote("malformed", f"{CARRIED} {shorten(carried)}: contents of books by name are wanted")
    try:
        return tuple(book_by_content(str(name), content, CARRIED) for name, content in carried.items())
    except BadBook as error:
        raise BadNote("malformed", str(error)) from error
