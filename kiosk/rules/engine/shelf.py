"""Keep the books side by side: the program's own, and those that clubs have made."""

from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

from kiosk.rules.engine.book import RuleBook


class Shelf(dict[str, RuleBook]):
    """Books by name. Listed are the program's own and the clubs' that are put here.

    Found is besides every book by which a round here is played, by its full name, as long as there is such a round: a
    book's full name tells its content, so that one name never means two. A club's book that is put here is found by the
    name the club gave it, too.
    """

    def __init__(self, books: Iterable[RuleBook]) -> None:
        super().__init__({book.name: book for book in books})
        self.shipped = tuple(self)  # names of the program's own
        self._met: WeakValueDictionary[str, RuleBook] = WeakValueDictionary()

    def put(self, book: RuleBook) -> None:
        """List a club's book; an older one of the same club's name is listed no more."""
        self.take_away(book.own.name if book.own else book.name)
        self[book.name] = self.met(book)

    def take_away(self, name: str) -> None:
        """List a club's book no more; rounds that are played by it go on."""
        for full in [full for full, book in self.items() if book.own is not None and book.own.name == name]:
            del self[full]

    def met(self, book: RuleBook) -> RuleBook:
        """Find this book from now on as long as anybody holds it; return the one that is found."""
        return self.get(book.name) or self._met.setdefault(book.name, book)

    def cited(self, name: str) -> RuleBook | None:
        """Return a book by the name with which its sections are cited: a club's by the club's, listed or only met."""
        met = (book for book in self._met.values() if book.own is not None and book.own.name == name)
        found: RuleBook | None = self.get(name) or next(met, None)
        return found

    def _besides(self, name: object) -> RuleBook | None:
        listed = next((book for book in self.values() if book.own is not None and book.own.name == name), None)
        return listed or (self._met.get(name) if isinstance(name, str) else None)

    def __missing__(self, name: str) -> RuleBook:
        found = self._besides(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._besides(name) is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the book of that name; ``default`` if there is none."""
        try:
            return self[name]
        except KeyError:
            return default
