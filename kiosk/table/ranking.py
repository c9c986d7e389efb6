"""The standing of a tournament and the rankings of a day and a year, as data, as text and as CSV."""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from kiosk.errors import KioskError
from kiosk.rules.book import RuleBook
from kiosk.rules.scoring import Options
from kiosk.rules.standings import DAY, Finished, is_final, ranking, standings, to_draw, year
from kiosk.table import grid
from kiosk.table.fold import Round
from kiosk.table.spielliste import rows
from kiosk.table.words import Language, section_word

#: Until this hour of the morning an evening is the day on which it began.
_NIGHT_ENDS = 6

WORDS: dict[str, tuple[str, str]] = {
    "standing": ("Rangliste", "Standing"),
    "day": ("Tageswertung", "Day's ranking"),
    "year": ("Jahreswertung", "Year's ranking"),
    "place": ("Platz", "Place"),
    "name": ("Name", "Name"),
    "round": ("Runde", "Round"),
    "table": ("Tisch", "Table"),
    "points": ("Punkte", "Points"),
    "games_won": ("gewonnene Spiele", "games won"),
    "alleinspiele_won": ("gewonnene Alleinspiele", "Alleinspiele won"),
    "lot": ("Los", "lot"),
    "out": ("Ohne Platz", "Without a place"),
    "twice": ("sitzt in einer Runde an zwei Tischen; Namen müssen eindeutig sein",
              "sits at two tables in one round; names must be unique"),
    "substitute": ("Ersatzspieler", "substitute"),
    "left": ("hat nicht zu Ende gespielt", "did not play to the end"),
    "missing": ("hat nicht jede Runde gespielt", "did not play every round"),
    "provisional": ("Vorläufig", "Provisional"),
    "not_closed": ("Liste noch nicht abgegeben", "list not handed in yet"),
    "rounds_left": ("es fehlen noch Runden", "there are rounds to come"),
    "lot_needed": ("Das Los muss entscheiden zwischen", "The lot must decide between"),
    "silent": ("Das Buch sagt nichts zur Rangliste: Summe der Runden, Gleiche teilen sich den Platz.",
               "The book says nothing of the standing: sum of the rounds, equal ones share a place."),
    "silent_lot": ("Das Buch sagt nichts zur Rangliste; was bei gleicher Summe gilt, hat die Turnierleitung bestimmt.",
                   "The book says nothing of the standing; what decides between equal sums is the direction's choice."),
    "shared": ("Gleiche teilen sich den Platz.", "Equal ones share a place."),
    "pokal": ("Pokal", "trophy"),
    "direction": ("Turnierleitung", "Direction"),
    "lot_of": ("Los vom {when}", "Lot of {when}"),
    "seed": ("Startwert {seed}", "seed {seed}"),
    "by_hand": ("von Hand gezogen", "drawn by hand"),
    "lot_check": ("Nachprüfen: zu jedem Namen die SHA-256-Summe von Startwert, Zeilenende und Name; "
                  "die kleinste kommt zuerst.",
                  "To check it: for each name the SHA-256 sum of the seed, a line end and the name; "
                  "the smallest comes first."),
}  # fmt: skip


def say(code: str, language: Language = "de", **fill: object) -> str:
    """A word of the rankings."""
    return WORDS[code][language == "en"].format(**fill)


def finished(round_: Round, substitutes: Collection[str] = (), left: Collection[str] = ()) -> Finished:
    """A table's round as the standing takes it.

    ``substitutes`` and ``left``: names beside those that the table knows itself.
    """
    return Finished(
        round=round_.round,
        table=round_.table,
        players=round_.players,
        rows=rows(round_),
        closed=round_.closed,
        substitutes=frozenset(substitutes) | {round_.players[seat - 1] for seat in round_.substitutes},
        left=frozenset(left) | round_.left,
    )


def standing_data(
    book: RuleBook,
    lists: Sequence[Finished],
    *,
    options: Options | None = None,
    draws: Sequence[Sequence[str]] = (),
    rounds: int | None = None,
) -> dict[str, Any]:
    """The standing, ready to show: ``places`` best first, then who has none; ``columns`` that decided something.

    ``options``: of the tournament, by default the book's; ``rounds``: how many it has, None for as many as there are
    lists of.
    """
    rule = book.standing_by(book.settle({}) if options is None else options)
    names = [measure.name for measure in rule.measures]
    places = standings(rule, lists, draws)
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
            }
            for one in places
        ],
    }


def _place(one: Finished) -> tuple[int, int]:
    return one.round, one.table


