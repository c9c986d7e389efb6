"""Save everything that the database holds to one file, and put it back into an empty one, SQLite or PostgreSQL.

The file is a ZIP archive: ``stichwart.json`` says what it is, ``data/TABLE.jsonl`` holds a row a line, ``tls/`` the
direction's authority, by which its tables recognise it. It opens the direction: keep it like a key.
"""

import base64
import json
import os
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from kiosk.director.refusals import BadBackup
from kiosk.director.storage.database import Database, now

#: Number of the format; a larger one is of a later version.
FORMAT = 1

#: The service's file in a backup.
CONFIGURATION = "director.toml"

_ABOUT = "stichwart.json"
_AT_ONCE = 1000  # rows that are read or written together


def save(
    database: Database, tables: Sequence[sa.Table], tls: Path | None, path: Path, configuration: Path | None = None
) -> None:
    """Write a backup of these tables as they are at one moment; others may go on to write.

    :param tls: folder of the direction's authority; None: it has none.
    :param configuration: the service's file, which says what the tournament is; None: it has none.
    :raises StoreFailed: the database cannot be read.
    :raises OSError: the file cannot be written.
    """
    with database.snapshot() as db:
        save_from(db, tables, tls, path, configuration)


def save_from(
    db: sa.Connection, tables: Sequence[sa.Table], tls: Path | None, path: Path, configuration: Path | None
) -> None:
    """Write a backup of these tables as a transaction sees them; see ``save``."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        counts = {}
        for table in tables:
            with archive.open(f"data/{table.name}.jsonl", "w", force_zip64=True) as file:
                counts[table.name] = 0
                query = sa.select(table).order_by(*table.primary_key)
                rows = db.execute(query, execution_options={"yield_per": _AT_ONCE}).mappings()  # not all in memory
                for some in rows.partitions():
                    counts[table.name] += len(some)
                    file.write("".join(_line(row) for row in some).encode())
        for kept in sorted(tls.iterdir()) if tls is not None and tls.is_dir() else ():
            if kept.is_file():
                archive.write(kept, f"tls/{kept.name}")
        if configuration is not None and configuration.exists():
            archive.write(configuration, CONFIGURATION)
        archive.writestr(_ABOUT, json.dumps({"format": FORMAT, "made": now(), "rows": counts}, indent=1))


def put_back(database: Database, tables: Sequence[sa.Table], tls: Path, path: Path) -> dict[str, int]:
    """Put a backup into an empty database, wholly or not at all; return the number of rows by table.

    :param tls: folder in which the direction's authority is kept; one that is there already stays.
    :raises BadBackup: the file is no backup, not whole or of a later version, or the database is not empty.
    :raises StoreFailed: the database cannot be written; nothing is put back.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            counts = _about(archive, path)
            if unknown := counts.keys() - {table.name for table in tables}:
                raise _later(path, unknown)
            with database.failing(), database.engine.begin() as db:
                if full := [table.name for table in tables if db.execute(sa.select(table).limit(1)).first()]:
                    raise BadBackup(
                        f"database {database.engine.url!r}: it is not empty ({', '.join(full)}); a backup is put into "
                        "an empty one: name another data folder or database"
                    )
                for table in tables:
                    if table.name in counts:
                        _fill(db, table, archive, counts[table.name], path)
            _put_authority_back(archive, tls)
    except BadBackup:
        raise
    except (zipfile.BadZipFile, KeyError, ValueError, EOFError) as error:
        raise BadBackup(f"{path}: this is no whole backup ({error}); take another copy of it") from error
    except FileNotFoundError as error:
        raise BadBackup(f"{path}: there is no such file") from error
    return counts


def _about(archive: zipfile.ZipFile, path: Path) -> dict[str, int]:
    about = json.loads(archive.read(_ABOUT))
    if about["format"] > FORMAT:
        raise _later(path, [f"format {about['format']}"])
    return {str(name): int(count) for name, count in about["rows"].items()}


def _later(path: Path, what: Iterable[str]) -> BadBackup:
    return BadBackup(f"{path}: {', '.join(sorted(what))} is of a later version of Stichwart; update this one")


def _fill(db: sa.Connection, table: sa.Table, archive: zipfile.ZipFile, count: int, path: Path) -> None:
    binary = {column.name for column in table.columns if isinstance(column.type, sa.LargeBinary)}
    found = 0
    with archive.open(f"data/{table.name}.jsonl") as file:
        for some in _some(line for line in file if line.strip()):
            rows = [_row(json.loads(line), binary) for line in some]
            if unknown := rows[0].keys() - {column.name for column in table.columns}:
                raise _later(path, unknown)
            db.execute(table.insert(), rows)
            found += len(rows)
    if found != count:
        raise BadBackup(f"{path}: {found} of {count} rows of {table.name}; it is not whole, take another copy of it")
    go_on_numbering(db, table)


def go_on_numbering(db: sa.Connection, table: sa.Table) -> None:
    """Let a server number new rows of a table after those that were put into it."""
    numbered = table.autoincrement_column
    if numbered is not None and numbered.autoincrement is True and db.dialect.name == "postgresql":
        last = sa.select(sa.func.coalesce(sa.func.max(numbered), 0) + 1).scalar_subquery()
        sequence = sa.func.pg_get_serial_sequence(table.name, numbered.name)
        db.execute(sa.select(sa.func.setval(sequence, last, False)))


def _put_authority_back(archive: zipfile.ZipFile, tls: Path) -> None:
    for name in archive.namelist():
        folder, _, file = name.partition("/")
        if folder != "tls" or not file or "/" in file or file.startswith("."):
            continue
        tls.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = tls / file
        if not path.exists():
            beside = path.with_name(f"{file}.new")  # a power cut leaves no half of a key
            beside.unlink(missing_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
                out.write(archive.read(name))
                out.flush()
                os.fsync(out.fileno())
            beside.replace(path)


def _line(row: sa.RowMapping) -> str:
    kept = {
        key: base64.b64encode(value).decode() if isinstance(value, bytes | memoryview) else value
        for key, value in row.items()
    }
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) + "\n"


def _row(kept: dict[str, Any], binary: set[str]) -> dict[str, Any]:
    return {key: base64.b64decode(value) if key in binary else value for key, value in kept.items()}


def _some(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    while some := list(islice(lines, _AT_ONCE)):
        yield some
