"""Describe the tournament for its set-up page: plain JSON values, words in the requested language."""

from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.language import Language, say
from kiosk.rules.describe.told import allowed_told, option_told, value_told
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.options.known import CHAPTERS
from kiosk.rules.options.option import Option
from kiosk.tournament.draws.tables import seating
from kiosk.tournament.programme import PlannedRound
from kiosk.tournament.tournament import RoundPlan, Tournament


def shown(tournament: Tournament, books: Iterable[RuleBook], language: Language = "de") -> dict[str, Any]:
    """Describe everything that the page shows of it.

    :param books: by which it may be played.
    """
    book = tournament.book
    players, substitutes = tournament.present()
    minutes = None if tournament.minutes is None else f"{tournament.minutes:g}"
    return {
        "name": tournament.name,
        "chosen": tournament.chosen,
        "books": [
            {"name": one.name, "title": one.title, "source": one.source, "earlier": earlier}
            for one, earlier in books_of(tournament, books)
        ],
        "book": book_shown(book, language, tournament.options),
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
                "payments": len(person.payments_ms),
            }
            for person in tournament.people.values()
        ],
        "present": list(players),
        "substitutes_present": list(substitutes),
        "by_round": {str(number): _round(tournament, number) for number in range(1, tournament.rounds + 1)},
        "programme": bool(tournament.programme),
        "seat_wishes": _seat_wishes(tournament),
        "watch": {"quiet": tournament.quiet_minutes, "behind": tournament.games_behind},
        "plans": {str(number): _plan(tournament, plan) for number, plan in sorted(tournament.plans.items())},
        "saved": dict(tournament.saved),
        "aliases": dict(tournament.aliases),
        "board": {
            "announcements": [{"number": one.number, "text": one.text} for one in tournament.board.announcements],
            "sign": tournament.board.sign,
        },
        "replaced": [
            {"round": one.round, "table": one.table, "seat": one.seat, "left": one.left, "came": one.came}
            for one in tournament.replaced
        ],
        "courts": [
            {"round": one.round, "table": one.table, "tables": list(one.tables), "since": one.since_ms}
            for one in tournament.courts
        ],
    }  # fmt: skip


def books_of(tournament: Tournament, books: Iterable[RuleBook]) -> list[tuple[RuleBook, bool]]:
    """List the books by which it may be played, and earlier states by which it is played, these marked."""
    offered = {one.name: one for one in books}
    rounds = (tournament.rules_of(number).book for number in range(1, tournament.rounds + 1))
    played = {one.name: one for one in (tournament.book, *rounds) if one.name not in offered}
    return [*((one, False) for one in offered.values()), *((one, True) for one in played.values())]


def book_shown(book: RuleBook, language: Language = "de", chosen: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Describe a book with its options."""
    values = book.settle(chosen or {})
    return {
        "name": book.name,
        "title": book.title,
        "source": book.source,
        "own": {"name": book.own.name, "content": book.own.content} if book.own is not None else None,
        "tables": list(book.tables),
        "seating": _seating(book),
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


def _seating(book: RuleBook) -> dict[str, str]:
    return {
        "section": book.cite(book.seating.section),
        "lot_alone": book.cite(book.seating.lot_alone),
        "fives_section": book.cite(book.seating.fives_section),
        "substitutes_section": book.cite(book.seating.substitutes_section),
        "court_section": book.cite(book.seating.court_section),
    }


def _round(tournament: Tournament, number: int) -> dict[str, Any]:
    """One round of the programme, or as it would be without one."""
    planned, rules = tournament.programme.get(number, PlannedRound()), tournament.rules_of(number)
    book = rules.book
    players, substitutes = tournament.present()
    return {
        "kind": planned.kind,
        "rules": planned.rules or "",
        "title": book.title,
        "games": planned.games,
        "minutes": planned.minutes,
        "start": planned.start.isoformat("minutes") if planned.start else "",
        "pause": planned.pause,
        "finalists": planned.finalists,
        "tables": list(book.tables),
        "seating": _seating(book),
        "fives_wanted": not book.seating.fives_section and 5 in book.tables,
        "possible": {
            fives: _possible(book, len(players), len(substitutes), fives == "fives") for fives in ("fours", "fives")
        },
    }  # fmt: skip


def _seat_wishes(tournament: Tournament) -> dict[str, Any]:
    wishes = tournament.seat_wishes
    return {
        "apart": [{"names": [tournament.called(name) for name in one.names], "must": one.must} for one in wishes.apart],
        "clubs": wishes.clubs,
        "fixed": [
            {"name": tournament.called(name), "table": table, "seat": seat}
            for name, (table, seat) in wishes.fixed.items()
        ],
        "halls": [{"name": name, "tables": tables} for name, tables in wishes.halls],
        "stay": wishes.stay,
    }


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
        "kind": plan.kind,
        "drawn": plan.drawn,
        "changed": plan.changed,
        "together": [[tournament.called(name) for name in pair] for pair in plan.together],
        "moved": [tournament.called(name) for name in plan.moved],
        "finalists": [tournament.called(name) for name in plan.finalists],
        "mended": plan.mended,
        "published": plan.published,
        "met_again": sorted(again),
        "unseated": [name for name in tournament.present()[0] if name not in seated],
        "missing": sorted(seated - {name for names in tournament.present() for name in names}),
    }
