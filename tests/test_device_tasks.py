"""What the direction asks of a device itself: by real lines, from the page's press to the log without names."""

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.app import device_tasks
from kiosk.app.config import load_table
from kiosk.app.device_tasks import TASKS, DeviceTasks, names_here, tasks
from kiosk.app.kept_seating import KEPT
from kiosk.demo.play import simulate
from kiosk.director.access.passwords import hashed
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.release import log_bundle
from kiosk.sync.line import Line
from kiosk.sync.state import DeviceTask
from kiosk.table.events.log_file import LogFile
from tests.director.test_releases import Events
from tests.waiting import until

pytestmark = pytest.mark.slow

PIN = "24681357"
PEOPLE = ["Anna Ott", "Jörg Weißgerber", "Ayşe Öztürk", "Xaver Huber"]


def test_only_what_systemd_starts_again_may_be_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INVOCATION_ID", raising=False)
    assert tasks() == ()
    monkeypatch.setenv("INVOCATION_ID", "x")
    assert tasks() == TASKS


@pytest.fixture
def config(tmp_path: Path) -> Any:
    players = json.dumps(["Emil Nähr", *"BCD"], ensure_ascii=False)
    (tmp_path / "table.toml").write_text(
        f'table = 7\ndata = "{tmp_path}"\n[round]\nrules = "bsv"\nplayers = {players}\n[deck]\nname = "x"\n',
        encoding="utf-8",
    )
    return load_table(tmp_path / "table.toml")


def test_all_whom_a_table_knows_are_known(config: Any, tmp_path: Path) -> None:
    with LogFile(tmp_path / "table.sqlite") as file:
        log = file.log("Geburtstag Xaverl", 7, 1)
        for body in simulate("bsv", 1, games=1):
            log.append({**body, "players": PEOPLE} if body["event"] == "open" else body)
    (tmp_path / KEPT).write_text(json.dumps({"names": ["Zoë Kern"], "rules": "bsv", "options": {}}), encoding="utf-8")
    assert {*PEOPLE, "Geburtstag Xaverl", "Zoë Kern", "Emil Nähr"} <= names_here(config)
    assert not {"bsv", "open", "re"} & names_here(config)


class Hall:
    """A direction, a director's browser, and the line of table 7 with its tasks."""

    def __init__(self, folder: Path, config: Any) -> None:
        settings = Settings(tournament="t", database=f"sqlite:///{folder / 'd.sqlite'}", port=0, pin=hashed(PIN))
        self.service = Service(settings).start()
        self.http = httpx.Client(base_url=self.service.url, trust_env=False, timeout=30)
        self.http.post("/api/login", json={"pin": PIN})
        self.secret = self.service.enrol(7)
        self.ended: list[str] = []
        self.tasks = DeviceTasks(config, lambda: {"version": "0.3"}, end=lambda: self.ended.append("restart"))
        self.line = Line(
            self.service.url, self.secret, "t", 7, 1, Events(False), self._heard, ask_plan=True, tasks=TASKS
        )
        self.line.start()
        until(lambda: self.row()["tasks"])

    def _heard(self, message: object) -> None:
        if isinstance(message, DeviceTask):
            self.tasks.heard(message)

    def row(self) -> dict[str, Any]:
        return dict(self.http.get("/api/devices").json()["devices"][0])

    def ask(self, what: str) -> httpx.Response:
        return self.http.post(f"/api/devices/{self.row()['id']}/task", json={"what": what})


@pytest.fixture
def hall(tmp_path: Path, config: Any) -> Iterator[Hall]:
    made = Hall(tmp_path, config)
    yield made
    made.line.stop()
    made.http.close()
    made.service.stop()


def test_a_log_comes_without_those_whom_the_table_or_only_the_direction_knows(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "Tisch 7: Emil Nähr ruft\nTisch 3: Anna Ott gibt\nmmcblk0: error -110"
    monkeypatch.setattr(log_bundle.make_log_bundle, "__defaults__", (lambda: said,))
    assert hall.http.post("/api/t/notes", json={"note": "enter", "names": ["Anna Ott"]}).status_code == 200
    assert hall.http.get(f"/api/devices/{hall.row()['id']}/log.zip").status_code == 409
    assert hall.ask("log").status_code == 200
    until(lambda: hall.row()["log"])
    answer = hall.http.get(f"/api/devices/{hall.row()['id']}/log.zip")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as opened:
        whole = "\n".join(opened.read(name).decode() for name in opened.namelist())
    assert "error -110" in whole and '"version": "0.3"' in whole
    assert not [part for part in ("Emil", "Nähr", "Anna", "Ott", hall.secret) if part in whole]


def test_the_directions_own_log_names_nobody_it_knows(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    said = (
        "noted by Rita Referee: Anna Ott, Skatfreunde Nord\nHerbstfest Xaverl: Bernd Uhl\ntable 3 (Fensterplatz) away"
    )
    monkeypatch.setattr(log_bundle.make_log_bundle, "__defaults__", (lambda: said,))
    account = {"name": "Rita Referee", "role": "referee", "password": "pikbube9"}
    assert hall.http.post("/api/accounts", json=account).status_code == 200
    note = {"note": "enter", "names": ["Bernd Uhl"]}
    assert hall.http.post("/api/t/notes", json=note).status_code == 200
    hall.http.post(f"/api/devices/{hall.row()['id']}", json={"name": "Fensterplatz"})
    assert hall.http.post("/api/begin", json={"name": "Herbstfest Xaverl", "people": False}).status_code == 200
    for body in (
        {"note": "enter", "names": ["Anna Ott"]},
        {"note": "club", "name": "Anna Ott", "club": "Skatfreunde Nord"},
    ):
        assert hall.http.post("/api/Herbstfest%20Xaverl/notes", json=body).status_code == 200
    with zipfile.ZipFile(io.BytesIO(hall.http.get("/api/fleet/log.zip").content)) as opened:
        whole = "\n".join(opened.read(name).decode() for name in opened.namelist())
    assert "noted by" in whole and "table 3" in whole
    names = "Rita Referee Anna Ott Skatfreunde Nord Herbstfest Xaverl Bernd Uhl Fensterplatz"
    assert [one for one in names.split() if one in whole] == []


def test_what_nobody_has_asked_for_is_not_kept(hall: Hall) -> None:
    sent = httpx.post(f"{hall.service.url}/line/log", content=b"x", headers={"Authorization": f"Bearer {hall.secret}"})
    assert sent.status_code == 200 and hall.row()["log"] is None
    assert httpx.post(f"{hall.service.url}/line/log", content=b"x").status_code == 401


def test_the_program_and_the_machine_are_started_again(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_tasks, "_reboot", lambda: hall.ended.append("reboot"))
    assert hall.ask("restart").status_code == 200
    until(lambda: hall.ended == ["restart"])
    assert hall.ask("reboot").status_code == 200
    until(lambda: hall.ended == ["restart", "reboot"])
    assert hall.ask("explode").status_code == 409 and hall.ended == ["restart", "reboot"]


def test_a_device_that_is_away_cannot_be_asked(hall: Hall) -> None:
    hall.line.stop()
    until(lambda: not hall.row()["connected"])
    assert hall.ask("restart").status_code == 409
