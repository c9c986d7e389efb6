"""Store the event log: appended events are on disk, and nothing in it is ever changed.

One SQLite file holds all the rounds of a table, each its own log. It runs in WAL with ``synchronous=FULL``: with
NORMAL a power cut keeps the file sound but may take the last commits with it, and a score list may not lose any
(sqlite.org/pragma.html#pragma_synchronous).
"""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kiosk.errors import KioskError

#: An event as the JSON object of its line.
Body = dict[str, Any]

#: Version of the file's layout; a newer one is not touched.
LAYOUT = 1

_SCHEMA = """
CREATE TABLE log (id INTEGER PRIMARY KEY, tournament TEXT NOT NULL, tbl INTEGER NOT NULL, round INTEGER NOT NULL,
                  UNIQUE (tournament, tbl, round));
CREATE TABLE event (log INTEGER NOT NULL REFERENCES log, number INTEGER NOT NULL, body TEXT NOT NULL,
                    PRIMARY KEY (log, number)) WITHOUT ROWID;
CREATE TABLE picture (log INTEGER NOT NULL REFERENCES log, number INTEGER NOT NULL, jpeg BLOB NOT NULL,
                      PRIMARY KEY (log, number)) WITHOUT ROWID;
CREATE TABLE kept (log INTEGER NOT NULL REFERENCES log, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (log, key));
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
"""

#: Events are stored as JSON without blanks, and quotes in names are escaped there: the pattern finds events alone.
_SUMMARIES = """
SELECT tournament, tbl, round, first.body,
       EXISTS (SELECT 1 FROM event WHERE log = id AND body LIKE '%"event":"close"%'),
       (SELECT value FROM kept WHERE log = id AND key = ?)
FROM log JOIN event AS first ON first.log = id AND first.number = 0 ORDER BY id
"""


class LogError(KioskError):
    """The log cannot be opened, read or written."""


class LogFull(LogError, OSError):
    """The disk is full; events appended before are safe."""


class LogDamaged(LogError):
    """The file is not a sound log."""


