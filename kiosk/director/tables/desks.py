"""Find the desk of each table in each round: what the director knows of it besides its stored events."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.storage.order_store import GivenOrder
from kiosk.director.tables.copy import Copy
from kiosk.director.tables.held_back import GoesOn, HeldBack
from kiosk.director.tables.line_end import LineEnd
from kiosk.director.tables.rivals import Rival

Message = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A table's socket at another director of the same database."""

    director: str
    device: str
    since: int  # ms since the epoch


@dataclass(eq=False, slots=True)
class TableDesk:
    """The state of one table in one round."""

    key: ListKey
    copy: Copy
    line: LineEnd | None = None
    elsewhere: Elsewhere | None = None  # where there is no ``line``
    away_since: int = 0  # ms since the epoch; 0: never heard
    status: Message = field(default_factory=dict)  # what the table's device reports of itself
    status_at: float = 0.0  # monotonic seconds
    conflict: str = ""  # two lists for this table: what is stored, and what was sent
    rival: Rival | None = None  # the list that was sent, as long as there is a conflict
    twice: bool = False  # a second device speaks for this table
    alarmed: float = 0.0  # monotonic seconds when either of them was last seen
    held: HeldBack | None = None  # what its device sends and may not decide by itself
    goes_on: GoesOn | None = None  # how the direction has taken what was held
    anew: bool = False  # its list was set aside: fold from the start
    pending: list[GivenOrder] = field(default_factory=list)
    refused: list[Message] = field(default_factory=list)  # orders, with number, body, why, at (ms since the epoch)
    orders_changed: bool = True  # pending and refused are to be read again
    known: bool = False  # the table was heard of in this round

    @property
    def connected(self) -> bool:
        """Whether a device has a socket for this list, here or at another director."""
        return self.line is not None or self.elsewhere is not None

    @property
    def since(self) -> int:
        """Milliseconds since the epoch when its device came, or went; 0: never heard."""
        end = self.line or self.elsewhere
        return end.since if end is not None else self.away_since


class Desks:
    """All desks, by list, by round and by table number."""

    def __init__(self) -> None:
        self._all: dict[ListKey, TableDesk] = {}
        self._rounds: dict[tuple[str, int], dict[int, TableDesk]] = {}
        self._numbers: dict[int, list[TableDesk]] = {}

    def __getitem__(self, key: ListKey) -> TableDesk:
        return self._all[key]

    def __contains__(self, key: ListKey) -> bool:
        return key in self._all

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[TableDesk]:
        return iter(self._all.values())

    def get(self, key: ListKey) -> TableDesk | None:
        """Return the table's desk; None if the table was never heard of in that round."""
        return self._all.get(key)

    def add(self, key: ListKey) -> TableDesk:
        """Make a desk for a table that has none in that round."""
        desk = self._all[key] = TableDesk(key, Copy(key))
        self._rounds.setdefault((key.tournament, key.round), {})[key.table] = desk
        self._numbers.setdefault(key.table, []).append(desk)
        return desk

    def rounds(self) -> list[tuple[str, int]]:
        """List tournaments and rounds that have desks, sorted."""
        return sorted(self._rounds)

    def of_round(self, tournament: str, round_: int) -> list[TableDesk]:
        """List the desks of a round, by table number."""
        return [desk for _, desk in sorted(self._rounds.get((tournament, round_), {}).items())]

    def of_tournament(self, tournament: str) -> list[TableDesk]:
        """List the desks of a tournament, by round and table number."""
        return [desk for name, number in self.rounds() if name == tournament for desk in self.of_round(name, number)]

    def of_table(self, number: int) -> list[TableDesk]:
        """List the desks of the same table in all rounds."""
        return self._numbers.get(number, [])
