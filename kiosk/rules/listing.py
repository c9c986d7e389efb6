"""The books' lists: what each wants to see on its Spielliste besides game, dealer, score and total."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

#: German names of the games, as the list shows them.
GAME_NAMES = {
    "normal": "Normalspiel",
    "hochzeit": "Hochzeit",
    "still": "stilles Solo",
    "trumpfsolo": "Trumpfsolo",
    "damensolo": "Damensolo",
    "bubensolo": "Bubensolo",
    "farbsolo": "Farbsolo",
    "fleischlos": "Fleischloser",
    "schmeissen": "Schmeißen",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the list. Scores are by seat, all who sit at the table, a sitting dealer 0."""

    game: int
    dealer: int
    kind: str
    suit: str | None  # of a Farbsolo
    declarer: int | None
    duty: bool
    alone: int | None  # who played alone, declared or not
    score: Mapping[int, int]
    total: Mapping[int, int]
    points: int  # of this game: the value each winner is written, a solo's once
    void: bool
    struck: bool
    open: bool  # a doubtful card may still change it


def plus_points(players: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    """The list of eppstein 6.3: cumulated Plus points, one column a player, last column points and kind.

    ``columns`` are the headings, ``lines`` the cells ready to print, ``sums`` the last totals, ``checks`` the points of
    6.3.5 with what they came to.
    """
    seats = range(1, len(players) + 1)
    lines = []
    for row in rows:
        cells: list[object] = [row.total[seat] for seat in seats]
        lines.append([*cells, _last_cell(players, row)])
    running = dict.fromkeys(seats, 0)
    cumulated = True
    for row in rows:
        running = {seat: running[seat] + row.score[seat] for seat in seats}
        cumulated = cumulated and all(running[seat] == row.total[seat] for seat in seats)
    return {
        "columns": [*players, "Punkte dieses Spiels und Art des Spiels (Solo)"],
        "lines": lines,
        "sums": [running[seat] for seat in seats],
        "checks": [
            {"section": "eppstein 6.3.5", "check": "cumulated", "ok": cumulated},
            {"section": "eppstein 6.3.5", "check": "dealers", "ok": True, "dealers": [row.dealer for row in rows]},
            {
                "section": "eppstein 6.3.5",
                "check": "solos",
                "ok": True,
                "solos": [
                    {"game": row.game, "seat": row.alone, "kind": row.kind, "duty": row.duty}
                    for row in rows
                    if row.alone is not None
                ],
            },
        ],
    }


def _last_cell(players: Sequence[str], row: Row) -> str:
    """Points of this game and its kind, as a scribe would write them."""
    if row.struck:
        return "gestrichen"
    parts = [str(row.points)]
    if row.void:
        parts = ["nicht gespielt"]
    if row.kind != "normal":
        name = GAME_NAMES.get(row.kind, row.kind)
        if row.suit:
            name += " " + {"C": "Kreuz", "S": "Pik", "H": "Herz", "D": "Karo"}.get(row.suit, row.suit)
        player = row.alone or row.declarer
        parts.append(f"{name} {players[player - 1]}" if player else name)
    if row.duty:
        parts.append("Pflichtsolo")
    return ", ".join(parts)
