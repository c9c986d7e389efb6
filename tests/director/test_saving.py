"""Copies of the database on sticks: what is in them; a pulled, full, locked or other stick; who goes on with them."""

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from hw.stick import Stick, StickError
from kiosk.app import direction
from kiosk.app.config import load_director
from kiosk.demo.play import simulate
from kiosk.director.access.access import Access
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.key import ListKey
from kiosk.director.refusals import BadBackup, UnknownPlace
from kiosk.director.saving import mirror
from kiosk.director.saving.mirror import About, bring_up_to_date, look_into, take_out
from kiosk.director.saving.places import FOLDER, Places
from kiosk.director.saving.saver import COPIES, EACH_S, Choice, Saver
from kiosk.director.saving.takeover import TAKEN, is_fresh, offers, put_in_place, take
from kiosk.director.serve import Service
from kiosk.director.settings import Own, Saving, Settings, Tls
from kiosk.director.storage.backup import CONFIGURATION
from kiosk.director.storage.database import METADATA
from kiosk.director.storage.store import Store
from kiosk.table.events.chain import START, chain_over

ALL = (*METADATA.sorted_tables, *SAVED)
ROUND = list(simulate("bsv", 3, 2, table=7))
ABOUT = About(number=1, at=1000, title="t", machine="m")


def key(table: int, round_: int = 1) -> ListKey:
    return ListKey("t", round_, table)


def opened(table: int, upto: int) -> list[dict[str, Any]]:
    return [{**ROUND[0], "table": table}, *ROUND[1:upto]]


def rows(url: str) -> dict[str, list[Any]]:
    store = Store(url)
    with store.reading() as db:
        found = {table.name: sorted(tuple(row) for row in db.execute(sa.select(table))) for table in ALL}
    store.close()
    return found


def url(path: Path) -> str:
    return f"sqlite:///{path}"


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Store]:
    """A database with something in each table."""
    store = Store(url(tmp_path / "live.sqlite"))
    access = Access(store, Settings(tournament="t", database="", pin=""))
    store.append(key(7), -1, START, ROUND[:20])
    store.append(key(8), -1, START, opened(8, 10))
    store.note("t", 0, {"note": "enter", "names": ["Anna Öztürk", "Bernd"]})
    order = store.give("t", 1, 7, {"event": "release"})
    store.answer(key(7), order.number, "not now", {"code": "x", "section": "1"})
    store.add_photo(key(7), bytes(range(256)))
    access.devices.issue(7, secret="t7.geheim")
    access.devices.shows_encrypted("t7")
    access.accounts.make("Leitung", "director", "pikbube9")
    access.acts.add("Leitung", "127.0.0.1", "login", {})
    access.stop()
    yield store
    store.close()


def changes(store: Store) -> Iterator[str]:
    """All that can happen to the rows of a database, one after the other."""
    yield "nothing"
    store.append(key(7), 19, chain_over(ROUND[:20]), ROUND[20:30])
    yield "events"
    store.append(key(9, 2), -1, START, [{**opened(9, 5)[0], "round": 2}, *opened(9, 5)[1:]])
    yield "a list"
    store.set_aside(key(8))
    yield "set aside"
    store.append(key(8), -1, START, opened(8, 10))
    yield "the same again"
    store.set_aside(key(8))
    store.append(key(8), -1, START, opened(8, 12))
    yield "aside and again"
    order = store.give("t", 1, None, {"event": "release"})
    yield "an order"
    store.answer(key(8), order.number, "no", {"code": "y", "section": "2"})
    store.begin_anew("t", 1)
    yield "the round anew"
    store.note("t", 1, {"note": "enter", "names": ["Cem"]})
    store.add_photo(key(8), b"more")
    store.heard([key(7)])
    yield "small things"
    access = Access(store, Settings(tournament="t", database="", pin=""))
    access.accounts.change("Leitung", None, "kreuzdame8", False)
    access.devices.issue(7, replace=True, secret="t7.anders")
    access.stop()
    yield "a password and a device replaced"


