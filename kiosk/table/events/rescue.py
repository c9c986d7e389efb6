"""Open a table's file, whatever has become of it: a damaged one is replaced by what can be read of it.

The new file is built beside the damaged one, whole, before anything is renamed: a power cut in between costs nothing.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from kiosk.table.events.chain import START, link
from kiosk.table.events.log import Body, LogDamaged, LogError, LogHeld
from kiosk.table.events.log_file import LogFile, digest

#: What is built, and what is whole and only has to be renamed, beside the file.
_BUILDING, _BUILT = ".building", ".rescued"

#: What SQLite keeps beside a file.
_BESIDE = ("-wal", "-shm")

#: Texts up to so many bytes are tried for a single flipped bit; an event with all its readings has about 2,000.
_LONGEST_MENDED = 4_000


def open_or_rescue(path: Path) -> tuple[LogFile, str]:
    """Open the file; return it with a warning: empty, or that a damaged one was set aside, and what was rescued.

    :raises LogError: as ``LogFile``, but for damage.
    """
    _finish(path)
    try:
        return LogFile(path), ""
    except LogDamaged as error:
        aside, kept = set_aside(path)
        return LogFile(path), f"{error}. It lies at {aside} now; {kept} events were kept"


def set_aside(path: Path) -> tuple[Path, int]:
    """Move a damaged file away and put one in its place with everything of it that can still be read.

    Of each round it keeps the events up to the first that is missing or does not fit its chain, since later ones mean
    nothing without it, and what is kept beside them; a single flipped bit in a text is found by its chain or digest and
    turned back. The pictures stay behind.

    :returns: where the damaged file lies now, and how many events the new one holds.
    """
    building, found = _beside(path, _BUILDING), 0
    with _moving(path):
        for leftover in (building, *(_beside(building, suffix) for suffix in _BESIDE)):
            leftover.unlink(missing_ok=True)
    with LogFile(building) as file:
        for key, events, kept in _readable(path):
            file.log(*key).add(events, kept)
            found += len(events)
        file.settle()
    with _moving(path):
        _sync(building)
        building.rename(_beside(path, _BUILT))
        _sync(path.parent)
    aside = _finish(path)
    assert aside is not None
    return aside, found


def _finish(path: Path) -> Path | None:
    """Put a file that was rescued in the place of the damaged one, as far as that was not done; where that lies."""
    built = _beside(path, _BUILT)
    if not built.exists():
        return None
    with _moving(path):
        asides = [path.with_name(f"{path.name}.damaged-{count}") for count in range(1, 10_000)]
        free = next(index for index, one in enumerate(asides) if not one.exists())
        if path.exists():
            aside = asides[free]
            path.rename(aside)
        else:  # power failed right after that
            aside = asides[max(0, free - 1)]
        for suffix in _BESIDE:
            if (beside := _beside(path, suffix)).exists():
                beside.rename(_beside(aside, suffix))
        _sync(path.parent)  # an old write-ahead log must never lie beside the new file
        built.rename(path)
        _sync(path.parent)
    return aside


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


@contextmanager
def _moving(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise LogError(f"{path}: the damaged log cannot be moved away: {error.strerror}") from error


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


_Key = tuple[str, int, int]


def _readable(path: Path) -> Iterator[tuple[_Key, list[Body], dict[str, str]]]:
    """Read key, events and kept values of each round, as far as they can be read."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA writable_schema=ON")  # a bad line of the schema does not hide the others
    connection.text_factory = bytes  # a flipped bit may have made a text that is no UTF-8
    with closing(connection):
        for number, name, table, round_ in _named(path, connection):
            seals = _seals(connection, number)
            key = _key(name, table, round_, seals.get(b"", b""))
            if key is None:
                continue
            yield key, list(_events(connection, number)), _kept(connection, number, seals)


