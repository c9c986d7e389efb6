"""Decide what is still to be sent to the director: the logic of the line, without a network.

The director answers every message with the number of the last event that it holds and its chain up to there. Whatever
gets lost, the next message follows from the last answer; nothing has to be remembered over a restart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from kiosk.table.events.chain import START, chain_over, link


class EventSource(Protocol):
    """The table's events, safe to be read from another thread."""

    def read(self, after: int = -1) -> Sequence[tuple[int, dict[str, Any]]]:
        """Read events with numbers above ``after`` and their numbers, in order; numbers count from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A message to the director: ``events`` follow event ``after``; ``chain`` is that of all up to ``after``."""

    after: int
    chain: str
    events: tuple[Mapping[str, Any], ...]

    def json(self) -> dict[str, Any]:
        """Format the message as it goes over the line."""
        return {"after": self.after, "chain": self.chain, "events": list(self.events)}


class Outbox:
    """What the director has and what is sent next.

    :param batch: how many events go in one message at most.
    """

    def __init__(self, log: EventSource, batch: int = 200) -> None:
        self._log, self._batch = log, batch
        self._chains: list[str] = [START]  # [n]: the chain over the first n events
        self._whole = False  # the director holds something else: send all, so that it can name the event
        self.acknowledged: int | None = None  # the last event that the director has; None: it was not asked yet
        self.missing_here = 0  # events that the director holds beyond the end of the table's log

    @property
    def waiting(self) -> int:
        """Number of read events that the director does not have, as far as known."""
        return len(self._chains) - 2 - (-1 if self.acknowledged is None else self.acknowledged)

    @property
    def last(self) -> int:
        """Number of the last event that was read here; -1 for none."""
        return len(self._chains) - 2

    def begins(self, events: Sequence[Mapping[str, Any]]) -> bool:
        """Report whether these events begin with all that are here; if they do not, all is sent to be compared."""
        self._read()
        same = len(events) > self.last and chain_over(events[: self.last + 1]) == self._chains[-1]
        self._whole = not same
        return same

    def post(self) -> Post | None:
        """Return the next message; None if the director has everything, or more than the table."""
        self._read()
        if self._whole:
            self.missing_here = 0
            return Post(after=-1, chain=START, events=_bodies(self._log.read(-1)))
        if self.acknowledged is None:
            return Post(after=-1, chain=START, events=())
        events = _bodies(self._log.read(self.acknowledged)[: self._batch])
        if not events or self.missing_here:
            return None
        return Post(after=self.acknowledged, chain=self._chains[self.acknowledged + 1], events=events)

    def took(self, last: int, chain: str) -> None:
        """Note that the director holds the events up to ``last``, with this chain."""
        self._read()
        here = self.last
        self.missing_here = max(0, last - here)
        equal = not self.missing_here and self._chains[last + 1] == chain
        if equal or self._whole:  # after the whole list it has compared everything that is here
            self.acknowledged, self._whole = min(last, here), False
        else:
            self._whole = True

    def ask(self) -> None:
        """Forget what the director is believed to have; the next message asks."""
        self.acknowledged, self._whole, self.missing_here = None, False, 0

    def _read(self) -> None:
        for _, event in self._log.read(len(self._chains) - 2):
            self._chains.append(link(self._chains[-1], event))


def _bodies(rows: Sequence[tuple[int, dict[str, Any]]]) -> tuple[dict[str, Any], ...]:
    return tuple(event for _, event in rows)
