"""Make the plan that a table gets before people sit down at it."""

from typing import Any

from kiosk.tournament.tournament import Tournament


def plan_for(tournament: Tournament, table: int) -> dict[str, Any] | None:
    """Return the newest plan of the tables for this table; None where the direction has set nothing for it.

    Without drawn seats it has the rules alone: ``players`` is empty and ``round`` None, the table goes on with its own.
    ``numbers`` are the start numbers of who sits there and of all substitutes, for badges without a name.
    """
    plan = tournament.published
    players = plan.seats.get(table, ()) if plan else ()
    if plan and not players:
        return None  # nobody was seated at this table
    if not (players or tournament.chosen):
        return None
    substitutes = tournament.substitutes()
    rules = tournament.rules_of(plan.round if plan else 1)
    return {
        "tournament": tournament.name,
        "round": plan.round if plan else None,
        "table": table,
        "rules": rules.rules,
        **({"book": dict(own.content)} if (own := rules.book.own) else {}),
        "options": dict(rules.options),
        "minutes": rules.minutes,
        "players": list(players),
        "substitutes": [seat for seat, name in enumerate(players, start=1) if name in substitutes],
        "numbers": {
            str(one.number): one.name
            for one in tournament.people.values()
            if one.number is not None and (one.substitute or one.name in players)
        },
    }
