"""Find out which tables have begun a round: their seats are not the direction's any more."""

from collections.abc import Mapping
from typing import Any

from kiosk.director.tables.hall import Hall
from kiosk.errors import BadNote


def begun_tables(hall: Hall, round_: int) -> set[int]:
    """Return the tables that have opened their list of a round, on a device or on paper."""
    typed = {table for number, table in hall.office.tournament.lists if number == round_}
    return typed | {key.table for key in hall.keys(hall.tournament, round_) if hall.desks[key].copy.count}


def need_not_begun(hall: Hall, wish: Mapping[str, Any], names: tuple[Any, ...] | None) -> None:
    """:raises BadNote: a table of the round, or of one of these people, has opened its list already."""
    plan = hall.office.tournament.plan(wish.get("round"))
    begun = begun_tables(hall, plan.round)
    for table, seated in plan.seats.items():
        if table in begun and (names is None or set(names) & set(seated)):
            raise BadNote(
                "begun",
                f"table {table} has opened its list of round {plan.round} already; "
                "replace a player there, or set its list aside first",
                table=table,
            )
