"""Hold a table's data before people sit down."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kiosk.table.view.book_view import USUAL, BookView, RoundFrame, book_view, round_frame


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What people have written and chosen before they sit down."""

    names: tuple[str, ...] = ()  # seat 1 first; () if nobody has written any
    rules: str = ""  # the book that they have chosen; "": none other than the table begins with
    options: Mapping[str, object] = field(default_factory=dict)  # of that book

    def __bool__(self) -> bool:
        return bool(self.names or self.rules)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatsView:
    """Data of a table before people sit down: from the configuration or the director's plan."""

    table: int = 1
    round: int = 1
    rules: str = USUAL
    books: tuple[tuple[str, str], ...] = ((USUAL, book_view(USUAL).title),)  # of each to choose from
    players: tuple[str, ...] = ()  # seat 1 first; seats without a name are empty
    options: dict[str, object] = field(default_factory=dict)
    substitutes: tuple[int, ...] = ()  # seats of those who are left out of the standing
    mat_seats: int = 5  # places on the mat; more people cannot sit down
    tournament: str = ""  # whose direction has said all this; "": nobody has
    minutes: float | None = None  # playing time by the direction
    seated: bool = False  # the direction has drawn the seats, too
    kept: bool = False  # the rounds that were begun here can be seen again
    alone: bool = False  # nobody directs this table: its people begin rounds and evenings
    evening: str = ""  # of a table on its own, see kiosk.table.evenings
    new: bool = False  # this evening begins with this round and may be given another name

    def book(self, rules: str = "") -> BookView:
        """Look up a book, the chosen one without a name.

        :raises KeyError: there is no such book.
        """
        return book_view(rules or self.rules)

    def frame(self, players: int) -> RoundFrame:
        """Work out the round that the direction has set, for as many at the table as the book allows."""
        frame = round_frame(self.rules, self.options, min(players, max(self.book().tables)))
        return replace(frame, minutes=self.minutes or frame.minutes)

    def planned(self, plan: Mapping[str, Any] | None) -> "SeatsView":
        """Add what the direction has set: the book, and names and round where seats were drawn."""
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
