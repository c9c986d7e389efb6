"""A backup put back by upload: on an empty machine with its code, else by the director; what was there is kept."""

import io
import itertools
import sqlite3
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from kiosk.director.key import ListKey
from kiosk.director.saving.restoring import ALL, RESTORED, accept, look_through
from kiosk.director.saving.takeover import REPLACES, TAKEN, is_fresh, put_in_place
from kiosk.director.serve import Service
from kiosk.director.settings import Own
from kiosk.director.storage.backup import CONFIGURATION
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START
from tests.director.test_saving import ROUND, FolderSticks, settings_of

pytestmark = pytest.mark.slow

KEY = ListKey("t", 1, 7)
WORD = "pikbube9"


class Machine:
    """A direction on a machine of its own; what a restart of the service does is done by ``again``."""

    def __init__(self, folder: Path) -> None:
        (folder / "sticks").mkdir(parents=True)
        self.folder, self.settings = folder / "data", settings_of(folder / "data", FolderSticks(folder / "sticks"))
        self.database = self.folder / "director.sqlite"
        self.begin()

    def begin(self) -> None:
        self.service = Service(self.settings)
        self.service.start()
        self.anew = 0
        self.service.app.state.begin_anew = self._anew
        self.page = httpx.Client(base_url=self.service.url, verify=False)

    def _anew(self) -> None:
        self.anew += 1

    def again(self) -> None:
        self.end()
        put_in_place(self.folder, self.database, self.folder / "tls")
        self.begin()

    def end(self) -> None:
        self.page.close()
        self.service.stop()

    def account(self, name: str = "L") -> None:
        code = self.service.app.state.access.first_code
        assert self.page.post("/api/first", json={"code": code, "name": name, "password": WORD}).status_code == 200

    def play(self, events: int) -> None:
        self.service.app.state.hall.store.append(KEY, -1, START, ROUND[:events])

    @property
    def list(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.service.app.state.hall.store.read(KEY)
        return found

    def backup(self) -> bytes:
        return self.page.get("/api/backup").content

    def upload(self, content: bytes, code: str = "") -> httpx.Response:
        return self.page.post("/api/restore", content=content, headers={"Stichwart-Code": code} if code else {})

    def yes(self, told: dict[str, Any], **more: str) -> httpx.Response:
        return self.page.post("/api/restore/yes", json={"id": told["id"], **more})


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[[str], Machine]]:
    made: list[Machine] = []

    def make(name: str) -> Machine:
        made.append(Machine(tmp_path / name))
        return made[-1]

    yield make
    for one in made:
        one.end()


def test_an_empty_machine_goes_on_with_its_code_alone(machine: Callable[[str], Machine]) -> None:
    old, new = machine("old"), machine("new")
    old.account()
    old.play(20)
    content, authority = old.backup(), old.service.certificates.authority
    assert new.upload(content).status_code == 403, "a stranger in the network"
    assert new.upload(content, "0000").status_code == 403
    code = new.service.app.state.access.first_code
    told = new.upload(content, code).json()
    assert told["replaces"] is None and (told["holds"]["title"], told["holds"]["lists"]) == ("t", 1)
    assert new.yes(told, code="0000").status_code == 403 and new.anew == 0
    assert new.yes({"id": "another"}, code=code).json()["code"] == "no_backup"
    assert new.yes(told, code=code).json() == {"kept": ""} and new.anew == 1, "there is nothing to be kept"
    new.again()
    assert new.list == ROUND[:20] and new.service.certificates.authority == authority
    assert new.page.post("/api/login", json={"name": "L", "password": WORD}).status_code == 200
    assert new.yes(told, code=code).status_code != 200, "twice by mistake"


