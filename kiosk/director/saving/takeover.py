"""Go on with another machine's tournament: find its copies on sticks, take one, put it in the place of one's own.

Taking and putting are two steps, for an open database cannot be replaced: what was taken lies whole beside it, and is
put in its place at the next start of the service. Each step can be cut off and is then done again.
"""

import contextlib
import logging
import os
import shutil
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sa

from hw.stick import Stick, StickError
from kiosk.director.access.acts import TAKEN_OVER
from kiosk.director.refusals import BadBackup, UnknownPlace
from kiosk.director.saving.mirror import About, look_into, sync_folder, take_out
from kiosk.director.saving.places import FOLDER, Places
from kiosk.director.saving.saver import COPIES, Choice
from kiosk.director.storage.backup import CONFIGURATION
from kiosk.errors import shorten

log = logging.getLogger(__name__)

#: What was taken and waits for the next start of the service; with it the files that were saved.
TAKEN: Final = "taken.sqlite"

#: Beside it, where it may take the place of what is here: the name of the folder in which that is put by.
REPLACES: Final = "taken.replaces"

#: Both machines count these: the one of before knows by it that it is over.
_NOTED: Final = "INSERT INTO acts (at, actor, address, act, body) VALUES (?, ?, ?, ?, ?)"

#: Tables of which one row makes a database one that somebody works with.
HOLDING: Final = ("events", "notes", "accounts", "devices")

#: How the names of saved files of the authority begin.
TLS: Final = "tls/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """A tournament on a stick that this machine could go on with."""

    id: str
    place: Stick
    about: About


def offers(places: Places) -> list[Offer]:
    """List what lies on the sticks that are plugged in, the newest first."""
    found: list[Offer] = []
    with contextlib.suppress(StickError):
        for place in places.look():
            with contextlib.suppress(StickError, OSError, BadBackup), places.mounted(place) as top:
                for folder in _folders(top):
                    if copies := _copies(folder):
                        about = copies[0][1]
                        found.append(Offer(id=f"{place.id}/{folder.name}", place=place, about=about))
    return sorted(found, key=lambda one: -one.about.at)


def take(places: Places, id_: str, folder: Path, tables: Sequence[sa.Table]) -> Offer:
    """Take the newest copy that is whole, so that the next start of the service goes on with it.

    :param folder: the service's data folder; the stick is chosen there as the one to be saved to.
    :raises UnknownPlace: it is not there any more.
    :raises BadBackup: no copy is whole, or they are of a later version.
    :raises StickError: the stick cannot be read.
    :raises OSError: the data folder cannot be written.
    """
    place = next((one for one in places.look() if one.id and id_.startswith(f"{one.id}/")), None)
    if place is None:
        raise UnknownPlace("no_stick", f"there is no stick with {shorten(id_)}; plug it in and try again")
    with places.mounted(place) as top:
        source = next((one for one in _folders(top) if f"{place.id}/{one.name}" == id_), None)
        copies = _copies(source) if source is not None else []
        if not copies:
            raise UnknownPlace("no_copy", f"{place.name}: nothing of {shorten(id_)} is on it")
        about = _take_newest(copies, folder / TAKEN, tables)
    Choice(folder).keep(place.id, place.name)
    return Offer(id=id_, place=place, about=about)


def _take_newest(copies: list[tuple[Path, About]], into: Path, tables: Sequence[sa.Table]) -> About:
    """Take the newest copy that is whole, and return what it holds."""
    for number, (path, about) in enumerate(copies, start=1):
        try:
            take_out(path, into, tables)
        except BadBackup:
            if number == len(copies):
                raise
            log.exception("the newest copy cannot be taken, the one before is")
        else:
            return about
    raise AssertionError("there is at least one copy")


def put_in_place(folder: Path, database: Path, tls: Path | None) -> bool:
    """Put what was taken in the place of the service's database, before it is opened; whether there was something.

    :param tls: folder of the service's authority; None: it has none of its own, what came with it is left.
    :raises OSError: a file cannot be written; the next start tries again.
    """
    taken, mark = folder / TAKEN, folder / REPLACES
    if not taken.exists():
        mark.unlink(missing_ok=True)
        return False
    if mark.exists() and database.exists():
        _put_by(database, folder, tls, mark.read_text(encoding="ascii").strip())
    if not is_fresh(database):
        log.error("%s: it is not empty, so %s is left alone; move one of them away", database, taken)
        return False
    with contextlib.closing(sqlite3.connect(taken, isolation_level=None)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "saved_files" in names:
            files = {str(name): bytes(content) for name, content in db.execute("SELECT * FROM saved_files")}
            put_files(folder, tls, files)
            db.execute("BEGIN")
            db.execute("DROP TABLE saved_files")
            db.execute("DROP TABLE IF EXISTS saved_about")
            db.execute(_NOTED, (time.time_ns() // 1_000_000, "", "", TAKEN_OVER, "{}"))
            db.execute("COMMIT")
    for left in (f"{database}-wal", f"{database}-shm"):
        Path(left).unlink(missing_ok=True)
    taken.replace(database)
    sync_folder(folder)
    if database.parent != folder:
        sync_folder(database.parent)
    mark.unlink(missing_ok=True)
    return True


def _put_by(database: Path, folder: Path, tls: Path | None, name: str) -> None:
    """Put what was there by, with its authority and file; cut off in the middle it is done again."""
    with contextlib.closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # the file alone is the whole database then
    kept = database.parent / name
    (kept / "tls").mkdir(mode=0o700, parents=True, exist_ok=True)
    for path in (*(tls.glob("*.pem") if tls is not None else ()), folder / CONFIGURATION):
        if path.exists():
            target = kept / "tls" / path.name if path.suffix == ".pem" else kept / path.name
            shutil.copy2(path, target)
    database.replace(kept / database.name)
    sync_folder(kept)
    sync_folder(database.parent)
    (folder / CONFIGURATION).unlink(missing_ok=True)
    log.warning("what was here before lies in %s", kept)


def is_fresh(database: Path) -> bool:
    """Whether nothing was entered into a database yet."""
    if not database.exists():
        return True
    with contextlib.closing(sqlite3.connect(database)) as db:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        return not any(db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in HOLDING if name in names)


def put_files(folder: Path, tls: Path | None, files: Mapping[str, bytes]) -> None:
    """Put the files in their places that were saved with a database; cut off in the middle it is done again.

    :param tls: see ``put_in_place``.
    """
    if tls is not None:
        tls.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(name.startswith(TLS) for name in files):
            for path in tls.glob("*.pem"):  # of the authority that this machine has made for itself at its first start
                path.unlink()
    for name, content in files.items():
        target = tls / Path(name).name if tls is not None and name.startswith(TLS) else folder / Path(name).name
        if (tls is not None and name.startswith(TLS)) or name == CONFIGURATION:
            beside = target.with_name(f"{target.name}.new")
            beside.unlink(missing_ok=True)
            with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
    for one in (tls, folder):
        if one is not None:
            sync_folder(one)


def _folders(top: Path) -> list[Path]:
    try:
        return sorted(one for one in (top / FOLDER).iterdir() if one.is_dir())
    except OSError:
        return []


def _copies(folder: Path) -> list[tuple[Path, About]]:
    """The copies in a folder that can be opened, the newest first."""
    found = [(folder / name, look_into(folder / name)) for name in COPIES]
    return sorted(((path, one) for path, one in found if one is not None), key=lambda pair: -pair[1].number)
