"""Switch the evening's tables on and off: each a process with its disk, its cable and its clock."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any

from kiosk.bench.faults.disk import Disk
from kiosk.bench.faults.jumping import make_clock
from kiosk.bench.faults.proxy import Cable
from kiosk.table.events.emergency import memory_folder
from kiosk.table.events.log import Body
from kiosk.table.events.log_file import LogFile

TOURNAMENT = "abend"
_DISK_MB = 16


@dataclass(frozen=True, slots=True)
class Shown:
    """What a table has shown last."""

    events: int
    saved: int  # of them on its disk
    chain: str  # over those
    waiting: int  # events that the direction does not have yet
    connected: bool
    trouble: str
    at: float  # seconds, monotonic


class TableDevice:
    """A table: its process, of which there are several one after another, and what it has told.

    :param options: of the round.
    """

    def __init__(self, folder: Path, table: int, cable: Cable, secret: str, options: Mapping[str, Any]) -> None:
        self.table, self.cable, self._secret, self._options = table, cable, secret, dict(options)
        folder.mkdir()
        self._folder, self.log = folder, folder / "table.log"
        self.clock = folder / "clock"
        make_clock(self.clock)
        self.pace = 0.0
        self.shown: Shown | None = None
        self.closed = False
        self.expected: dict[int, str] = {}  # saved events → the chain over them: what the table has shown as safe
        self.faults: list[str] = []
        self.stuck: list[Any] = []
        self._devices = 0
        self.disks: list[Disk] = []
        self._process: subprocess.Popen[str] | None = None
        self._readers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._power = threading.RLock()

    @property
    def pid(self) -> int:
        """Its process number; 0 while it is switched off."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else 0

    def switch_on(self, comes: str) -> None:
        """Start it; ``spare``: another device in its place, with nothing on its disk."""
        with self._power:
            self._start(comes)

    def ended_by_itself(self) -> int | None:
        """Whether its program has ended though nobody ended it: its exit status; started again, as by its unit."""
        with self._power:
            process = self._process
            if process is None or (status := process.poll()) is None:
                return None
            self.kill()
            self._start("again")
            return status

    def _start(self, comes: str) -> None:
        if comes != "again":
            self._devices += 1
            self.disks.append(Disk(self._folder / f"disk-{self._devices}", _DISK_MB))
        file = self._folder / "table.toml"
        file.write_text(
            f"""table = {self.table}
data = {json.dumps(str(self.disks[-1].folder))}
director = {{ url = "http://127.0.0.1:{self.cable.port}", tournament = "{TOURNAMENT}", token = "{self._secret}" }}
deck = {{ name = "by-hand" }}
pins = {{ display = "none" }}
recordings = {{ keep = false }}
"""
        )
        module = ["kiosk.bench.faults.jumping", str(self.clock), "kiosk.bench.faults.table"]
        process = subprocess.Popen(
            [sys.executable, "-m", *module, str(file), comes, json.dumps(self._options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,  # a limit of its files' size would hold for a log as well
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self._process = process
        self._readers = [
            threading.Thread(target=self._listen, args=(process,), daemon=True),
            threading.Thread(target=self._keep_log, args=(process,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self.keep_pace(self.pace)

    def keep_pace(self, seconds: float) -> None:
        """Let its people take so long from one event to the next."""
        self.pace = seconds
        process = self._process
        if process is not None and process.stdin is not None:
            try:
                process.stdin.write(json.dumps(["pace", seconds]) + "\n")
                process.stdin.flush()
            except OSError:
                if process.poll() is None:
                    raise

    def kill(self) -> None:
        """Take its power away; when this returns all has been heard that it said."""
        with self._power:
            process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for reader in self._readers:
            reader.join(20)
        if process.stdin is not None:
            process.stdin.close()

    def send(self, number: signal.Signals) -> None:
        """Send its process a signal."""
        if pid := self.pid:
            os.kill(pid, number)

    def forget_after(self, count: int) -> None:
        """Expect no more than so many events of those that were shown: the others are lost by right."""
        with self._lock:
            self.expected = {saved: chain for saved, chain in self.expected.items() if saved <= count}

    @property
    def saved(self) -> int:
        """Events that the table has shown as safe, at most."""
        return max(self.expected, default=0)

    def events(self) -> list[Body]:
        """Read its list from its disk; it is switched off."""
        with LogFile(self.disks[-1].folder / "table.sqlite") as file:
            return [body for _, body in file.log(TOURNAMENT, self.table, 1).read()]

    def close(self) -> None:
        """Switch it off for good, and leave nothing behind."""
        self.kill()
        for disk in self.disks:
            rmtree(memory_folder(disk.folder / "table.sqlite"), ignore_errors=True)
            disk.close()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as said:
            for line in said:
                try:
                    what, *values = json.loads(line)
                except ValueError:  # it was killed in the middle of a word
                    continue
                self._told(what, values)

    def _told(self, what: str, values: list[Any]) -> None:
        if what == "shown":
            events, saved, chain, waiting, connected, trouble = values
            self._heard(Shown(events, saved, chain, waiting, connected, trouble, time.monotonic()))
        elif what == "closed":
            self.closed = True
        elif what == "stuck":
            self.stuck.append(values)

    def _heard(self, shown: Shown) -> None:
        with self._lock:
            before = self.expected.setdefault(shown.saved, shown.chain)
            if before != shown.chain:
                self.faults.append(f"table {self.table}: its first {shown.saved} events are others than they were")
                self.expected[shown.saved] = shown.chain
        self.shown = shown

    def _keep_log(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with self.log.open("a") as log, process.stderr as said:
            for line in said:
                log.write(line)
                log.flush()