@pytest.mark.slow
def test_a_copy_follows_every_change(live: Store, tmp_path: Path) -> None:
    """Both copies, each brought up to date every other time, hold what the database holds."""
    copies = [tmp_path / "a.sqlite", tmp_path / "b.sqlite"]
    for number, what in enumerate(changes(live)):
        copy = copies[number % 2]
        bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {"tls/authority.pem": b"key"}, ABOUT)
        again = tmp_path / "again.sqlite"
        take_out(copy, again, ALL)
        assert rows(url(again)) == rows(live.url), what
        again.unlink()


def test_an_older_database_is_followed_too(live: Store, tmp_path: Path) -> None:
    """The direction was given a backup: lists in the copy are longer, other, or not there any more."""
    copy, older = tmp_path / "a.sqlite", Store(url(tmp_path / "older.sqlite"))
    older.make(ACCESS)
    older.append(key(7), -1, START, ROUND[:5])
    older.append(key(8), -1, START, [*opened(8, 9), {"event": "release", "at": 9.0}])
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    bring_up_to_date(tmp_path / "older.sqlite", copy, ALL, {}, ABOUT)
    take_out(copy, tmp_path / "again.sqlite", ALL)
    assert rows(url(tmp_path / "again.sqlite")) == rows(older.url)
    older.close()


def test_little_is_written_of_little_news(live: Store, tmp_path: Path) -> None:
    """A minute's news cost their own pages: the other pages of the copy stay as they are."""
    for table in range(10, 110):
        live.append(key(table), -1, START, opened(table, 300))
    copy = tmp_path / "a.sqlite"
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    before = copy.read_bytes()
    live.append(key(7), 19, chain_over(ROUND[:20]), ROUND[20:25])
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, replace(ABOUT, number=2))
    after = copy.read_bytes()
    pages = [before[at : at + 4096] != after[at : at + 4096] for at in range(0, len(after), 4096)]
    assert len(pages) > 150
    assert 0 < sum(pages) < 15


def _die_at(statement: int, live: Path, copy: Path) -> None:
    """Bring a copy up to date in this process, and end it at once before a statement."""
    left, connect = [statement], sqlite3.connect

    def count(_: str) -> None:
        left[0] -= 1
        if not left[0]:
            os._exit(9)

    def dying(*args: Any, **more: Any) -> sqlite3.Connection:
        db = connect(*args, **more)
        db.execute("PRAGMA cache_size=1")  # pages go to the disk before the end
        db.set_trace_callback(count)
        return db

    sqlite3.connect = dying  # type: ignore[assignment]
    bring_up_to_date(live, copy, ALL, {}, replace(ABOUT, number=2, at=2000))
    os._exit(0)


@pytest.mark.parametrize(
    "statement", [32, *(pytest.param(at, marks=pytest.mark.slow) for at in range(8, 60, 4) if at != 32)]
)
def test_cut_off_in_the_middle_it_is_as_before(live: Store, tmp_path: Path, statement: int) -> None:
    """The program dies at some statement; the copy opens as it was, and the next time takes all."""
    copy = tmp_path / "a.sqlite"
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    was = rows(live.url)
    live.append(key(7), 19, chain_over(ROUND[:20]), ROUND[20:30])
    child = os.fork()
    if not child:
        _die_at(statement, tmp_path / "live.sqlite", copy)
    _, ended = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(ended) in (0, 9)
    found = look_into(copy)
    assert found is not None
    take_out(copy, tmp_path / "again.sqlite", ALL)
    assert rows(url(tmp_path / "again.sqlite")) == (was if found.number == 1 else rows(live.url))
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    take_out(copy, tmp_path / "again.sqlite", ALL)
    assert rows(url(tmp_path / "again.sqlite")) == rows(live.url)


# --- sticks


class FolderSticks:
    """Sticks that are folders; each is there while it is plugged in, and can be made to refuse."""

    def __init__(self, top: Path) -> None:
        self.top, self.plugged, self.refuses = top, dict[str, Stick](), ""

    def plug(self, id_: str) -> Path:
        folder = self.top / id_
        folder.mkdir(exist_ok=True)
        self.plugged[id_] = Stick(device=str(folder), name=f"STICK {id_}", size_bytes=8, filesystem="vfat", id=id_)
        return folder

    def look(self) -> tuple[Stick, ...]:
        return tuple(self.plugged.values())

    def mount(self, stick: Stick) -> Path:
        if self.refuses or stick.id not in self.plugged:
            raise StickError(self.refuses or "gone", "told by the test")
        return Path(stick.device)

    def unmount(self, stick: Stick) -> None:
        if stick.id not in self.plugged:
            raise StickError("gone", "pulled")


