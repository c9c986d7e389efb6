"""Measure a hall: a director's service of its own process, tables with the kiosk's line, open pages."""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kiosk.bench.figure import Figure
from kiosk.bench.hall_pages import PagesTask
from kiosk.bench.hall_rounds import round_of
from kiosk.bench.hall_tables import TablesTask
from kiosk.director.access.passwords import hashed
from kiosk.director.client import DirectorClient
from kiosk.director.key import ListKey
from kiosk.director.serve import DirectorProcess
from kiosk.director.storage.group_commit import GroupCommit
from kiosk.director.storage.store import Append, Store
from kiosk.director.storage.threads import Threads
from kiosk.errors import KioskError
from kiosk.table.events.chain import START, link

TOURNAMENT = "turnier"
PAGES, DIRECT = 100, 3
PACE = 0.15  # events a second of each table
WANTED_MS = {100: 100, 300: 150, 1000: 300}

_PIN = "271828182"
_OPENINGS = 3
_EACH = 20  # events that each table stores

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Helper:
    """A process that plays tables or pages; what it says is collected with each line's first word."""

    def __init__(self, module: str, task: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.said: dict[str, list[list[Any]]] = {}
        self.ask(json.dumps(asdict(task)))  # type: ignore[call-overload]
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def ask(self, line: str) -> None:
        """Write a line to its standard input."""
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def count(self, what: str) -> int:
        """Count what it has said of one kind."""
        return len(self.said.get(what, ()))

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            what, *values = json.loads(line)
            self.said.setdefault(what, []).append(values)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def stop(self) -> None:
        """Close its input, upon which it ends."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()


class Hall:
    """A director's process, its tables and its pages."""

    def __init__(self, stack: ExitStack, folder: Path, tables: int) -> None:
        self.tables, self._stack = tables, stack
        begun = time.monotonic()
        self.director = stack.enter_context(
            DirectorProcess(
                ["--config", settings_file(folder, _PIN), "--data", folder, "--port", "0"],
                patience=600,
                log_file=folder / "director.log",
            )
        )
        self.ready_s = time.monotonic() - begun
        self.players: list[Helper] = []

    def sit_down(self, begun: float, seconds: float) -> float:
        """Connect all tables; return the seconds until the director has everything of theirs."""
        with DirectorClient(self.director.url, _PIN) as client:
            secrets = [client.enrol(table) for table in range(1, self.tables + 1)]
        started, half = time.monotonic(), self.tables // 2
        for first, count in ((1, half), (half + 1, self.tables - half)):
            task = TablesTask(
                url=self.director.url,
                secrets=secrets[first - 1 : first - 1 + count],
                tournament=TOURNAMENT,
                first=first,
                count=count,
                begun=begun,
                pace=PACE,
                seconds=seconds,
            )
            self.players.append(self._helper("kiosk.bench.hall_tables", task))
        until(lambda: all(player.count("caught up") for player in self.players), 600)
        return time.monotonic() - started

    def look(self) -> Helper:
        """Open the pages."""
        task = PagesTask(
            url=self.director.url.replace("http", "ws", 1) + "/live", tournament=TOURNAMENT, count=PAGES, direct=DIRECT
        )
        return self._helper("kiosk.bench.hall_pages", task)

    def said(self, what: str) -> list[list[Any]]:
        """Collect what all tables have said of one kind."""
        return [values for player in self.players for values in player.said.get(what, ())]

    def cpu_s(self) -> float:
        """Processor seconds that the director has used."""
        fields = Path(f"/proc/{self.director.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * _TICK_S

    def memory_mb(self) -> float:
        """Memory that the director holds, MB."""
        status = Path(f"/proc/{self.director.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000

    def _helper(self, module: str, task: object) -> Helper:
        helper = Helper(module, task)
        self._stack.callback(helper.stop)
        return helper


def settings_file(folder: Path, pin: str, database: str = "") -> Path:
    """Write a director's file; ``database`` "": SQLite in its data folder."""
    path = folder / "director.toml"
    lines = [f'tournament = "{TOURNAMENT}"', 'host = "127.0.0.1"', "guests = true", f'pin = "{hashed(pin)}"']
    path.write_text("\n".join([*lines, f'database = "{database}"']) + "\n")
    return path


def until(what: Callable[[], bool], seconds: float) -> None:
    """Wait until it is so.

    :raises KioskError: it is not within that time.
    """
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise KioskError(f"the hall was not ready within {seconds:.0f} seconds; its director may have failed")
        time.sleep(0.05)


def fill(folder: Path, tables: int, played: float) -> int:
    """Store that share of a round for each table; return how many events they are."""
    store, count = Store(f"sqlite:///{folder / 'director.sqlite'}"), 0
    for first in range(1, tables + 1, 20):
        appends = []
        for table in range(first, min(first + 20, tables + 1)):
            events = round_of(table)
            some = events[: max(2, int(len(events) * played))]
            appends.append(Append(ListKey(TOURNAMENT, 1, table), -1, START, some))
            count += len(some)
        store.append_all(appends)
    store.close()
    return count


@contextmanager
def hall(tables: int, played: float) -> Iterator[tuple[Hall, int]]:
    """Start a director that has that share of a round of each table already, and tell how many events they are."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        count = fill(Path(folder), tables, played)
        yield Hall(stack, Path(folder), tables), count


def at_work(tables: int, seconds: float) -> Iterable[Figure]:
    """Measure a hall in the middle of its round."""
    with hall(tables, 0.4) as (place, _):
        page = place.look()
        place.sit_down(0.4, seconds)
        shown = page.said.setdefault("shown", [])
        until(lambda: len({table for table, events, _ in list(shown) if events}) >= tables, 300)
        for player in place.players:
            player.ask("play")
        begun, used, openings = time.monotonic(), place.cpu_s(), 0
        while any(not player.count("all stored") for player in place.players):
            time.sleep(0.5)
            if openings < _OPENINGS and time.monotonic() - begun > (openings + 1) * seconds / (_OPENINGS + 1):
                openings += 1
                page.ask("open")
        used, memory = place.cpu_s() - used, place.memory_mb()
        time.sleep(1)  # the last messages are on their way
        laid = place.said("laid")
        spent = 1000 * used / len(laid)
        found = delays(shown, laid)
        share = found[int(0.95 * len(found))]
        what = f"{tables} tables: event → page, ms, median / 95 % / worst"
        value = f"{statistics.median(found):.0f} / {share:.0f} / {found[-1]:.0f}"
        wanted = WANTED_MS[tables]
        yield Figure("hall", what, value, f"95 %: ≤ {wanted}", share <= wanted)
        yield Figure(
            "hall",
            f"{tables} tables: events shown, of laid",
            f"{len(found)} of {len(laid)}",
            "all",
            len(found) == len(laid),
        )
        yield Figure("hall", f"{tables} tables: processor time an event, ms", f"{spent:.1f}", "≤ 2", spent <= 2)
        yield Figure("hall", f"{tables} tables: memory, MB", f"{memory:.0f}", "≤ 500", memory <= 500)
        worst = max(took for took, _ in page.said["opened"])
        yield Figure(
            "hall", f"{tables} tables: the hall is opened, s, worst of {openings}", f"{worst:.2f}", "≤ 1", worst <= 1
        )
        took = 1000 * end_signal(place)
        yield Figure("hall", f"{tables} tables: end signal → all tables, ms", f"{took:.0f}", "≤ 500", took <= 500)


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
    with DirectorClient(place.director.url, _PIN) as client:
        client.time_up(TOURNAMENT, 1)
    until(lambda: len(place.said("order")) >= place.tables, 60)
    return max(float(at) for _, _, at in place.said("order")) - begun


def restart(tables: int) -> Iterable[Figure]:
    """Measure a director that starts with a whole round of all tables, and tables that have waited for it."""
    with hall(tables, 0.99) as (place, count):
        ready = place.ready_s
        yield Figure("hall", f"restart with {count} events: ready, s", f"{ready:.1f}", "≤ 15", ready <= 15)
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

        until(all_shown, 600)
        took = time.monotonic() - begun
        what = f"restart with {tables} tables: all stored / all shown, s"
        yield Figure("hall", what, f"{stored:.0f} / {took:.0f}", "≤ 60", took <= 60)
        memory = place.memory_mb()
        yield Figure("hall", f"restart with {tables} tables: memory, MB", f"{memory:.0f}", "≤ 500", memory <= 500)


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
    yield from restart(100 if quick else 1000)
