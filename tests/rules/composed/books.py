"""Books of clubs for tests."""

from typing import Any

from kiosk.rules.books import BOOKS
from kiosk.rules.composed.file import Source
from kiosk.rules.composed.known import book_of_text
from kiosk.rules.composed.make import compose
from kiosk.rules.engine.book import RuleBook

HEAD = 'title = "Hausregeln"\nsource = "Aushang"\n'


def written(text: str, base: str = "bsv", name: str = "mittwoch") -> RuleBook:
    """Return the book that this file makes; three lines stand before ``text``."""
    return book_of_text(name, f'base = "{base}"\n{HEAD}{text}', f"{name}.toml")


def made(base: str = "bsv", **content: Any) -> RuleBook:
    """Return the book of this content."""
    head = {"base": base, "title": "Hausregeln", "source": "Aushang"}
    return BOOKS.met(compose("mittwoch", head | content, Source("mittwoch")))
