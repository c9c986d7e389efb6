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
    won: frozenset[int]  # seats that the game itself was written for; penalties beside it do not matter
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


def _cells(players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    """What the lists in plus and minus have in common: cumulated totals, sums, solos, the dealers by the list."""
    plain = plus_points(players, rows, name)
    return {
        "columns": [*players, "Spiel"],
        "lines": plain["lines"],
        "sums": plain["sums"],
        "solos": plain["solos"],
    }


def _row_sums(rows: Sequence[Row], section: str) -> dict[str, Any]:
    wrong = [row.game for row in rows if sum(row.score.values())]
    return {"check": "row_sums", "section": section, "ok": not wrong, "games": wrong}


def _solo_penalty(row: Row) -> bool:
    """Whether a row holds Strafpunkte in favour of a soloist: to him what one opponent loses beside the solo's points.

    +3, 0, 0, −3 and the like, alone or upon the points of the solo (bsv 7.3).
    """
    if row.alone is None:
        return False
    others = sorted((points for seat, points in row.score.items() if seat != row.alone), reverse=True)
    penalty = others[0] - others[-1]
    return penalty > 0 and others[0] == others[1] and row.score[row.alone] == penalty - 3 * others[0]


def plus_minus_by_bsv(players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    """The list of bsv 7.3: cumulated plus and minus points, who gained is noted by position, the three checks.

    ``winners``: by row the seats with plus points. The even-odd rule is looked at row by row: results that agreed
    before agree after a row whose points are all even or all odd. It does not hold at a table of five (10.1) nor for
    Strafpunkte to a soloist.
    """
    cells = _cells(players, rows, name)
    winners = [[seat for seat, points in sorted(row.score.items()) if points > 0] for row in rows]
    lines = [
        [*line[:-1], " ".join(map(str, seats)), line[-1]] for line, seats in zip(cells["lines"], winners, strict=True)
    ]
    mixed = [row.game for row in rows if len({points % 2 for points in row.score.values()}) > 1]
    excused = [row.game for row in rows if row.game in mixed and _solo_penalty(row)]
    odd = [] if len(players) > 4 else [game for game in mixed if game not in excused]
    unmarked = [row.game for row, seats in zip(rows, winners, strict=True) if any(row.score.values()) and not seats]
    return {
        **cells,
        "columns": [*players, "Gewinner", "Spiel"],
        "lines": lines,
        "winners": winners,
        "checks": [
            _row_sums(rows, "bsv 7.3"),
            {
                "check": "even_odd",
                "section": "bsv 7.3" if len(players) == 4 else "bsv 10.1",
                "ok": not odd,
                "games": odd,
                "excused": excused,
            },
            {"check": "winners", "section": "bsv 7.3", "ok": not unmarked, "games": unmarked},
        ],
    }


def plus_and_minus(players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    """The list of durchgaenge: plus and minus points, cumulated; the book has no checks."""
    return {**_cells(players, rows, name), "checks": []}


def plus_minus_by_schnittchen(
    players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]
) -> dict[str, Any]:
    """The list of schnittchen 6.2: plus and minus, cumulated, and the Tageswertung so far ("Pokale")."""
    cells = _cells(players, rows, name)
    sums = cells["sums"]
    seats = sorted(range(len(players)), key=lambda index: (-sums[index], index))
    places = [
        {"place": 1 + sum(other > sums[index] for other in sums), "seat": index + 1, "points": sums[index]}
        for index in seats
    ]
    return {**cells, "ranking": places, "checks": [_row_sums(rows, "schnittchen 6.2")]}
