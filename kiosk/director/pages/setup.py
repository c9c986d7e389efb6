"""Describe the tournament for its set-up page: plain JSON values, words in the requested language."""

from collections.abc import Mapping
from typing import Any

from kiosk.errors import BadNote
from kiosk.language import Language, say
from kiosk.rules.books import BOOKS
from kiosk.rules.describe.told import allowed_told, option_told, value_told
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import CHAPTERS
from kiosk.rules.options.option import Option
from kiosk.tournament.draw import seating
from kiosk.tournament.tournament import RoundPlan, Tournament


def shown(tournament: Tournament, language: Language = "de") -> dict[str, Any]:
    """Describe everything that the page shows of it."""
    book = tournament.book
    players, substitutes = tournament.present()
    wanted = not book.seating.fives_section
    minutes = None if tournament.minutes is None else f"{tournament.minutes:g}"
    return {
        "name": tournament.name,
        "chosen": tournament.chosen,
        "books": [{"name": one.name, "title": one.title, "source": one.source} for one in BOOKS.values()],
        "book": book_shown(book.name, language, tournament.options),
        "rounds": tournament.rounds,
        "minutes": minutes,
        "start": tournament.start.isoformat("minutes") if tournament.start else "",
        "day": tournament.day.isoformat() if tournament.day else "",
        "people": [
            {
                "name": person.name,
                "substitute": person.substitute,
                "checked_in": person.checked_in_ms,
                "late": tournament.late_minutes(person),
                "gone": person.gone_ms,
                "number": person.number,
                "club": person.club,
                "paid": person.paid_ms,
            }
            for person in tournament.people.values()
        ],
        "present": list(players),
        "substitutes_present": list(substitutes),
        "possible": {
            fives: _possible(book, len(players), len(substitutes), fives == "fives") for fives in ("fours", "fives")
        },
        "fives_wanted": wanted and 5 in book.tables,
        "plans": {str(number): _plan(tournament, plan) for number, plan in sorted(tournament.plans.items())},
        "aliases": dict(tournament.aliases),
        "replaced": [
            {"round": one.round, "table": one.table, "seat": one.seat, "left": one.left, "came": one.came}
            for one in tournament.replaced
        ],
        "courts": [
            {"round": one.round, "table": one.table, "tables": list(one.tables), "since": one.since_ms}
            for one in tournament.courts
        ],
    }  # fmt: skip


def book_shown(rules: str, language: Language = "de", chosen: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Describe a book with its options.

    :raises BadNote: there is no such book.
    """
    book = BOOKS.get(rules)
    if book is None:
        raise BadNote("malformed", f"rules {rules!r}: no such book; there are {', '.join(BOOKS)}")
    values = book.settle(chosen or {})
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "tables": list(book.tables),
        "seating": {
            "section": book.cite(book.seating.section),
            "lot_alone": book.cite(book.seating.lot_alone),
            "fives_section": book.cite(book.seating.fives_section),
            "substitutes_section": book.cite(book.seating.substitutes_section),
            "court_section": book.cite(book.seating.court_section),
        },
        "chapters": [
            {
                "name": say("chapters", chapter, language),
                "options": [
                    _option(book, one, values[one.name], language) for one in book.options if one.chapter == chapter
                ],
            }
            for chapter in CHAPTERS
            if any(one.chapter == chapter for one in book.options)
        ],
    }  # fmt: skip


def _option(book: RuleBook, option: Option, value: bool | str | int, language: Language) -> dict[str, Any]:
    span = option.values if isinstance(option.values, range) else None
    return {
        "name": option.name,
        "type": option.type,
        "value": value,
        "default": option.default,
        "default_told": value_told(option, option.default, language),
        "told": option_told(option, language),
        "section": book.cite(option.section),
        "range": [span[0], span[-1], span.step] if span else None,
        "values": None if span else [[one, value_told(option, one, language)] for one in option.values],
        "allowed": allowed_told(option, language),
    }  # fmt: skip


def _possible(book: RuleBook, players: int, substitutes: int, fives: bool) -> dict[str, Any]:
    found = seating(book, players, substitutes, fives)
    return {
        "sizes": found.sizes,
        "filling": found.filling,
        "missing": found.missing,
        "surplus": found.surplus,
        "fives_would_do": found.fives_would_do,
    }


def _plan(tournament: Tournament, plan: RoundPlan) -> dict[str, Any]:
    before = {
        frozenset((one, other))
        for number, earlier in tournament.plans.items()
        if number < plan.round
        for names in earlier.seats.values()
        for one in names
        for other in names
        if one != other
    }
    again = {
        tuple(sorted((one, other)))
        for names in plan.seats.values()
        for one in names
        for other in names
        if one != other and frozenset((one, other)) in before
    }
    seated = {name for names in plan.seats.values() for name in names}
    return {
        "seats": {str(table): list(names) for table, names in sorted(plan.seats.items())},
        "seed": plan.seed,
        "mended": plan.mended,
        "published": plan.published,
        "met_again": sorted(again),
        "unseated": [name for name in tournament.present()[0] if name not in seated],
        "missing": sorted(seated - {name for names in tournament.present() for name in names}),
    }
