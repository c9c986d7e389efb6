"""Be one table of the hall: the kiosk as it is shipped, without screen and camera, and the people who play there.

    python -m kiosk.bench.championship.table TABLE.TOML

Standard input takes commands, a JSON array a line: ``["play", round, games, cards]`` play up to there and hold,
``["play"]`` play on, ``["object", seat, against]`` complain before the next card. Standard output tells
``["game", round, games]`` for each game that is over, ``["held", round, games, cards]``, ``["closed", round]``,
``["stuck", event, why]``. The people do their lines in the order of the script; whatever the direction orders meanwhile
is the table's own affair. When standard input is closed the table is switched off.
"""

import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kiosk.app.config import load_table
from kiosk.app.inbox import Asked
from kiosk.app.kiosk import Kiosk
from kiosk.app.start import run_table
from kiosk.bench.championship.play import done_at_table, played, simulated
from kiosk.table.consent import BY_ALL
from kiosk.table.events.codec import decode_opening, decode_request, encode, format_body
from kiosk.table.events.values import Request
from kiosk.table.table import Table

#: Seconds after which an act that the table has not noted is tried again, and told.
STUCK_S = 10.0


def say(*what: object) -> None:
    """Tell something on standard output."""
    print(json.dumps(what, ensure_ascii=False), flush=True)


class TablePeople:
    """Those who sit at a table: they do what the script has next, once the table has noted what was before."""

    def __init__(self, kiosk: Kiosk, number: int, folder: Path) -> None:
        self._kiosk, self._number, self._folder = kiosk, number, folder
        self._commands: queue.SimpleQueue[list[Any]] = queue.SimpleQueue()
        self._table: Table | None = None
        self._script: list[dict[str, Any]] = []
        self._next = 0  # of the script
        self._seen = 0  # of the table's events
        self._asked_at: float | None = None
        self._limit: tuple[int, ...] | None = (0, 0, 0)  # round, games, cards: up to there they play
        self._objects: list[int] = []
        self._told: list[object] = []
        threading.Thread(target=self._listen, name="commands", daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._commands.put(json.loads(line))
        os.kill(os.getpid(), signal.SIGTERM)

    def act(self) -> None:
        """Do the next thing, if it is time for it."""
        while not self._commands.empty():
            self._command(self._commands.get())
        table = self._kiosk.table
        if table is None:
            self._take_seats()
            return
        if table is not self._table:
            self._sit_down(table)
        if self._follow(table):
            self._asked_at = None
        if self._next == len(self._script) or self._waits(table):
            return
        if self._asked_at is None:
            self._ask(self._script[self._next])
        elif time.monotonic() - self._asked_at > STUCK_S:
            say("stuck", self._script[self._next], str(self._kiosk.outputs.refusals[-1:]))
            self._ask(self._script[self._next])

    def _command(self, command: list[Any]) -> None:
        what, *values = command
        if what == "play":
            self._limit = tuple(values) or None
            self._told = []
        elif what == "object":
            self._objects = values

    def _take_seats(self) -> None:
        """Sit down as the direction has planned it, by the screen's key."""
        plan = (self._kiosk.opener.plan.plan if self._kiosk.opener.plan is not None else None) or {}
        if plan.get("players") and (self._asked_at is None or time.monotonic() - self._asked_at > STUCK_S):
            keys = ("tournament", "rules", "options", "minutes", "round", "players", "substitutes")
            opening = {"event": "open", "format": 1, "table": self._number}
            event = decode_opening({**opening, **{key: plan[key] for key in keys if plan.get(key)}})
            self._asked_at = time.monotonic()
            self._kiosk.deliver(Asked(Request(event=event, consent=BY_ALL)))

    def _sit_down(self, table: Table) -> None:
        self._table, self._next, self._seen, self._asked_at = table, 0, 0, None
        events = played(encode(table.events[0]))
        simulated(self._folder, table.round.round).write_text("\n".join(map(format_body, events)))
        self._script = done_at_table(events)

    def _follow(self, table: Table) -> bool:
        """See what the table has noted; whether it is the next of the script."""
        before = self._next
        for event in table.events[self._seen :]:
            body = encode(event)
            if self._next < len(self._script) and _same(self._script[self._next], body):
                self._next += 1
        self._seen = len(table.events)
        if self._next != before:
            where = _where(table)
            self._tell("game", *where[:2])
            if table.round.closed:
                self._tell("closed", where[0])
        return self._next != before

    def _tell(self, *what: object) -> None:
        if what not in self._told:
            self._told.append(what)
            say(*what)

    def _waits(self, table: Table) -> bool:
        """Whether the people wait: for the release, the referee, or because they were told to hold."""
        if self._script[self._next]["event"] in ("open", "release") or self._kiosk.phase == "resting":
            return True
        where = _where(table)
        if self._limit is not None and where >= self._limit:
            self._tell("held", *where)
            return True
        if self._objects and self._script[self._next]["event"] == "card" and where[2] > 0:
            seat, against = self._objects
            self._objects = []
            self._ask({"event": "object", "seat": seat, "against": against, "code": "revoke"})
            self._asked_at = None
            return True
        return False

    def _ask(self, event: dict[str, Any]) -> None:
        self._asked_at = time.monotonic()
        self._kiosk.deliver(Asked(decode_request(event, BY_ALL)))


def _where(table: Table) -> tuple[int, int, int]:
    """Round, games that are over, and cards laid in the one that runs."""
    round_ = table.round
    cards = round_.game.cards_laid if round_.running and round_.game is not None else 0
    return round_.round, len(round_.games), cards


def _same(wanted: dict[str, Any], noted: dict[str, Any]) -> bool:
    return all(noted.get(key) == value for key, value in wanted.items())


def main(arguments: Sequence[str]) -> int:
    """Run the table of this file."""
    path = Path(arguments[0])
    number = load_table(path).table
    return run_table(path, by_hand=lambda kiosk: TablePeople(kiosk, number, path.parent).act)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