@pytest.fixture
def sticks(tmp_path: Path) -> FolderSticks:
    (tmp_path / "sticks").mkdir()
    return FolderSticks(tmp_path / "sticks")


@pytest.fixture
def saver(live: Store, sticks: FolderSticks, tmp_path: Path) -> Saver:
    return make_saver(sticks, tmp_path)


def make_saver(sticks: FolderSticks, tmp_path: Path) -> Saver:
    data = tmp_path / "data"
    data.mkdir(exist_ok=True)
    places = Places(sticks, data)
    return Saver(places, tmp_path / "live.sqlite", ALL, data, lambda: {"tls/authority.pem": b"key"}, lambda: "t")


def held(top: Path) -> dict[str, About]:
    """What the copies on a stick hold, by name."""
    found = {path.name: look_into(path) for path in (top / FOLDER).glob("*/*.sqlite")}
    return {name: about for name, about in found.items() if about is not None}


def test_a_stick_is_chosen_once_and_saved_to_each_minute(
    saver: Saver, sticks: FolderSticks, tmp_path: Path, live: Store
) -> None:
    """The two copies take turns; after a restart the stick is known by its file system's id."""
    kernel = frozenset({"sda"})
    top = sticks.plug("AA-1")
    saver.turn(0.0, lambda: kernel)
    assert [one.id for one in saver.saved.places] == ["AA-1"]
    assert saver.saved.state == "none" and not held(top)
    saver.choose("AA-1")
    assert (saver.saved.state, len(held(top))) == ("ok", 1)
    again = make_saver(sticks, tmp_path)
    assert (again.saved.id, again.saved.name, again.saved.state) == ("AA-1", "STICK AA-1", "waiting")
    numbers = []
    for minute in range(4):
        again.turn(minute * EACH_S, lambda: kernel)
        again.turn(minute * EACH_S + 30.0, lambda: kernel)  # not its time yet
        numbers.append({name: one.number for name, one in held(top).items()})
    assert numbers == [{"a.sqlite": a, "b.sqlite": b} for a, b in ((0, 1), (2, 1), (2, 3), (4, 3))]
    newest = max(held(top).values(), key=lambda one: one.number)
    assert (newest.title, newest.lists) == ("t", 2)


def test_pulled_and_plugged_in_again_it_goes_on(saver: Saver, sticks: FolderSticks) -> None:
    top = sticks.plug("AA-1")
    saver.choose("AA-1")
    stick = sticks.plugged.pop("AA-1")
    saver.turn(100.0, lambda: frozenset())
    assert (saver.saved.state, saver.saved.trouble, saver.saved.name) == ("gone", True, "STICK AA-1")
    other = sticks.plug("BB-2")  # another one is not written to
    saver.turn(200.0, lambda: frozenset({"sdb"}))
    assert (saver.saved.state, held(other)) == ("gone", {})
    sticks.plugged["AA-1"] = stick
    before = saver.saved.at
    saver.turn(201.0, lambda: frozenset({"sda", "sdb"}))  # at once, not after a minute
    assert (saver.saved.state, len(held(top))) == ("ok", 2)
    assert saver.saved.at >= before


@pytest.mark.parametrize("code", ["read_only", "format", "denied", "busy", "tools", "failed"])
def test_what_a_stick_says_is_told(saver: Saver, sticks: FolderSticks, code: str) -> None:
    top = sticks.plug("AA-1")
    saver.choose("AA-1")
    before = held(top)
    sticks.refuses = code
    saver.save()
    assert (saver.saved.state, saver.saved.trouble, held(top)) == (code, True, before)
    sticks.refuses = ""
    saver.save()
    assert saver.saved.state == "ok"