def _named(path: Path, connection: sqlite3.Connection) -> list[tuple[int, bytes, int, int]]:
    try:
        return connection.execute("SELECT id, tournament, tbl, round FROM log").fetchall()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LogHeld(f"{path}: another process works with this damaged log; stop it") from error
        return []
    except ValueError:  # SQLite quotes what is no UTF-8
        return []


def _seals(connection: sqlite3.Connection, log: int) -> dict[bytes, bytes]:
    """The digests of a log's values; none in a file of before."""
    with suppress(sqlite3.DatabaseError, ValueError):
        return dict(connection.execute("SELECT key, digest FROM seal WHERE log = ?", (log,)).fetchall())
    return {}


def _key(name: bytes, table: int, round_: int, seal: bytes) -> _Key | None:
    """A round's key with the tournament's name as it was; None where it is lost."""

    def right(raw: bytes) -> bool:
        return digest(raw.decode(), table, round_).encode() == seal

    mended = _mended(name, right) if seal else None
    with suppress(UnicodeDecodeError):
        return (mended or name).decode(), int(table), int(round_)
    return None


def _kept(connection: sqlite3.Connection, log: int, seals: dict[bytes, bytes]) -> dict[str, str]:
    found: dict[str, str] = {}
    with suppress(sqlite3.DatabaseError, ValueError):
        for key, value in connection.execute("SELECT key, value FROM kept WHERE log = ?", (log,)):
            with suppress(UnicodeDecodeError):
                name, seal = key.decode(), seals.get(key)

                def right(raw: bytes, name: str = name, seal: bytes | None = seal) -> bool:
                    return digest(log, name, raw.decode()).encode() == seal

                mended = value if seal is None else _mended(value, right)
                if mended is not None:
                    found[name] = mended.decode()
    return found


def _events(connection: sqlite3.Connection, log: int) -> Iterator[Body]:
    """A round's events up to the first that is lost."""
    chain, number = START, 0
    with suppress(sqlite3.DatabaseError, ValueError):
        while row := _row(connection, log, number):
            body, stored = row
            event = _event(body, chain, stored)
            if event is None:
                return
            yield event
            chain, number = link(chain, event), number + 1


def _row(connection: sqlite3.Connection, log: int, number: int) -> tuple[bytes, bytes | None] | None:
    where = "FROM event WHERE log = ? AND number = ?"
    try:
        row = connection.execute(f"SELECT body, chain {where}", (log, number)).fetchone()
    except sqlite3.OperationalError:  # a file of before has no chains
        row = connection.execute(f"SELECT body, NULL {where}", (log, number)).fetchone()
    return (row[0], row[1]) if row else None


def _event(body: bytes, chain: str, stored: bytes | None) -> Body | None:
    """The event of this text, with one bit turned back if its chain wants that; None if it does not fit."""

    def right(raw: bytes) -> bool:
        event = json.loads(raw)
        return isinstance(event, dict) and _alike(link(chain, event).encode(), stored)

    mended = _mended(body, right)
    if mended is None or not isinstance(event := json.loads(mended), dict):
        return None
    return event


def _alike(chain: bytes, stored: bytes | None) -> bool:
    """Whether a stored chain is this one, or was before one of its bits turned; old files have none."""
    if stored is None or chain == stored:
        return True
    apart = [(one ^ other).bit_count() for one, other in zip(chain, stored, strict=False)]
    return len(chain) == len(stored) and sum(apart) == 1


def _mended(raw: bytes, right: Callable[[bytes], bool]) -> bytes | None:
    """The text as it is, or with the one bit turned back that makes it right; None where none does."""

    def fits(tried: bytes) -> bool:
        with suppress(ValueError):  # no UTF-8, no JSON
            return right(tried)
        return False

    if fits(raw):
        return raw
    if len(raw) > _LONGEST_MENDED:
        return None
    for place in range(len(raw)):
        for bit in range(8):
            tried = raw[:place] + bytes([raw[place] ^ (1 << bit)]) + raw[place + 1 :]
            if fits(tried):
                return tried
    return None
