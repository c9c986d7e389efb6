"""Keep what a table sends and may not decide by itself, until the direction takes it or lets the table try on.

A referee may have ruled at a table that was away, before his right to do so was withdrawn: the list goes on behind that
ruling, so nothing of it can be left out. The table keeps sending it; nothing here has to outlive the process.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kiosk.director.tables.table_events import decisions

#: What the direction can take back of a decision that it has taken, by an order to the table (docs/table.md).
_TAKEN_BACK = frozenset({"rule", "strike", "substitute"})


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """The rest of a table's message, from the first decision on that nobody has ordered."""

    after: int  # number of the event before
    chain: str  # of all events up to there
    events: tuple[Mapping[str, Any], ...]
    since: int  # ms since the epoch

    @property
    def last(self) -> int:
        """Number of the last event."""
        return self.after + len(self.events)

    @property
    def decided(self) -> list[tuple[int, Mapping[str, Any]]]:
        """The decisions among them, with their numbers."""
        found = {id(event) for event in decisions(self.events)}
        return [(number, event) for number, event in enumerate(self.events, self.after + 1) if id(event) in found]

    def taken_back(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the orders that take its decisions back, and the names of those that no order takes back."""
        orders = [
            {"event": "correct", "of": number, "word": None}
            for number, event in self.decided
            if event.get("event") in _TAKEN_BACK
        ]
        return orders, [str(event["event"]) for _, event in self.decided if event.get("event") not in _TAKEN_BACK]


def hold_back(before: HeldBack | None, after: int, chain: str, events: Sequence[Mapping[str, Any]]) -> HeldBack:
    """Return what is held back now; the table sends the same every few seconds."""
    if before is not None and (before.after, before.chain, before.events) == (after, chain, tuple(events)):
        return before
    return HeldBack(after=after, chain=chain, events=tuple(events), since=int(time.time() * 1000))
