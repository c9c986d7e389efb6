"""Find books by name, and a club's own book by the content that goes with a round."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook, Source, digest, read_text, wrong
from kiosk.rules.composed.make import compose
from kiosk.rules.engine.book import RuleBook

#: Where the own books of an installed service lie, beside its configuration.
FOLDER = Path("/etc/stichwart/books")

#: How the name of a book's file ends.
ENDING = ".toml"


def book_by_content(name: str, content: Mapping[str, Any], source: str) -> RuleBook:
    """Return the club's book of that full name, made of this content; it is found by its name from now on.

    :param source: where the content comes from, for errors.
    :raises BadBook: it cannot be played by, or is not what its name says.
    """
    short, _, digits = name.partition(".")
    try:
        fits = digits == digest(content)
    except (ValueError, RecursionError):
        fits = False
    if not fits:
        raise BadBook(Source(source), wrong("other_content", name=repr(name[:40])))
    return BOOKS.get(name) or BOOKS.met(compose(short, content, Source(source)))


def read_book(path: Path) -> RuleBook:
    """Read a club's book from its file; it is not listed by that.

    :raises BadBook: the file cannot be read, or the book not be played by.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadBook(Source(str(path)), wrong("cannot_be_read", why=str(error.strerror))) from error
    return book_of_text(path.name.removesuffix(ENDING), decoded(text, str(path)), str(path))


def decoded(content: bytes, source: str) -> str:
    """Return the text of a file.

    :raises BadBook: it is none.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadBook(Source(source), wrong("no_utf8", byte=error.start)) from error


def book_of_text(name: str, text: str, source: str) -> RuleBook:
    """Make a club's book of the text of its file.

    :raises BadBook: it cannot be played by.
    """
    told = Source(source, text)
    return BOOKS.met(compose(name, read_text(text, told), told))


def put_books(folder: Path) -> list[BadBook]:
    """List all books whose files lie in a folder, the last state of each; return what is wrong with the others."""
    wrong = []
    for path in sorted(folder.glob(f"*{ENDING}")) if folder.is_dir() else ():
        try:
            BOOKS.put(read_book(path))
        except BadBook as error:
            wrong.append(error)
    return wrong