def test_a_machine_that_holds_something_asks_for_the_password_and_keeps_what_was_there(
    machine: Callable[[str], Machine],
) -> None:
    old, new = machine("old"), machine("new")
    for one, events in ((old, 20), (new, 5)):
        one.account()
        one.play(events)
    content, authority = old.backup(), new.service.certificates.authority
    told = new.upload(content).json()
    assert (told["replaces"]["title"], told["replaces"]["lists"], told["replaces"]["accounts"]) == ("t", 1, 1)
    assert new.list == ROUND[:5] and not (new.folder / TAKEN).exists(), "nothing changes yet"
    assert new.yes(told, password="wrong").json()["code"] == "wrong_password" and new.anew == 0
    stranger = httpx.Client(base_url=new.service.url, verify=False)
    with stranger:
        assert stranger.post("/api/restore", content=content).status_code == 403
        assert stranger.post("/api/restore/yes", json={"id": told["id"], "password": WORD}).status_code == 403
    kept = new.yes(told, password=WORD).json()["kept"]
    new.again()
    assert new.list == ROUND[:20]
    with closing(sqlite3.connect(new.folder / kept / "director.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM events").fetchone() == (5,)
        assert db.execute("SELECT actor FROM acts WHERE act = 'restored'").fetchall() == [("L",)]
    assert authority in (new.folder / kept / "tls" / "authority.pem").read_text()
    assert not (new.folder / REPLACES).exists()


def changed(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, one in files.items():
            archive.writestr(name, one)
    return whole.getvalue()


def test_what_is_no_whole_backup_is_refused_and_nothing_is_left(machine: Callable[[str], Machine]) -> None:
    here = machine("here")
    here.account()
    here.play(9)
    content = here.backup()
    bad = {
        "nothing": b"",
        "no archive": b"no archive",
        "cut off": content[:-300],
        "a line is missing": changed(content, lambda files: files.update({"data/events.jsonl": b""})),
        "a later version": changed(
            content, lambda files: files.update({"stichwart.json": b'{"format": 99, "rows": {}}'})
        ),
        "it unpacks": changed(content, lambda files: files.update({"x": bytes(50_000_000)})),
    }
    for what, one in bad.items():
        answer = here.upload(one)
        assert (answer.status_code, answer.json()["error"]) == (400, "bad_backup"), what
        left = {path.name for path in here.folder.iterdir()}
        assert not left & {RESTORED, TAKEN, REPLACES, "restore.part", "restoring"}, what
    assert here.list == ROUND[:9]
    assert here.upload(content).status_code == 200, "its own, whole"


def cut_after(renames: int) -> Callable[[Path, Path], Path]:
    """A rename that fails, as at a power cut, after so many."""
    count, replace = itertools.count(), Path.replace

    def cut(self: Path, target: Path) -> Path:
        if next(count) >= renames:
            raise KeyboardInterrupt
        return replace(self, target)

    return cut


def test_a_power_cut_at_any_step_leaves_the_old_or_the_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kiosk.director.access.access import Access
    from kiosk.director.settings import Settings
    from kiosk.director.storage.backup import save

    def database(path: Path, events: int) -> None:
        path.parent.mkdir(parents=True)
        store = Store(f"sqlite:///{path}")
        Access(store, Settings(tournament="t", database="", pin="")).stop()
        store.append(KEY, -1, START, ROUND[:events])
        store.close()

    database(tmp_path / "old.sqlite.d" / "d.sqlite", 20)
    old = Store(f"sqlite:///{tmp_path / 'old.sqlite.d' / 'd.sqlite'}")
    save(old, ALL, None, tmp_path / "b.zip")
    old.close()
    outcomes = set()
    for after in itertools.count():
        folder = tmp_path / f"cut{after}"
        database(folder / "director.sqlite", 5)
        (folder / "tls").mkdir()
        (folder / "tls" / "authority.pem").write_text("ours")
        look_through(tmp_path / "b.zip", Own(data=folder), "t", files_count=False)
        with monkeypatch.context() as patched:
            patched.setattr(Path, "replace", cut_after(after))
            try:
                accept(folder, folder / "director.sqlite")
                put_in_place(folder, folder / "director.sqlite", folder / "tls")
                whole = True
            except KeyboardInterrupt:
                whole = False
        put_in_place(folder, folder / "director.sqlite", folder / "tls")
        assert not is_fresh(folder / "director.sqlite")
        with closing(sqlite3.connect(folder / "director.sqlite")) as db:
            (events,) = db.execute("SELECT count(*) FROM events").fetchone()
        kept = list(folder.glob("before-*/director.sqlite"))
        outcomes.add((events, len(kept)))
        assert (folder / "tls" / "authority.pem").read_text() == "ours", "the backup has none"
        if whole:
            break
    assert outcomes == {(5, 0), (20, 1)} and after >= 4
    assert REPLACES not in {path.name for path in folder.iterdir()}


def test_of_an_older_backup_the_tournament_is_found(tmp_path: Path, machine: Callable[[str], Machine]) -> None:
    """One without the service's file: the tournament that the machine before began with counts here, too."""
    old = machine("old")
    old.account()
    assert old.page.post("/api/begin", json={"name": "Herbst"}).status_code == 200
    assert old.page.post("/api/Herbst/notes", json={"note": "enter", "names": ["Anna"]}).status_code == 200
    (tmp_path / "b.zip").write_bytes(changed(old.backup(), lambda files: files.pop(CONFIGURATION, None)))
    for named, wanted in (("t", None), ("Sommer", b'tournament = "t"\n')):
        folder = tmp_path / named
        folder.mkdir()
        found = look_through(tmp_path / "b.zip", Own(data=folder), named, files_count=False)
        assert found.holding.title == "Herbst"
        with closing(sqlite3.connect(folder / RESTORED)) as db:
            files = dict(db.execute("SELECT name, content FROM saved_files"))
        assert files.get(CONFIGURATION) == wanted and "tls/authority.pem" in files
        assert found.holding.accounts == 1