class LogHeld(LogError):
    """Another process holds the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """What a list of rounds needs of one of them."""

    tournament: str
    table: int
    round: int
    first: Body
    closed: bool  # it has an event "close"
    kept: str | None  # the value under the key that was asked for


class Log(Protocol):
    """The events of one round of one table, numbered from 0 without gaps, with pictures and a small store of values."""

    def append(self, event: Body) -> int:
        """Append an event, on disk when this returns, and return its number.

        :raises LogFull: the disk is full; the log is as before and may be tried again.
        :raises LogError: the event cannot be written.
        """

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        """Read all events with a number greater than ``after``, in order."""

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        """Keep the picture of an event; a second one replaces it."""

    def picture(self, number: int) -> bytes | None:
        """Return the picture of an event, if there is one."""

    def keep(self, key: str, value: str) -> None:
        """Keep a value that is no event (clock, acknowledged number); a second one replaces it."""

    def kept(self, key: str) -> str | None:
        """Return the value kept under ``key``, if there is one."""


class MemoryLog:
    """A log that lasts as long as the process: for demos, replays and tests."""

    def __init__(self) -> None:
        self._bodies: list[str] = []
        self._pictures: dict[int, bytes] = {}
        self._kept: dict[str, str] = {}

    def append(self, event: Body) -> int:
        self._bodies.append(_body(event))
        return len(self._bodies) - 1

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        first = max(after + 1, 0)
        return [(number, json.loads(body)) for number, body in enumerate(self._bodies[first:], first)]

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        self._pictures[number] = jpeg

    def picture(self, number: int) -> bytes | None:
        return self._pictures.get(number)

    def keep(self, key: str, value: str) -> None:
        self._kept[key] = value

    def kept(self, key: str) -> str | None:
        return self._kept.get(key)


class LogFile:
    """A table's file with the logs of all its rounds.

    It belongs to one process at a time; its threads may share it.

    :raises LogDamaged: the file is no log or has been damaged (``set_aside`` is the way out).
    :raises LogHeld: another process works with it.
    :raises LogError: the file or its folder cannot be written, or a newer Stichwart wrote it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"{path.parent}: the folder for the log cannot be made: {error.strerror}") from error
        with self._explained():
            # Autocommit: every statement outside `with self.connection` is its own transaction.
            self.connection = sqlite3.connect(path, timeout=0.2, check_same_thread=False, isolation_level=None)
            try:
                self._open()
            except BaseException:
                self.connection.close()
                raise

    def _open(self) -> None:
        execute = self.connection.execute
        # Held exclusively from the first access on, so that a second kiosk cannot write into the same round.
        execute("PRAGMA locking_mode=EXCLUSIVE")
        mode = execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise LogError(f"{self.path}: the log needs a local disk (journal mode {mode!r} instead of WAL)")
        execute("PRAGMA synchronous=FULL")
        execute("PRAGMA foreign_keys=ON")
        layout = execute("PRAGMA user_version").fetchone()[0]
        if layout > LAYOUT:
            raise LogError(
                f"{self.path}: written by a newer Stichwart (layout {layout}, this one knows {LAYOUT}); "
                "update Stichwart, or choose another file"
            )
        findings = execute("PRAGMA quick_check").fetchone()[0]
        if findings != "ok":
            raise _damaged(self.path, findings)
        if layout == 0:
            with self._transaction():
                for statement in _statements(_SCHEMA):
                    execute(statement)
                execute(f"PRAGMA user_version={LAYOUT}")
        elif not execute("SELECT 1 FROM sqlite_master WHERE name = 'event_remains'").fetchone():
            raise _damaged(self.path, "its tables are missing")

    def log(self, tournament: str, table: int, round: int) -> "SqliteLog":
        """Open the log of one round, made if it is not there yet."""
        key = (tournament, table, round)
        with self._explained(), self._transaction():
            self.connection.execute("INSERT OR IGNORE INTO log (tournament, tbl, round) VALUES (?, ?, ?)", key)
            (number,) = self.connection.execute(
                "SELECT id FROM log WHERE tournament = ? AND tbl = ? AND round = ?", key
            ).fetchone()
        return SqliteLog(self, number)

    def logs(self) -> list[tuple[str, int, int]]:
        """List (tournament, table, round) of every log in the file, oldest first."""
        with self._explained():
            return self.connection.execute("SELECT tournament, tbl, round FROM log ORDER BY id").fetchall()

    def summaries(self, key: str) -> list[LogSummary]:
        """Summarise every log that has events, oldest first, each with what it keeps under ``key``."""
        with self._explained():
            rows = self.connection.execute(_SUMMARIES, (key,)).fetchall()
        return [
            LogSummary(
                tournament=name, table=table, round=number, first=json.loads(body), closed=bool(closed), kept=kept
            )
            for name, table, number, body, closed, kept in rows
        ]

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        with self._lock:
            self.connection.close()

    def __enter__(self) -> "LogFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """One thread at a time, and SQLite's errors in words that say the way out."""
        with self._lock:
            try:
                yield
            except sqlite3.ProgrammingError as error:
                raise LogError(f"{self.path}: the log is closed") from error
            except sqlite3.DatabaseError as error:
                raise _explain(self.path, error) from error


class SqliteLog:
    """One round in a table's file."""

    def __init__(self, file: LogFile, number: int) -> None:
        self._file = file
        self._number = number

    def append(self, event: Body) -> int:
        body = _body(event)
        file = self._file
        with file._explained(), file._transaction():
            (number,) = file.connection.execute(
                "INSERT INTO event (log, number, body) SELECT ?1, count(*), ?2 FROM event WHERE log = ?1"
                " RETURNING number",
                (self._number, body),
            ).fetchone()
        return int(number)

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        with self._file._explained():
            rows = self._file.connection.execute(
                "SELECT number, body FROM event WHERE log = ? AND number > ? ORDER BY number", (self._number, after)
            ).fetchall()
        return [(number, json.loads(body)) for number, body in rows]

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        with self._file._explained():
            self._file.connection.execute(
                "INSERT OR REPLACE INTO picture VALUES (?, ?, ?)", (self._number, number, jpeg)
            )

    def picture(self, number: int) -> bytes | None:
        with self._file._explained():
            row = self._file.connection.execute(
                "SELECT jpeg FROM picture WHERE log = ? AND number = ?", (self._number, number)
            ).fetchone()
        return row[0] if row else None

    def keep(self, key: str, value: str) -> None:
        with self._file._explained():
            self._file.connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (self._number, key, value))

    def kept(self, key: str) -> str | None:
        with self._file._explained():
            row = self._file.connection.execute(
                "SELECT value FROM kept WHERE log = ? AND key = ?", (self._number, key)
            ).fetchone()
        return row[0] if row else None


