"""How a game ended, in words."""

from typing import Any

from kiosk.table import words
from kiosk.table.view import ResultView, TableView
from kiosk.ui.look import plain

NO_BREAK = "\u00a0"

#: Reasons that multiply what stands before them, by book (eppstein 6.2.2 (c)); elsewhere they are added.
FACTORS = {"eppstein": {"re", "kontra"}, "schnittchen": {"re", "kontra", "bock", "bockrunde"}}


def verdict(app: Any, view: TableView) -> str:
    """Who has won the last game."""
    result, text = view.result, app.words
    assert result is not None
    if result.void:
        return str(text["result_void"])
    if result.won_by is None:
        return str(text["result_nobody"])
    if len(result.re) == 1:
        name = plain(view.seats[result.re[0] - 1].name)
        return str(text["result_solo_won" if result.won_by == "re" else "result_solo_lost"]).format(name=name)
    return str(text["result_" + result.won_by])


def winners(view: TableView) -> tuple[int, ...]:
    """The seats that have won the last game."""
    result = view.result
    if result is None or result.won_by is None or not result.re:
        return ()
    if result.won_by == "re":
        return result.re
    return tuple(seat.seat for seat in view.seats if seat.seat not in result.re and result.score[seat.seat - 1])


def reasons(app: Any, result: ResultView, rules: str) -> str:
    """The reasons of the value, ready to be read: ``gewonnen 1, Re ×2, Fuchs gefangen 1``."""
    parts = []
    for name, number in result.value:
        doubles = name in FACTORS.get(rules, ())
        reason = f"{words.value_word(name, app.language)} [b]{'×' if doubles else ''}{number}[/b]"
        parts.append(reason.replace(" ", NO_BREAK))
    return ",  ".join(parts)
