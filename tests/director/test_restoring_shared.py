"""A backup put back by upload where several share: directors on one PostgreSQL, clubs in one service."""

import gc
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import sqlalchemy as sa

from kiosk.app import direction
from kiosk.director.access.access import Access
from kiosk.director.access.acts import TAKEN_OVER
from kiosk.director.access.schema import ACCOUNTS, ACTS, SESSIONS
from kiosk.director.key import ListKey
from kiosk.director.process import DirectorProcess
from kiosk.director.refusals import BadBackup, NotFresh, StoreFailed
from kiosk.director.saving import replacing
from kiosk.director.saving.replacing import PUT_BY, replace_all, settle
from kiosk.director.saving.restoring import ALL, RESTORED, look_through
from kiosk.director.serve import Service
from kiosk.director.settings import Own, Settings, Tls
from kiosk.director.storage.backup import CONFIGURATION, save
from kiosk.director.storage.database import ANSWERS, FOLDS
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START
from tests.director.test_saving import ROUND, rows
from tests.waiting import until

pytestmark = pytest.mark.slow

KEY = ListKey("t", 1, 7)
WORD = "pikbube9"
HOME, FIRST, SECOND = "127.0.0.1", "asse.test", "buben.test"
Database = Callable[[str, int], str]


@pytest.fixture
def database(tmp_path: Path, request: pytest.FixtureRequest) -> Database:
    """Make databases with a director's account ``L`` and so many events."""
    count = iter(range(100))

    def make(kind: str, events: int) -> str:
        file = tmp_path / f"{next(count)}.sqlite"
        url = str(request.getfixturevalue("new_database")()) if kind == "postgresql" else f"sqlite:///{file}"
        store = Store(url)
        access = Access(store, Settings(tournament="t", database=url))
        if events:
            store.append(KEY, -1, START, ROUND[:events])
            store.note("t", 0, {"note": "enter", "names": ["Anna Öztürk"]})
            store.add_photo(KEY, bytes(range(256)))
            access.accounts.make("L", "director", WORD)
            access.devices.issue(7, secret="t7.geheim")
        access.stop()
        store.close()
        return url

    return make


def backup_of(url: str, path: Path, authority: str = "") -> Path:
    tls, store = path.with_suffix(".tls"), Store(url)
    if authority:
        tls.mkdir()
        (tls / "authority.pem").write_text(authority)
    save(store, ALL, tls if authority else None, path)
    store.close()
    return path


@contextmanager
def client(url: str, name: str = HOME, word: str = WORD) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, headers={"host": name}, trust_env=False) as http:
        login = http.post("/api/login", json={"name": "L", "password": word})
        http.headers["cookie"] = f"stichwart={login.cookies.get('stichwart')}"
        yield http


def restored(http: httpx.Client, backup: Path, word: str = WORD) -> httpx.Response:
    told = http.post("/api/restore", content=backup.read_bytes())
    assert told.status_code == 200, told.text
    return http.post("/api/restore/yes", json={"id": told.json()["id"], "password": word})


# several directors on one PostgreSQL


@contextmanager
def directors(url: str, folder: Path, count: int = 2) -> Iterator[list[Service]]:
    """Directors on one database; ``anew`` of each counts how often it was to start anew."""
    services = []
    for number in range(count):
        data = folder / f"director{number}"
        data.mkdir(exist_ok=True)
        service = Service(Settings(tournament="t", database=url, port=0, guests=False, own=Own(data=data)))
        service.start()
        service.anew = threading.Event()  # type: ignore[attr-defined]
        service.app.state.begin_anew = service.anew.set  # type: ignore[attr-defined]
        services.append(service)
    try:
        for service in services:
            until(lambda service=service: len(service.app.state.others.addresses) == count - 1)
        yield services
    finally:
        for service in services:
            service.stop()


