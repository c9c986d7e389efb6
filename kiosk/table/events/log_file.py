"""Store event logs in a file: appended events are on disk.

One SQLite file holds all the rounds of a table, each its own log. It runs in WAL with ``synchronous=FULL``: with
NORMAL a power cut keeps the file sound but may take the last commits with it, and a score list may not lose any
(sqlite.org/pragma.html#pragma_synchronous). SQLite itself has no checksums outside the WAL: each event carries its
chain, every other value a digest, and all of them are compared when the file is opened.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.errors import shorten
from kiosk.table.events.chain import START, link
from kiosk.table.events.log import NOTHING, Body, LogDamaged, LogError, LogFull, LogHeld, encoded

#: Version of the file's layout; a newer one is not touched. What was added since keeps older programs working.
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

#: What files of before do not have. An older program that keeps a value takes away the digest of the one before.
_SEALS = """
ALTER TABLE event ADD COLUMN chain TEXT;
CREATE TABLE seal (log INTEGER NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (log, key)) WITHOUT ROWID;
CREATE TRIGGER kept_anew AFTER INSERT ON kept BEGIN DELETE FROM seal WHERE log = new.log AND key = new.key; END;
"""

#: Key of the seal of a log's own row (tournament, table, round); no value is kept under it.
_OF_LOG = ""

#: Log and key of the seal that repeats the file's layout: without it a flipped bit looks like a newer program's file.
_OF_FILE = (0, "layout")

#: Events are stored as JSON without blanks, and quotes in names are escaped there: the pattern finds events alone.
_SUMMARIES = """
SELECT tournament, tbl, round, first.body,
       EXISTS (SELECT 1 FROM event WHERE log = id AND body LIKE '%"event":"close"%'),
       (SELECT value FROM kept WHERE log = id AND key = ?)
FROM log JOIN event AS first ON first.log = id AND first.number = 0 ORDER BY id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSummary:
    """What a list of rounds needs of one of them."""

    tournament: str
    table: int
    round: int
    first: Body
    closed: bool  # it has an event "close"
    kept: str | None  # the value under the key that was asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Stand:
    """How far the list of one round has come: what two sides compare."""

    tournament: str
    round: int
    last: int  # number of the last event
    chain: str  # over all its events
    first: str  # over the one that opened it


