"""Summarise the options of a book for a screen on which people set them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kiosk.language import say
from kiosk.rules.books import BOOKS, settle
from kiosk.rules.describe.told import option_told, refusal_told, value_told
from kiosk.rules.engine.book import BadOption
from kiosk.rules.options.known import CHAPTERS
from kiosk.rules.options.option import Value


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """An option with the value that it has for the round."""

    name: str
    chapter: str  # in words
    told: str
    section: str  # as cited
    value: Value
    value_told: str
    values: Sequence[Value]  # all that it may be
    changed: bool  # it differs from the book

    def step(self, by: int) -> Value:
        """Return the value so many places further; numbers end, choices go round."""
        place = self.values.index(self.value) + by
        if isinstance(self.values, range):
            return self.values[min(max(place, 0), len(self.values) - 1)]
        return self.values[place % len(self.values)]


def options_view(rules: str, chosen: Mapping[str, object], language: str = "de") -> tuple[OptionView, ...]:
    """List the options of a book in the order of their chapters.

    :raises BadOption: the values contradict each other.
    """
    book = BOOKS[rules]
    values = settle(book, chosen)
    return tuple(
        OptionView(
            name=one.name,
            chapter=say("chapters", chapter, language),
            told=option_told(one, language),
            section=book.cite(one.section),
            value=values[one.name],
            value_told=value_told(one, values[one.name], language),
            values=one.values,
            changed=values[one.name] != one.default,
        )
        for chapter in CHAPTERS
        for one in book.options
        if one.chapter == chapter and len(one.values) > 1
    )


def contradiction(rules: str, chosen: Mapping[str, object], language: str = "de") -> str:
    """Say why these values cannot go together, with the way out; "" if they do."""
    try:
        settle(BOOKS[rules], chosen)
    except BadOption as error:
        return refusal_told(error, language)
    return ""