def test_all_directors_go_on_with_it_and_what_was_there_comes_back_the_same_way(
    database: Database, tmp_path: Path
) -> None:
    backup, url = backup_of(database("postgresql", 20), tmp_path / "b.zip"), database("postgresql", 5)
    was = rows(url)
    with directors(url, tmp_path) as (here, there), client(here.url) as http:
        told = http.post("/api/restore", content=backup.read_bytes()).json()
        assert (told["holds"]["lists"], told["replaces"]["lists"], told["replaces"]["accounts"]) == (1, 1, 1)
        assert rows(url)["events"] == was["events"], "nothing changes yet"
        for word in ("wrong", ""):
            yes = http.post("/api/restore/yes", json={"id": told["id"], "password": word})
            assert yes.json()["code"] == "wrong_password"
        with httpx.Client(base_url=there.url, trust_env=False) as stranger:
            assert stranger.post("/api/restore", content=backup.read_bytes()).status_code == 403
        with client(there.url) as other:
            yes = other.post("/api/restore/yes", json={"id": told["id"], "password": WORD})
            assert yes.json()["code"] == "no_backup", "it was uploaded to the other one"
        assert not here.anew.is_set()  # type: ignore[attr-defined]
        kept = restored(http, backup).json()["kept"]
        for service in (here, there):
            assert service.anew.wait(60)  # type: ignore[attr-defined]
        assert http.get("/api/devices").status_code == 403, "all log in again"
        assert here.app.state.hall.store.read(KEY) == ROUND[:20]
    put_by = tmp_path / "director0" / kept / PUT_BY
    assert put_by.stat().st_mode & 0o777 == 0o600
    with directors(url, tmp_path) as (here, there):
        with client(there.url) as http:
            assert http.get("/line/t/1/7/events", headers={"Authorization": "Bearer t7.geheim"}).status_code == 200
            assert restored(http, put_by).json()["kept"]
        assert here.anew.wait(60)  # type: ignore[attr-defined]
    assert {name: some for name, some in rows(url).items() if name != "acts"} == {
        name: some for name, some in was.items() if name != "acts"
    }


def test_a_director_that_did_not_hear_of_it_notices_when_it_listens_again(database: Database, tmp_path: Path) -> None:
    url = database("postgresql", 5)
    with directors(url, tmp_path, 1) as (service,):
        service.app.state.access.acts.add("", "", TAKEN_OVER, {"id": "somebody's"})
        assert not service.anew.is_set()  # type: ignore[attr-defined]
        with psycopg.connect(plain(url)) as db:
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        assert service.anew.wait(60)  # type: ignore[attr-defined]


def test_an_empty_one_takes_it_with_the_code(database: Database, tmp_path: Path) -> None:
    backup, url = backup_of(database("sqlite", 20), tmp_path / "b.zip"), database("postgresql", 0)
    with directors(url, tmp_path, 1) as (service,), httpx.Client(base_url=service.url, trust_env=False) as http:
        code, content = service.app.state.access.first_code, backup.read_bytes()
        assert http.post("/api/restore", content=content).status_code == 403
        told = http.post("/api/restore", content=content, headers={"Stichwart-Code": code}).json()
        assert told["replaces"] is None
        assert http.post("/api/restore/yes", json={"id": told["id"], "code": "0"}).status_code == 403
        assert http.post("/api/restore/yes", json={"id": told["id"], "code": code}).json() == {"kept": ""}
    store = Store(url)
    assert store.read(KEY) == ROUND[:20]
    store.close()


def plain(url: str) -> str:
    """The address as psycopg takes it."""
    return sa.make_url(url).set(drivername="postgresql").render_as_string()


def settings_of(url: str, folder: Path) -> Settings:
    folder.mkdir()
    (folder / "tls").mkdir()
    (folder / "tls" / "authority.pem").write_text("ours")
    return Settings(tournament="t", database=url, own=Own(data=folder), tls=Tls(folder=folder / "tls"))


# SQLAlchemy leaves a cursor of the server open whose connection is lost.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_connection_lost_at_any_statement_leaves_the_old_or_the_new(database: Database, tmp_path: Path) -> None:
    """Of database and authority both: the old of both, or the new of both, from the next start on."""
    backup, url = backup_of(database("sqlite", 20), tmp_path / "b.zip", "theirs"), database("postgresql", 5)
    settings, store = settings_of(url, tmp_path / "data"), Store(url)
    assert settings.own is not None and settings.tls is not None
    data, authority = settings.own.data, settings.tls.folder / "authority.pem"
    look_through(backup, settings.own, "t", files_count=True)
    looked_through = (data / RESTORED).read_bytes()
    left = iter(range(0))

    def cut(connection: sa.Connection, *_more: Any) -> None:
        if next(left, -1) == 0:
            pid = connection.connection.dbapi_connection.info.backend_pid  # type: ignore[union-attr]
            server.execute("SELECT pg_terminate_backend(%s)", [pid])

    outcomes: list[tuple[int, str]] = []
    with psycopg.connect(plain(url), autocommit=True) as server:
        for moment in ("before_cursor_execute", "commit"):
            sa.event.listen(store.engine, moment, cut)
        whole = False
        while not whole:
            (data / RESTORED).write_bytes(looked_through)
            left = iter(range(len(outcomes), -1, -1))
            try:
                replace_all(store, settings)
                whole = True
            except StoreFailed:
                left = iter(range(0))
            settle(data, url, settings.tls.folder)
            (events,) = server.execute("SELECT count(*) FROM events").fetchone() or (-1,)
            outcomes.append((events, authority.read_text()))
            assert not list(data.glob("replacing-*"))
    store.close()
    assert outcomes[:-1] == [(5, "ours")] * (len(outcomes) - 1) and outcomes[-1] == (20, "theirs")
    assert len(outcomes) > 40
    with zipfile.ZipFile(max(data.glob("before-*")) / PUT_BY) as archive:
        assert archive.read("tls/authority.pem") == b"ours"
    gc.collect()  # SQLAlchemy closes no cursor of a lost connection: what each says of that belongs to this test


