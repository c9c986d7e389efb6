"""Put a backup back that was uploaded: looked through whole, told, and after a yes in the place of what is here.

A file that is open as a database cannot be replaced: what was looked through lies beside it as what was taken from a
stick does, and is put in its place at the next start of the service (``takeover``). Of a server's database the rows are
replaced (``replacing``). What was there before is put by.
"""

import contextlib
import os
import shutil
import sqlite3
import time
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.access.schema import SAVED
from kiosk.director.refusals import BadBackup, NotFresh
from kiosk.director.saving.mirror import sync_folder
from kiosk.director.saving.takeover import REPLACES, TAKEN, TLS, is_fresh
from kiosk.director.settings import Own
from kiosk.director.storage.backup import CONFIGURATION, put_back
from kiosk.director.storage.database import METADATA, Database
from kiosk.director.storage.store import Store
from kiosk.errors import KioskError, shorten

#: The tables that a backup holds.
ALL: Final = (*METADATA.sorted_tables, *SAVED)

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


def look_through(backup: Path, own: Own, named: str, *, files_count: bool) -> Restored:
    """Look an uploaded backup through, by putting it into a database of its own, which then waits for a yes.

    :param named: the tournament that this machine's file names.
    :param files_count: this machine's file counts, whatever came with the backup: other machines have the same.
    :raises BadBackup: it is none, not whole, of a later version, or its file is none that this one could go on with.
    :raises OSError: the folder cannot be written.
    """
    folder, work = own.data, own.data / _WORK
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700)
    try:
        _check_size(backup, work)
        store = Store(f"sqlite:///{work / RESTORED}")
        try:
            store.make(ACCESS)
            put_back(store, ALL, work / "tls", backup)
            holding = holding_of(store)
            _need_named(store, named, files_count=files_count)
        finally:
            store.close()
        with contextlib.closing(sqlite3.connect(work / RESTORED, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=DELETE")
            _keep_files(db, work, _file_of(db, work, backup, named, own) if not files_count else None)
        found = Restored(id=_digest(backup)[:16], holding=holding)
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
        name = put_by_name()
        mark = folder / REPLACES
        beside = mark.with_name(f"{mark.name}.new")
        beside.write_text(name, encoding="ascii")
        beside.replace(mark)
    restored.replace(folder / TAKEN)
    sync_folder(folder)
    return name


def put_by_name() -> str:
    """Name the folder in which what is here now is put by."""
    return time.strftime("before-%Y%m%d-%H%M%S")


def holding_of(database: Database) -> Holding:
    """Tell what a database holds.

    :raises StoreFailed: it cannot be read.
    """
    with database.reading() as db:

        def count(what: str) -> int:
            return int(db.scalar(sa.text(f"SELECT count(*) FROM {what}")) or 0)

        noted = "SELECT tournament, at FROM notes UNION ALL SELECT tournament, heard FROM tables WHERE last >= 0"
        last = db.execute(sa.text(f"SELECT tournament, at FROM ({noted}) AS noted ORDER BY at DESC LIMIT 1")).first()
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


def _need_named(store: Store, named: str, *, files_count: bool) -> None:
    """Require, where the machines' own files count, that the tournament they name is in the backup.

    :raises BadBackup: it is not, and nothing of the backup would be seen.
    """
    names = store.tournaments()
    if files_count and names and named not in names:
        told = ", ".join(f'tournament = "{name}"' for name in names)
        raise BadBackup(
            f"tournament {shorten(named)} is not in this backup: write {told} into the file of each director on this "
            "database, start them anew and upload it again"
        )


def _keep_files(db: sqlite3.Connection, work: Path, configuration: bytes | None) -> None:
    """Keep authority and file with it, as a copy on a stick does."""
    files = {f"{TLS}{path.name}": path.read_bytes() for path in sorted((work / "tls").glob("authority*.pem"))}
    if configuration is not None:
        files[CONFIGURATION] = configuration
    db.execute("CREATE TABLE saved_files (name TEXT PRIMARY KEY, content BLOB NOT NULL)")
    db.executemany("INSERT INTO saved_files VALUES (?, ?)", files.items())


def _file_of(db: sqlite3.Connection, work: Path, backup: Path, named: str, own: Own) -> bytes | None:
    """The service's file that counts with this backup; None: this machine's own.

    :raises BadBackup: this service could not start with it.
    """
    found = None
    with zipfile.ZipFile(backup) as archive:
        if CONFIGURATION in archive.namelist():
            found = archive.read(CONFIGURATION)
    if found is None and (title := _begun_with(db, named)):
        found = f"tournament = {_quoted(title)}\n".encode()
    if found is not None:
        (work / CONFIGURATION).write_bytes(found)
        try:
            own.check(work / CONFIGURATION)
        except KioskError as error:
            raise BadBackup(f"the service would not start with what came with this backup: {error}") from error
    return found


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
