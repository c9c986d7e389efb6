"""The Turnierliste of schaffkopf III 3: a column + and a column − for each player, single games, Σ and Ergebnis."""

from collections.abc import Callable, Sequence
from typing import Any

from kiosk.rules.listing import Row

PLUS, MINUS = "+", "−"

#: Games at which the direction signs its note on the list (III 3.1).
_NOTED = ("sie", "solo-tout", "wenz-tout")


def plus_and_minus(players: Sequence[str], rows: Sequence[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    """The list of III 3.2: what each player won or lost in each game, not cumulated.

    ``columns``: the headings, two a player, last the game and the direction's note. ``lines``: the cells, "" where
    nothing is written. ``foot``: the lines Σ and Ergebnis. ``sums``: by player plus and minus; ``results``: their
    difference. ``checks``: rows whose sum is not 0, which are struck if they cannot be rebuilt (III 3.1).
    """
    seats = range(1, len(players) + 1)
    plus = [sum(max(0, row.score[seat]) for row in rows) for seat in seats]
    minus = [sum(max(0, -row.score[seat]) for row in rows) for seat in seats]
    results = [won - lost for won, lost in zip(plus, minus, strict=True)]
    crooked = [row.game for row in rows if sum(row.score.values())]
    others = [row.game for row in rows if row.dealer != row.due]
    return {
        "columns": [*(f"{player} {sign}" for player in players for sign in (PLUS, MINUS)), "Spiel, Vermerk"],
        "lines": [[*_cells([row.score[seat] for seat in seats]), _note(players, row, name)] for row in rows],
        "sums": [[won, lost] for won, lost in zip(plus, minus, strict=True)],
        "results": results,
        "foot": [
            ["Σ", [*(number for pair in zip(plus, minus, strict=True) for number in pair), ""]],
            ["Ergebnis", [*_cells(results, "0"), ""]],
        ],
        "checks": [
            {"check": "row_sums", "section": "schaffkopf III 3.1", "ok": not crooked, "games": crooked},
            {"check": "dealers", "section": "schaffkopf II 1", "ok": not others, "games": others},
        ],
    }


def _cells(points: Sequence[int], nothing: str = "") -> list[int | str]:
    """Two cells a player: the plus and the minus column."""
    cells: list[int | str] = []
    for number in points:
        if number == 0:
            cells += [nothing, ""]
        else:
            cells += [number, ""] if number > 0 else ["", -number]
    return cells


def _note(players: Sequence[str], row: Row, name: Callable[[Row], str]) -> str:
    text = name(row) + (f" {players[row.declarer - 1]}" if row.declarer else "")
    if row.struck:
        return f"{text}, gestrichen"
    if row.void:
        return f"{text}, nach Entscheid der Turnierleitung"
    return f"{text}, mit Vermerk der Turnierleitung" if row.kind in _NOTED else text
