"""A note and the orders that follow from it are stored together, wherever the power fails in between."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START
from kiosk.tournament.tournament import begin

pytestmark = pytest.mark.slow

TABLES = (1, 2)
ENDS = {"note": "court_ends", "round": 1, "table": 1}

#: A director's office whose power fails: within the second order, or when all is stored and nothing sent.
DYING = """
import os, signal, sys
from pathlib import Path
from kiosk.director.office import NoteAndOrders, Office
from kiosk.director.storage.note_store import Following
from kiosk.director.storage.store import Store
from tests.director.test_note_and_orders import ENDS, TABLES, settings

class Dying(Store):
    given = 0
    def _give(self, *args):
        self.given += 1
        if self.given == int(sys.argv[2]):
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._give(*args)

kept = settings(Path(sys.argv[1]))
ruling = {"event": "rule", "offender": None, "class": "none", "minutes": 3, "answers": False, "why": "?"}
orders = [Following(round=1, table=table, body=ruling) for table in TABLES]
Office(Dying(kept.database), kept).note_and_order(lambda _: NoteAndOrders(ENDS, orders))
os.kill(os.getpid(), signal.SIGKILL)
"""


def settings(folder: Path) -> Settings:
    database = f"sqlite:///{folder / 'd.sqlite'}"
    return Settings(tournament="t", database=database, port=0, pin="2468", begins=begin("t", rules="bsv"))


@pytest.mark.parametrize(
    ("dies_at", "stored"), [(2, False), (99, True)], ids=["between the orders", "before they are sent"]
)
def test_the_end_of_a_schiedsgericht_and_its_orders(tmp_path: Path, dies_at: int, stored: bool) -> None:
    """bsv 9.6: the tables get the break's time once, whether the power failed before or after all was stored."""
    store = Store(settings(tmp_path).database)
    for table in TABLES:
        opening = {"event": "open", "format": 1, "id": f"a{table}", "at": 1795186800000, "rules": "bsv", "options": {},
                   "table": table, "round": 1, "tournament": "t", "games": 20, "seed": 1,
                   "players": [f"{name}{table}" for name in ("Anna", "Bernd", "Cem", "Dora")]}  # fmt: skip
        store.append(ListKey("t", 1, table), -1, START, [opening])
    store.note("t", 0, {"note": "court", "round": 1, "table": 1, "tables": [2]})
    store.close()
    died = subprocess.run([sys.executable, "-c", DYING, tmp_path, str(dies_at)], cwd=Path(__file__).parents[2])
    assert died.returncode == -signal.SIGKILL
    with Service(settings(tmp_path)) as service, httpx.Client(base_url=service.url, trust_env=False) as page:
        assert page.post("/api/login", json={"pin": "2468"}).status_code == 200
        for table in TABLES:
            service.enrol(table, f"t{table}.geheim")
        sits = page.get("/api/t/setup").json()["courts"]
        assert bool(sits) is not stored
        again = page.post("/api/t/notes", json=ENDS)
        assert again.status_code == (400 if stored else 200)
        assert [[order["body"]["class"] for order in orders_of(service, table)] for table in TABLES] == [["none"]] * 2


def orders_of(service: Service, table: int) -> list[dict[str, Any]]:
    """All orders that the table gets when it comes."""
    address = f"{service.url.replace('http', 'ws')}/line/t/1/{table}?device=one"
    with connect(address, additional_headers={"Authorization": f"Bearer t{table}.geheim"}, proxy=None) as line:
        line.send(json.dumps({"ping": 1}))
        found: list[dict[str, Any]] = []
        while "ping" not in (said := json.loads(line.recv(timeout=30))):
            found += said.get("orders", ())
        return found
