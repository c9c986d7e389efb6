"""Let a round be played by the book that it was opened with, wherever its list comes."""

from kiosk.errors import BadEvent, shorten
from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import BadBook
from kiosk.rules.composed.known import book_by_content
from kiosk.rules.engine.book import RuleBook
from kiosk.table.events.codec import decode_opening, encode
from kiosk.table.events.values import RoundOpened


def book_of(opening: RoundOpened) -> RuleBook:
    """Return the book by which a round is played.

    :raises BadEvent: there is no such book, or what the event carries is none.
    """
    if opening.book is not None:
        try:
            return book_by_content(opening.rules, opening.book, "open")
        except BadBook as error:
            raise BadEvent(str(error)) from error
    if opening.rules not in BOOKS.shipped and opening.rules not in BOOKS:
        raise BadEvent(f"open: unknown rule set {shorten(opening.rules)}; known are {', '.join(BOOKS)}")
    book = BOOKS[opening.rules]
    if book.own is not None:
        raise BadEvent(f"open: {book.own.name} is a club's own book; its content ('book') goes with the round")
    return book


def with_its_book(opening: RoundOpened) -> RoundOpened:
    """Return the event with the content of a club's own book, which is then known wherever the list comes."""
    book = BOOKS.get(opening.rules)
    if opening.book is not None or book is None or book.own is None:
        return opening
    return decode_opening({**encode(opening), "rules": book.name, "book": dict(book.own.content)})
