"""Collect the rule books."""

from collections.abc import Mapping

from kiosk.rules.books.bsv import BSV
from kiosk.rules.books.ddv import DDV
from kiosk.rules.books.durchgaenge import DURCHGAENGE
from kiosk.rules.books.eppstein import EPPSTEIN
from kiosk.rules.books.schaffkopf_book import SCHAFFKOPF
from kiosk.rules.books.schnittchen import SCHNITTCHEN
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.shelf import Shelf
from kiosk.rules.options.option import Options, UnknownOption

__all__ = ["BOOKS", "BSV", "DDV", "DEFAULT", "DURCHGAENGE", "EPPSTEIN", "SCHAFFKOPF", "SCHNITTCHEN", "settle"]

#: The books that are filled in, by the protocol's name.
BOOKS = Shelf((EPPSTEIN, BSV, DDV, DURCHGAENGE, SCHNITTCHEN, SCHAFFKOPF))


#: By which a table, a tournament and a trial play where nobody has said by which.
DEFAULT = EPPSTEIN.name


def settle(book: RuleBook, given: Mapping[str, object]) -> Options:
    """Complete a book's options with the given values; see ``RuleBook.settle``.

    :raises BadOption: as there; of an option of another book it says whose it is.
    """
    try:
        return book.settle(given)
    except UnknownOption as error:
        others = [one.name for one in BOOKS.values() if any(option.name == error.name for option in one.options)]
        raise UnknownOption(book.name, book.options, error.name, others) from error
