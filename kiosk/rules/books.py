"""The rule books, side by side."""

from collections.abc import Mapping

from kiosk.rules.book import RuleBook
from kiosk.rules.bsv import BSV
from kiosk.rules.durchgaenge import DURCHGAENGE
from kiosk.rules.eppstein import EPPSTEIN
from kiosk.rules.option import Options, UnknownOption
from kiosk.rules.schaffkopf_book import SCHAFFKOPF
from kiosk.rules.schnittchen import SCHNITTCHEN

__all__ = ["BOOKS", "BSV", "DURCHGAENGE", "EPPSTEIN", "SCHAFFKOPF", "SCHNITTCHEN", "settle"]

#: The books that are filled in, by the protocol's name.
BOOKS: dict[str, RuleBook] = {book.name: book for book in (EPPSTEIN, BSV, DURCHGAENGE, SCHNITTCHEN, SCHAFFKOPF)}


def settle(book: RuleBook, given: Mapping[str, object]) -> Options:
    """All options of a book with the values that somebody has given; see ``RuleBook.settle``.

    :raises BadOption: as there; of an option of another book it says whose it is.
    """
    try:
        return book.settle(given)
    except UnknownOption as error:
        others = [one.name for one in BOOKS.values() if any(option.name == error.name for option in one.options)]
        raise UnknownOption(book.name, book.options, error.name, others) from error
