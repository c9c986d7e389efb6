"""Compute and format the standing of a tournament and the rankings of a day and a year: data, text and CSV."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from kiosk.errors import KioskError, shorten
from kiosk.language import Language
from kiosk.language.ranking import ranking_word
from kiosk.language.rules import section_word
from kiosk.rules.engine.book import RuleBook
from kiosk.rules.engine.listing import ListRow
from kiosk.rules.engine.standings import DAY, Finished, is_final, ranking, standings, to_draw, year
from kiosk.rules.options.option import Options
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet import grid
from kiosk.table.scoresheet.counted import Apart, CountedList, as_written

#: Until this hour of the morning an evening is the day on which it began.
_NIGHT_ENDS = 6


def finished(listed: Round | CountedList, substitutes: Collection[str] = (), left: Collection[str] = ()) -> Finished:
    """Convert a table's list for the standing; points beside the games count as a row that nobody won.

    ``substitutes`` and ``left``: names beside those that the table knows itself.
    """
    counted = listed if isinstance(listed, CountedList) else as_written(listed)
    round_ = counted.written
    return Finished(
        round=round_.round,
        table=round_.table,
        players=counted.players,
        rows=(*counted.rows, *(apart_row(one) for one in counted.apart)),
        closed=counted.closed,
        substitutes=frozenset(substitutes) | {counted.players[seat - 1] for seat in counted.substitutes},
        left=frozenset(left) | round_.left,
        disqualified=counted.disqualified,
    )


def apart_row(one: Apart) -> ListRow:
    """Make a row of points that no game gave: it counts for the sum and for nothing that decides equal sums."""
    return ListRow(
        game=0,
        dealer=0,
        due=0,
        kind="normal",
        suit=None,
        declarer=None,
        duty=False,
        alone=None,
        score=one.score,
        total=one.score,
        won=frozenset(),
        points=0,
        void=True,
        struck=False,
        open=False,
    )


def standing_data(
    book: RuleBook,
    lists: Sequence[Finished],
    *,
    options: Options | None = None,
    draws: Sequence[Sequence[str]] = (),
    rounds: int | None = None,
    first: Collection[str] = (),
) -> dict[str, Any]:
    """Compute the standing: ``places`` best first, then people without one; ``columns`` that decided something.

    ``options``: of the tournament, by default the book's; ``rounds``: how many it has, None for as many as there are
    lists of; ``first``: who plays a final, and has a place before all others.
    """
    rule = book.standing_by(book.settle({}) if options is None else options)
    names = [measure.name for measure in rule.measures]
    places = standings(rule, lists, draws, first)
    deepest = max((one.decided for one in places if one.place), default=1)
    drawn = any(one.lot is not None for one in places)
    return {
        "rules": book.name,
        "title": book.title,
        "section": book.cite(rule.section),
        "trophies": list(rule.trophies),
        "measures": names,
        "lot": rule.lot,
        "columns": [*names[1:deepest], *(["lot"] if drawn else [])],
        "rounds": sorted({one.round for one in lists}),
        "of_rounds": rounds,
        "final": is_final(lists, rounds),
        "not_closed": [{"round": o.round, "table": o.table} for o in sorted(lists, key=_place) if not o.closed],
        "to_draw": [list(names) for names in to_draw(places)],
        "places": [
            {
                "place": one.place,
                "name": one.name,
                "points": one.values[0],
                "rounds": {str(number): points for number, points in one.rounds.items()},
                "tables": {str(number): list(tables) for number, tables in one.tables.items()},
                "values": dict(zip(names, one.values, strict=True)),
                "decided": names[1 : one.decided] + (["lot"] if one.lot is not None else []),
                "lot": one.lot,
                "needs_lot": one.needs_lot,
                "out": one.out,
                "final": one.final,
                "finalist": one.finalist,
            }
            for one in places
        ],
    }


def _place(one: Finished) -> tuple[int, int]:
    return one.round, one.table


def standing_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of the standing; tie-breaks only where they decided, last why somebody has no place."""
    rounds = data["rounds"] if len(data["rounds"]) > 1 else []
    out = any(one["out"] for one in data["places"])
    heads = [
        ranking_word("place", language),
        ranking_word("name", language),
        *(f"{ranking_word('round', language)} {number}" for number in rounds),
        ranking_word("points", language),
        *(ranking_word(name, language) for name in data["columns"]),
        *([""] if out else []),
    ]
    lines = [
        [
            one["place"] or "–",
            one["name"],
            *(one["rounds"].get(str(number), "") for number in rounds),
            one["points"],
            *(
                (one["lot"] if name == "lot" else one["values"][name]) if name in one["decided"] else ""
                for name in data["columns"]
            ),
            *([ranking_word(one["out"], language) if one["out"] else ""] if out else []),
        ]
        for one in data["places"]
    ]
    return heads, lines


