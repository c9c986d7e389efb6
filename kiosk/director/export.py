"""What is to be taken away beside the tables' lists: events as a file, and the standings over all tables."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from kiosk.director.copy import Copy
from kiosk.table.words import Language
from kiosk.table.written import cell

_WORDS: dict[Language, dict[str, str]] = {
    "de": {"round": "Runde", "rank": "Platz", "name": "Name", "sum": "Summe"},
    "en": {"round": "Round", "rank": "Rank", "name": "Name", "sum": "Sum"},
}


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
        write([entry["rank"], cell(entry["name"]), *sums, entry["sum"]])
    return out.getvalue()