def standing_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Headings and lines of the standing; what decides ties only where it decided, last why somebody has no place."""
    rounds = data["rounds"] if len(data["rounds"]) > 1 else []
    out = any(one["out"] for one in data["places"])
    heads = [
        say("place", language),
        say("name", language),
        *(f"{say('round', language)} {number}" for number in rounds),
        say("points", language),
        *(say(name, language) for name in data["columns"]),
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
            *([say(one["out"], language) if one["out"] else ""] if out else []),
        ]
        for one in data["places"]
    ]
    return heads, lines


def standing_notes(data: Mapping[str, Any], language: Language = "de") -> list[str]:
    """What must be said with the standing: why it is provisional, between whom the lot must decide, how it is made."""
    notes = []
    if not data["final"]:
        lists = ", ".join(
            f"{say('round', language)} {one['round']} {say('table', language)} {one['table']}"
            for one in data["not_closed"]
        )
        why = f"{say('not_closed', language)}: {lists}" if lists else say("rounds_left", language)
        notes.append(f"{say('provisional', language)}: {why}.")
    for names in data["to_draw"]:
        notes.append(f"{say('lot_needed', language)} {', '.join(names)}.")
    if not data["section"]:
        notes.append(say("silent_lot" if data["lot"] else "silent", language))
    elif not data["lot"]:
        notes.append(f"{say('shared', language)} ({section_word(data['section'], language)})")
    return notes


def draw_text(one: Mapping[str, Any], language: Language = "de") -> str:
    """``Los vom 21.11.2026 01:02: Fritz, Hanna (Startwert 8e71d6b2)``."""
    how = say("seed", language, seed=one["seed"]) if one["seed"] else say("by_hand", language)
    when = datetime.fromtimestamp(one["at"] / 1000).strftime("%d.%m.%Y %H:%M")
    return f"{say('lot_of', language, when=when)}: {', '.join(one['order'])} ({how})"


def standing_title(data: Mapping[str, Any], language: Language = "de") -> str:
    """``Rangliste (Schaffkopf Abschnitt III 2.6)``; with a trophy of the day ``Tageswertung (Schnittchen: Pokale)``."""
    title = say("day" if DAY in data["trophies"] else "standing", language)
    return f"{title} ({section_word(data['section'], language)})" if data["section"] else title


def standing_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """The standing as a page of text."""
    heads, lines = standing_cells(data, language)
    left = (1, len(heads) - 1) if heads[-1] == "" else (1,)
    notes = standing_notes(data, language)
    parts = [standing_title(data, language), data["title"], "", *grid.as_text(heads, lines, left)]
    notes += [draw_text(one, language) for one in data.get("draws", ())]
    return "\n".join([*parts, *([""] if notes else []), *notes]) + "\n"


def standing_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """The standing as CSV."""
    return grid.as_csv(*standing_cells(data, language))


# A year's evenings


def day_of(round_: Round) -> date:
    """The day a round was played: that of its first event with a time, up to six in the morning still the day before.

    :raises KioskError: if no event has a time.
    """
    at = next((event["at"] for _, event in round_.log if "at" in event), None)
    if at is None:
        raise KioskError(
            f"table {round_.table}, round {round_.round} of {', '.join(round_.players)}: no event has a time; "
            'give its first event one: "at", milliseconds since 1970'
        )
    try:
        return (datetime.fromtimestamp(at / 1000) - timedelta(hours=_NIGHT_ENDS)).date()
    except (ValueError, OSError, OverflowError):
        raise KioskError(f"table {round_.table}: 'at' {at!r} is no time in milliseconds since 1970") from None


def year_data(
    book: RuleBook, number: int, days: Mapping[date, Sequence[Finished]], draws: Sequence[Sequence[str]] = ()
) -> dict[str, Any]:
    """The ranking of the year ``number`` from its days: everybody's points, and each day's own ranking."""
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
    """Headings and lines of the year's ranking, a column a day."""
    days = [one["day"] for one in data["days"]]
    heads = [say("place", language), say("name", language), *(_short(day) for day in days), say("points", language)]
    lines = [
        [one["place"], one["name"], *(one["days"].get(day, "") for day in days), one["points"]]
        for one in data["places"]
    ]
    return heads, lines


def year_notes(data: Mapping[str, Any], language: Language = "de") -> list[str]:
    """Who gets the trophies of the year and of each day."""
    first = _all([one["name"] for one in data["places"] if one["place"] == 1])
    soon = f" ({say('provisional', language).lower()})"
    notes = [f"{say('pokal', language)} {say('year', language)}: {first}{'' if data['final'] else soon}"]
    for one in data["days"]:
        day = f"{say('pokal', language)} {say('day', language)} {_long(one['day'])}"
        notes.append(f"{day}: {_all(one['first'])}{'' if one['final'] else soon}")
    return notes


def year_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """The year's ranking as a page of text, and who was first on each day."""
    lines = [
        f"{say('year', language)} {data['year']} ({section_word(data['section'], language)})",
        data["title"],
        "",
        *grid.as_text(*year_cells(data, language), left=(1,)),
        "",
        *year_notes(data, language),
    ]
    return "\n".join(lines) + "\n"


def year_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """The year's ranking as CSV."""
    return grid.as_csv(*year_cells(data, language))


def _all(names: Sequence[str]) -> str:
    return ", ".join(names) or "–"


def _short(day: str) -> str:
    return date.fromisoformat(day).strftime("%d.%m.")


def _long(day: str) -> str:
    return date.fromisoformat(day).strftime("%d.%m.%Y")
