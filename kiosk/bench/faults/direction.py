"""Switch the evening's direction on and off, put its database back, and look into it as it lies on the disk."""

import json
import os
import signal
import socket
import sqlite3
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from kiosk.bench.faults.devices import TOURNAMENT
from kiosk.bench.faults.disk import Disk
from kiosk.bench.faults.jumping import make_clock
from kiosk.director.access.devices import KnownDevices
from kiosk.director.access.passwords import hashed
from kiosk.director.access.schema import METADATA
from kiosk.director.client import DirectorClient
from kiosk.director.process import DirectorProcess
from kiosk.director.refusals import DirectorError
from kiosk.director.storage.store import Store

_PIN = "271828182"
_DISK_MB = 64


class Direction:
    """The direction's process, of which there are several one after another, on one disk and one port.

    ``settled`` is held by whoever replaces its database, or needs it to be left alone meanwhile.
    """

    def __init__(self, folder: Path, tables: int) -> None:
        folder.mkdir()
        self._folder, self.log = folder, folder / "director.log"
        self.disk = Disk(folder / "disk", _DISK_MB)
        self.database = self.disk.folder / "director.sqlite"
        self.clock = folder / "clock"
        make_clock(self.clock)
        self._backups: list[Path] = []
        self.settled = threading.Lock()
        self._file = folder / "director.toml"
        self._file.write_text(
            f'tournament = "{TOURNAMENT}"\nhost = "127.0.0.1"\nguests = true\npin = "{hashed(_PIN)}"\n'
        )
        store = Store(f"sqlite:///{self.database}")
        store.make(METADATA)
        known = KnownDevices(store)
        self.secrets = {table: known.issue(table)[1] for table in range(1, tables + 1)}
        store.close()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = int(one.getsockname()[1])
        self._process: DirectorProcess | None = None

    @property
    def pid(self) -> int:
        """Its process number; 0 while it is switched off."""
        process = self._process
        return process.pid if process is not None and process.exit_status is None else 0

    def switch_on(self) -> None:
        """Start it; when this returns tables may come."""
        self._process = DirectorProcess(
            ["--config", self._file, "--data", self.disk.folder, "--port", str(self.port)],
            patience=120,
            log_file=self.log,
            within=["kiosk.bench.faults.jumping", self.clock],
        )

    def kill(self) -> None:
        """Take its power away."""
        if pid := self.pid:
            os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.stop()

    def stop(self) -> None:
        """Stop it as systemd would."""
        if self._process is not None:
            self._process.stop()

    def send(self, number: signal.Signals) -> None:
        """Send its process a signal."""
        if pid := self.pid:
            os.kill(pid, number)

    def keep_backup(self) -> None:
        """Copy the database as it is now."""
        path = self._folder / f"backup-{len(self._backups)}.sqlite"
        with suppress(sqlite3.Error), closing(sqlite3.connect(self.database)) as live:
            with closing(sqlite3.connect(path)) as copy:
                live.backup(copy)
            self._backups.append(path)

    def put_back(self, pick: float) -> None:
        """Replace the database by one of the copies; it is switched off.

        :param pick: 0 … 1: which, 1 the newest.
        """
        chosen = self._backups[min(int(pick * len(self._backups)), len(self._backups) - 1)]
        for suffix in ("-wal", "-shm"):
            self.database.with_name(self.database.name + suffix).unlink(missing_ok=True)
        self.database.write_bytes(chosen.read_bytes())

    def stored(self) -> dict[int, int] | None:
        """Tell how many events of each table are in the database, whether it is switched on or off.

        None: that cannot be read at this moment.
        """
        with suppress(sqlite3.Error):
            return _stored_in(self.database)
        with suppress(sqlite3.Error, OSError), TemporaryDirectory() as name:  # nobody is there who would open its log
            copy = Path(name) / self.database.name
            for suffix in ("", "-wal"):
                part = self.database.with_name(self.database.name + suffix)
                if part.exists():
                    copy.with_name(copy.name + suffix).write_bytes(part.read_bytes())
            return _stored_in(copy, "rw")
        return None

    def release(self, table: int | None = None) -> None:
        """Release the round at one table, or at all; nothing happens where the service is away."""
        with suppress(DirectorError), self._client() as client:
            client.release(TOURNAMENT, 1, table)

    def events(self, table: int) -> list[dict[str, object]]:
        """Fetch the list of a table as its page offers it."""
        with self._client() as client:
            return [json.loads(line) for line in client.events(TOURNAMENT, 1, table).splitlines()]

    def decide_for_device(self, table: int) -> int | None:
        """Where two lists of a table differ, let that of its device count; return the event from which they do."""
        rival = self._rival(table)
        if rival is None:
            return None
        wish = {"keep": "sent", "last": rival["last"], "chain": rival["chain"]}
        with suppress(httpx.TransportError), httpx.Client(base_url=self._url, trust_env=False, timeout=10) as page:
            page.post("/api/login", json={"pin": _PIN})
            if page.post(f"/api/{TOURNAMENT}/1/{table}/conflict", json=wish).status_code == 200:
                return int(rival["differs"])
        return None

    def _rival(self, table: int) -> dict[str, Any] | None:
        """What the page shows of a second list of a table."""
        end = time.monotonic() + 5
        url = self._url.replace("http", "ws") + "/live"
        with suppress(OSError, TimeoutError, WebSocketException), connect(url, proxy=None, open_timeout=5) as page:
            page.send(json.dumps({"tournament": TOURNAMENT, "round": 1}))
            while time.monotonic() < end:
                message = json.loads(page.recv(timeout=5))
                for card in message.get("hall", message.get("cards", [])):
                    if card.get("table") == table and card.get("rival"):
                        found: dict[str, Any] = card["rival"]
                        return found
        return None

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _client(self) -> DirectorClient:
        return DirectorClient(self._url, _PIN)

    def close(self) -> None:
        """Switch it off for good."""
        self.kill()
        self.disk.close()


def _stored_in(database: Path, mode: str = "ro") -> dict[int, int]:
    with closing(sqlite3.connect(f"file:{database}?mode={mode}", uri=True)) as opened:
        rows = opened.execute('SELECT "table", last FROM tables WHERE tournament = ? AND round = 1', (TOURNAMENT,))
        return {table: last + 1 for table, last in rows}
