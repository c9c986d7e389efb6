"""Identify a list of events: a table in a round of a tournament."""

from dataclasses import dataclass

from kiosk.errors import cut


@dataclass(frozen=True, slots=True, order=True)
class ListKey:
    """Key of one list of events at the director's."""

    tournament: str
    round: int
    table: int

    @property
    def parts(self) -> tuple[str, int, int]:
        """Tournament, round and table."""
        return self.tournament, self.round, self.table

    def __str__(self) -> str:
        return f"{cut(self.tournament)}, round {self.round}, table {self.table}"