def test_a_copy_that_is_none_any_more_is_made_anew(saver: Saver, sticks: FolderSticks, live: Store) -> None:
    """A file that a stick has spoilt: the other one stays, and the spoilt one is written next."""
    top = sticks.plug("AA-1")
    saver.choose("AA-1")
    saver.save()
    (folder,) = (top / FOLDER).iterdir()
    newest = max(COPIES, key=lambda name: held(top)[name].number)
    (folder / newest).write_bytes(b"\0" * 5000)
    saver.save()
    assert saver.saved.state == "ok"
    assert held(top)[newest].number == max(one.number for one in held(top).values())


def test_a_stick_without_a_file_system_is_shown_and_cannot_be_chosen(saver: Saver, sticks: FolderSticks) -> None:
    sticks.plugged["?"] = Stick(device="/dev/sdx", name="NEW", size_bytes=8, filesystem="")
    saver.look()
    assert [one.name for one in saver.saved.places] == ["NEW"]
    saver.choose("")
    assert (saver.saved.id, saver.saved.name, saver.saved.state) == ("", "", "none")


def test_nowhere_is_chosen_where_the_stick_is_not(saver: Saver, sticks: FolderSticks) -> None:
    with pytest.raises(UnknownPlace):
        saver.choose("AA-1")
    sticks.plug("AA-1")
    saver.choose("AA-1")
    saver.choose("")
    assert (saver.saved.id, saver.saved.state, saver.saved.trouble) == ("", "none", False)


def test_a_second_disk_is_one_only_while_a_disk_is_mounted_there(tmp_path: Path) -> None:
    """A folder on the same disk would die with it."""
    own, shm = tmp_path / "own", Path("/dev/shm")
    own.mkdir()
    if shm.stat().st_dev == own.stat().st_dev:
        pytest.skip("everything is one disk here")
    assert Places(None, own, tmp_path / "own").look() == ()
    assert Places(None, own, tmp_path / "missing").look() == ()
    (place,) = Places(None, own, shm).look()
    with Places(None, own, shm).mounted(place) as folder:
        assert folder == shm


