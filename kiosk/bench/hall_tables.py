"""Be many tables of a hall in one process, each with the kiosk's own line: ``python -m kiosk.bench.hall_tables``.

Standard input holds one JSON object (``TablesTask``), and later a line upon which they play. Standard output gets one
JSON array a line: ``["laid", table, event, seconds]`` for each event appended, ``["order", table, number, seconds]``
for each order that arrived, ``["caught up", seconds]`` once all that the logs held at first is stored; seconds are
those of the machine's monotonic clock.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.bench.hall_rounds import round_of, take_rounds
from kiosk.sync.line import Line
from kiosk.sync.state import LineMessage, Order

Row = tuple[int, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class TablesTask:
    """What the tables of one process do."""

    url: str
    secrets: list[str]  # of the tables' devices, the first table's first
    tournament: str
    rounds: str  # file in which the rounds are
    first: int  # number of the first table
    count: int
    begun: float  # share of a round that each has played already
    pace: float  # events a second of each table
    seconds: float  # for which they play
    authority: str = ""  # by which the director is recognised, PEM; "": nothing is encrypted


class PlayedLog:
    """A table's log: a round of which a part was played."""

    def __init__(self, events: Sequence[dict[str, Any]], played: int) -> None:
        self._events, self.played = events, played

    def read(self, after: int = -1) -> list[Row]:
        """Read what was played after an event."""
        return list(enumerate(self._events[after + 1 : self.played], start=after + 1))

    def append(self) -> int | None:
        """Play the next event and return its number; None at the end of the round."""
        if self.played == len(self._events):
            return None
        self.played += 1
        return self.played - 1


def _say(*what: object) -> None:
    print(json.dumps(what), flush=True)


class BenchTable:
    """One table: its log, its line, its clock."""

    def __init__(self, task: TablesTask, number: int) -> None:
        events = round_of(number)
        self.number, self._task = number, task
        self.log = PlayedLog(events, max(2, int(len(events) * task.begun)))
        self.line = Line(
            task.url,
            task.secrets[number - task.first],
            task.tournament,
            number,
            1,
            self.log,
            self._deliver,
            ask_plan=True,
            authority=task.authority,
        )
        self._rng = random.Random(number)
        self._remaining = 5400.0 + number

    def _deliver(self, message: LineMessage) -> None:
        if isinstance(message, Order):
            _say("order", self.number, message.number, time.monotonic())
            self.line.answer(message.number)

    async def play(self) -> None:
        """Append events at the pace, and report the clock as the kiosk does, once a second."""
        begun = time.monotonic()
        due = begun + self._rng.expovariate(self._task.pace)
        while (now := time.monotonic()) < begun + self._task.seconds:
            self.line.tell(
                {
                    "clock": {
                        "running": True,
                        "remaining": round(self._remaining - (now - begun), 1),
                        "extra": 0.0,
                        "over": False,
                        "limited": True,
                    },
                    "camera": None,
                    "referee": False,
                    "called_by": None,
                    "coming": False,
                    "unsaved": False,
                    "seats": 4,
                }
            )
            if now >= due:
                due += self._rng.expovariate(self._task.pace)
                number = self.log.append()
                if number is not None:
                    _say("laid", self.number, number, time.monotonic())
                    self.line.wake()
            await asyncio.sleep(max(0.0, min(1.0, due - time.monotonic())))


async def _run(task: TablesTask) -> None:
    take_rounds(Path(task.rounds))
    tables = [BenchTable(task, task.first + i) for i in range(task.count)]
    async with asyncio.TaskGroup() as group:
        lines = []
        for table in tables:
            lines.append(group.create_task(table.line.run()))
            await asyncio.sleep(0.002)
        while any(table.line.state.acknowledged < table.log.played - 1 for table in tables):
            await asyncio.sleep(0.1)
        _say("caught up", time.monotonic())
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)  # a word to begin
        await asyncio.gather(*(table.play() for table in tables))
        end = time.monotonic() + 30
        while any(table.line.state.acknowledged < table.log.played - 1 for table in tables) and time.monotonic() < end:
            await asyncio.sleep(0.1)
        _say("all stored", time.monotonic())
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)  # until it is closed
        for line in lines:
            line.cancel()


if __name__ == "__main__":
    asyncio.run(_run(TablesTask(**json.loads(sys.stdin.readline()))))
