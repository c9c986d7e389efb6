"""Keep the list that a table sends and that contradicts the stored one, beside that, for the direction to decide."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.director.key import ListKey
from kiosk.director.tables.copy import Copy
from kiosk.table.events.chain import chain_over


@dataclass(frozen=True, slots=True)
class Rival:
    """Another list of the same table: the table sends it again until it is decided which one counts."""

    events: tuple[Mapping[str, Any], ...]
    chain: str  # over all of them
    differs: int  # number of the first event that is stored otherwise
    told: Mapping[str, Any]  # what a page shows of it

    @property
    def last(self) -> int:
        """Number of its last event."""
        return len(self.events) - 1


def rival(key: ListKey, events: Sequence[Mapping[str, Any]], differs: int) -> Rival:
    """Fold a list that was sent, to be shown."""
    copy = Copy(key)
    copy.add(events)
    return Rival(tuple(events), chain_over(events), differs, described(copy))


def described(copy: Copy) -> dict[str, Any]:
    """Describe a list so that people know it again: who plays, how many games, the points, when it began and grew."""
    round_ = copy.round
    if round_ is None:
        return {"events": copy.count, "opened": None, "last_at": None, "games": 0, "players": [], "totals": []}
    totals = round_.totals
    return {
        "events": copy.count,
        "opened": round_.opening.at,
        "last_at": max((event.at for _, event in round_.log if event.at is not None), default=None),
        "games": len(round_.games),
        "players": list(round_.players),
        "totals": [totals.get(seat, 0) for seat in round_.seats],
    }
