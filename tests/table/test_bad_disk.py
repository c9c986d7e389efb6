"""What a disk may do to a table's file: turned bits, power cuts in the middle of a change, files of before."""

import json
import os
import random
import sqlite3
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from kiosk.table.events.codec import decode_opening
from kiosk.table.events.log import LogDamaged
from kiosk.table.events.log_file import LogFile
from kiosk.table.events.rescue import open_or_rescue
from kiosk.table.table import Table

ROOT = Path(__file__).parents[2]
OPEN = {
    "event": "open", "format": 1, "rules": "eppstein", "table": 7, "round": 1,
    "players": ["Änne", "Bernd", "Cem", "Dora"],
}  # fmt: skip
CARDS = [{"event": "card", "seat": n % 4 + 1, "card": "CA", "at": 1795186800000 + n} for n in range(60)]

Content = dict[tuple[str, int, int], tuple[list[Any], str | None, str | None]]


def content(file: LogFile) -> Content:
    found = {}
    for key in file.logs():
        log = file.log(*key)
        found[key] = [event for _, event in log.read()], log.kept("clock"), log.kept("sat")
    return found


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Content]:
    path = tmp_path_factory.mktemp("sound") / "t.db"
    with LogFile(path) as file:
        for round_ in (1, 2):
            log = file.log("herbst", 7, round_)
            log.append({**OPEN, "round": round_}, {"clock": "1200.5", "sat": str(round_)})
            log.add(CARDS)
        found = content(file)
    return path.read_bytes(), found


def killed(program: str, *args: Any) -> None:
    """Run a program that kills itself without warning."""
    done = subprocess.run([sys.executable, "-c", program, *map(str, args)], cwd=ROOT, check=False)
    assert done.returncode == -9


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_one_turned_bit_changes_nothing_or_is_told(tmp_path: Path, sound: tuple[bytes, Content], seed: int) -> None:
    raw, before = bytearray(sound[0]), sound[1]
    chance = random.Random(seed)
    raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
    path = tmp_path / "t.db"
    path.write_bytes(raw)
    file, told = open_or_rescue(path)
    with file:
        after = content(file)
    if after != before:
        assert "damaged" in told
        assert (tmp_path / "t.db.damaged-1").read_bytes() == bytes(raw)
        for key, (events, _, _) in after.items():
            assert events == before[key][0][: len(events)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["CA", "1795186800030", "nne", '"event":"open"', "1200.5", "herbst"], ids=lambda text: text[:8]
)
def test_a_bit_turned_in_a_text_is_turned_back(tmp_path: Path, sound: tuple[bytes, Content], text: str) -> None:
    places: list[int] = []
    at = sound[0].find(text.encode())
    while at >= 0:
        places.append(at)
        at = sound[0].find(text.encode(), at + 1)
    for place in (places[0], places[-1]):
        raw = bytearray(sound[0])
        raw[place + 1] ^= 0x02
        path = tmp_path / f"{place}.db"
        path.write_bytes(raw)
        with pytest.raises(LogDamaged):
            LogFile(path)
        file, told = open_or_rescue(path)
        with file:
            assert content(file) == sound[1]
        assert told


def test_a_turned_bit_in_a_chain_costs_no_event(tmp_path: Path, sound: tuple[bytes, Content]) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(sound[0])
    with sqlite3.connect(path) as raw:
        raw.execute("DROP TRIGGER event_stays")
        (chain,) = raw.execute("SELECT chain FROM event WHERE log = 1 AND number = 60").fetchone()
        turned = chr(ord(chain[0]) ^ 1) + chain[1:]
        raw.execute("UPDATE event SET chain = ? WHERE log = 1 AND number = 60", (turned,))
    raw.close()
    file, told = open_or_rescue(path)
    with file:
        assert content(file) == sound[1]
    assert told


