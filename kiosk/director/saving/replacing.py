"""Put a backup into a server's database in the place of all that is in it: one transaction, and the others hear of it.

The authority is in no database: it waits in a file whose name the transaction has noted, and is put in its place at
the next start of the service. So a start finds the old of both or the new of both, wherever it was cut off.
"""

import json
import logging
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from kiosk.director.access.acts import TAKEN_OVER
from kiosk.director.access.schema import ACTS
from kiosk.director.access.schema import METADATA as ACCESS
from kiosk.director.refusals import BadBackup, NotFresh, StoreFailed
from kiosk.director.saving.mirror import sync_folder
from kiosk.director.saving.restoring import ALL, RESTORED, put_by_name
from kiosk.director.saving.takeover import HOLDING, put_files
from kiosk.director.settings import Settings
from kiosk.director.storage.backup import go_on_numbering, save_from
from kiosk.director.storage.database import METADATA, PASSING, Database
from kiosk.director.storage.news import tell

log = logging.getLogger(__name__)

#: All tables: what is in no backup ends with what was here.
_EVERY: Final = tuple(table for tables in (METADATA, PASSING, ACCESS) for table in tables.sorted_tables)

#: The file of what is put into the database, named by what the transaction notes of it.
_BEGINS, _ENDS = "replacing-", ".sqlite"

#: Rows that are written together.
_AT_ONCE = 1000

#: PostgreSQL's code of a deadlock (SQLSTATE, deadlock_detected).
_DEADLOCK = "40P01"

#: How often it is tried where others are in the middle of something.
_TRIES = 5

#: What was here before, in the folder that is named by the time.
PUT_BY: Final = "backup.zip"


def holds_nothing(database: Database) -> bool:
    """Whether nothing was entered into a server's database yet.

    :raises StoreFailed: it cannot be read.
    """
    with database.reading() as db:
        return _holds_nothing(db)


def replace_all(database: Database, settings: Settings) -> str:
    """Put what was looked through in the place of all that the database holds, wholly or not at all.

    Nobody reads or writes the database meanwhile; what waits goes on after it, by what is there then.

    :param settings: with ``own``.
    :returns: the folder in which what was here is put by; "": there was nothing.
    :raises NotFresh: nothing waits for a yes.
    :raises BadBackup: a row is none for this database; nothing has changed.
    :raises StoreFailed: the database fails; nothing has changed, unless it was lost in its last moment.
    :raises OSError: what was here cannot be put by; nothing has changed.
    """
    assert settings.own is not None
    folder, id_ = settings.own.data, secrets.token_hex(8)
    restored, source = folder / RESTORED, folder / f"{_BEGINS}{id_}{_ENDS}"
    if not restored.exists():
        raise NotFresh("no_backup", "nothing waits to be put back; upload the backup again")
    restored.replace(source)
    sync_folder(folder)
    try:
        with database.failing(), database.engine.begin() as db:
            _lock(db, _EVERY)
            kept = "" if _holds_nothing(db) else _put_by(db, settings)
            for table in reversed(_EVERY):
                db.execute(table.delete())  # not TRUNCATE: who makes a backup now goes on to see what was here
            _fill(db, source)
            noted = {"actor": "", "address": "", "act": TAKEN_OVER, "body": json.dumps({"id": id_})}
            db.execute(ACTS.insert().values(at=database.now(), **noted))
            tell(db, database.own, [["restored"]])
    except StoreFailed as error:
        if isinstance(error.__cause__, sa.exc.DataError):  # SQLite, in which it was looked through, takes more
            raise BadBackup(f"the database does not take what is in it ({error.__cause__.orig})") from error
        raise
    return kept


def settle(folder: Path, url: str, tls: Path | None) -> bool:
    """Put the files in their places that came with what was put into the database; whether there was something.

    :param tls: folder of the service's authority; None: it has none of its own.
    :raises StoreFailed: the database cannot be read; the next start tries again.
    :raises OSError: a file cannot be written; the same.
    """
    waiting = sorted(folder.glob(f"{_BEGINS}*{_ENDS}"))
    if not waiting:
        return False
    database = Database(url)
    try:
        database.make(ACCESS)
        with database.reading() as db:
            bodies = db.scalars(sa.select(ACTS.c.body).where(ACTS.c.act == TAKEN_OVER)).all()
    finally:
        database.close()
    noted = {json.loads(body).get("id") for body in bodies}
    done = [path for path in waiting if path.name[len(_BEGINS) : -len(_ENDS)] in noted]
    for path in done:
        with _opened(path) as source:
            put_files(folder, tls, {str(name): bytes(content) for name, content in source.execute(_FILES)})
    for path in waiting:
        path.unlink()
    return bool(done)


_FILES = sa.text("SELECT name, content FROM saved_files")


def _holds_nothing(db: sa.Connection) -> bool:
    return not any(db.execute(sa.text(f"SELECT 1 FROM {name} LIMIT 1")).first() for name in HOLDING)


def _lock(db: sa.Connection, tables: Sequence[sa.Table]) -> None:
    """Wait until nobody is in the middle of something, and keep all out.

    Readers, too: whoever has read something will write by it.
    """
    names = ", ".join(db.dialect.identifier_preparer.format_table(table) for table in tables)
    for tried in range(1, _TRIES + 1):
        try:
            with db.begin_nested():
                db.execute(sa.text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
        except sa.exc.OperationalError as error:
            # Somebody holds one of them and waits for another.
            if tried == _TRIES or getattr(error.orig, "sqlstate", "") != _DEADLOCK:
                raise
        else:
            return


def _put_by(db: sa.Connection, settings: Settings) -> str:
    assert settings.own is not None
    own, name = settings.own, put_by_name()
    kept = own.data / name
    kept.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = kept / f"{PUT_BY}.new"
    beside.touch(mode=0o600)
    tls = settings.tls.folder if settings.tls is not None else None
    save_from(db, ALL, tls, beside, own.configuration)
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.replace(kept / PUT_BY)
    sync_folder(kept)
    sync_folder(own.data)
    log.warning("what was here before lies in %s", kept / PUT_BY)
    return name


def _fill(db: sa.Connection, path: Path) -> None:
    """Copy what was looked through, table by table."""
    with _opened(path) as source:
        for table in ALL:
            rows = source.execute(sa.select(table), execution_options={"yield_per": _AT_ONCE}).mappings()
            for some in rows.partitions():
                db.execute(table.insert(), [dict(row) for row in some])
            go_on_numbering(db, table)


@contextmanager
def _opened(path: Path) -> Iterator[sa.Connection]:
    engine = sa.create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as source:
            yield source
    finally:
        engine.dispose()