def test_cut_off_after_it_was_stored_the_next_start_brings_the_authority(database: Database, tmp_path: Path) -> None:
    backup, url = backup_of(database("sqlite", 20), tmp_path / "b.zip", "theirs"), database("postgresql", 5)
    settings = settings_of(url, tmp_path / "data")
    assert settings.own is not None and settings.tls is not None
    look_through(backup, settings.own, "t", files_count=True)
    store = Store(url)
    replace_all(store, settings)
    with pytest.raises(NotFresh):
        replace_all(store, settings)
    store.close()
    authority = settings.tls.folder / "authority.pem"
    assert authority.read_text() == "ours"
    config = direction.DirectorConfig(tournament="t", database=url)
    direction._put_in_place(config, settings.own.data, settings.tls.folder)
    assert authority.read_text() == "theirs" and not (settings.own.data / CONFIGURATION).exists()


def test_whoever_is_in_the_middle_of_something_is_waited_for(database: Database, tmp_path: Path) -> None:
    """Somebody holds one table and wants another: neither waits for ever, and both are done."""
    backup, url = backup_of(database("sqlite", 20), tmp_path / "b.zip"), database("postgresql", 5)
    settings = settings_of(url, tmp_path / "data")
    assert settings.own is not None
    look_through(backup, settings.own, "t", files_count=True)
    store, other = Store(url), Store(url)
    waits = sa.text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    answer = {"tournament": "t", "round": 9, "number": 1, "table": 7, "event": None, "refused": "", "at": 1}
    worker = threading.Thread(target=replace_all, args=(store, settings))
    with other.engine.begin() as db:
        act = {"at": 1, "actor": "", "address": "", "act": "login", "body": "{}"}
        db.execute(ACTS.insert().values(**act))
        worker.start()
        until(lambda: db.scalar(waits))
        db.execute(ANSWERS.insert().values(**answer))
    worker.join(60)
    assert not worker.is_alive()
    found = rows(url)
    assert len(found["events"]) == 20 and not found["answers"]
    (put_by,) = settings.own.data.glob(f"before-*/{PUT_BY}")
    with zipfile.ZipFile(put_by) as archive:
        assert json.loads(archive.read("data/answers.jsonl"))["round"] == 9, "what was done before is put by"
    store.close()
    other.close()


def test_what_is_in_no_backup_ends_with_what_was_here(database: Database, tmp_path: Path) -> None:
    backup, url = backup_of(database("sqlite", 20), tmp_path / "b.zip"), database("postgresql", 5)
    settings = settings_of(url, tmp_path / "data")
    assert settings.own is not None
    look_through(backup, settings.own, "t", files_count=True)
    store = Store(url)
    with store.engine.begin() as db:
        fold = {"tournament": "t", "round": 1, "table": 7, "last": 4, "chain": "x", "version": "v", "body": b"x"}
        db.execute(FOLDS.insert().values(**fold))
        db.execute(SESSIONS.insert().values(digest="x", account="L", hash="x", expires=2**50))
    replace_all(store, settings)
    with store.reading() as db:
        assert not any(db.execute(sa.select(table)).first() for table in (FOLDS, SESSIONS))
    assert store.note("t", 2, {"note": "enter", "names": ["Bernd"]}) is None, "by what was known before"
    assert store.note("t", 1, {"note": "enter", "names": ["Bernd"]}) is not None
    store.close()


def test_what_the_servers_database_does_not_take_changes_nothing(database: Database, tmp_path: Path) -> None:
    """A name that is too long: SQLite, in which it is looked through, takes it."""
    source, url = database("sqlite", 20), database("postgresql", 5)
    long = Store(source)
    with long.engine.begin() as db:
        db.execute(ACCOUNTS.update().values(name="L" * 65))
    long.close()
    settings, was = settings_of(url, tmp_path / "data"), rows(url)
    assert settings.own is not None
    look_through(backup_of(source, tmp_path / "b.zip"), settings.own, "t", files_count=True)
    store = Store(url)
    with pytest.raises(BadBackup, match="does not take"):
        replace_all(store, settings)
    store.close()
    assert rows(url) == was


def test_a_tournament_that_no_directors_file_names_is_told(database: Database, tmp_path: Path) -> None:
    backup = backup_of(database("sqlite", 20), tmp_path / "b.zip")
    with pytest.raises(BadBackup, match='tournament = "t"'):
        look_through(backup, Own(data=tmp_path), "herbst", files_count=True)
    assert not (tmp_path / RESTORED).exists()


