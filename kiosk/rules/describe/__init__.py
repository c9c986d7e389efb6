"""Describe a book's rules as the engine has them: found in the book's values and by made-up games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from kiosk.rules.composed.quoting import quoted
from kiosk.rules.describe.announcing import announcing
from kiosk.rules.describe.breaches import breaches, listing, money
from kiosk.rules.describe.fact import Fact
from kiosk.rules.describe.finding import finding, play
from kiosk.rules.describe.frame import frame, games
from kiosk.rules.describe.scoring import scoring
from kiosk.rules.describe.told import option_told, tell, value_told, value_words, values_with_words
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.option import Option, Options
from kiosk.rules.options.words import Text, Words, join

__all__ = ["Chapter", "Difference", "about_option", "compare", "data", "describe", "near", "options_facts"]

_CHAPTERS = (
    ("round", frame),
    ("games", games),
    ("finding", finding),
    ("play", play),
    ("calls", announcing),
    ("scoring", scoring),
    ("offences", breaches),
    ("money", money),
    ("list", listing),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A chapter of a description."""

    key: str
    title: Text
    facts: tuple[Fact, ...]


def describe(book: RuleBook, options: Options | None = None) -> tuple[Chapter, ...]:
    """Describe the rules of a book with a round's options, by default the book's own, without empty chapters."""
    settled = book.settle({}) if options is None else options
    found = [
        Chapter(key=key, title=Words("chapters", key), facts=tuple(made(book, settled))) for key, made in _CHAPTERS
    ]
    return tuple(chapter for chapter in found if chapter.facts)


def options_facts(book: RuleBook, options: Options | None = None) -> tuple[Fact, ...]:
    """List all options with their values as facts."""
    settled = book.settle({}) if options is None else options
    return tuple(
        Fact(
            key=option.name,
            label=join((Words("options", option.name), f"({option.name})"), " "),
            value=value_words(option, settled[option.name]),
            section=option.section,
        )
        for option in book.options
    )


def about_option(option: Option, language: str) -> dict[str, Any]:
    """Describe an option as data: type, default, allowed values, section and meaning."""
    values = option.values
    numbers = {"from": values[0], "to": values[-1], "step": values.step} if isinstance(values, range) else None
    return {
        "name": option.name,
        "type": option.type,
        "default": option.default,
        **({"range": numbers} if numbers else {"values": list(values)}),
        "section": option.section,
        "chapter": option.chapter,
        "meaning": option_told(option, language),
        "words": {str(value): value_told(option, value, language) for value in values_with_words(option)},
    }


def data(book: RuleBook, language: str) -> dict[str, Any]:
    """Return the whole description as data. ``options``: every option with its default, as ``open`` takes them."""
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "players": list(book.tables),
        "cards": len(book.deck),
        "chapters": [
            {
                "chapter": chapter.key,
                "title": tell(chapter.title, language),
                "facts": [
                    {
                        "key": f.key,
                        "label": tell(f.label, language),
                        "value": tell(f.value, language),
                        "section": f.section,
                    }
                    for f in chapter.facts
                ],
            }
            for chapter in describe(book)
        ],
        "options": {option.name: option.default for option in book.options},
        "about_options": [about_option(option, language) for option in book.options],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference between two books; None where one of them lacks the fact."""

    chapter: str
    title: Text
    key: str
    label: Text
    first: Fact | None
    second: Fact | None


def compare(first: RuleBook, second: RuleBook) -> tuple[Difference, ...]:
    """Compare two books: rules in the order of the chapters, then the options that only one has.

    Beside a club's own book, which cites several, the other one names itself in its sections, too.
    """
    if first.own or second.own:
        first, second = quoted(first), quoted(second)
    chapters = [{chapter.key: chapter for chapter in describe(book)} for book in (first, second)]
    found: list[Difference] = []
    for key, _ in _CHAPTERS:
        sides = [{fact.key: fact for fact in side[key].facts} if key in side else {} for side in chapters]
        found += _differences(key, Words("chapters", key), sides[0], sides[1])
    sides = [{fact.key: fact for fact in options_facts(book)} for book in (first, second)]
    shared = sides[0].keys() & sides[1].keys()
    alone = [{key: fact for key, fact in side.items() if key not in shared} for side in sides]
    return (*found, *_differences("options", Words("chapters", "options_of_one"), alone[0], alone[1]))


def _differences(
    chapter: str, title: Text, first: Mapping[str, Fact], second: Mapping[str, Fact]
) -> Sequence[Difference]:
    """Facts of a chapter whose values differ, in the order of the first book."""
    found = []
    for key in (*first, *(key for key in second if key not in first)):
        here, there = first.get(key), second.get(key)
        if here is not None and there is not None and here.value == there.value:
            continue
        label = (here or there or first[key]).label
        found.append(Difference(chapter=chapter, title=title, key=key, label=label, first=here, second=there))
    return found


def near(name: str, known: Sequence[str]) -> str:
    """Suggest the name that was probably meant, "" if nothing is near."""
    return next(iter(get_close_matches(name, known, n=1, cutoff=0.5)), "")
