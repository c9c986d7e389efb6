"""The rule books, side by side."""

from kiosk.rules.book import RuleBook
from kiosk.rules.bsv import BSV
from kiosk.rules.durchgaenge import DURCHGAENGE
from kiosk.rules.eppstein import EPPSTEIN
from kiosk.rules.schaffkopf_book import SCHAFFKOPF
from kiosk.rules.schnittchen import SCHNITTCHEN

__all__ = ["BOOKS", "BSV", "DURCHGAENGE", "EPPSTEIN", "SCHAFFKOPF", "SCHNITTCHEN"]

#: The books that are filled in, by the protocol's name.
BOOKS: dict[str, RuleBook] = {book.name: book for book in (EPPSTEIN, BSV, DURCHGAENGE, SCHNITTCHEN, SCHAFFKOPF)}