def standing_notes(data: Mapping[str, Any], language: Language = "de") -> list[str]:
    """List the notes of the standing: why it is provisional, between whom the lot must decide, how it is made."""
    notes = []
    if not data["final"]:
        lists = ", ".join(
            f"{ranking_word('round', language)} {one['round']} {ranking_word('table', language)} {one['table']}"
            for one in data["not_closed"]
        )
        why = f"{ranking_word('not_closed', language)}: {lists}" if lists else ranking_word("rounds_left", language)
        notes.append(f"{ranking_word('provisional', language)}: {why}.")
    notes += corrected_notes(data.get("corrected"), language)
    if any(one["finalist"] for one in data["places"]):
        notes.append(ranking_word("finalists", language))
    for names in data["to_draw"]:
        notes.append(f"{ranking_word('lot_needed', language)} {', '.join(names)}.")
    if not data["section"]:
        notes.append(ranking_word("silent_lot" if data["lot"] else "silent", language))
    elif not data["lot"]:
        notes.append(f"{ranking_word('shared', language)} ({section_word(data['section'], language)})")
    return notes


def corrected_notes(corrected: Mapping[str, Any] | None, language: Language = "de") -> list[str]:
    """Say when a standing was put right that had been final, and whose places, and so prizes, are others now."""
    if corrected is None:
        return []
    when = datetime.fromtimestamp(corrected["at"] / 1000).strftime("%d.%m.%Y %H:%M")
    lists = ", ".join(
        f"{ranking_word('round', language)} {one['round']} {ranking_word('table', language)} {one['table']}"
        for one in corrected["lists"]
    )
    moved = ", ".join(
        ranking_word("moved", language, name=one["name"], now=one["now"] or "–", before=one["before"] or "–")
        for one in corrected["places"]
    )
    told = ranking_word("places_moved", language, places=moved) if moved else ranking_word("places_stay", language)
    return [f"{ranking_word('corrected', language, when=when, lists=lists)} {told}"]


def draw_text(one: Mapping[str, Any], language: Language = "de") -> str:
    """Format a lot: ``Los vom 21.11.2026 01:02: Fritz, Hanna (Startwert 8e71d6b2)``."""
    how = ranking_word("seed", language, seed=one["seed"]) if one["seed"] else ranking_word("by_hand", language)
    when = datetime.fromtimestamp(one["at"] / 1000).strftime("%d.%m.%Y %H:%M")
    return f"{ranking_word('lot_of', language, when=when)}: {', '.join(one['order'])} ({how})"


def standing_title(data: Mapping[str, Any], language: Language = "de") -> str:
    """Return the title, as ``Rangliste (Schaffkopf Abschnitt III 2.6)`` or ``Tageswertung (Schnittchen: Pokale)``."""
    title = ranking_word("day" if DAY in data["trophies"] else "standing", language)
    return f"{title} ({section_word(data['section'], language)})" if data["section"] else title


def standing_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the standing as a page of text."""
    heads, lines = standing_cells(data, language)
    left = (1, len(heads) - 1) if heads[-1] == "" else (1,)
    notes = standing_notes(data, language)
    parts = [standing_title(data, language), data["title"], "", *grid.as_text(heads, lines, left)]
    notes += [draw_text(one, language) for one in data.get("draws", ())]
    return "\n".join([*parts, *([""] if notes else []), *notes]) + "\n"


def standing_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the standing as CSV."""
    return grid.as_csv(*standing_cells(data, language))