class LogFile:
    """A table's file with the logs of all its rounds.

    It belongs to one process at a time; its threads may share it.

    :param path: where it lies.
    :raises LogDamaged: the file is no log or has been damaged (``kiosk.table.events.rescue`` is the way out).
    :raises LogHeld: another process works with it.
    :raises LogError: the file or its folder cannot be written, or a newer Stichwart wrote it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._heads: dict[int, tuple[int, str]] = {}  # log → number of its events, and the chain over them
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LogError(f"{path.parent}: the folder for the log cannot be made: {error.strerror}") from error
        with self._explained(opening=True):
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
            if self._repeated_layout() is not None:
                raise damaged(self.path, f"layout {layout}")
            raise LogError(
                f"{self.path}: written by a newer Stichwart (layout {layout}, this one knows {LAYOUT}); "
                "update Stichwart, or choose another file"
            )
        findings = execute("PRAGMA integrity_check").fetchone()[0]
        if findings != "ok":
            raise damaged(self.path, findings)
        names = {name for (name,) in execute("SELECT name FROM sqlite_master")}
        if layout == 0 and not names:
            with self._transaction():
                for statement in (*_statements(_SCHEMA), *_statements(_SEALS)):
                    execute(statement)
                execute(f"PRAGMA user_version={LAYOUT}")
                self._seal(*_OF_FILE, str(LAYOUT))
        elif layout == 0 or not {"log", "event", "picture", "kept", "event_remains"} <= names:
            raise damaged(self.path, "its tables are missing")
        elif "kept_anew" not in names:
            with self._transaction():
                for statement in _statements(_SEALS):
                    execute(statement)
                self._seal(*_OF_FILE, str(LAYOUT))
        self._check()

    def _repeated_layout(self) -> int | None:
        """The layout by the file's seal, where this program knows it; None where it does not say so."""
        try:
            row = self.connection.execute("SELECT digest FROM seal WHERE log = ? AND key = ?", _OF_FILE).fetchone()
        except sqlite3.DatabaseError:
            return None
        return int(row[0]) if row and row[0].isdecimal() and int(row[0]) <= LAYOUT else None

    def _check(self) -> None:
        """Compare every event with its chain and every other value with its digest.

        :raises LogDamaged: one does not fit, or an event is missing between others.
        """
        execute = self.connection.execute
        # all rows at once: a statement that an error leaves open would hold the file against its rescue
        seals = {(log, key): value for log, key, value in execute("SELECT log, key, digest FROM seal").fetchall()}
        known = set()
        for number, *key in execute("SELECT id, tournament, tbl, round FROM log").fetchall():
            known.add(number)
            if seals.pop((number, _OF_LOG), None) not in (None, digest(*key)):
                raise damaged(self.path, f"the name of round {key}")
            self._heads[number] = self._checked_events(number, key)
        for number, name, value in execute("SELECT log, key, value FROM kept").fetchall():
            if seals.pop((number, name), None) not in (None, digest(number, name, value)):
                raise damaged(self.path, f"what is kept as {shorten(name)}")
        if seals.pop(_OF_FILE, str(LAYOUT)) != str(LAYOUT) or seals:
            raise damaged(self.path, f"nothing is left of {sorted(seals)}")
        if strays := {number for (number,) in execute("SELECT DISTINCT log FROM event")} - known:
            raise damaged(self.path, f"events of rounds {sorted(strays)} that are not named")

    def _checked_events(self, log: int, key: list[Any]) -> tuple[int, str]:
        count, chain = 0, START
        read = "SELECT number, body, chain FROM event WHERE log = ? ORDER BY number"
        for number, body, stored in self.connection.execute(read, (log,)).fetchall():
            chain = chain_of(chain, body)
            if number != count or stored not in (None, chain):
                raise damaged(self.path, f"event {count} of round {key}")
            count += 1
        return count, chain

    def log(self, tournament: str, table: int, round: int) -> "SqliteLog":
        """Open the log of one round; it is in the file from its first event or kept value on."""
        return SqliteLog(self, (tournament, table, round))

    def logs(self) -> list[tuple[str, int, int]]:
        """List (tournament, table, round) of every log in the file, oldest first."""
        with self._explained():
            return self.connection.execute("SELECT tournament, tbl, round FROM log ORDER BY id").fetchall()

    def stands(self, table: int) -> list[Stand]:
        """List how far each round of a table has come, as far as it was begun; oldest first."""
        found = []
        with self._explained():
            execute = self.connection.execute
            for number, name, round_ in execute(
                "SELECT id, tournament, round FROM log WHERE tbl = ? ORDER BY id", (table,)
            ).fetchall():
                first = execute("SELECT body FROM event WHERE log = ? AND number = 0", (number,)).fetchone()
                if first is not None:
                    count, chain = self._head(number)
                    opened = link(START, json.loads(first[0]))
                    found.append(Stand(tournament=name, round=round_, last=count - 1, chain=chain, first=opened))
        return found

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

    def put_by(self, tournament: str, table: int, round: int) -> str:
        """Put the log of a round by: its events stand under another tournament's name, which is returned, from now on.

        The round can begin anew; nothing is deleted.
        """
        with self._explained(), self._transaction():
            execute = self.connection.execute
            row = execute(
                "SELECT id FROM log WHERE tournament = ? AND tbl = ? AND round = ?", (tournament, table, round)
            )
            found, name = row.fetchone(), tournament
            taken = {
                name for (name,) in execute("SELECT tournament FROM log WHERE tbl = ? AND round = ?", (table, round))
            }
            number = 2
            while name in taken:
                name, number = f"{tournament} ({number})", number + 1
            if found is not None:
                execute("UPDATE log SET tournament = ? WHERE id = ?", (name, found[0]))
                self._seal(found[0], _OF_LOG, digest(name, table, round))
        return name

    def settle(self) -> None:
        """Bring everything from the write-ahead log to its place and empty it."""
        with self._explained():
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()

    def move_to(self, other: "LogFile", bring: Callable[[], object]) -> None:
        """Work with another file from now on, in its place; whoever works with this one notices nothing.

        :param bring: makes the other one hold the same lists, while nobody writes here.
        :raises LogError: by ``bring``; nothing has changed then.
        """
        with self._lock:
            bring()
            self.connection.close()
            self.path, self.connection = other.path, other.connection
            self._heads.clear()

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        with self._lock:
            self.connection.close()

    def __enter__(self) -> "LogFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _seal(self, log: int, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO seal VALUES (?, ?, ?)", (log, key, value))

    def _head(self, log: int) -> tuple[int, str]:
        """How many events a log has, and the chain over them."""
        if log not in self._heads:
            count, chain = 0, START
            for (body,) in self.connection.execute("SELECT body FROM event WHERE log = ? ORDER BY number", (log,)):
                count, chain = count + 1, link(chain, json.loads(body))
            self._heads[log] = count, chain
        return self._heads[log]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.connection.execute("COMMIT")
        except BaseException:
            self._heads.clear()
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _explained(self, opening: bool = False) -> Iterator[None]:
        """One thread at a time, and SQLite's errors in words that say the way out."""
        with self._lock:
            try:
                yield
            except sqlite3.ProgrammingError as error:
                raise LogError(f"{self.path}: the log is closed") from error
            except sqlite3.DatabaseError as error:
                raise _explain(self.path, error, opening) from error
            except UnicodeDecodeError as error:  # SQLite quotes what it does not understand
                raise damaged(self.path, str(error)) from error