@pytest.mark.parametrize("at", range(6))
def test_a_rescue_that_loses_its_power_anywhere_is_ended_by_the_next_start(
    tmp_path: Path, sound: tuple[bytes, Content], at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, raw = tmp_path / "t.db", bytearray(sound[0])
    raw[sound[0].find(b"1795186800030") + 1] ^= 2
    path.write_bytes(raw)
    (tmp_path / "t.db-wal").write_bytes(b"")
    steps, rename, fsync = count(), Path.rename, os.fsync

    def step() -> None:
        if next(steps) == at:
            raise KeyboardInterrupt

    with monkeypatch.context() as power:
        power.setattr(Path, "rename", lambda one, to: (step(), rename(one, to))[1])
        power.setattr(os, "fsync", lambda one: (step(), fsync(one))[1])
        with pytest.raises(KeyboardInterrupt):
            open_or_rescue(path)
    file, _ = open_or_rescue(path)
    with file:
        assert content(file) == sound[1]
    assert (tmp_path / "t.db.damaged-1").read_bytes() == bytes(raw)
    assert not list(tmp_path.glob("*.rescued")) + list(tmp_path.glob("*.building"))


def test_several_events_come_in_one_transaction_or_not_at_all(tmp_path: Path) -> None:
    killed(
        "import itertools, os, sys; from pathlib import Path; from kiosk.table.events.log_file import LogFile\n"
        "file, inserted = LogFile(Path(sys.argv[1])), itertools.count()\n"
        "def traced(sql):\n"
        "    if 'INTO event' in sql and next(inserted) == 20: os.kill(os.getpid(), 9)\n"
        "file.connection.set_trace_callback(traced)\n"
        "log = file.log('cup', 7, 1)\n"
        "log.add([{'event': 'card', 'n': n} for n in range(25)], {'clock': 'x'})",
        tmp_path / "t.db",
    )
    with LogFile(tmp_path / "t.db") as file:
        log = file.log("cup", 7, 1)
        assert log.read() == [] and log.kept("clock") is None
        assert log.add([OPEN, *CARDS], {"clock": "x"}) == 60
    with LogFile(tmp_path / "t.db") as file:
        assert len(file.log("cup", 7, 1).read()) == 61 and file.log("cup", 7, 1).kept("clock") == "x"


def test_an_event_and_the_clock_that_it_changes_are_there_together(tmp_path: Path) -> None:
    """Killed right after the transaction of a ruling with ten minutes of Nachspielzeit, the table has both."""
    killed(
        "import json, os, sys; from pathlib import Path\n"
        "from kiosk.table.consent import BY_ALL\n"
        "from kiosk.table.events.codec import decode_opening, decode_request\n"
        "from kiosk.table.events.log_file import LogFile, SqliteLog\n"
        "from kiosk.table.table import Table\n"
        "log = LogFile(Path(sys.argv[1])).log('cup', 7, 1)\n"
        "table = Table(log, now=0.0, opening=decode_opening(json.loads(sys.argv[2])), boot='b')\n"
        "table.request(decode_request({'event': 'release'}, BY_ALL), 1.0)\n"
        "add = SqliteLog.add\n"
        "def last(*args):\n"
        "    add(*args)\n"
        "    os.kill(os.getpid(), 9)\n"
        "SqliteLog.add = last\n"
        "ruling = {'event': 'rule', 'offender': None, 'class': 'none', 'minutes': 10}\n"
        "table.request(decode_request(ruling, BY_ALL), 61.0)",
        tmp_path / "t.db",
        json.dumps(OPEN),
    )
    with LogFile(tmp_path / "t.db") as file:
        table = Table(file.log("cup", 7, 1), now=61.0, opening=decode_opening(OPEN), boot="b")
        assert table.events[-1].name == "rule"
        clock = table.view(61.0).clock
        assert (clock.remaining, clock.extra) == (120 * 60 - 60 + 600, 600)


def test_what_was_settled_outlives_a_bad_spot_in_the_write_ahead_log(tmp_path: Path) -> None:
    path, wal = tmp_path / "t.db", tmp_path / "t.db-wal"
    with LogFile(path) as file:
        log = file.log("cup", 7, 1)
        log.append(OPEN)
        for event in CARDS[:30]:
            log.append(event)
        log.settle()
        assert wal.stat().st_size == 0
        for event in CARDS[30:]:
            log.append(event)
        broken = tmp_path / "broken"
        broken.mkdir()
        (broken / "t.db").write_bytes(path.read_bytes())
        frames = bytearray(wal.read_bytes())
    frames[200] ^= 1
    (broken / "t.db-wal").write_bytes(frames)
    with LogFile(broken / "t.db") as file:
        assert [event for _, event in file.log("cup", 7, 1).read()] == [OPEN, *CARDS[:30]]


# --- files of before

_BEFORE = """
CREATE TABLE log (id INTEGER PRIMARY KEY, tournament TEXT NOT NULL, tbl INTEGER NOT NULL, round INTEGER NOT NULL,
                  UNIQUE (tournament, tbl, round));
CREATE TABLE event (log INTEGER NOT NULL REFERENCES log, number INTEGER NOT NULL, body TEXT NOT NULL,
                    PRIMARY KEY (log, number)) WITHOUT ROWID;
CREATE TABLE picture (log INTEGER NOT NULL REFERENCES log, number INTEGER NOT NULL, jpeg BLOB NOT NULL,
                      PRIMARY KEY (log, number)) WITHOUT ROWID;
CREATE TABLE kept (log INTEGER NOT NULL REFERENCES log, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (log, key));
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
PRAGMA user_version=1;
INSERT INTO log VALUES (1, 'cup', 7, 1);
INSERT INTO event VALUES (1, 0, '{"event":"open"}'), (1, 1, '{"event":"release"}');
INSERT INTO kept VALUES (1, 'clock', 'ticking');
"""


def test_a_file_of_before_opens_and_what_comes_has_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    raw = sqlite3.connect(path)
    raw.executescript(_BEFORE)
    raw.close()
    with LogFile(path) as file:
        log = file.log("cup", 7, 1)
        assert log.read() == [(0, {"event": "open"}), (1, {"event": "release"})]
        assert log.kept("clock") == "ticking"
        assert log.append({"event": "deal"}) == 2
    raw = sqlite3.connect(path)
    assert [chain is None for (chain,) in raw.execute("SELECT chain FROM event ORDER BY number")] == [True, True, False]
    # an older program goes on with it
    raw.execute("INSERT INTO event (log, number, body) VALUES (1, 3, '{}')")
    raw.execute("INSERT OR REPLACE INTO kept VALUES (1, 'clock', 'older')")
    raw.commit()
    raw.close()
    with LogFile(path) as file:
        assert file.log("cup", 7, 1).append({"event": "void"}) == 4
        assert file.log("cup", 7, 1).kept("clock") == "older"
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER event_stays")
    raw.execute("UPDATE event SET body = replace(body, 'release', 'releasf') WHERE number = 1")
    raw.commit()
    raw.close()
    with pytest.raises(LogDamaged, match="event 2 of round"):  # the first one with a chain, over those before
        LogFile(path)