def test_a_file_with_which_the_service_would_not_start_is_refused(database: Database, tmp_path: Path) -> None:
    url = database("sqlite", 20)
    for number, text in enumerate(("tournament = ", 'tournament = "devices"', 'tournament = "t"\nrules = "skat"')):
        path = backup_of(url, tmp_path / f"{number}.zip")
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(CONFIGURATION, text)
        folder = tmp_path / str(number)
        folder.mkdir()
        with pytest.raises(BadBackup, match="would not start"):
            look_through(path, Own(data=folder, check=direction._check), "t", files_count=False)
        assert not list(folder.iterdir())


# clubs


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_club_puts_back_what_is_its_own_alone(database: Database, tmp_path: Path, kind: str) -> None:
    """The whole way: a process with two clubs; one puts a backup back, nothing of the other or the service changes."""
    data, clubs = tmp_path / "data", tmp_path / "clubs"
    clubs.mkdir()
    urls = {HOME: database("sqlite", 3), FIRST: database(kind, 5), SECOND: database("sqlite", 7)}
    line = 'tournament = "t"\ndatabase = "{}"\n'
    for name in (FIRST, SECOND):
        (clubs / f"{name.partition('.')[0]}.toml").write_text(line.format(urls[name]) + f'names = ["{name}"]\n')
    file = tmp_path / "director.toml"
    file.write_text(line.format(urls[HOME]) + 'host = "127.0.0.1"\nguests = false\nclubs = "clubs"\n')
    backup = backup_of(database("sqlite", 20), tmp_path / "b.zip", "theirs")
    with zipfile.ZipFile(backup, "a") as archive:
        archive.writestr(CONFIGURATION, 'tournament = "t"\nguests = false\nport = 1\n')
    was = {name: len(rows(url)["events"]) for name, url in urls.items()}
    with DirectorProcess(["--config", file, "--data", data, "--port", "0"]) as director:
        at = director.url
        with client(at, SECOND) as other, client(at, FIRST) as http:
            other.headers["host"] = FIRST
            assert other.post("/api/restore", content=backup.read_bytes()).status_code == 403, "another club's director"
            http.headers["host"] = HOME
            assert http.post("/api/restore", content=backup.read_bytes()).status_code == 403, "the service's is another"
            http.headers["host"] = FIRST
            assert restored(http, backup, "wrong").status_code == 403
            kept = restored(http, backup).json()["kept"]
        until(lambda: director.url != at)  # it has started anew, at another free port
        found = {}
        for name in urls:
            with client(director.url, name) as http:
                listed = http.get("/line/t/1/7/events", headers={"Authorization": "Bearer t7.geheim"})
                found[name] = listed.text.count("\n")
    assert found == {**was, FIRST: 20}
    place = data / "clubs" / "asse"
    was_file = Path(urls[FIRST].removeprefix("sqlite:///"))
    assert (place / kept / PUT_BY if kind == "postgresql" else was_file.parent / kept / was_file.name).exists()
    assert (place / CONFIGURATION).exists() == (kind == "sqlite")
    assert not list(data.rglob("*.pem")), "the authority is the service's"


def test_a_clubs_backup_holds_its_file_and_no_authority(database: Database, tmp_path: Path) -> None:
    urls = {name: database("sqlite", 3) for name in (HOME, FIRST)}
    for name in urls:
        (tmp_path / f"{name}.toml").write_text(f'tournament = "t" # {name}')
    own = {name: Own(data=tmp_path, configuration=tmp_path / f"{name}.toml") for name in urls}
    home = Settings(tournament="t", database=urls[HOME], port=0, own=own[HOME], tls=Tls(folder=tmp_path / "tls"))
    club = Settings(tournament="t", database=urls[FIRST], own=own[FIRST], names=(FIRST,))
    with Service(home, clubs=[club]) as service:
        for name, sealed in ((HOME, True), (FIRST, False)):
            with httpx.Client(base_url=service.url, headers={"host": name}, trust_env=False, verify=False) as http:
                login = http.post("/api/login", json={"name": "L", "password": WORD})
                cookie = {"cookie": f"stichwart={login.cookies.get('stichwart')}"}
                whole = http.get("/api/backup", headers=cookie)
                archive = zipfile.ZipFile(io.BytesIO(whole.content))
            assert name in archive.read(CONFIGURATION).decode()
            assert ("tls/authority.pem" in archive.namelist()) == sealed


def test_the_order_of_tables_is_one_that_can_be_filled() -> None:
    assert {table.name for table in ALL} < {table.name for table in replacing._EVERY}
