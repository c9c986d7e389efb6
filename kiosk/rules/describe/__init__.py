"""Describe a book's rules as the engine has them: found in the book's values and by made-up games."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from kiosk.rules.describe.announcing import announcing
from kiosk.rules.describe.breaches import breaches, listing, money
from kiosk.rules.describe.fact import Fact
from kiosk.rules.describe.finding import finding, play
from kiosk.rules.describe.frame import frame, games
from kiosk.rules.describe.scoring import scoring
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.option import Option, Options, Text, number_of

__all__ = ["Chapter", "Difference", "about_option", "compare", "data", "describe", "near", "options_facts"]

_CHAPTERS = (
    ("round", ("Rahmen der Runde", "Frame of the round"), frame),
    ("games", ("Spiele und Rangfolge", "Games and ranks"), games),
    ("finding", ("Spielfindung", "Finding the game"), finding),
    ("play", ("Spielverlauf", "Play"), play),
    ("calls", ("An- und Absagen", "Announcements"), announcing),
    ("scoring", ("Wertung", "Scoring"), scoring),
    ("offences", ("Regelverstöße", "Offences"), breaches),
    ("money", ("Kasse", "Money"), money),
    ("list", ("Liste und Rangliste", "List and standing"), listing),
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
    found = [Chapter(key=key, title=title, facts=tuple(made(book, settled))) for key, title, made in _CHAPTERS]
    return tuple(chapter for chapter in found if chapter.facts)


def options_facts(book: RuleBook, options: Options | None = None) -> tuple[Fact, ...]:
    """List all options with their values as facts."""
    settled = book.settle({}) if options is None else options
    return tuple(
        Fact(
            key=option.name,
            label=(f"{option.about.told[0]} ({option.name})", f"{option.about.told[1]} ({option.name})"),
            value=(option.value_told(settled[option.name], "de"), option.value_told(settled[option.name], "en")),
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
        "meaning": option.told(language),
        "words": {str(value): option.value_told(value, language) for value in option.about.words if value in values},
    }


def data(book: RuleBook, language: str) -> dict[str, Any]:
    """Return the whole description as data. ``options``: every option with its default, as ``open`` takes them."""
    number = number_of(language)
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "players": list(book.tables),
        "cards": len(book.deck),
        "chapters": [
            {
                "chapter": chapter.key,
                "title": chapter.title[number],
                "facts": [
                    {"key": f.key, "label": f.label[number], "value": f.value[number], "section": f.section}
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
    """Compare two books: rules in the order of the chapters, then the options that only one has."""
    chapters = [{chapter.key: chapter for chapter in describe(book)} for book in (first, second)]
    found: list[Difference] = []
    for key, title, _ in _CHAPTERS:
        sides = [{fact.key: fact for fact in side[key].facts} if key in side else {} for side in chapters]
        found += _differences(key, title, sides[0], sides[1])
    sides = [{fact.key: fact for fact in options_facts(book)} for book in (first, second)]
    shared = sides[0].keys() & sides[1].keys()
    alone = [{key: fact for key, fact in side.items() if key not in shared} for side in sides]
    return (*found, *_differences("options", ("Optionen nur in einem", "Options of one alone"), alone[0], alone[1]))


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
