"""Describe how a game ended."""

from typing import Any

from kiosk.language.games import value_word
from kiosk.table.view.table_view import TableView
from kiosk.ui.parts.look import plain

NO_BREAK = "\u00a0"


def verdict(app: Any, view: TableView) -> str:
    """Name the winner of the last game."""
    result, text = view.result, app.words
    assert result is not None
    if result.void:
        return str(text["result_ruled" if any(result.score) else "result_void"])
    if result.won_by is None:
        return str(text["result_nobody"])
    if len(result.re) == 1:
        name = plain(view.seats[result.re[0] - 1].name)
        return str(text["result_solo_won" if result.won_by == "re" else "result_solo_lost"]).format(name=name)
    if result.won_by in view.book.calls and result.kind != "ramsch":
        return str(text["result_" + result.won_by])
    names = [plain(view.seats[seat - 1].name) for seat in winners(view)]
    return str(text["result_names"]).format(names=text["and"].join(names))


def winners(view: TableView) -> tuple[int, ...]:
    """List the seats that have won the last game."""
    result = view.result
    if result is None or result.won_by is None or not result.re:
        return ()
    if result.won_by == "re":
        return result.re
    return tuple(seat.seat for seat in view.seats if seat.seat not in result.re and result.score[seat.seat - 1])


def reasons(app: Any, view: TableView) -> str:
    """List the reasons of the value and their sum: ``gewonnen +1, Re ×2, Fuchs gefangen +1 = 3, Anna ×3``.

    The reasons have no markup, where it begins or ends a line may break: it would begin with the number or a comma.
    """
    result = view.result
    assert result is not None
    parts = []
    for name, number in result.value:
        value = f"×{number}" if name in result.factors else f"{number:+}".replace("-", "−")
        parts.append(f"{value_word(name, app.language)}{NO_BREAK}{value}")
    row = next((row for row in reversed(view.rows) if row.listed.own == result.game), None)
    points = row.points if row else None
    if row is None or points is None or not parts:
        return ",  ".join(parts)
    tail = _written(app, view, points)
    value = f"[color=EDB93F]={NO_BREAK}[b]{points}{',' if tail else ''}[/b][/color]"
    return f"{',  '.join(parts)} {value}{tail and '  '}{tail}"


def _written(app: Any, view: TableView, points: int) -> str:
    """Say what is written where that is not the value itself."""
    result = view.result
    assert result is not None
    row = next(row for row in reversed(view.rows) if row.listed.own == result.game)
    scores = {abs(result.score[seat - 1]) for seat in result.re} if len(result.re) == 1 else {points}
    if points and scores == {3 * points}:
        return f"{plain(view.seats[result.re[0] - 1].name)} [b]×3[/b]"  # eppstein 6.2.4, schaffkopf II 5.2
    written = {result.score[seat - 1] for seat in winners(view)}
    if len(written) == 1 and len(result.re) > 1 and written != {points} and not row.listed.ruled:
        return str(app.words["each_gets"]).format(n=written.pop())  # durchgaenge 6c: Bonuspunkte
    return ""
