"""Serve what a tournament's tables have taken: games, minutes, minutes a game."""

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from kiosk.director.pages.tallies import known_of, of_all_lists
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.hall import Hall
from kiosk.director.web.files import file
from kiosk.director.web.languages import Language
from kiosk.language import say
from kiosk.table.scoresheet.grid import as_csv
from kiosk.table.scoresheet.pace import pace

router = APIRouter()

#: What is known of a table → the heading of its column.
_COLUMNS = {
    "round": "tables_round",
    "table": "tables_table",
    "rules": "tables_rules",
    "games": "tables_games",
    "minutes": "tables_minutes",
    "minutes_a_game": "tables_minutes_a_game",
    "closed": "tables_closed",
}


@router.get("/api/{tournament}/tables.{kind}")
async def the_tables(
    request: Request, tournament: str, kind: Literal["json", "csv"], language: Language = "de"
) -> Response:
    """Send for each table and round the games that are over, the minutes from the release to their end, and a game's.

    By the tables' own clocks; null, or an empty cell, where no game is over. A list on paper has no times.
    """
    hall: Hall = request.app.state.hall
    _, copies, _ = await of_all_lists(hall, lambda: known_of(hall, tournament))
    data = [row for row in map(_row, copies) if row is not None]
    if kind == "json":
        return JSONResponse(data)
    heads = [say("page_pace", code, language) for code in _COLUMNS.values()]
    lines = [[_cell(row[name], language) for name in _COLUMNS] for row in data]
    return file("\ufeff" + as_csv(heads, lines), f"{tournament}-tables.csv", "text/csv")


def _row(copy: Copy) -> dict[str, Any] | None:
    round_ = copy.round
    if round_ is None:
        return None
    taken = pace(round_)
    return {
        "round": copy.key.round,
        "table": copy.key.table,
        "rules": round_.book.name,
        "games": taken.games,
        "minutes": None if taken.played_ms is None else round(taken.played_ms / 60_000, 1),
        "minutes_a_game": None if taken.game_ms is None else round(taken.game_ms / 60_000, 1),
        "closed": round_.closed,
    }


def _cell(value: Any, language: Language) -> str | int:
    if isinstance(value, bool):
        return say("page_pace", "tables_yes" if value else "tables_no", language)
    if isinstance(value, float):
        return f"{value:.1f}" if language == "en" else f"{value:.1f}".replace(".", ",")
    return "" if value is None else value
