"""The books' lists: what each wants to see on its Spielliste besides game, dealer, score and total."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the list. Scores are by seat, all who sit at the table, a sitting dealer 0."""

    game: int
    dealer: int
    due: int  # who was due to deal, by the list
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


def plus_points(players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    """The list of eppstein 6.3: cumulated Plus points, one column a player, last column points and kind.

    ``name``: a row's game as people call it. Of the result ``columns`` are the headings, ``lines`` the cells ready to
    print, ``sums`` each player's points added up game by game, ``solos`` who played alone and when, ``checks`` the
    points of 6.3.5 with what they came to.
    """
    seats = range(1, len(players) + 1)
    sums = [sum(row.score[seat] for row in rows) for seat in seats]
    last = [rows[-1].total[seat] for seat in seats] if rows else sums
    solos = [
        {"game": row.game, "seat": row.alone, "kind": row.kind, "duty": row.duty}
        for row in rows
        if row.alone is not None
    ]
    others = [row.game for row in rows if row.dealer != row.due]
    return {
        "columns": [*players, "Punkte dieses Spiels und Art des Spiels (Solo)"],
        "lines": [[*(row.total[seat] for seat in seats), _last_cell(players, row, name)] for row in rows],
        "sums": sums,
        "solos": solos,
        "checks": [
            {"check": "cumulated", "section": "eppstein 6.3.5", "ok": sums == last},
            {"check": "dealers", "section": "eppstein 6.3.5", "ok": not others, "games": others},
        ],
    }


def _last_cell(players: Sequence[str], row: Row, name: Callable[[Row], str]) -> str:
    """Points of this game and its kind, as a scribe would write them."""
    if row.struck:
        return "gestrichen"
    parts = ["nicht gespielt" if row.void else str(row.points)]
    if row.kind != "normal":
        player = row.alone or row.declarer
        parts.append(f"{name(row)} {players[player - 1]}" if player else name(row))
    return ", ".join(parts)