# A year's evenings


def day_of(round_: Round) -> date:
    """Return the day of a round: that of its first timed event, up to six in the morning the day before.

    :raises KioskError: if no event has a time.
    """
    at = next((event.at for _, event in round_.in_order if event.at is not None), None)
    if at is None:
        raise KioskError(
            f"table {round_.table}, round {round_.round} of {', '.join(round_.players)}: no event has a time; "
            'give its first event one: "at", milliseconds since 1970'
        )
    try:
        return evening(at)
    except (ValueError, OSError, OverflowError):
        raise KioskError(f"table {round_.table}: 'at' {shorten(at)} is no time in milliseconds since 1970") from None


def evening(at: float) -> date:
    """Return the day to which a moment belongs, ms since the epoch: until six in the morning the one before."""
    return (datetime.fromtimestamp(at / 1000) - timedelta(hours=_NIGHT_ENDS)).date()


def year_data(
    book: RuleBook, number: int, days: Mapping[date, Sequence[Finished]], draws: Sequence[Sequence[str]] = ()
) -> dict[str, Any]:
    """Compute the ranking of the year ``number`` from its days: everybody's points, and each day's own ranking."""
    by_day = {
        day: {one["name"]: one for one in standing_data(book, lists)["places"] if one["place"]}
        for day, lists in sorted(days.items())
    }
    sums = year([{name: one["points"] for name, one in people.items()} for people in by_day.values()])
    return {
        "rules": book.name,
        "title": book.title,
        "section": book.cite(book.standing.section),
        "year": number,
        "final": all(one.closed for lists in days.values() for one in lists),
        "days": [
            {
                "day": day.isoformat(),
                "first": [name for name, one in people.items() if one["place"] == 1],
                "final": all(one.closed for one in days[day]),
            }
            for day, people in by_day.items()
        ],
        "places": [
            {
                "place": place,
                "name": name,
                "points": points,
                "days": {day.isoformat(): people[name]["points"] for day, people in by_day.items() if name in people},
            }
            for place, name, points in ranking(sums)
        ],
    }


def year_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of the year's ranking, one column per day."""
    days = [one["day"] for one in data["days"]]
    heads = [
        ranking_word("place", language),
        ranking_word("name", language),
        *(_short(day) for day in days),
        ranking_word("points", language),
    ]
    lines = [
        [one["place"], one["name"], *(one["days"].get(day, "") for day in days), one["points"]]
        for one in data["places"]
    ]
    return heads, lines


def year_notes(data: Mapping[str, Any], language: Language = "de") -> list[str]:
    """List who gets the trophies of the year and of each day."""
    first = _all([one["name"] for one in data["places"] if one["place"] == 1])
    soon = f" ({ranking_word('provisional', language).lower()})"
    notes = [
        f"{ranking_word('pokal', language)} {ranking_word('year', language)}: {first}{'' if data['final'] else soon}"
    ]
    for one in data["days"]:
        day = f"{ranking_word('pokal', language)} {ranking_word('day', language)} {_long(one['day'])}"
        notes.append(f"{day}: {_all(one['first'])}{'' if one['final'] else soon}")
    return notes


def year_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the year's ranking as a page of text, with the winner of each day."""
    lines = [
        f"{ranking_word('year', language)} {data['year']} ({section_word(data['section'], language)})",
        data["title"],
        "",
        *grid.as_text(*year_cells(data, language), left=(1,)),
        "",
        *year_notes(data, language),
    ]
    return "\n".join(lines) + "\n"


def year_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format the year's ranking as CSV."""
    return grid.as_csv(*year_cells(data, language))


def _all(names: Sequence[str]) -> str:
    return ", ".join(names) or "–"


def _short(day: str) -> str:
    return date.fromisoformat(day).strftime("%d.%m.")


def _long(day: str) -> str:
    return date.fromisoformat(day).strftime("%d.%m.%Y")
