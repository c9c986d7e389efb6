"""Save the database once a minute to a stick that somebody has chosen, and say what stands in the way."""

import errno
import json
import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from hw.stick import Stick, StickError
from kiosk.director.refusals import BadBackup, UnknownPlace
from kiosk.director.saving.mirror import About, bring_up_to_date, look_into
from kiosk.director.saving.places import FOLDER, Places
from kiosk.errors import shorten

log = logging.getLogger(__name__)

#: Seconds from one copy to the next.
EACH_S: Final = 60.0

#: Seconds for which sticks are looked at after the kernel's disks have changed: udev needs a moment to know a new one.
_SETTLING_S: Final = 6.0

#: The two copies of a machine; the older one is brought up to date, so that the other stays as it was meanwhile.
COPIES: Final = ("a.sqlite", "b.sqlite")

#: The file in the data folder that holds what was chosen.
CHOICE: Final = "saving.json"

_BLOCK = "/sys/class/block"


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """How the saving stands."""

    id: str = ""  # of the place that was chosen; "": none was
    name: str = ""  # its name
    state: str = (
        "none"  # none | waiting | ok | gone | full | one_copy | read_only | format | denied | busy | tools | failed
    )
    at: int = 0  # ms since the epoch, of the newest copy that this service has written; 0: none yet
    size: int = 0  # bytes of both copies
    places: tuple[Stick, ...] = ()  # that are there now
    detail: str = ""  # for an administrator, English

    @property
    def trouble(self) -> bool:
        """Whether people must be told: something was chosen and is not written."""
        return self.state not in ("none", "waiting", "ok")


def disks() -> frozenset[str]:
    """Names of the disks and partitions that the kernel has."""
    with suppress(OSError):
        return frozenset(os.listdir(_BLOCK))
    return frozenset()


class Saver:
    """Saves one database. All calls but ``saved`` may block, and belong to one thread.

    :param database: the file of the director's service.
    :param tables: that are saved.
    :param folder: in which the choice is kept.
    :param files: content by name, saved with it.
    :param title: of the tournament that is held.
    """

    def __init__(
        self,
        places: Places,
        database: Path,
        tables: Sequence[sa.Table],
        folder: Path,
        files: Callable[[], Mapping[str, bytes]],
        title: Callable[[], str],
    ) -> None:
        self._places, self._database, self._tables = places, database, tables
        self._choice, self._files, self._title = Choice(folder), files, title
        id_, name = self._choice.place
        #: How it stands; replaced as a whole, so any thread may read it.
        self.saved = Saved(id=id_, name=name, state="waiting" if id_ else "none")
        self._disks: frozenset[str] | None = None
        self._settled_at = self._due_at = 0.0

    def turn(self, now: float, disks: Callable[[], frozenset[str]] = disks) -> None:
        """Look for sticks where the kernel's disks have changed, and save where it is time or the chosen one has come.

        :param now: monotonic seconds.
        """
        there = disks()
        if there != self._disks:
            self._disks, self._settled_at = there, now + _SETTLING_S
        if now <= self._settled_at:
            known = {one.id for one in self.saved.places}
            self.look()
            if self.saved.id in {one.id for one in self.saved.places} - known:
                self._due_at = now
        if self.saved.id and now >= self._due_at:
            self.save()
            self._due_at = now + EACH_S

    def look(self) -> None:
        """See which places are there now."""
        try:
            self.saved = replace(self.saved, places=self._places.look())
        except StickError as error:
            self.saved = replace(self.saved, places=(), detail=str(error))

    def choose(self, id_: str) -> None:
        """Save to this place from now on, and at once; "": nowhere any more.

        :raises UnknownPlace: it is not there.
        :raises OSError: the choice cannot be kept.
        """
        self.look()
        place = next((one for one in self.saved.places if id_ and one.id == id_), None)
        if id_ and place is None:
            raise UnknownPlace("no_stick", f"there is no stick {shorten(id_)}; plug it in and choose it again")
        name = place.name if place is not None else ""
        self._choice.keep(id_, name)
        self.saved = Saved(id=id_, name=name, state="waiting" if id_ else "none", places=self.saved.places)
        if id_:
            self.save()

    def save(self) -> None:
        """Bring the older copy up to date; what stands in the way is told by ``saved``."""
        self.look()
        place = next((one for one in self.saved.places if one.id == self.saved.id), None)
        try:
            if place is None:
                raise StickError("gone", self.saved.detail or "it is not plugged in")
            with self._places.mounted(place) as top:
                state = self._write(top / FOLDER / self._choice.machine)
                size = sum(_size(top / FOLDER / self._choice.machine / name) for name in COPIES)
            self.saved = replace(self.saved, state=state, at=_now(), size=size, detail="")
        except (StickError, OSError, sqlite3.Error, BadBackup) as error:
            code = _code(error)
            if code != self.saved.state:
                log.error("the database is not saved to %s: %s", self.saved.name, error)
            self.saved = replace(self.saved, state=code, detail=str(error))

    def _write(self, folder: Path) -> str:
        """Write a copy; return how it went: ``ok``, or ``one_copy`` where there is no room for two."""
        folder.mkdir(parents=True, exist_ok=True)
        found = {name: look_into(folder / name) for name in COPIES}
        numbers = {name: one.number if one is not None else -1 for name, one in found.items()}
        older, newer = sorted(COPIES, key=lambda name: numbers[name])
        about = About(number=numbers[newer] + 1, at=_now(), title=self._title(), machine=self._choice.machine)
        if found[older] is None:  # none yet, or no copy any more
            for left in (folder / older, folder / f"{older}-journal"):
                left.unlink(missing_ok=True)
        try:
            bring_up_to_date(self._database, folder / older, self._tables, self._files(), about)
        except sqlite3.Error as error:
            if _code(error) != "full" or found[older] is not None or found[newer] is None:
                raise
            bring_up_to_date(self._database, folder / newer, self._tables, self._files(), about)
            return "one_copy"
        return "ok"


class Choice:
    """Where a machine saves to, and by what its copies are told from another machine's; kept in its data folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / CHOICE
        kept: Any = {}
        with suppress(OSError, ValueError):
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        kept = kept if isinstance(kept, dict) else {}
        machine, place = kept.get("machine"), kept.get("place")
        self.machine = machine if isinstance(machine, str) and machine.isalnum() else secrets.token_hex(4)
        self.place = ("", "")
        if isinstance(place, list) and len(place) == 2 and all(isinstance(one, str) for one in place):
            self.place = (place[0], place[1])

    def keep(self, id_: str, name: str) -> None:
        """Keep a choice.

        :raises OSError: the folder cannot be written.
        """
        beside = self._path.with_suffix(".new")
        with beside.open("w", encoding="utf-8") as file:
            json.dump({"machine": self.machine, "place": [id_, name]}, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self._path)
        self.place = (id_, name)


#: SQLite's result → what is wrong with a place (https://sqlite.org/rescode.html).
_SQLITE: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_IOERR: "gone",
    sqlite3.SQLITE_CANTOPEN: "gone",
    sqlite3.SQLITE_BUSY: "busy",
}

_ERRNO: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "full"),
    errno.EROFS: "read_only",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "denied"),
    **dict.fromkeys((errno.EIO, errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESTALE), "gone"),
}


def _code(error: Exception) -> str:
    """What stands in the way, as a page words it."""
    if isinstance(error, StickError):
        return error.code
    if isinstance(error, sqlite3.Error):
        return _SQLITE.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "failed")
    return _ERRNO.get(error.errno or 0, "failed") if isinstance(error, OSError) else "failed"


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _now() -> int:
    return time.time_ns() // 1_000_000
