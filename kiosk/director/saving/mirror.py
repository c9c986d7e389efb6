"""Bring a copy of an SQLite database up to date by what is new since: rows that are there are not written again.

Both are opened by SQLite itself. The live one is read as it is at one moment, while others write (WAL); the copy
changes in one transaction, so one that was pulled in the middle of it opens as it was before. A copy is a whole
database, which any SQLite opens: all tables of a backup, the direction's authority and file as ``saved_files``, and in
``saved_about`` of when it is and what it holds. It opens the direction: keep it like a key.
"""

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from kiosk.director.refusals import BadBackup
from kiosk.director.storage.database import EVENTS, TABLES

#: Number of the format; a larger one is of a later version.
FORMAT = 1

_MADE = (
    "CREATE TABLE IF NOT EXISTS main.saved_files (name TEXT PRIMARY KEY, content BLOB NOT NULL)",
    "CREATE TABLE IF NOT EXISTS main.saved_about (one INTEGER PRIMARY KEY CHECK (one = 1), body TEXT NOT NULL)",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a copy holds."""

    number: int  # of the copy, counted by the machine: its clock may jump
    at: int  # ms since the epoch, by the direction's clock
    title: str  # of the tournament that is held
    machine: str  # the one that writes it
    lists: int = 0  # tables of which there is a list in that tournament; counted when it is written


def bring_up_to_date(
    live: Path, copy: Path, tables: Sequence[sa.Table], files: Mapping[str, bytes], about: About
) -> None:
    """Make ``copy`` hold what ``live`` holds now; a new one is made beside its place and renamed when it is whole.

    :param tables: that are copied; a copy holds no others.
    :param files: content by name, kept with it.
    :raises sqlite3.Error: it could not be done; the copy is as it was before.
    :raises OSError: the folder cannot be written.
    """
    if copy.exists():
        _update(live, copy, tables, files, about)
        return
    beside = copy.with_suffix(".part")
    for left in (beside, Path(f"{beside}-journal")):
        left.unlink(missing_ok=True)
    try:
        _update(live, beside, tables, files, about)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    beside.replace(copy)
    Path(f"{beside}-journal").unlink(missing_ok=True)  # empty
    sync_folder(copy.parent)


def look_into(copy: Path) -> About | None:
    """Read what a copy holds; None: there is none, or it is no copy.

    :raises BadBackup: it is of a later version.
    """
    try:
        with _opened(copy, "mode=rw") as db:  # one that was being written is put right by that
            body = json.loads(db.execute("SELECT body FROM saved_about").fetchone()[0])
        numbers = {name: int(body[name]) for name in ("number", "at", "lists")}
        about = About(title=str(body["title"]), machine=str(body["machine"]), **numbers)
        format_ = int(body["format"])
    except (sqlite3.Error, ValueError, KeyError, TypeError):
        return None
    if format_ > FORMAT:
        raise BadBackup(f"{copy}: format {format_} is of a later version of Stichwart; update this one")
    return about


def take_out(copy: Path, into: Path, tables: Sequence[sa.Table]) -> None:
    """Write what a copy holds, with the files kept in it, to another disk.

    :param into: the file; it is there only when it is whole and on the disk.
    :param tables: that this version knows.
    :raises BadBackup: the copy is not whole, or of a later version.
    :raises OSError: ``into`` cannot be written.
    """
    beside = into.with_name(f"{into.name}.part")
    for left in (beside, Path(f"{beside}-journal")):
        left.unlink(missing_ok=True)
    try:
        with _opened(copy, "mode=rw") as old, _opened(beside, "mode=rwc") as new:
            old.backup(new)
            if (found := new.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise BadBackup(f"{copy}: it is damaged ({str(found)[:200]}); take another copy of it")
            _check_known(new, copy, tables)
    except sqlite3.DatabaseError as error:
        raise BadBackup(f"{copy}: this is no whole copy ({error}); take another copy of it") from error
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.replace(into)
    sync_folder(into.parent)


def sync_folder(folder: Path) -> None:
    """Bring a folder's names to its disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _opened(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    """Open a database; each statement is a transaction unless ``BEGIN`` is said."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, isolation_level=None)
    try:
        yield db
    finally:
        db.close()


def _update(live: Path, copy: Path, tables: Sequence[sa.Table], files: Mapping[str, bytes], about: About) -> None:
    with _opened(copy, "mode=rwc") as db:
        db.execute("PRAGMA journal_mode=TRUNCATE")
        db.execute("PRAGMA synchronous=FULL")
        db.execute("ATTACH ? AS live", (f"{live.resolve().as_uri()}?mode=ro",))
        db.execute("BEGIN IMMEDIATE")
        for statement in _MADE:
            db.execute(statement)
        _make_tables(db, tables)
        _copy_events(db)
        for table in tables:
            if table is not EVENTS:  # pictures and files do not change once they are there: comparing them takes long
                small = [one.name for one in table.columns if not isinstance(one.type, sa.LargeBinary)]
                _copy_rows(db, table, small)
        _copy_files(db, files)
        count = 'SELECT count(DISTINCT "table") FROM main."tables" WHERE tournament = ? AND last >= 0'
        lists = db.execute(count, (about.title,)).fetchone()[0]
        body = json.dumps({"format": FORMAT, **asdict(about), "lists": lists}, ensure_ascii=False)
        db.execute("INSERT OR REPLACE INTO saved_about VALUES (1, ?)", (body,))
        db.execute("COMMIT")


def _make_tables(db: sqlite3.Connection, tables: Sequence[sa.Table]) -> None:
    """Make the tables that the copy lacks, as the live database has them."""
    there = {name for (name,) in db.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")}
    for table in tables:
        if table.name not in there:
            query = "SELECT sql FROM live.sqlite_master WHERE type = 'table' AND name = ?"
            db.execute(db.execute(query, (table.name,)).fetchone()[0])


def _names(columns: Sequence[str], of: str = "") -> str:
    return ", ".join(f'{of}"{column}"' for column in columns)


def _copy_rows(db: sqlite3.Connection, table: sa.Table, told_by: Sequence[str]) -> None:
    """Take over what differs of a table.

    :param told_by: columns by which a row of before is told from one of now, the key among them.
    """
    key, name = _names(table.primary_key.columns.keys()), table.name
    db.execute(f'DELETE FROM main."{name}" WHERE ({key}) NOT IN (SELECT {key} FROM live."{name}")')
    columns, told = _names(table.columns.keys()), _names(told_by)
    db.execute(
        f'INSERT OR REPLACE INTO main."{name}" ({columns}) SELECT {columns} FROM live."{name}" WHERE ({key}) IN '
        f'(SELECT {key} FROM (SELECT {told} FROM live."{name}" EXCEPT SELECT {told} FROM main."{name}"))'
    )


_OF = 'tournament = ? AND round = ? AND "table" = ?'


def _copy_events(db: sqlite3.Connection) -> None:
    """Take over the events of each list that has changed, as its row in ``tables`` says: one heard of later has.

    Events are only ever added, but a list may be set aside, and a director may have been given an older database.
    """
    columns, tables = _names(EVENTS.columns.keys()), _names(TABLES.columns.keys())
    changed = db.execute(
        f'SELECT tournament, round, "table" FROM '
        f'(SELECT {tables} FROM live."tables" EXCEPT SELECT {tables} FROM main."tables")'
    ).fetchall()
    for list_ in changed:
        after, chosen = _last_same(db, list_), "AND aside = 0"
        if after is None:
            db.execute(f"DELETE FROM main.events WHERE {_OF}", list_)
            after, chosen = -1, ""
        db.execute(
            f"INSERT INTO main.events ({columns}) "
            f"SELECT {columns} FROM live.events WHERE {_OF} {chosen} AND number > ?",
            (*list_, after),
        )
    key = _names(("tournament", "round", "table"))
    for list_ in db.execute(f'SELECT {key} FROM main."tables" EXCEPT SELECT {key} FROM live."tables"').fetchall():
        db.execute(f"DELETE FROM main.events WHERE {_OF}", list_)


def _last_same(db: sqlite3.Connection, list_: tuple[Any, ...]) -> int | None:
    """Number of the last event that the copy has of a list, where what it has is the beginning of it; else None."""
    query = f"SELECT coalesce(max(aside), 0) FROM {{}}.events WHERE {_OF}"
    asides = [db.execute(query.format(side), list_).fetchone()[0] for side in ("main", "live")]
    if asides[0] != asides[1]:
        return None
    query = f"SELECT max(number) FROM main.events WHERE {_OF} AND aside = 0"
    last = db.execute(query, list_).fetchone()[0]
    if last is None:
        return -1
    query = f"SELECT body, received FROM {{}}.events WHERE {_OF} AND aside = 0 AND number = ?"
    here, there = (db.execute(query.format(side), (*list_, last)).fetchone() for side in ("main", "live"))
    return int(last) if here == there else None


def _copy_files(db: sqlite3.Connection, files: Mapping[str, bytes]) -> None:
    kept = {str(name): bytes(content) for name, content in db.execute("SELECT name, content FROM saved_files")}
    db.executemany("DELETE FROM saved_files WHERE name = ?", [(name,) for name in kept.keys() - files.keys()])
    changed = [(name, content) for name, content in files.items() if kept.get(name) != content]
    db.executemany("INSERT OR REPLACE INTO saved_files VALUES (?, ?)", changed)


def _check_known(db: sqlite3.Connection, copy: Path, tables: Sequence[sa.Table]) -> None:
    """Require that this version knows all that a copy holds.

    :raises BadBackup: it is of a later one.
    """
    known = {table.name: set(table.columns.keys()) for table in tables} | {"saved_files": set(), "saved_about": set()}
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    unknown = [name for name in names if name not in known and not name.startswith("sqlite_")]
    for table in tables:
        if table.name in names:
            columns = {column[1] for column in db.execute(f'PRAGMA table_info("{table.name}")')}
            unknown += [f"{table.name}.{column}" for column in sorted(columns - known[table.name])]
    if missing := sorted(known.keys() - set(names) - {table.name for table in tables}):
        raise BadBackup(f"{copy}: {', '.join(missing)} is missing; this is no whole copy, take another copy of it")
    if unknown:
        raise BadBackup(f"{copy}: {', '.join(unknown)} is of a later version of Stichwart; update this one")
