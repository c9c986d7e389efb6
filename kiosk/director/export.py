"""A table's list to take away: text, CSV, JSON; and the standings over all tables."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.director.copy import Copy
from kiosk.table.fold import Round
from kiosk.table.spielliste import Row, rows
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


def as_csv(round_: Round, language: Language = "de") -> str:
    """The list as CSV with semicolons, as spreadsheets in Germany open it; a row a game, totals cumulated (6.3)."""
    words = _WORDS[language]
    out = io.StringIO()
    write = csv.writer(out, delimiter=";", lineterminator="\r\n").writerow
    names = [_cell(name) for name in round_.players]
    write([words["game"], words["dealer"], *names, words["points"], words["kind"]])
    for row in rows(round_):
        totals = [row.total[seat] for seat in round_.seats]
        write([row.game, names[row.dealer - 1], *totals, row.points, _cell(_kind(row, round_, language))])
    return out.getvalue()


def as_text(round_: Round, heading: str, language: Language = "de") -> str:
    """The list as a page of text: cumulated totals, ``*`` at the dealer's, ``S`` at the soloist's (eppstein 6.3)."""
    words = _WORDS[language]
    names = round_.players
    widths = [max(7, len(name) + 1) for name in names]
    heads = " ".join(f"{name:>{width}}" for name, width in zip(names, widths, strict=True))
    lines = [heading, round_.book.title, "", f"{words['game']:>5}  {heads}  {words['points']:>6}  {words['kind']}"]
    for row in rows(round_):
        cells = []
        for seat, width in zip(round_.seats, widths, strict=True):
            marks = ("S" if row.alone == seat else "") + ("*" if row.dealer == seat else "")
            cells.append(f"{marks + str(row.total[seat]):>{width}}")
        lines.append(f"{row.game:>5}  {' '.join(cells)}  {row.points:>6}  {_kind(row, round_, language)}".rstrip())
    signed = [names[seat - 1] for seat in round_.signed]
    missing = [names[seat - 1] for seat in round_.seats if seat not in round_.signed]
    lines += ["", f"{words['signed']}: {', '.join(signed) or words['nobody']}"]
    if missing:
        lines.append(f"{words['missing']}: {', '.join(missing)}")
    return "\n".join(lines) + "\n"


def as_jsonl(events: Iterable[Mapping[str, Any]]) -> str:
    """The events one a line, as ``stichwart replay`` reads them."""
    return "".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events)


def standings(copies: Iterable[Copy]) -> list[dict[str, Any]]:
    """Players by the sum of their totals over all rounds, best first; equal sums share a rank.

    A player is the same in two rounds if the name is. ``final`` is false while a list of the player is not handed in.
    """
    players: dict[str, dict[str, Any]] = {}
    for copy in copies:
        if copy.round is None:
            continue
        for seat, total in copy.round.totals.items():
            name = copy.round.players[seat - 1]
            entry = players.setdefault(name, {"name": name, "rounds": {}, "sum": 0, "final": True})
            entry["rounds"].setdefault(str(copy.key.round), []).append({"table": copy.key.table, "total": total})
            entry["sum"] += total
            entry["final"] &= copy.round.closed
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


def _kind(row: Row, round_: Round, language: Language) -> str:
    text = game_word(row.kind, row.suit, row.duty, language)
    if row.declarer is not None:
        text += f" {round_.players[row.declarer - 1]}"
    for mark in ("void", "open"):
        if getattr(row, mark):
            text += f" ({_WORDS[language][mark]})"
    return text


def _cell(text: str) -> str:
    """Text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text
