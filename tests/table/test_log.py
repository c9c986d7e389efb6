"""One contract for both logs, and what only a file can suffer."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.table.events.log import Log, LogDamaged, LogError, LogFull, LogHeld, MemoryLog
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.rescue import open_or_rescue, set_aside

OPEN = {"event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1, "players": ["Änne", "B", "C", "D"]}


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    if request.param == "memory":
        yield MemoryLog()
    else:
        with LogFile(tmp_path / "deep" / "table.db") as file:
            yield file.log("cup", 7, 1)


def test_numbers_run_from_zero_and_events_come_back_as_they_were(log: Log) -> None:
    events = [OPEN, {"event": "deal", "dealer": 1}, {"event": "card", "seat": 2, "card": "CA", "at": 1795186800123}]
    assert [log.append(event) for event in events] == [0, 1, 2]
    assert log.read() == list(enumerate(events))
    assert log.read(after=1) == [(2, events[2])]
    assert log.read(after=2) == []


def test_an_event_that_was_read_cannot_change_the_log(log: Log) -> None:
    log.append({"event": "open", "players": ["A"]})
    log.read()[0][1]["players"].append("B")
    assert log.read() == [(0, {"event": "open", "players": ["A"]})]


def test_an_event_that_is_no_json_is_refused_and_leaves_the_log_alone(log: Log) -> None:
    log.append(OPEN)
    with pytest.raises(LogError, match="cannot be written as JSON"):
        log.append({"event": "card", "at": float("nan")})
    with pytest.raises(LogError, match="cannot be written as JSON"):
        log.append({"event": "card", "picture": b"x"})
    assert log.append({"event": "release"}) == 1


def test_pictures_and_kept_values(log: Log) -> None:
    assert log.picture(3) is None
    assert log.kept("clock") is None
    log.keep_picture(3, b"\xff\xd8one")
    log.keep_picture(3, b"\xff\xd8two")
    log.keep("clock", "a")
    log.keep("clock", "b")
    assert log.picture(3) == b"\xff\xd8two"
    assert log.kept("clock") == "b"
    assert log.read() == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(events=st.lists(st.dictionaries(st.text("abcd", min_size=1, max_size=4), json_values, max_size=4), max_size=6))
@settings(deadline=None, max_examples=25)
@pytest.mark.slow
def test_both_logs_hold_the_same(tmp_path_factory: pytest.TempPathFactory, events: list[dict[str, object]]) -> None:
    memory = MemoryLog()
    with LogFile(tmp_path_factory.mktemp("log") / "t.db") as file:
        on_disk = file.log("cup", 1, 1)
        for event in events:
            assert memory.append(event) == on_disk.append(event)
        assert memory.read() == on_disk.read()


# --- only a file can …


def test_rounds_in_one_file_are_apart_and_outlive_the_process(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with LogFile(path) as file:
        file.log("cup", 7, 1).append(OPEN)
        file.log("cup", 7, 2).append({**OPEN, "round": 2})
        file.log("cup", 7, 1).append({"event": "release"})
        file.log("cup", 7, 1).keep("acked", "1")
    with LogFile(path) as file:
        assert file.logs() == [("cup", 7, 1), ("cup", 7, 2)]
        assert [event["event"] for _, event in file.log("cup", 7, 1).read()] == ["open", "release"]
        assert file.log("cup", 7, 2).read()[0][1]["round"] == 2
        assert file.log("cup", 7, 1).kept("acked") == "1"
        assert file.log("cup", 7, 2).kept("acked") is None


def test_an_appended_event_survives_a_kill_without_warning(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path; from kiosk.table.events.log_file import LogFile\n"
        "log = LogFile(Path(sys.argv[1])).log('cup', 1, 1)\n"
        "for n in range(50): log.append({'event': 'card', 'n': n})\n"
        "os.kill(os.getpid(), 9)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path / "t.db")], cwd=root, check=False)
    assert done.returncode == -9
    with LogFile(tmp_path / "t.db") as file:
        assert [event["n"] for _, event in file.log("cup", 1, 1).read()] == list(range(50))


def test_a_torn_last_write_costs_only_itself(tmp_path: Path) -> None:
    """Power fails while the last commit is being written: the write-ahead log ends in the middle of a page."""
    path = tmp_path / "t.db"
    file = LogFile(path)
    log = file.log("cup", 1, 1)
    for n in range(20):
        log.append({"event": "card", "n": n})
    sizes = [(tmp_path / "t.db-wal").stat().st_size]
    log.append({"event": "card", "n": 20, "pad": "x" * 9000})
    sizes.append((tmp_path / "t.db-wal").stat().st_size)
    torn = tmp_path / "torn"
    torn.mkdir()
    (torn / "t.db").write_bytes(path.read_bytes())
    (torn / "t.db-wal").write_bytes((tmp_path / "t.db-wal").read_bytes()[: sum(sizes) // 2])
    file.close()
    with LogFile(torn / "t.db") as again:
        after = again.log("cup", 1, 1)
        assert [event["n"] for _, event in after.read()] == list(range(20))
        assert after.append({"event": "card", "n": 20}) == 20


def test_a_full_disk_says_so_loses_nothing_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with LogFile(tmp_path / "t.db") as file:
        log = file.log("cup", 1, 1)
        log.append(OPEN)
        pages = file.connection.execute("PRAGMA page_count").fetchone()[0]
        file.connection.execute(f"PRAGMA max_page_count={pages}")  # SQLite answers SQLITE_FULL as on a full disk
        with pytest.raises(LogFull, match="disk is full"):
            log.append({"event": "card", "pad": "x" * 50_000})
        with pytest.raises(LogFull):
            log.keep_picture(0, b"x" * 50_000)
        assert log.read() == [(0, OPEN)]
        file.connection.execute("PRAGMA max_page_count=100000")
        assert log.append({"event": "release"}) == 1


def test_a_second_process_is_told_that_the_file_is_in_use(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with LogFile(path) as file:
        file.log("cup", 1, 1).append(OPEN)
        with pytest.raises(LogHeld, match="another process works with this log"):
            LogFile(path)
    LogFile(path).close()


@pytest.mark.parametrize("content", [b"no database at all, only words " * 40, b"SQLite format 3\0" + b"\7" * 5000])
def test_a_file_that_is_no_log_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(content)
    with pytest.raises(LogDamaged, match=r"t\.db: the log is damaged"):
        LogFile(path)
    assert path.read_bytes() == content  # it is evidence, not rubbish


def test_a_foreign_database_is_not_taken_for_a_log(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version=1")
        other.execute("CREATE TABLE recipes (x)")
    other.close()
    with pytest.raises(LogDamaged, match="tables are missing"):
        LogFile(path)


def test_setting_a_damaged_file_aside_keeps_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with LogFile(path) as file:
        log = file.log("cup", 1, 1)
        for n in range(400):
            log.append({"event": "card", "n": n, "pad": "x" * 200})
        log.keep("clock", "ticking")
    content = bytearray(path.read_bytes())
    content[-8192:] = b"\xaa" * 8192
    path.write_bytes(content)
    with pytest.raises(LogDamaged):
        LogFile(path)
    file, told = open_or_rescue(path)
    assert (tmp_path / "t.db.damaged-1").read_bytes() == content
    assert "t.db.damaged-1" in told
    kept = len(file.log("cup", 1, 1).read())
    assert f"{kept} events were kept" in told
    assert file.log("cup", 1, 1).kept("clock") == "ticking"
    file.close()
    assert 100 < kept < 400
    with LogFile(path) as file:
        assert [event["n"] for _, event in file.log("cup", 1, 1).read()] == list(range(kept))
        assert file.log("cup", 1, 1).append({"event": "card", "n": kept}) == kept


def test_a_file_that_holds_nothing_readable_is_set_aside_too(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(b"no database at all, only words " * 40)
    assert set_aside(path) == (tmp_path / "t.db.damaged-1", 0)
    path.write_bytes(b"SQLite format 3\0" + b"\7" * 5000)
    assert set_aside(path) == (tmp_path / "t.db.damaged-2", 0)
    file, told = open_or_rescue(path)
    file.close()
    assert told == ""


def test_a_newer_layout_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    LogFile(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version=99")
        raw.execute("UPDATE seal SET digest = '99' WHERE log = 0")
    raw.close()
    with pytest.raises(LogError, match="newer Stichwart"):
        LogFile(path)


def test_events_cannot_be_changed_or_deleted_by_anybody_who_opens_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with LogFile(path) as file:
        file.log("cup", 1, 1).append(OPEN)
    raw = sqlite3.connect(path)
    for statement in ("UPDATE event SET body = '{}'", "DELETE FROM event"):
        with pytest.raises(sqlite3.IntegrityError, match="events are never"):
            raw.execute(statement)
    raw.close()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError, match="folder for the log cannot be made"):
        LogFile(tmp_path / "file" / "below" / "t.db")


def test_a_closed_file_says_so(tmp_path: Path) -> None:
    file = LogFile(tmp_path / "t.db")
    log = file.log("cup", 1, 1)
    file.close()
    with pytest.raises(LogError, match="is closed"):
        log.append(OPEN)
