"""Measure the director's storage rate and the delay until its page shows an event, for ``stichwart bench``."""

import json
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START, link

Event = Mapping[str, Any]


def stored_per_second(folder: Path, events: Iterable[Event], batch: int = 1) -> float:
    """Measure events per second stored in messages of ``batch`` events, each on disk before the next (SQLite)."""
    store = Store(f"sqlite:///{folder / 'bench-store.sqlite'}")
    rest = list(events)
    key = ListKey("bench", int(rest[0].get("round", 1)), int(rest[0].get("table", 1)))
    count, after, chain = len(rest), -1, START
    start = time.perf_counter()
    while rest:
        stand = store.append(key, after, chain, rest[:batch])
        after, chain, rest = stand.last, stand.chain, rest[batch:]
    taken = time.perf_counter() - start
    store.close()
    return count / taken


def post_to_page(folder: Path, events: Iterable[Event]) -> list[float]:
    """Measure seconds from sending an event to the page's message that shows it, for each event but the first.

    A real service on a socket of this machine, its store on ``folder``'s disk, and a page that looks at the table.
    """
    settings = Settings(tournament="bench", database=f"sqlite:///{folder / 'bench-page.sqlite'}", port=0)
    times = []
    with Service(settings) as service:
        every = list(events)
        key = ListKey("bench", int(every[0].get("round", 1)), int(every[0].get("table", 1)))
        address = f"{service.url}/line/{quote(key.tournament)}/{key.round}/{key.table}/events"
        live = service.url.replace("http", "ws", 1) + "/live"
        shown = {"Authorization": f"Bearer {service.enrol(key.table)}"}
        with httpx.Client(trust_env=False, headers=shown) as http, connect(live, proxy=None) as page:
            page.send(json.dumps({"tournament": key.tournament, "round": key.round, "table": key.table}))
            chain = START
            for number, event in enumerate(every):
                start = time.perf_counter()
                http.post(address, json={"after": number - 1, "chain": chain, "events": [event]}).raise_for_status()
                while not _shows(json.loads(page.recv(timeout=10)), key.table, number + 1):
                    pass
                if number:
                    times.append(time.perf_counter() - start)
                chain = link(chain, event)
    return times


def hall(folder: Path, rounds: Sequence[Sequence[Event]]) -> list[float]:
    """Measure seconds per event while all these tables send at once, one event each in turn.

    A page looks at the hall meanwhile; the tables have numbers of their own.
    """
    settings = Settings(tournament="bench", database=f"sqlite:///{folder / 'bench-hall.sqlite'}", port=0)
    times = []
    with Service(settings) as service, httpx.Client(trust_env=False) as http:
        live = service.url.replace("http", "ws", 1) + "/live"
        with connect(live, proxy=None) as page:
            page.send(json.dumps({"tournament": "bench", "round": 1}))
            reader = threading.Thread(target=_read_on, args=(page,), daemon=True)
            reader.start()
            chains = [START] * len(rounds)
            secrets = [service.enrol(events[0]["table"]) for events in rounds]
            for number in range(max(map(len, rounds))):
                for index, events in enumerate(rounds):
                    if number >= len(events):
                        continue
                    table = events[0]["table"]
                    address = f"{service.url}/line/bench/1/{table}/events"
                    message = {"after": number - 1, "chain": chains[index], "events": [events[number]]}
                    start = time.perf_counter()
                    shown = {"Authorization": f"Bearer {secrets[index]}"}
                    http.post(address, json=message, headers=shown).raise_for_status()
                    times.append(time.perf_counter() - start)
                    chains[index] = link(chains[index], events[number])
    return times


def _read_on(page: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        for _ in page:
            pass


def _shows(message: Mapping[str, Any], table: int, events: int) -> bool:
    cards = message.get("cards") or message.get("hall") or []
    return any(card["table"] == table and card["events"] >= events for card in cards)
