"""The rule books, side by side."""

from kiosk.rules.book import RuleBook
from kiosk.rules.eppstein import EPPSTEIN

__all__ = ["BOOKS", "EPPSTEIN"]

#: The books that are filled in, by the protocol's name.
BOOKS: dict[str, RuleBook] = {book.name: book for book in (EPPSTEIN,)}