def open_or_rescue(path: Path) -> tuple[LogFile, str]:
    """Open the file; return it with a warning: empty, or that a damaged one was set aside, and what was rescued.

    :raises LogError: as ``LogFile``, but for damage.
    """
    try:
        return LogFile(path), ""
    except LogDamaged as error:
        aside, kept = set_aside(path)
        return LogFile(path), f"{error}. It lies at {aside} now; {kept} events were kept"


def set_aside(path: Path) -> tuple[Path, int]:
    """Move a damaged file away and start a new one with everything of it that can still be read.

    Of each round it keeps the events up to the first that is missing, since later ones mean nothing without it, and
    the clock. The pictures stay behind.

    :returns: where the damaged file lies now, and how many events the new one holds.
    """
    aside = next(
        candidate
        for count in range(1, 10_000)
        if not (candidate := path.with_name(f"{path.name}.damaged-{count}")).exists()
    )
    try:
        path.rename(aside)
        for suffix in ("-wal", "-shm"):
            beside = path.with_name(path.name + suffix)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise LogError(f"{path}: the damaged log cannot be moved away: {error.strerror}") from error
    found = 0
    with LogFile(path) as file:
        for key, (bodies, kept) in _readable(aside).items():
            log = file.log(*key)
            for body in bodies:
                log.append(json.loads(body))
                found += 1
            for name, value in kept:
                log.keep(name, value)
    return aside, found


_Rescued = tuple[list[str], list[tuple[str, str]]]


def _readable(path: Path) -> dict[tuple[str, int, int], _Rescued]:
    """Bodies of events and kept values of each round, as far as they can be read."""
    found: dict[tuple[str, int, int], _Rescued] = {}
    connection = sqlite3.connect(path, isolation_level=None)
    with closing(connection), suppress(sqlite3.DatabaseError):
        for number, *key in connection.execute("SELECT id, tournament, tbl, round FROM log").fetchall():
            bodies, kept = found.setdefault((str(key[0]), int(key[1]), int(key[2])), ([], []))
            with suppress(sqlite3.DatabaseError):
                kept += connection.execute("SELECT key, value FROM kept WHERE log = ?", (number,)).fetchall()
            with suppress(sqlite3.DatabaseError, ValueError):
                while row := connection.execute(
                    "SELECT body FROM event WHERE log = ? AND number = ?", (number, len(bodies))
                ).fetchone():
                    if not isinstance(json.loads(row[0]), dict):
                        break
                    bodies.append(row[0])
    return found


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit between them."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _body(event: Body) -> str:
    try:
        return json.dumps(event, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise LogError(f"{event!r}: the event cannot be written as JSON: {error}") from error


def _damaged(path: Path, why: str) -> LogDamaged:
    return LogDamaged(
        f"{path}: the log is damaged ({why}). Set it aside to go on: what can be read of it is kept, "
        "and the director has what was acknowledged"
    )


def _explain(path: Path, error: sqlite3.DatabaseError) -> LogError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return LogFull(f"{path}: the disk is full; free some space, nothing that was noted is lost")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LogHeld(f"{path}: another process works with this log; stop it, or choose another file")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return _damaged(path, str(error))
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return LogError(f"{path}: the log cannot be opened for writing; check the path and its rights ({error})")
    return LogError(f"{path}: the log cannot be used: {error}")