@pytest.fixture(params=["vfat", "ext4"])
def real(request: Any, tmp_path: Path) -> Iterator[tuple[Path, FolderSticks]]:
    """A small file system of the kernel's, mounted, as a stick."""
    image, top = tmp_path / "stick.img", tmp_path / "mounted"
    top.mkdir()
    with image.open("wb") as file:
        file.truncate(4_000_000)
    make = {"vfat": ["mkfs.vfat"], "ext4": ["mkfs.ext4", "-q", "-O", "^has_journal"]}[request.param]
    try:
        subprocess.run([*make, str(image)], check=True, capture_output=True)
        subprocess.run(["mount", "-o", "loop", str(image), str(top)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system can be mounted here: {error}")
    sticks = FolderSticks(tmp_path)
    sticks.plugged["R"] = Stick(device=str(top), name="R", size_bytes=4_000_000, filesystem=request.param, id="R")
    yield top, sticks
    subprocess.run(["umount", "--lazy", str(top)], check=False)


def test_a_full_stick_of_the_kernels(real: tuple[Path, FolderSticks], tmp_path: Path, live: Store) -> None:
    """The disk fills up: what was there stays whole; with room it goes on; with room for one copy there is one."""
    top, sticks = real
    saver = make_saver(sticks, tmp_path)
    saver.choose("R")
    before = held(top)
    assert (saver.saved.state, len(before)) == ("ok", 1)
    _fill(top, but=60_000)
    saver.save()  # there is no room for the second one
    assert (saver.saved.state, saver.saved.trouble) == ("one_copy", True)
    for table in range(10, 60):
        live.append(key(table), -1, START, opened(table, 40))
    saver.save()
    assert (saver.saved.state, saver.saved.trouble) == ("full", True)
    last = held(top)
    assert list(last) == list(before)
    (top / "filling").unlink()
    saver.save()
    assert (saver.saved.state, len(held(top))) == ("ok", 2)


def _fill(top: Path, but: int) -> None:
    with (top / "filling").open("wb", buffering=0) as file:
        for size in (65536, 4096, 512):
            try:
                while True:
                    file.write(b"\1" * size)
            except OSError:
                continue
        file.truncate(file.tell() - but)


def test_a_write_protected_stick_of_the_kernels(real: tuple[Path, FolderSticks], tmp_path: Path, live: Store) -> None:
    """It says so; and what is on it can be taken over all the same."""
    top, sticks = real
    saver = make_saver(sticks, tmp_path)
    saver.choose("R")
    subprocess.run(["mount", "-o", "remount,ro", str(top)], check=True)
    saver.save()
    assert saver.saved.state == "read_only"
    (offer,) = offers(Places(sticks, tmp_path))
    take(Places(sticks, tmp_path), offer.id, tmp_path, ALL)
    assert (tmp_path / TAKEN).exists()


# --- taking over


def test_the_newest_whole_copy_is_taken(saver: Saver, sticks: FolderSticks, live: Store, tmp_path: Path) -> None:
    """The newer copy is damaged inside, so that it opens: the one before is taken."""
    top = sticks.plug("AA-1")
    saver.choose("AA-1")
    saver.save()
    (folder,) = (top / FOLDER).iterdir()
    newest = folder / max(COPIES, key=lambda name: held(top)[name].number)
    content = bytearray(newest.read_bytes())
    with closing(sqlite3.connect(newest)) as db:
        page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'events'").fetchone()[0]
    content[(page - 1) * 4096 : page * 4096] = b"\7" * 4096
    newest.write_bytes(content)
    new = tmp_path / "new"
    new.mkdir()
    (offer,) = offers(Places(sticks, new))
    assert (offer.about.title, offer.about.lists) == ("t", 2)
    take(Places(sticks, new), offer.id, new, ALL)
    assert put_in_place(new, new / "director.sqlite", new / "tls")
    there = rows(url(new / "director.sqlite"))
    assert there["acts"].pop()[4] == "taken_over"
    assert there == rows(live.url)
    assert (new / "tls" / "authority.pem").read_bytes() == b"key"
    assert not put_in_place(new, new / "director.sqlite", new / "tls")
    assert Choice(new).place == ("AA-1", "STICK AA-1")


@pytest.mark.parametrize(
    ("what", "statement"),
    [("a table", "CREATE TABLE wishes (a)"), ("a column", "ALTER TABLE notes ADD COLUMN later TEXT")],
)
def test_a_later_versions_copy_is_refused(live: Store, tmp_path: Path, what: str, statement: str) -> None:
    copy = tmp_path / "a.sqlite"
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    with closing(sqlite3.connect(copy)) as db:
        db.execute(statement)
    with pytest.raises(BadBackup, match="later version"):
        take_out(copy, tmp_path / "again.sqlite", ALL)
    assert not (tmp_path / "again.sqlite").exists()


def test_a_later_format_is_refused(live: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "a.sqlite"
    monkeypatch.setattr(mirror, "FORMAT", 9)
    bring_up_to_date(tmp_path / "live.sqlite", copy, ALL, {}, ABOUT)
    monkeypatch.undo()
    with pytest.raises(BadBackup, match="later version"):
        look_into(copy)


def test_what_holds_something_is_not_replaced(saver: Saver, sticks: FolderSticks, live: Store, tmp_path: Path) -> None:
    """Something was entered between taking and the next start: it stays, and so does what was taken."""
    sticks.plug("AA-1")
    saver.choose("AA-1")
    new = tmp_path / "new"
    new.mkdir()
    (offer,) = offers(Places(sticks, new))
    take(Places(sticks, new), offer.id, new, ALL)
    store = Store(url(new / "director.sqlite"))
    store.make(ACCESS)
    assert is_fresh(new / "director.sqlite")
    store.note("t", 0, {"note": "enter", "names": ["Doris"]})
    store.close()
    before = rows(url(new / "director.sqlite"))
    assert not put_in_place(new, new / "director.sqlite", new / "tls")
    assert rows(url(new / "director.sqlite")) == before
    assert (new / TAKEN).exists()


# --- the service


def settings_of(folder: Path, sticks: FolderSticks) -> Settings:
    folder.mkdir(exist_ok=True)
    return Settings(
        tournament="t",
        database=url(folder / "director.sqlite"),
        port=0,
        guests=False,
        tls=Tls(folder=folder / "tls"),
        own=Own(data=folder),
        saving=Saving(sticks=sticks),
    )


def client(service: Service) -> httpx.Client:
    return httpx.Client(base_url=service.url, trust_env=False, verify=False)


@pytest.mark.slow
def test_another_machine_goes_on_in_two_touches(tmp_path: Path, sticks: FolderSticks) -> None:
    """Accounts, lists, devices and authority come with it; a machine at work, or what is not there, is refused."""
    top = sticks.plug("AA-1")
    account = {"name": "Leitung", "password": "pikbube9"}
    with Service(settings_of(tmp_path / "old", sticks)) as old, client(old) as page:
        code = old.app.state.access.first_code
        assert page.get("/api/saving").status_code == 403
        assert page.post("/api/first", json={"code": code, **account}).status_code == 200
        assert page.post("/api/saving", json={"place": "CC-3"}).json()["code"] == "no_stick"
        secret = old.enrol(7)
        table = {"authorization": f"Bearer {secret}"}
        sent = {"after": -1, "chain": START, "events": ROUND[:20]}
        assert page.post("/line/t/1/7/events", json=sent, headers=table).status_code == 200
        said = page.post("/api/saving", json={"place": "AA-1"}).json()
        assert (said["state"], said["name"]) == ("ok", "STICK AA-1")
        assert page.get("/api/takeover").json() == {"offers": []}, "this one is at work"
        assert (
            page.post("/api/takeover", json={"offer": f"AA-1/{next((top / FOLDER).iterdir()).name}"}).status_code == 409
        )
        fingerprint = old.certificates.fingerprint if old.certificates is not None else ""
    settings = settings_of(tmp_path / "new", sticks)
    new = Service(settings)
    with new, client(new) as page:
        (offer,) = wait_for_offers(page)
        assert (offer["title"], offer["lists"], offer["stick"]) == ("t", 1, "STICK AA-1")
        assert page.post("/api/takeover", json={"offer": "AA-1/../x"}).json()["code"] == "no_copy"
        sticks.refuses = "gone"
        assert page.post("/api/takeover", json={"offer": offer["id"]}).json()["code"] == "no_stick"
        sticks.refuses = ""
        (tmp_path / "new" / f"{TAKEN}.part").mkdir()  # nothing can be written there
        assert page.post("/api/takeover", json={"offer": offer["id"]}).status_code == 507
        (tmp_path / "new" / f"{TAKEN}.part").rmdir()
        assert page.post("/api/takeover", json={"offer": offer["id"]}).status_code == 200
        new._thread.join(20)  # type: ignore[union-attr]
    assert new.again
    assert put_in_place(tmp_path / "new", tmp_path / "new" / "director.sqlite", tmp_path / "new" / "tls")
    with Service(settings) as again, client(again) as page:
        assert again.certificates is not None and again.certificates.fingerprint == fingerprint
        assert again.app.state.access.first_code == ""
        assert page.post("/api/login", json=account).status_code == 200
        assert page.get("/line/t/1/7/events", headers=table).text.count("\n") == 20
        saved = page.get("/api/saving").json()
        assert (saved["place"], saved["possible"]) == ("AA-1", True)


def wait_for_offers(page: httpx.Client) -> list[dict[str, Any]]:
    for _ in range(200):
        if found := page.get("/api/takeover").json()["offers"]:
            return list(found)
        time.sleep(0.05)
    raise AssertionError("nothing was offered")


def test_a_third_machine_gets_the_same_tournament(tmp_path: Path) -> None:
    """What the file of the first said of the tournament counts on the second, and is saved from there."""
    own, folder = tmp_path / "own.toml", tmp_path / "data"
    folder.mkdir()
    own.write_text(f'tournament = "turnier"\nport = 8400\ndata = "{folder}"\n')
    config = load_director(own)
    assert direction._continued(config, folder) == config
    assert direction._own(own, folder).configuration == own
    (folder / CONFIGURATION).write_text('tournament = "herbst"\nport = 9999\nguests = true\ndata = "/elsewhere"\n')
    continued = direction._continued(config, folder)
    assert (continued.tournament, continued.guests) == ("herbst", True)
    assert (continued.port, continued.data) == (8400, folder), "of this machine"
    assert direction._own(own, folder).configuration == folder / CONFIGURATION
