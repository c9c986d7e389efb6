"""Put a backup back that was uploaded: looked through whole, told, and after a yes in the place of what is here.

An open database cannot be replaced: what was looked through lies beside it as what was taken from a stick does, and is
put in its place at the next start of the service (``takeover``). What was there before is put by.
"""

import contextlib
import os
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from kiosk.director.refusals import BadBackup, NotFresh
from kiosk.director.saving.mirror import sync_folder
from kiosk.director.saving.takeover import REPLACES, TAKEN, TLS, is_fresh
from kiosk.director.storage.backup import CONFIGURATION, put_back
from kiosk.director.storage.store import Store

#: What was looked through and waits for a yes.
RESTORED: Final = "restored.sqlite"

#: Folder in which it is looked through.
_WORK: Final = "restoring"

#: How many times larger than its archive a backup may be; events are text.
_MOST_UNPACKED: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Holding:
    """What a database holds, as people are told before one takes the place of another."""

    title: str  # of the tournament in which something was noted or stored last
    at: int  # ms since the epoch of that; 0: nothing
    lists: int
    accounts: int
    devices: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """A backup that was looked through whole."""

    id: str
    holding: Holding


def look_through(backup: Path, folder: Path, tables: Sequence[sa.Table], access: sa.MetaData, named: str) -> Restored:
    """Look an uploaded backup through, by putting it into a database of its own, which then waits for a yes.

    :param folder: the service's data folder.
    :param access: the tables of accounts and devices, which are made beside those of the store.
    :param named: the tournament that this machine's file names.
    :raises BadBackup: it is none, not whole, or of a later version.
    :raises OSError: the folder cannot be written.
    """
    work = folder / _WORK
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    try:
        _check_size(backup, work)
        store = Store(f"sqlite:///{work / RESTORED}")
        try:
            store.make(access)
            put_back(store, tables, work / "tls", backup)
        finally:
            store.close()
        with contextlib.closing(sqlite3.connect(work / RESTORED, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
            _keep_files(db, work, backup, named)
        found = Restored(id=_digest(backup)[:16], holding=holding_of(work / RESTORED))
        (work / RESTORED).chmod(0o600)
        with (work / RESTORED).open("rb") as file:
            os.fsync(file.fileno())
        (work / RESTORED).replace(folder / RESTORED)
        sync_folder(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return found


def accept(folder: Path, database: Path) -> str:
    """Have what was looked through count from the next start of the service on.

    :returns: the folder in which what is here now is put by; "": there is nothing.
    :raises NotFresh: nothing waits for a yes.
    """
    restored = folder / RESTORED
    if not restored.exists():
        raise NotFresh("no_backup", "nothing waits to be put back; upload the backup again")
    name = ""
    if not is_fresh(database):
        name = time.strftime("before-%Y%m%d-%H%M%S")
        mark = folder / REPLACES
        beside = mark.with_name(f"{mark.name}.new")
        beside.write_text(name, encoding="ascii")
        beside.replace(mark)
    restored.replace(folder / TAKEN)
    sync_folder(folder)
    return name


def holding_of(database: Path) -> Holding:
    """Tell what a database holds."""
    with contextlib.closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as db:

        def count(what: str) -> int:
            return int(db.execute(f"SELECT count(*) FROM {what}").fetchone()[0])

        last = db.execute(
            "SELECT tournament, at FROM (SELECT tournament, at FROM notes UNION ALL "
            "SELECT tournament, heard FROM tables WHERE last >= 0) ORDER BY at DESC LIMIT 1"
        ).fetchone()
        return Holding(
            title=str(last[0]) if last else "",
            at=int(last[1]) if last else 0,
            lists=count("tables WHERE last >= 0"),
            accounts=count("accounts"),
            devices=count('devices WHERE "table" IS NOT NULL'),
        )


def _check_size(backup: Path, work: Path) -> None:
    """Require that there is room for what an archive says it holds.

    :raises BadBackup: there is not, or it is no archive.
    """
    try:
        with zipfile.ZipFile(backup) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
    except zipfile.BadZipFile as error:
        raise BadBackup(f"this is no backup ({error}); take the file that 'Alles sichern' gave") from error
    free, packed = shutil.disk_usage(work).free, backup.stat().st_size
    if size > packed * _MOST_UNPACKED or 2 * size > free:
        raise BadBackup(f"{size} bytes unpacked, {free} are free; make room, or take another copy of it")


def _keep_files(db: sqlite3.Connection, work: Path, backup: Path, named: str) -> None:
    """Keep authority and file with it, as a copy on a stick does."""
    files = {f"{TLS}{path.name}": path.read_bytes() for path in sorted((work / "tls").glob("authority*.pem"))}
    with zipfile.ZipFile(backup) as archive:
        if CONFIGURATION in archive.namelist():
            files[CONFIGURATION] = archive.read(CONFIGURATION)
    if CONFIGURATION not in files and (title := _begun_with(db, named)):
        files[CONFIGURATION] = f"tournament = {_quoted(title)}\n".encode()
    db.execute("CREATE TABLE saved_files (name TEXT PRIMARY KEY, content BLOB NOT NULL)")
    db.executemany("INSERT INTO saved_files VALUES (?, ?)", files.items())


def _begun_with(db: sqlite3.Connection, named: str) -> str:
    """The tournament that the file of the machine before has named; "": the one that this machine's file names."""
    query = "SELECT tournament FROM notes UNION SELECT tournament FROM tables WHERE last >= 0"
    names = {str(name) for (name,) in db.execute(query)}
    if named in names or not names:
        return ""
    begun = db.execute("""SELECT tournament FROM notes WHERE body LIKE '%"note": "begin"%' LIMIT 1""").fetchone()
    return str(begun[0]) if begun else min(names)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _digest(path: Path) -> str:
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
