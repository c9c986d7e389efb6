"""A direction on this machine for a table in a virtual one, and what the table's file says of it."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from kiosk.director.access.passwords import hashed
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.backup import put_back
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.errors import KioskError

ROOT = Path(__file__).parents[2]
_PIN = "271828182"
#: This machine, as a machine in QEMU's network of users sees it.
_HERE = "10.0.2.2"


class Direction:
    """A direction with table 7."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._settings = Settings(
            tournament="cup",
            database=f"sqlite:///{folder / 'director.sqlite'}",
            port=0,
            pin=hashed(_PIN),
            releases=folder / "releases",
        )
        self.service = Service(self._settings).start()
        self._secret = self.service.enrol(7)
        self._log_in()

    def _log_in(self) -> None:
        self._http = httpx.Client(base_url=self.service.url, trust_env=False, timeout=60)
        assert self._http.post("/api/login", json={"pin": _PIN}).status_code == 200

    def backup(self) -> Path:
        """Download a backup as it is now."""
        answer = self._http.get("/api/backup")
        assert answer.status_code == 200, answer.text
        file = self._folder / "backup.zip"
        file.write_bytes(answer.content)
        return file

    def put_back(self, backup: Path) -> None:
        """End it, and have another machine go on in its place with a backup."""
        port = self.service.port
        self.close()
        settings = replace(self._settings, port=port, database=f"sqlite:///{self._folder / 'other.sqlite'}")
        store = Store(settings.database)
        store.make(ACCESS)
        put_back(store, (*METADATA.sorted_tables, *SAVED), self._folder / "tls", backup)
        store.close()
        self.service = Service(settings).start()
        self._log_in()

    def table_file(self, **replaced: str) -> str:
        """Return the delivered file of a table without any wire, with this direction's address in it."""
        text = (ROOT / "systemd/table.toml").read_text(encoding="utf-8")
        given = {
            'table = "none"': "table = 7",
            'url = ""': f'url = "http://{_HERE}:{self.service.port}"',
            'token = ""': f'token = "{self._secret}"',
            'tournament = "turnier"': 'tournament = "cup"',
            "width = 1280\nheight = 720\nfullscreen": "width = 800\nheight = 480\nfullscreen",
            'display = "ht16k33"': 'display = "none"',
            "lamps = [23, 24, 25, 17, 27]": "lamps = []",
            "referee_lamp = 12": 'referee_lamp = "none"',
            "buzzer = 16": 'buzzer = "none"',
            "button = 4": 'button = "none"',
            **replaced,
        }
        for before, after in given.items():
            assert before in text, before
            text = text.replace(before, after, 1)
        return text

    def bring(self, bundle: Path, version: str) -> None:
        """Bring a release to the table."""
        with bundle.open("rb") as content:
            assert self._http.post("/api/fleet/bundles", content=content).status_code == 200
        wished = self._http.post("/api/fleet/wish", json={"version": version, "tables": "all"})
        assert wished.status_code == 200, wished.text

    def noted(self) -> list[str]:
        """The lines of the table's list in the first round, as far as they have come."""
        answer = self._http.get("/api/cup/1/7/events.jsonl")
        return answer.text.splitlines() if answer.status_code == 200 else []

    def clock(self, key: ListKey, opened: int) -> dict[str, Any]:
        """Return the clock of a list as it shows by now; its table has told it.

        :param opened: ``at`` of the list's first event.
        """
        kept = self.service.app.state.hall.store.clock(key, opened)
        assert kept is not None, "no table has told it"
        return dict(kept)

    def release(self) -> None:
        """Release the first round."""
        ordered = self._http.post("/api/cup/1/orders", json={"table": 7, "body": {"event": "release"}})
        assert ordered.status_code == 200, ordered.text

    def row(self) -> dict[str, Any]:
        """What the page shows of the table's device."""
        (row,) = self._http.get("/api/devices").json()["devices"]
        return dict(row)

    def until(self, shows: Callable[[dict[str, Any]], Any], timeout: float) -> None:
        """Wait until the page shows something of the device."""
        end = time.monotonic() + timeout
        while not shows(row := self.row()):
            if time.monotonic() > end:
                raise KioskError(f"the page shows after {timeout} s: {row}")
            time.sleep(0.5)

    def close(self) -> None:
        """End it."""
        self._http.close()
        self.service.stop()
