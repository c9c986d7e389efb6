"""Define what a round is played by: book, options that differ from it, minutes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from kiosk.errors import BadNote
from kiosk.language import languages
from kiosk.rules.books import BOOKS, settle
from kiosk.rules.describe.told import refusal_named, refusal_told
from kiosk.rules.engine.book import BadOption, RuleBook

OptionValue = bool | str | int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRules:
    """What one round is played by."""

    rules: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)  # only those decided otherwise than the book
    minutes: float | None = None  # None: as book and options say

    @property
    def book(self) -> RuleBook:
        """The rule book."""
        return BOOKS[self.rules]


def settled(book: RuleBook, options: Mapping[str, object]) -> dict[str, OptionValue]:
    """Return the options that differ from the book's own.

    :raises BadNote: one that the book does not have or take.
    """
    try:
        found = settle(book, options)
    except BadOption as error:
        told = {language: refusal_told(error, language) for language in languages()}
        raise BadNote("option", refusal_named(error), **told) from error
    default = book.settle({})
    return {name: found[name] for name in options if found[name] != default[name]}


def takes(book: RuleBook, name: str, number: float) -> bool:
    """Report whether the book has a whole number as an option, and takes this one."""
    return number == int(number) and any(one.name == name and one.takes(int(number)) for one in book.options)
