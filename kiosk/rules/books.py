"""The rule books, side by side."""

from kiosk.rules.book import RuleBook
from kiosk.rules.eppstein import EPPSTEIN
from kiosk.rules.schaffkopf_book import SCHAFFKOPF

__all__ = ["BOOKS", "EPPSTEIN", "SCHAFFKOPF"]

#: The books that are filled in, by the protocol's name.
BOOKS: dict[str, RuleBook] = {book.name: book for book in (EPPSTEIN, SCHAFFKOPF)}
