"""What is known of a table before people sit down."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """What is known before people sit down: from the configuration or the director's plan."""

    table: int = 1
    round: int = 1
    rules: str = "eppstein"
    books: tuple[tuple[str, str], ...] = (("eppstein", "Eppstein"),)  # code and title of each book to choose from
    players: tuple[str, ...] = ()  # seat 1 first; seats without a name are empty
    options: dict[str, object] = field(default_factory=dict)
    substitutes: tuple[int, ...] = ()  # seats of those who are left out of the standing
    mat_seats: int = 5  # places on the mat; more people cannot sit down
    tournament: str = ""  # whose direction has said all this; "": nobody has
    minutes: float | None = None  # playing time by the direction
    seated: bool = False  # the direction has drawn the seats, too

    def planned(self, plan: Mapping[str, Any] | None) -> "Seating":
        """This seating with what the direction has set: the book, and names and round where seats were drawn."""
        if plan is None:
            return self
        drawn = {"round": plan["round"], "players": tuple(plan["players"]), "substitutes": tuple(plan["substitutes"])}
        return replace(
            self,
            tournament=plan["tournament"],
            rules=plan["rules"],
            options=dict(plan["options"]),
            minutes=plan["minutes"],
            seated=bool(plan["players"]),
            **(drawn if plan["players"] else {}),
        )
