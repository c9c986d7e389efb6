"""Rank people and clubs over the evenings of a series, by any book: sums, or the best so many evenings of each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from kiosk.errors import BadNote, cut, shorten
from kiosk.language import Language
from kiosk.language.ranking import ranking_word
from kiosk.rules.engine.standings import ranking
from kiosk.table.round.fold import Round
from kiosk.table.scoresheet import grid
from kiosk.tournament.notes import Noted
from kiosk.tournament.tally import standing
from kiosk.tournament.tournament import Tournament

#: The note by which an evening belongs to a series.
SERIES: Final = "series"


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What somebody has over a series."""

    name: str
    club: str
    points: int  # of the evenings that count
    evenings: Mapping[str, int]  # tournament → points
    counting: tuple[str, ...]  # tournaments that count


def series_note(note: Mapping[str, Any]) -> dict[str, Any]:
    """Check the note: ``name`` ("": the evening is of no series any more), ``best`` and ``club_best`` (None: all).

    :raises BadNote: a value that cannot be.
    """
    name = " ".join(str(note.get("name") or "").split())
    if len(name) > 40 or (name and not name.isprintable()):
        raise BadNote("long_name", f"name {shorten(name)}: at most 40 letters are wanted", name=cut(name), most=40)
    for key in ("best", "club_best"):
        value = note.get(key)
        if value is not None and (type(value) is not int or not 1 <= value <= 366):
            raise BadNote(
                "number", f"{key} {shorten(value)}: a number from 1 to 366 is wanted, or nothing", low=1, high=366
            )
    return {"note": SERIES, "name": name, "best": note.get("best"), "club_best": note.get("club_best")}


def series_of(notes: Iterable[Noted]) -> Noted | None:
    """Return the note by which an evening belongs to a series; None: it belongs to none."""
    last = next((one for one in reversed(list(notes)) if one.body.get("note") == SERIES), None)
    return last if last is not None and last.body["name"] else None


def results(evenings: Mapping[str, Mapping[str, int]], clubs: Mapping[str, str], best: int | None) -> list[Result]:
    """Sum everybody's points; of each person the ``best`` evenings count, among equal ones the earlier (None: all).

    :param evenings: tournament → name → points, in order of time.
    """
    found = []
    for name in sorted({name for people in evenings.values() for name in people}):
        own = {evening: people[name] for evening, people in evenings.items() if name in people}
        counting = sorted(own, key=lambda evening: -own[evening])[:best]
        points = sum(own[evening] for evening in counting)
        found.append(Result(name=name, club=clubs.get(name, ""), points=points, evenings=own, counting=tuple(counting)))
    return found


def club_sums(people: Iterable[Result], best: int | None) -> dict[str, int]:
    """Sum the points of each club's ``best`` people (None: of all)."""
    clubs: dict[str, list[int]] = {}
    for one in people:
        if one.club:
            clubs.setdefault(one.club, []).append(one.points)
    return {club: sum(sorted(points, reverse=True)[:best]) for club, points in clubs.items()}


def all_series(
    tournaments: Iterable[tuple[Tournament, Sequence[Round], Sequence[Noted]]],
) -> dict[str, dict[str, Any]]:
    """Compute every series: its evenings, everybody's place, the clubs'. The newest note says how many count."""
    found: dict[str, list[tuple[Tournament, Noted, Mapping[str, Any]]]] = {}
    for tournament, played, notes in tournaments:
        noted = series_of(notes)
        if noted is not None:
            found.setdefault(noted.body["name"], []).append((tournament, noted, standing(tournament, played, notes)))
    return {name: _told(name, evenings) for name, evenings in sorted(found.items())}


def _told(name: str, evenings: list[tuple[Tournament, Noted, Mapping[str, Any]]]) -> dict[str, Any]:
    rule = max(evenings, key=lambda one: one[1].at)[1].body
    ordered = sorted(evenings, key=lambda one: (str(one[0].day or ""), one[1].at))
    points = {
        tournament.name: {one["name"]: one["points"] for one in data["places"] if one["place"] is not None}
        for tournament, _, data in ordered
    }
    clubs = {
        person.name: person.club for tournament, _, _ in ordered for person in tournament.people.values() if person.club
    }
    people = {one.name: one for one in results(points, clubs, rule["best"])}
    return {
        "series": name,
        "best": rule["best"],
        "club_best": rule["club_best"],
        "final": all(data["final"] for _, _, data in ordered),
        "evenings": [
            {"tournament": one.name, "day": one.day.isoformat() if one.day else "", "final": data["final"]}
            for one, _, data in ordered
        ],
        "places": [
            {
                "place": place,
                "name": one,
                "club": people[one].club,
                "points": sum_,
                "evenings": dict(people[one].evenings),
                "counting": list(people[one].counting),
            }
            for place, one, sum_ in ranking({one.name: one.points for one in people.values()})
        ],
        "clubs": [
            {"place": place, "club": club, "points": sum_}
            for place, club, sum_ in ranking(club_sums(people.values(), rule["club_best"]))
        ],
    }  # fmt: skip


def series_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of a series, a column per evening; what does not count stands in brackets."""
    heads = [
        *(ranking_word(code, language) for code in ("place", "name", "club")),
        *(one["tournament"] for one in data["evenings"]),
        ranking_word("points", language),
    ]
    return heads, [
        [one["place"], one["name"], one["club"], *(_cell(one, evening["tournament"]) for evening in data["evenings"]),
         one["points"]]
        for one in data["places"]
    ]  # fmt: skip


def club_cells(data: Mapping[str, Any], language: Language = "de") -> tuple[list[str], list[list[grid.Cell]]]:
    """Return headings and lines of the clubs' ranking."""
    heads = [ranking_word(code, language) for code in ("place", "club", "points")]
    return heads, [[one["place"], one["club"], one["points"]] for one in data["clubs"]]


def series_notes(data: Mapping[str, Any], language: Language = "de") -> list[str]:
    """List by how many evenings and people it is counted, and whether it may change."""
    notes = [ranking_word("best_evenings" if data["best"] else "all_evenings", language, n=data["best"])]
    if data["clubs"]:
        notes.append(
            ranking_word("best_members" if data["club_best"] else "all_members", language, n=data["club_best"])
        )
    return notes if data["final"] else [f"{ranking_word('provisional', language)}.", *notes]


def series_text(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format a series as a page of text."""
    parts = [data["series"], "", *grid.as_text(*series_cells(data, language), left=(1, 2))]
    if data["clubs"]:
        parts += ["", *grid.as_text(*club_cells(data, language), left=(1,))]
    return "\n".join([*parts, "", *series_notes(data, language)]) + "\n"


def series_csv(data: Mapping[str, Any], language: Language = "de") -> str:
    """Format a series as CSV."""
    return grid.as_csv(*series_cells(data, language))


def _cell(one: Mapping[str, Any], evening: str) -> grid.Cell:
    points = one["evenings"].get(evening)
    if points is None:
        return ""
    return points if evening in one["counting"] else f"({points})"
