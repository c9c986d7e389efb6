"""Halls with something on every page of the direction, and tables that go on playing, for tests in a browser."""

import shutil
import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx

from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.director.tables.table_events import is_decision
from kiosk.table.events.chain import START, link

#: Debian's build without windows needs half the processor time of the whole one.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run",
]  # fmt: skip
NAME = "Herbst 2026"
PIN = "2468"
Event = Mapping[str, Any]


def hall(
    folder: Path, rounds: Sequence[Sequence[Event]], notes: Sequence[Mapping[str, Any]] = (), **more: Any
) -> Service:
    """Make a service, not started, that already holds these lists and notes."""
    settings = Settings(tournament=NAME, database=f"sqlite:///{folder / 'hall.sqlite'}", port=0, pin=PIN, **more)
    store = Store(settings.database)
    for events in rounds:
        store.append(ListKey(NAME, int(events[0].get("round", 1)), int(events[0]["table"])), -1, START, events)
    for number, note in enumerate(notes):
        store.note(NAME, number, note)
    store.close()
    service = Service(settings)
    for events in rounds:
        service.enrol(int(events[0]["table"]), f"t{events[0]['table']}.geheim")
    return service


def named(events: Sequence[Event], names: Sequence[str]) -> list[Event]:
    """The same round with other people at the table."""
    return [{**events[0], "players": list(names)}, *events[1:]]


def evening() -> tuple[list[list[Event]], list[dict[str, Any]]]:
    """An evening by schnittchen, which has a cash book and a year: a list handed in, one called for, one in play."""
    people = ["Anna Ott", "Bernd Uhl", "Cem Aydın", "Dörte Lang", "Emil Nähr", "Fritz Roth", "Gül Öz", "Hans Graf",
              "Ida Kern", "Jan Maier", "Karl Beck", "Lena Wirth"]  # fmt: skip
    done = named(list(simulate("schnittchen", 3, table=1)), people[:4])
    playing = named(list(simulate("schnittchen", 4, 3, table=2, mistakes=0.03)), people[4:8])
    called = named(list(simulate("schnittchen", 5, 2, table=3)), people[8:])
    objection = {"event": "object", "seat": 1, "against": 2, "code": "revoke"}
    notes: list[dict[str, Any]] = [
        {"note": "setup", "rules": "schnittchen", "options": {}, "day": "2026-11-21", "start": "19:30"},
        {"note": "enter", "names": people},
        {"note": "enter", "names": ["Xaver Huber"], "substitute": True},
    ]
    half_past_seven = int(datetime(2026, 11, 21, 19, 25).timestamp() * 1000)
    notes += [{"note": "check_in", "name": name, "came": half_past_seven + i * 60_000} for i, name in enumerate(people)]
    return [done, playing, [*called, objection]], notes


class Pace:
    """Tables that send one event after the other, each table in turn, so many a second, until it is stopped."""

    def __init__(self, url: str, rounds: Sequence[Sequence[Event]], after: int, per_second: float) -> None:
        self.url, self.rounds, self.after, self.pause = url, rounds, after, 1 / per_second
        self.sent, self.failed = 0, ""
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True)

    def __enter__(self) -> "Pace":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(30)
        assert not self.failed, self.failed

    def _send(self) -> None:
        chains = [START] * len(self.rounds)
        for index, events in enumerate(self.rounds):
            for event in events[: self.after + 1]:
                chains[index] = link(chains[index], event)
        at = [self.after] * len(self.rounds)
        with httpx.Client(trust_env=False, timeout=60) as http:  # a disk that others fill may hold it up for seconds
            for index in cycle(range(len(self.rounds))):
                events = self.rounds[index]
                if self._stop.wait(self.pause):
                    return
                if at[index] + 1 >= len(events) or is_decision(events[at[index] + 1]):
                    continue  # nobody orders the ruling that would come now
                event = events[at[index] + 1]
                where = f"{self.url}/line/{quote(NAME)}/{events[0].get('round', 1)}/{events[0]['table']}/events"
                shown = {"Authorization": f"Bearer t{events[0]['table']}.geheim"}
                message = {"after": at[index], "chain": chains[index], "events": [event]}
                said = http.post(where, json=message, headers=shown)
                if said.status_code != 200:
                    self.failed = said.text
                    return
                chains[index], at[index] = link(chains[index], event), at[index] + 1
                self.sent += 1
