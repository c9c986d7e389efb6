"""Be one table of the evening: the kiosk as it is shipped, without screen and camera, and the people who play there.

    python -m kiosk.bench.faults.table TABLE.TOML first|again|spare OPTIONS

``first``: people sit down; ``again``: they go on with the list that their table shows, ``spare``: they wait for the one
that the direction holds. OPTIONS is a JSON object, those of the round. Standard input takes ``["pace", seconds]``,
the time from one event to the next. Standard output tells, besides what ``kiosk.bench.championship.table`` does,
``["shown", events, saved, chain, waiting, connected, trouble]``, whenever that changes and twice a second: how many
events the table has noted, how many of them are on its disk, the chain over the latter, and how its line stands.
"""

import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kiosk.app.config import load_table
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.start import run_table
from kiosk.bench.championship.table import TablePeople, say
from kiosk.rules.books import DEFAULT
from kiosk.table.consent import BY_ALL
from kiosk.table.events.chain import START, link
from kiosk.table.events.codec import decode_opening, encode
from kiosk.table.events.values import Request
from kiosk.table.table import Table

#: Seconds between two requests to sit down, and between two words about a table at which nothing happens.
_ASK_S, _TELL_S = 5.0, 0.5

PLAYERS = ("Anna", "Bernd", "Cem", "Dora")


def opening(table: int, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the event that opens a table's round."""
    players = [f"{name} {table}" for name in PLAYERS]
    body = {"event": "open", "format": 1, "rules": DEFAULT, "table": table, "round": 1, "players": players}
    return body | ({"options": dict(options)} if options else {})


class EveningPeople(TablePeople):
    """People who keep a pace, and tell what their table shows."""

    def __init__(self, kiosk: Kiosk, number: int, folder: Path, comes: str, options: Mapping[str, Any]) -> None:
        self._comes, self._options = comes, options
        self._pace, self._due = 1.0, 0.0
        self._shown: Table | None = None
        self._chains: list[str] = []  # over the events up to each
        self._saved = 0
        self._last_told: list[Any] = []
        self._told_at = 0.0
        super().__init__(kiosk, number, folder)
        self._limit = None

    def act(self) -> None:
        """Do the next thing, if it is time for it, and tell."""
        super().act()
        if self._kiosk.table is not None:
            self._tell_shown(self._kiosk.table)

    def _command(self, command: list[Any]) -> None:
        if command[0] == "pace":
            self._pace, self._due = float(command[1]), 0.0
        else:
            super()._command(command)

    def _take_seats(self) -> None:
        if self._comes == "first" and time.monotonic() >= self._due:
            self._due = time.monotonic() + _ASK_S
            event = decode_opening(opening(self._number, self._options))
            self._kiosk.deliver(Asked(Request(event=event, consent=BY_ALL)))

    def _waits(self, table: Table) -> bool:
        return time.monotonic() < self._due or super()._waits(table)

    def _ask(self, event: dict[str, Any]) -> None:
        self._due = time.monotonic() + self._pace
        super()._ask(event)

    def _tell_shown(self, table: Table) -> None:
        """Tell how far the list is, here and on the disk, and how the line stands."""
        if table is not self._shown:
            self._shown, self._chains, self._saved = table, [], 0
        for event in table.events[len(self._chains) :]:
            self._chains.append(link(self._chains[-1] if self._chains else START, encode(event)))
        count = len(self._chains)
        if not table.unsaved and not self._kiosk.outputs.storage:
            self._saved = count
        told: list[Any] = [count, self._saved, self._chains[self._saved - 1] if self._saved else START]
        line = self._kiosk.outputs.line
        assert line is not None
        told += [line.state.waiting, line.state.connected, line.state.trouble]
        now = time.monotonic()
        if told != self._last_told or now - self._told_at >= _TELL_S:
            self._last_told, self._told_at = told, now
            say("shown", *told)


def main(arguments: Sequence[str]) -> int:
    """Run the table of this file."""
    path, comes, options = Path(arguments[0]), arguments[1], json.loads(arguments[2])
    number = load_table(path).table
    return run_table(path, by_hand=lambda kiosk: EveningPeople(kiosk, number, path.parent, comes, options).act)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
