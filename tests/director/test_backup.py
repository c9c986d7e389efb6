"""A backup of everything, and another machine that goes on with it."""

import errno
import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from kiosk.demo.play import simulate
from kiosk.director.access.access import Access
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.key import ListKey
from kiosk.director.pages import backup_routes
from kiosk.director.process import DirectorProcess
from kiosk.director.refusals import BadBackup
from kiosk.director.serve import Service
from kiosk.director.settings import Settings, Tls
from kiosk.director.storage.backup import put_back, save
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START

pytestmark = pytest.mark.slow

ALL = (*METADATA.sorted_tables, *SAVED)
KEY = ListKey("t", 1, 7)
ROUND = list(simulate("bsv", 3, 2, table=7))


def filled(url: str) -> Store:
    """A database with something in each table that a backup holds."""
    store = Store(url)
    access = Access(store, Settings(tournament="t", database=url, pin="2468"))
    store.append(KEY, -1, START, ROUND)
    store.note("t", 0, {"note": "enter", "names": ["Anna Öztürk", "Bernd"]})
    order = store.give("t", 1, 7, {"event": "release"})
    store.answer(KEY, order.number, "not now", {"code": "x", "section": "1"})
    store.add_photo(KEY, bytes(range(256)))
    number = store.add_parcel("deck", "vereinsblatt", "ab" * 32, bytes(range(256)), {"faces": 24})
    store.note_gifts([(0, "deck/vereinsblatt", number)])
    access.devices.issue(7, secret="t7.geheim")
    access.devices.shows_encrypted("t7")
    access.acts.add("PIN", "127.0.0.1", "login", {})
    access.stop()
    return store


def rows(store: Store) -> dict[str, list[Any]]:
    with store.reading() as db:
        return {table.name: [tuple(row) for row in db.execute(sa.select(table))] for table in ALL}


@pytest.fixture
def urls(tmp_path, request) -> Callable[[str], str]:
    def url(kind: str) -> str:
        if kind == "postgresql":
            made: str = request.getfixturevalue("new_database")()
            return made
        return f"sqlite:///{tmp_path / f'{len(list(tmp_path.iterdir()))}.sqlite'}"

    return url


@pytest.mark.parametrize("after", ["sqlite", "postgresql"])
@pytest.mark.parametrize("before", ["sqlite", "postgresql"])
def test_everything_comes_back_in_either_database(urls, tmp_path, before, after):
    old, path = filled(urls(before)), tmp_path / "all.zip"
    save(old, ALL, None, path)
    new = Store(urls(after))
    new.make(ACCESS)
    counts = put_back(new, ALL, tmp_path / "tls", path)
    assert all(counts.values()), "each table holds something"
    assert {name: sorted(some) for name, some in rows(new).items()} == {
        name: sorted(some) for name, some in rows(old).items()
    }
    assert new.read(KEY) == ROUND and new.photo(KEY, 1) == bytes(range(256))
    access = Access(new, Settings(tournament="t", database=new.url, pin="2468"))
    new.note_gifts([(7, "deck/vereinsblatt", 0)])
    assert new.parcel("ab" * 32) == bytes(range(256)) and new.gifts()[-1].number == 2
    access.acts.add("PIN", "", "logout", {})  # numbered after those that came back
    access.stop()
    old.close()
    new.close()


@pytest.fixture
def backup(tmp_path) -> Path:
    store, path = filled(f"sqlite:///{tmp_path / 'old.sqlite'}"), tmp_path / "all.zip"
    save(store, ALL, None, path)
    store.close()
    return path


def changed(path: Path, name: str, change: Callable[[bytes], bytes | None]) -> Path:
    """The same archive with one member otherwise, or left out."""
    out = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w") as new:
        for one in old.namelist():
            content = change(old.read(one)) if one == name else old.read(one)
            if content is not None:
                new.writestr(one, content)
    return out


def later(about: bytes) -> bytes:
    return json.dumps({**json.loads(about), "format": 2}).encode()


BROKEN = {
    "a line is missing": ("data/events.jsonl", lambda text: text[: text[:-1].rindex(b"\n") + 1], "rows of events"),
    "half a line": ("data/events.jsonl", lambda text: text[:-20], "no whole backup"),
    "a file is missing": ("data/notes.jsonl", lambda text: None, "no whole backup"),
    "a later version": ("stichwart.json", later, "later version"),
    "a key of a later version": (
        "data/notes.jsonl",
        lambda text: text.replace(b'"at":', b'"new":1,"at":'),
        "new is of a later version",
    ),
    "another program's": ("stichwart.json", lambda text: None, "no whole backup"),
}


