"""A table's list to take away: text, CSV, JSON; and the standings over all tables."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.director.copy import Copy
from kiosk.table.view import RowView, TableView
from kiosk.table.words import Language, game_word

_WORDS: dict[Language, dict[str, str]] = {
    "de": {
        "game": "Spiel", "dealer": "Geber", "points": "Punkte", "kind": "Art", "table": "Tisch", "round": "Runde",
        "void": "ungültig", "open": "offen", "signed": "Bestätigt", "missing": "Bestätigung fehlt",
        "rank": "Platz", "name": "Name", "sum": "Summe", "nobody": "niemand", "tables": "Tische",
    },
    "en": {
        "game": "Game", "dealer": "Dealer", "points": "Points", "kind": "Kind", "table": "Table", "round": "Round",
        "void": "void", "open": "open", "signed": "Signed", "missing": "Not signed",
        "rank": "Rank", "name": "Name", "sum": "Sum", "nobody": "nobody", "tables": "Tables",
    },
}  # fmt: skip


def as_csv(view: TableView, language: Language = "de") -> str:
    """The list as CSV with semicolons, as spreadsheets in Germany open it; a row a game, totals cumulated (6.3)."""
    words = _WORDS[language]
    out = io.StringIO()
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    names = [_cell(seat.name) for seat in view.seats]
    write([words["game"], words["dealer"], *names, words["points"], words["kind"]])
    for row in view.rows:
        write([row.game, names[row.dealer - 1], *row.total, row.points, _kind(row, view, language)])
    return out.getvalue()


def as_text(view: TableView, heading: str, language: Language = "de") -> str:
    """The list as a page of text: cumulated totals, ``*`` at the dealer's, ``S`` at the soloist's (eppstein 6.3)."""
    words = _WORDS[language]
    names = [seat.name for seat in view.seats]
    widths = [max(7, len(name) + 1) for name in names]
    lines = [
        heading,
        view.title,
        "",
        f"{words['game']:>5}  "
        + " ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
        + f"  {words['points']:>6}  {words['kind']}",
    ]
    for row in view.rows:
        cells = []
        for seat, (total, width) in enumerate(zip(row.total, widths, strict=True), start=1):
            marks = ("S" if row.declarer == seat else "") + ("*" if row.dealer == seat else "")
            cells.append(f"{marks + str(total):>{width}}")
        lines.append(f"{row.game:>5}  {' '.join(cells)}  {row.points:>6}  {_kind(row, view, language)}".rstrip())
    signed = [names[seat - 1] for seat in view.signed]
    missing = [name for seat, name in enumerate(names, start=1) if seat not in view.signed]
    lines += ["", f"{words['signed']}: {', '.join(signed) or words['nobody']}"]
    if missing:
        lines.append(f"{words['missing']}: {', '.join(missing)}")
    return "\n".join(lines) + "\n"


def as_jsonl(events: Iterable[Mapping[str, Any]]) -> str:
    """The events one a line, as ``stichwart replay`` reads them."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def standings(copies: Iterable[tuple[Copy, TableView | None]]) -> list[dict[str, Any]]:
    """Players by the sum of their totals over all rounds, best first; equal sums share a rank.

    A player is the same in two rounds if the name is. ``final`` is false while a list of the player is not handed in.
    """
    players: dict[str, dict[str, Any]] = {}
    for copy, view in copies:
        if view is None:
            continue
        closed = copy.has("close")
        for seat in view.seats:
            entry = players.setdefault(seat.name, {"name": seat.name, "rounds": {}, "sum": 0, "final": True})
            entry["rounds"].setdefault(str(copy.key.round), []).append({"table": copy.key.table, "total": seat.total})
            entry["sum"] += seat.total
            entry["final"] &= closed
    ordered = sorted(players.values(), key=lambda entry: (-entry["sum"], entry["name"]))
    for place, entry in enumerate(ordered, start=1):
        same = place > 1 and ordered[place - 2]["sum"] == entry["sum"]
        entry["rank"] = ordered[place - 2]["rank"] if same else place
    return ordered


def standings_csv(table: list[dict[str, Any]], language: Language = "de") -> str:
    """The standings as CSV with semicolons."""
    words = _WORDS[language]
    rounds = sorted({int(number) for entry in table for number in entry["rounds"]})
    out = io.StringIO()
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    write([words["rank"], words["name"], *(f"{words['round']} {number}" for number in rounds), words["sum"]])
    for entry in table:
        sums = [
            sum(part["total"] for part in entry["rounds"][str(number)]) if str(number) in entry["rounds"] else ""
            for number in rounds
        ]
        write([entry["rank"], _cell(entry["name"]), *sums, entry["sum"]])
    return out.getvalue()


def heading(tournament: str, copy: Copy, language: Language = "de") -> str:
    """``Herbstturnier, Runde 1, Tisch 7``."""
    words = _WORDS[language]
    return f"{tournament}, {words['round']} {copy.key.round}, {words['table']} {copy.key.table}"


def _kind(row: RowView, view: TableView, language: Language) -> str:
    text = game_word(row.kind, duty=row.duty, language=language)
    if row.declarer is not None:
        text += f" {view.seats[row.declarer - 1].name}"
    for mark in ("void", "open"):
        if getattr(row, mark):
            text += f" ({_WORDS[language][mark]})"
    return text


def _cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
