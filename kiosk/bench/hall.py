"""Measure a hall: a director's service of its own process, tables with the kiosk's line, open pages."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterable
from typing import Any

from kiosk.bench.figure import Figure
from kiosk.bench.hall_place import TOURNAMENT, Hall, hall
from kiosk.bench.hall_rounds import round_of
from kiosk.bench.waiting import until
from kiosk.director.key import ListKey
from kiosk.director.storage.group_commit import GroupCommit
from kiosk.director.storage.store import Store
from kiosk.director.storage.threads import Threads
from kiosk.table.events.chain import START, link

WANTED_MS = {100: 100, 300: 150, 1000: 300}

_OPENINGS = 3
_EVERY_S = 2.0  # seconds before each
_EACH = 20  # events that each table stores


def at_work(tables: int, seconds: float, tls: bool = False) -> Iterable[Figure]:
    """Measure a hall in the middle of its round, encrypted or not."""
    of = f"{tables} tables{', encrypted' if tls else ''}"
    with hall(tables, 0.4, tls) as (place, _):
        page = place.look()
        place.sit_down(0.4, seconds)
        shown = page.said.setdefault("shown", [])
        until(lambda: len({table for table, events, _ in list(shown) if events}) >= tables, 300)
        for player in place.players:
            player.ask("play")
        for _ in range(_OPENINGS):  # while all play
            time.sleep(_EVERY_S)
            page.ask("open")
        until(lambda: page.count("opened") == _OPENINGS, 60)
        begun, used = time.monotonic(), place.cpu_s()  # an opened hall is no event
        until(lambda: all(player.count("all stored") for player in place.players), seconds + 60)
        used, memory = place.cpu_s() - used, place.memory_mb()
        time.sleep(1)  # the last messages are on their way
        laid = place.said("laid")
        spent = 1000 * used / sum(at > begun for _, _, at in laid)
        found = delays(shown, laid)
        share = found[int(0.95 * len(found))]
        what = f"{of}: event → page, ms, median / 95 % / worst"
        value = f"{statistics.median(found):.0f} / {share:.0f} / {found[-1]:.0f}"
        wanted = WANTED_MS[tables]
        yield Figure("hall", what, value, f"95 %: ≤ {wanted}", share <= wanted)
        yield Figure(
            "hall",
            f"{of}: events shown, of laid",
            f"{len(found)} of {len(laid)}",
            "all",
            len(found) == len(laid),
        )
        yield Figure("hall", f"{of}: processor time an event, ms", f"{spent:.1f}", "≤ 2", spent <= 2)
        yield Figure("hall", f"{of}: memory, MB", f"{memory:.0f}", "≤ 500", memory <= 500)
        worst = max(took for took, _ in page.said["opened"])
        yield Figure("hall", f"{of}: the hall is opened, s, worst of {_OPENINGS}", f"{worst:.2f}", "≤ 1", worst <= 1)
        took = 1000 * end_signal(place)
        yield Figure("hall", f"{of}: end signal → all tables, ms", f"{took:.0f}", "≤ 500", took <= 500)


def delays(shown: Iterable[list[Any]], laid: Iterable[list[Any]]) -> list[float]:
    """Milliseconds from each event laid to the first card that has it, sorted; those never shown left out."""
    cards: dict[int, list[tuple[float, int]]] = {}
    for table, events, at in shown:
        cards.setdefault(table, []).append((at, events))
    found = []
    for table, event, at in laid:
        seen = next((when for when, events in cards.get(table, ()) if events > event), None)
        if seen is not None:
            found.append(1000 * (seen - at))
    return sorted(found)


def end_signal(place: Hall) -> float:
    """Seconds from the order that ends the playing time until the last table has it."""
    begun = time.monotonic()
    with place.client() as client:
        client.time_up(TOURNAMENT, 1)
    until(lambda: len(place.said("order")) >= place.tables, 60)
    return max(float(at) for _, _, at in place.said("order")) - begun


def restart(tables: int, again: bool = True) -> Iterable[Figure]:
    """Measure a director that starts with a whole round of all tables, and tables that have waited for it.

    :param again: it has kept the folds of all lists; else it is the first start of a version that folds otherwise.
    """
    start = "restart" if again else "first start of a version that folds otherwise"
    with hall(tables, 0.99, again=again) as (place, count):
        ready = place.ready_s
        yield Figure("hall", f"{start} with {count} events: ready, s", f"{ready:.1f}", "≤ 15", ready <= 15)
        page, begun = place.look(), time.monotonic()
        place.sit_down(1.0, 0.0)
        stored = time.monotonic() - begun
        lengths = {table: len(round_of(table)) for table in range(1, tables + 1)}
        behind = dict(lengths)

        def all_shown() -> bool:
            for table, events, _ in list(page.said.get("shown", ())):
                if events >= lengths[table]:
                    behind.pop(table, None)
            return not behind

        most = place.memory_mb()

        def grown() -> bool:
            nonlocal most
            most = max(most, place.memory_mb())
            return all_shown()

        until(grown, 600)
        took = time.monotonic() - begun
        what = f"{start} with {tables} tables: all stored / all shown, s"
        yield Figure("hall", what, f"{stored:.0f} / {took:.0f}", "≤ 60", took <= 60)
        what = f"{start} with {tables} tables: memory, most of all processes / at the end, MB"
        yield Figure("hall", what, f"{most:.0f} / {place.memory_mb():.0f}", "≤ 500", most <= 500)


def stored_a_second(tables: int) -> float:
    """Events a second that are on disk before they are acknowledged, each table sending one after the other."""

    rounds = {table: round_of(table)[:_EACH] for table in range(1, tables + 1)}

    async def store_all(folder: str) -> float:
        store, threads = Store(f"sqlite:///{folder}/store.sqlite"), Threads()
        commits = GroupCommit(store, threads)

        async def one(table: int) -> None:
            chain = START
            for number, event in enumerate(rounds[table]):
                await commits.append(ListKey(TOURNAMENT, 1, table), number - 1, chain, [event])
                chain = link(chain, event)

        begun = time.monotonic()
        await asyncio.gather(*map(one, rounds))
        took = time.monotonic() - begun
        threads.stop()
        store.close()
        return tables * _EACH / took

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(store_all(folder))


def figures(quick: bool) -> Iterable[Figure]:
    """Measure all of it."""
    rate = stored_a_second(200)
    yield Figure("hall", "events stored a second, one by one by 200 tables", f"{rate:.0f}", "≥ 2000", rate >= 2000)
    for tables in (100,) if quick else (100, 300, 1000):
        yield from at_work(tables, 10 if quick else 30)
    yield from at_work(100, 10 if quick else 30, tls=True)
    for again in (True, False):
        yield from restart(100 if quick else 1000, again)