@pytest.mark.parametrize(("name", "change", "why"), BROKEN.values(), ids=BROKEN)
def test_a_broken_backup_puts_nothing_back(backup, tmp_path, name, change, why):
    store = Store(f"sqlite:///{tmp_path / 'new.sqlite'}")
    store.make(ACCESS)
    with pytest.raises(BadBackup, match=why) as caught:
        put_back(store, ALL, tmp_path / "tls", changed(backup, name, change))
    assert "changed.zip" in str(caught.value)
    assert not any(rows(store).values())
    store.close()


@pytest.mark.parametrize("content", [b"", b"PK", b"x" * 1000], ids=["empty", "begun", "none"])
def test_a_file_that_is_no_archive_is_named(tmp_path, content):
    path = tmp_path / "some.zip"
    path.write_bytes(content)
    store = Store(f"sqlite:///{tmp_path / 'new.sqlite'}")
    with pytest.raises(BadBackup, match=r"some\.zip"):
        put_back(store, ALL, tmp_path / "tls", path)
    with pytest.raises(BadBackup, match="no such file"):
        put_back(store, ALL, tmp_path / "tls", tmp_path / "none.zip")
    store.close()


def test_nothing_is_overwritten(backup, tmp_path):
    store = filled(f"sqlite:///{tmp_path / 'new.sqlite'}")
    before = rows(store)
    with pytest.raises(BadBackup, match="not empty"):
        put_back(store, ALL, tmp_path / "tls", backup)
    assert rows(store) == before
    store.close()


def test_the_authority_comes_back_for_the_service_alone(tmp_path):
    old = tmp_path / "old-tls"
    old.mkdir()
    (old / "authority.pem").write_text("key")
    store = filled(f"sqlite:///{tmp_path / 'old.sqlite'}")
    save(store, ALL, old, tmp_path / "all.zip")
    store.close()
    new = Store(f"sqlite:///{tmp_path / 'new.sqlite'}")
    new.make(ACCESS)
    put_back(new, ALL, tmp_path / "tls", tmp_path / "all.zip")
    new.close()
    kept = tmp_path / "tls" / "authority.pem"
    assert kept.read_text() == "key" and kept.stat().st_mode & 0o777 == 0o600


def test_another_machine_goes_on_with_what_the_page_gave(tmp_path):
    """The director takes it from the page; a new process puts it back, and table and account are known there."""
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'a.sqlite'}", port=0, pin="2468")
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False) as http:
        secret = service.enrol(7, "t7.geheim")
        assert http.get("/api/backup").status_code == 403
        http.post("/api/login", json={"pin": "2468"})
        http.post("/api/accounts", json={"name": "Rita", "role": "referee", "password": "langes geheimnis"})
        http.post("/api/t/notes", json={"note": "enter", "names": ["Anna Ott"]})
        answer = http.get("/api/backup")
        assert answer.headers["content-type"] == "application/zip"
        assert zipfile.ZipFile(io.BytesIO(answer.content)).testzip() is None
    (tmp_path / "all.zip").write_bytes(answer.content)
    (tmp_path / "director.toml").write_text('tournament = "t"\nhost = "127.0.0.1"\npin = "2468"\n', encoding="utf-8")
    words = ["--config", tmp_path / "director.toml", "--data", tmp_path / "new", "--port", "0"]
    with (
        DirectorProcess([*words, "--restore", tmp_path / "all.zip"]) as director,
        httpx.Client(base_url=director.url, trust_env=False) as http,
    ):
        login = http.post("/api/login", json={"name": "Rita", "password": "langes geheimnis"})
        assert login.status_code == 200
        setup = http.get("/api/t/setup").json()
        assert "Anna Ott" in json.dumps(setup)
        sent = {"after": -1, "chain": START, "events": ROUND}
        table = http.post("/line/t/1/7/events", json=sent, headers={"Authorization": f"Bearer {secret}"})
        assert table.json()["last"] == len(ROUND) - 1


def test_a_backup_of_an_encrypted_service_holds_its_authority(tmp_path):
    settings = Settings(
        tournament="t",
        database=f"sqlite:///{tmp_path / 'a.sqlite'}",
        port=0,
        pin="2468",
        tls=Tls(folder=tmp_path / "tls"),
    )
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False, verify=False) as http:
        http.post("/api/login", json={"pin": "2468"})
        names = zipfile.ZipFile(io.BytesIO(http.get("/api/backup").content)).namelist()
    assert "tls/authority.pem" in names


def test_a_full_disk_is_named_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup_routes, "save", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'a.sqlite'}", port=0, pin="2468")
    with Service(settings) as service, httpx.Client(base_url=service.url, trust_env=False) as http:
        http.post("/api/login", json={"pin": "2468"})
        said = http.get("/api/backup")
    assert (said.status_code, said.json()["error"]) == (507, "store") and "No space left" in said.json()["message"]
    assert list((tmp_path / "tmp").iterdir()) == []
