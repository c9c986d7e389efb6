"""Keep a hall to be measured: a director's service of its own process, tables with the kiosk's line, open pages."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kiosk.bench.hall_pages import PagesTask
from kiosk.bench.hall_rounds import keep_rounds, round_of
from kiosk.bench.hall_tables import TablesTask
from kiosk.bench.waiting import until
from kiosk.director.access.devices import KnownDevices
from kiosk.director.access.passwords import hashed
from kiosk.director.access.schema import METADATA
from kiosk.director.client import DirectorClient
from kiosk.director.key import ListKey
from kiosk.director.process import DirectorProcess
from kiosk.director.storage.store import Append, Store
from kiosk.sync.trust import Direction, meet
from kiosk.table.events.chain import START

TOURNAMENT = "turnier"
PIN = "271828182"
PAGES, DIRECT = 100, 3
ROUNDS = "rounds.json"
PACE = 0.15  # events a second of each table

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
    """A director's process, its tables and its pages.

    :param secrets: of the tables' devices, the first table's first.
    :param tls: it is encrypted, as wherever other machines come.
    """

    def __init__(self, stack: ExitStack, folder: Path, secrets: Sequence[str], tls: bool = False) -> None:
        self.tables, self._stack, self._folder, self._secrets = len(secrets), stack, folder, secrets
        begun = time.monotonic()
        self.director = stack.enter_context(
            DirectorProcess(
                ["--config", settings_file(folder, PIN, tls=tls), "--data", folder, "--port", "0"],
                patience=600,
                log_file=folder / "director.log",
            )
        )
        self.ready_s = time.monotonic() - begun
        #: By which the director is recognised, PEM; "": nothing is encrypted.
        self.authority = meet(Direction(self.director.url)).authority if tls else ""
        self.players: list[Helper] = []

    def sit_down(self, begun: float, seconds: float) -> float:
        """Connect all tables; return the seconds until the director has everything of theirs."""
        started, half = time.monotonic(), self.tables // 2
        for first, count in ((1, half), (half + 1, self.tables - half)):
            task = TablesTask(
                url=self.director.url,
                authority=self.authority,
                rounds=str(self._folder / ROUNDS),
                secrets=list(self._secrets[first - 1 : first - 1 + count]),
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

    def client(self) -> DirectorClient:
        """Log in as the direction."""
        trust = None
        if self.authority:
            trust = self._folder / "authority.pem"
            trust.write_text(self.authority)
        return DirectorClient(self.director.url, PIN, authority=trust)

    def look(self) -> Helper:
        """Open the pages."""
        task = PagesTask(
            url=self.director.url.replace("http", "ws", 1) + "/live",
            authority=self.authority,
            tournament=TOURNAMENT,
            count=PAGES,
            direct=DIRECT,
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
        """Memory that the director holds, and what processes that it has started hold besides, MB."""
        children = Path(f"/proc/{self.director.pid}/task/{self.director.pid}/children").read_text().split()
        own = _held_mb(Path(f"/proc/{self.director.pid}/status"), "VmRSS")
        return own + sum(_held_mb(Path(f"/proc/{pid}/smaps_rollup"), "Private_") for pid in children)

    def _helper(self, module: str, task: object) -> Helper:
        helper = Helper(module, task)
        self._stack.callback(helper.stop)
        return helper


def _held_mb(of_process: Path, what: str) -> float:
    try:
        lines = of_process.read_text().splitlines()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) / 1000 for line in lines if line.startswith(what))


def settings_file(folder: Path, pin: str, database: str = "", tls: bool = False) -> Path:
    """Write a director's file; ``database`` "": SQLite in its data folder."""
    path = folder / "director.toml"
    lines = [f'tournament = "{TOURNAMENT}"', 'host = "127.0.0.1"', "guests = true", f'pin = "{hashed(pin)}"']
    path.write_text("\n".join([*lines, f'database = "{database}"', *(['tls = "on"'] if tls else [])]) + "\n")
    return path


def fill(folder: Path, tables: int, played: float) -> tuple[list[str], int]:
    """Store that share of a round for each table, and its device; return the secrets, and how many events they are."""
    store, count = Store(f"sqlite:///{folder / 'director.sqlite'}"), 0
    for first in range(1, tables + 1, 20):
        appends = []
        for table in range(first, min(first + 20, tables + 1)):
            events = round_of(table)
            some = events[: max(2, int(len(events) * played))]
            appends.append(Append(ListKey(TOURNAMENT, 1, table), -1, START, some))
            count += len(some)
        store.append_all(appends)
    secrets = issue(store, tables)
    store.close()
    return secrets, count


def issue(store: Store, tables: int) -> list[str]:
    """Admit a device for each table, as a director's page does, and return their secrets."""
    store.make(METADATA)
    devices = KnownDevices(store)
    return [devices.issue(table)[1] for table in range(1, tables + 1)]


@contextmanager
def hall(tables: int, played: float, tls: bool = False, again: bool = False) -> Iterator[tuple[Hall, int]]:
    """Start a director that has that share of a round of each table already, and tell how many events they are.

    :param again: it has run already, until it had kept the folds of all lists.
    """
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        secrets, count = fill(folder, tables, played)
        keep_rounds(folder / ROUNDS)
        if again:
            run_before(folder)
        yield Hall(stack, folder, secrets, tls), count


def run_before(folder: Path) -> None:
    """Run a director until it has kept the folds of all lists."""
    store = Store(f"sqlite:///{folder / 'director.sqlite'}")
    lists = len(store.keys())
    with DirectorProcess(["--config", settings_file(folder, PIN), "--data", folder, "--port", "0"], patience=600):
        until(lambda: store.folds_kept() == lists, 600)
    store.close()
