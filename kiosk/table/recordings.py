"""Keep the films of a table: some seconds of the mat with a doubt, or with a call for the referee.

One file each, ``FOLDER/TOURNAMENT/table-T-round-R-event-N.avi``. They are few, small and short-lived: the oldest go
where there are too many, and all of a tournament go once another one begins, or after some days.
"""

import logging
import re
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from kiosk.errors import KioskError
from kiosk.table.avi import NoFilm, read_avi, write_avi

log = logging.getLogger(__name__)

_FILE = re.compile(r"table-(\d+)-round-(\d+)-event-(\d+)\.avi")


class RecordingError(KioskError):
    """A film cannot be kept or shown."""


class Recordings:
    """The films of one table's folder.

    :param most: files kept; :param megabytes: their size in sum; :param days: how long.
    :param wall: seconds since the Unix epoch.
    """

    def __init__(
        self,
        folder: Path,
        *,
        most: int = 200,
        megabytes: float = 200.0,
        days: float = 2.0,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.folder, self._most, self._bytes, self._seconds = folder, most, 1e6 * megabytes, 86_400.0 * days
        self._wall = wall

    def keep(
        self, tournament: str, table: int, round: int, number: int, pictures: Sequence[tuple[float, bytes]]
    ) -> Path:
        """Write a film of (seconds, JPEG) with event ``number`` and return its file; a later one replaces it.

        :raises RecordingError: there is nothing in it, or the disk does not take it.
        """
        path = self._of(tournament) / f"table-{table}-round-{round}-event-{number}.avi"
        try:
            data = write_avi(pictures)
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, data)
        except NoFilm as error:
            raise RecordingError(f"{path.name}: {error}; the camera does not see the mat") from error
        except OSError as error:
            raise RecordingError(f"{path}: the recording is not kept: {error.strerror or error}") from error
        self.tidy(path)
        return path

    def of_round(self, tournament: str, table: int, round: int) -> dict[int, Path]:
        """Return the films of a round by the number of their event."""
        found = {}
        for path in self._of(tournament).glob("*.avi"):
            match = _FILE.fullmatch(path.name)
            if match is not None and (int(match[1]), int(match[2])) == (table, round):
                found[int(match[3])] = path
        return dict(sorted(found.items()))

    def tidy(self, newest: Path | None = None) -> None:
        """Delete what is too old, then the oldest while there is too much; never the ``newest``."""
        files = []
        for path in self.folder.glob("*/*.avi"):
            try:
                facts = path.stat()
            except OSError:
                continue  # gone meanwhile
            files.append((path == newest, facts.st_mtime, facts.st_size, path))
        files.sort()
        size, now = sum(file[2] for file in files), self._wall()
        for left, (is_newest, at, bytes_of_it, path) in zip(range(len(files), 0, -1), files, strict=True):
            if is_newest or (left <= self._most and size <= self._bytes and now - at <= self._seconds):
                break
            _delete(path)
            size -= bytes_of_it

    def begin(self, tournament: str) -> None:
        """Begin a tournament: delete the films of all others."""
        ours = self._of(tournament)
        if self.folder.is_dir():
            for folder in self.folder.iterdir():
                if folder.is_dir() and folder != ours:
                    shutil.rmtree(folder, ignore_errors=True)
        self.tidy()

    def _of(self, tournament: str) -> Path:
        name = re.sub(r"[^\w-]+", "_", tournament).strip("_")
        return self.folder / (name[:80] or "tournament")


def film(path: Path) -> list[tuple[float, bytes]]:
    """Read a kept film as (seconds from the start, JPEG).

    :raises RecordingError: it is gone or damaged.
    """
    try:
        return read_avi(path.read_bytes())
    except OSError as error:
        raise RecordingError(f"{path}: the recording cannot be read: {error.strerror or error}") from error
    except NoFilm as error:
        raise RecordingError(f"{path}: {error}") from error


def _write(path: Path, data: bytes) -> None:
    """Whole or not at all."""
    part = path.with_suffix(".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError:
        _delete(part)
        raise


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s: the recording cannot be deleted: %s", path, error.strerror or error)
