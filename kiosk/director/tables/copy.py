"""Keep the director's copy of one table: its events folded."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kiosk.director.key import ListKey
from kiosk.errors import KioskError
from kiosk.rules.engine.evolve import evolve
from kiosk.table.events.chain import START, canonical, link
from kiosk.table.events.codec import decode
from kiosk.table.round.fold import Round, open_round
from kiosk.table.scoresheet.counted import CountedList
from kiosk.table.view.show import view
from kiosk.table.view.table_view import TableView

log = logging.getLogger(__name__)

#: Numbers of events: all lists have the same ones, and each card of each list holds one.
NUMBERS = tuple(range(4096))


@dataclass(slots=True)
class Copy:
    """Copy of a table, extended with the store; an event that cannot be applied is named and skipped."""

    key: ListKey
    count: int = 0  # of events, with those that could not be applied
    round: Round | None = None
    trouble: str = ""  # the first event that could not be applied, and why
    names: set[str] = field(default_factory=set)  # of all its events
    chain: str = START  # over all its events
    folded: int = 0  # how many events ``round`` has: the thread that folds counts one before it is in
    kept: int = field(default=0, compare=False)  # how many events it had when it was last kept (``folds``)

    def add(self, events: Sequence[Mapping[str, Any]], chain: str | None = None) -> None:
        """Fold more events, in order.

        :param chain: over all events then, where it is known.
        """
        for event in events:
            if chain is None:
                self.chain = link(self.chain, event)
            self._add(event)
        if chain is not None:
            self.chain = chain

    def _add(self, event: Mapping[str, Any]) -> None:
        number = NUMBERS[self.count] if self.count < len(NUMBERS) else self.count
        self.count += 1
        self.names.add(str(event.get("event")))
        try:
            # the store keeps the text of the event: with a thousand tables it would not fit here a second time
            decoded = decode(event, keep=False)
            if number == 0:
                self.round = open_round(decoded)
            elif self.round is not None:
                self.round = _lighter(self.round.apply(decoded, number))
        except KioskError as error:
            self._passed_over(number, event, str(error))
        except Exception as error:
            log.exception("%s: event %s broke the fold", self.key, number)
            self._passed_over(number, event, repr(error))
        self.folded = self.count

    def _passed_over(self, number: int, event: Mapping[str, Any], why: str) -> None:
        if not self.trouble:
            self.trouble = f"event {number} {canonical(event)[:120]}: {why}"
            log.warning("%s: %s", self.key, self.trouble)

    def has(self, name: str) -> bool:
        """Report whether an event of that name is in the list."""
        return name in self.names

    def view(self, listed: CountedList | None = None) -> TableView | None:
        """Return the table's view, with its list as it counts; None before it has opened its list."""
        return None if self.round is None else view(self.round, whole=True, listed=listed)


def _lighter(round_: Round) -> Round:
    """The round without its states before earlier games: what is put right there is folded from the beginning again."""
    if round_.before is None or round_.before[1].before is None:
        return round_
    number, kept = round_.before
    return evolve(round_, before=(number, evolve(kept, before=None, leads=())))