class SqliteLog:
    """One round in a table's file."""

    def __init__(self, file: LogFile, key: tuple[str, int, int]) -> None:
        self._file, self._key = file, key
        self._known: tuple[sqlite3.Connection, int] | None = None  # its number there

    def append(self, event: Body, kept: Mapping[str, str] = NOTHING) -> int:
        return self.add([event], kept)

    def add(self, events: Sequence[Body], kept: Mapping[str, str] = NOTHING) -> int:
        bodies = [encoded(event) for event in events]
        file = self._file
        with file._explained(), file._transaction():
            log = self._made()
            count, chain = file._head(log)
            rows = []
            for number, (event, body) in enumerate(zip(events, bodies, strict=True), start=count):
                chain = link(chain, event)
                rows.append((log, number, body, chain))
            file.connection.executemany("INSERT INTO event (log, number, body, chain) VALUES (?, ?, ?, ?)", rows)
            for key, value in kept.items():
                self._keep(log, key, value)
            file._heads[log] = count + len(rows), chain
        return count + len(rows) - 1

    def read(self, after: int = -1) -> list[tuple[int, Body]]:
        with self._file._explained():
            rows = self._file.connection.execute(
                "SELECT number, body FROM event WHERE log = ? AND number > ? ORDER BY number", (self._number, after)
            ).fetchall()
        return [(number, json.loads(body)) for number, body in rows]

    def settle(self) -> None:
        self._file.settle()

    def keep_picture(self, number: int, jpeg: bytes) -> None:
        file = self._file
        with file._explained(), file._transaction():
            file.connection.execute("INSERT OR REPLACE INTO picture VALUES (?, ?, ?)", (self._made(), number, jpeg))

    def picture(self, number: int) -> bytes | None:
        with self._file._explained():
            row = self._file.connection.execute(
                "SELECT jpeg FROM picture WHERE log = ? AND number = ?", (self._number, number)
            ).fetchone()
        return row[0] if row else None

    def pictures(self) -> list[int]:
        """List the events that have a picture."""
        with self._file._explained():
            rows = self._file.connection.execute("SELECT number FROM picture WHERE log = ?", (self._number,))
            return [number for (number,) in rows.fetchall()]

    def keep(self, key: str, value: str) -> None:
        file = self._file
        with file._explained(), file._transaction():
            self._keep(self._made(), key, value)

    def kept(self, key: str) -> str | None:
        with self._file._explained():
            row = self._file.connection.execute(
                "SELECT value FROM kept WHERE log = ? AND key = ?", (self._number, key)
            ).fetchone()
        return row[0] if row else None

    def all_kept(self) -> dict[str, str]:
        """Return all values that are kept, by key."""
        with self._file._explained():
            rows = self._file.connection.execute("SELECT key, value FROM kept WHERE log = ?", (self._number,))
            return dict(rows.fetchall())

    @property
    def _number(self) -> int:
        """The log's number in the file; -1, which none has, as long as it is not there."""
        connection = self._file.connection
        if self._known is None or self._known[0] is not connection:
            row = connection.execute(
                "SELECT id FROM log WHERE tournament = ? AND tbl = ? AND round = ?", self._key
            ).fetchone()
            if row is None:
                return -1
            self._known = connection, int(row[0])
        return self._known[1]

    def _made(self) -> int:
        """The log's number in the file, made within the transaction that is open if it is not there."""
        if (number := self._number) >= 0:
            return number
        made = self._file.connection.execute("INSERT INTO log (tournament, tbl, round) VALUES (?, ?, ?)", self._key)
        assert made.lastrowid is not None
        self._file._seal(made.lastrowid, _OF_LOG, digest(*self._key))
        return made.lastrowid  # it is remembered once it was found: a transaction may end in nothing

    def _keep(self, log: int, key: str, value: str) -> None:
        self._file.connection.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", (log, key, value))
        self._file._seal(log, key, digest(log, key, value))


def digest(*values: object) -> str:
    """Compute the digest of a value with what it belongs to: 16 hexadecimal digits."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:16]


def chain_of(chain: str, body: str) -> str:
    """Extend the chain by an event's stored text; "" where it is none."""
    try:
        return link(chain, json.loads(body))
    except (ValueError, TypeError):
        return ""


def damaged(path: Path, why: str) -> LogDamaged:
    """Make the error of a damaged file."""
    return LogDamaged(
        f"{path}: the log is damaged ({why}). Set it aside to go on: what can be read of it is kept, "
        "and the director has what was acknowledged"
    )


def _statements(script: str) -> Iterator[str]:
    """The statements of a script one by one: ``executescript`` would commit between them."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _explain(path: Path, error: sqlite3.DatabaseError, opening: bool) -> LogError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return LogFull(f"{path}: the disk is full; free some space, nothing that was noted is lost")
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return LogHeld(f"{path}: another process works with this log; stop it, or choose another file")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return LogError(f"{path}: the log cannot be opened for writing; check the path and its rights ({error})")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return damaged(path, str(error))
    if opening and code not in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM):
        return damaged(path, str(error))  # a flipped bit in a column's name, or in a text that is no UTF-8 now
    return LogError(f"{path}: the log cannot be used: {error}")
