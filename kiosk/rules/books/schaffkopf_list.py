"""Lay out the Turnierliste of schaffkopf III 3: columns + and − for each player, single games, Σ and Ergebnis."""

from collections.abc import Sequence
from typing import Any

from kiosk.rules.engine.listing import ListRow, ListWords, dealers_in_order, field, note, rows_sum_to_nothing

PLUS, MINUS = "+", "−"


def plus_and_minus(players: Sequence[str], rows: Sequence[ListRow], words: ListWords) -> dict[str, Any]:
    """Make the list of III 3.2: what each player won or lost in each game, not cumulated.

    ``columns``: the headings, two a player, last the game and the direction's note. ``lines``: the cells, "" where
    nothing is written. ``foot``: the lines Σ and Ergebnis, whose one field a player stands in the + column. ``sums``:
    by player plus and minus; ``results``: their difference. ``checks``: rows whose sum is not 0, which are struck if
    they cannot be rebuilt (III 3.1).
    """
    seats = range(1, len(players) + 1)
    plus = [sum(max(0, row.score[seat]) for row in rows) for seat in seats]
    minus = [sum(max(0, -row.score[seat]) for row in rows) for seat in seats]
    results = [won - lost for won, lost in zip(plus, minus, strict=True)]
    return {
        "name": words.word("turnierliste"),
        "columns": [*(f"{player} {sign}" for player in players for sign in (PLUS, MINUS)), words.word("game_note")],
        "fields": [*(field(kind, seat) for seat in seats for kind in ("plus", "minus")), field("game")],
        "lines": [[*_cells([row.score[seat] for seat in seats]), note(row, words)] for row in rows],
        "sums": [[won, lost] for won, lost in zip(plus, minus, strict=True)],
        "results": results,
        "foot": [
            ["Σ", [*(number for pair in zip(plus, minus, strict=True) for number in pair), ""]],
            [words.word("result"), [*(cell for result in results for cell in (result, "")), ""]],
        ],
        "checks": [check(players, rows) for check in (rows_sum_to_nothing("III 3.1"), dealers_in_order("II 1"))],
    }


def _cells(points: Sequence[int]) -> list[int | str]:
    """Two cells a player: the plus and the minus column."""
    return [cell for number in points for cell in (max(0, number) or "", max(0, -number) or "")]
