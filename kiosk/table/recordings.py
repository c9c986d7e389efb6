"""Keep what a table has seen of the mat: films of doubts and calls, and a small picture of each card and trick.

One file each, in ``FOLDER/TOURNAMENT``: ``table-T-round-R-event-N.avi`` is a film, the same with ``-at-A-card.jpg`` at
its end the card that event N laid at A (ms since the epoch), ``…-mat.jpg`` the whole mat once it had completed a trick.
The time tells the events of two lists apart that bear the same number. All are small and short-lived: the oldest go
where there are too many, and all of a tournament go once another one begins, or after some days.
"""

import logging
import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kiosk.errors import KioskError
from kiosk.table.avi import NoFilm, read_avi, write_avi

log = logging.getLogger(__name__)

_FILM = re.compile(r"table-(\d+)-round-(\d+)-event-(\d+)\.avi")

#: Bytes of the disk that are left to the list: pictures and films are kept only beyond them.
RESERVED_BYTES = 100_000_000


class RecordingError(KioskError):
    """A film or picture cannot be kept or shown."""


@dataclass(frozen=True, slots=True, order=True)
class PictureKey:
    """Which picture of a round: of the card that an event laid, or of the whole mat then."""

    event: int
    at: int  # when it happened, ms since the epoch
    mat: bool = False


class Recordings:
    """The films and pictures in one table's folder.

    :param most: films kept; :param megabytes: size of all in sum; :param days: how long.
    :param wall: seconds since the Unix epoch.
    :param free: bytes that the disk of a folder has left.
    """

    def __init__(
        self,
        folder: Path,
        *,
        most: int = 200,
        megabytes: float = 200.0,
        days: float = 2.0,
        wall: Callable[[], float] = time.time,
        free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        self.folder, self._most, self._bytes, self._seconds = folder, most, 1e6 * megabytes, 86_400.0 * days
        self._wall, self._free = wall, free

    def keep(
        self, tournament: str, table: int, round: int, number: int, pictures: Sequence[tuple[float, bytes]]
    ) -> Path:
        """Write a film of (seconds, JPEG) with event ``number`` and return its file; a later one replaces it.

        :raises RecordingError: there is nothing in it, or the disk does not take it.
        """
        path = self._of(tournament) / f"table-{table}-round-{round}-event-{number}.avi"
        try:
            data = write_avi(pictures)
        except NoFilm as error:
            raise RecordingError(f"{path.name}: {error}; the camera does not see the mat") from error
        self._write(path, data)
        self.tidy(path)
        return path

    def keep_picture(self, tournament: str, table: int, round: int, key: PictureKey, jpeg: bytes) -> None:
        """Write a picture; a later one replaces it. Whoever keeps many calls ``tidy`` now and then.

        :raises RecordingError: the disk does not take it.
        """
        self._write(self._picture_file(tournament, table, round, key), jpeg)

    def picture(self, tournament: str, table: int, round: int, key: PictureKey) -> bytes | None:
        """Read a picture; None where there is none, or it was cut off when the power went."""
        try:
            jpeg = self._picture_file(tournament, table, round, key).read_bytes()
        except OSError:
            return None
        return jpeg if jpeg.startswith(b"\xff\xd8") and jpeg.endswith(b"\xff\xd9") else None

    def of_round(self, tournament: str, table: int, round: int) -> dict[int, Path]:
        """Return the films of a round by the number of their event."""
        found = {}
        for path in self._of(tournament).glob("*.avi"):
            match = _FILM.fullmatch(path.name)
            if match is not None and (int(match[1]), int(match[2])) == (table, round):
                found[int(match[3])] = path
        return dict(sorted(found.items()))

    def tidy(self, newest: Path | None = None) -> None:
        """Delete what is too old, then the oldest while there is too much; never the ``newest``."""
        files = []
        for path in self.folder.glob("*/*"):
            try:
                facts = path.stat()
            except OSError:
                continue  # gone meanwhile
            files.append((facts.st_mtime, facts.st_size, path))
        films = sum(path.suffix == ".avi" for _, _, path in files)
        size, now = sum(file[1] for file in files), self._wall()
        for at, bytes_of_it, path in sorted(files):
            too_many = path.suffix == ".avi" and films > self._most
            if path != newest and (too_many or size > self._bytes or now - at > self._seconds):
                _delete(path)
                size -= bytes_of_it
                films -= path.suffix == ".avi"

    def begin(self, tournament: str) -> None:
        """Begin a tournament: delete the films and pictures of all others."""
        ours = self._of(tournament)
        if self.folder.is_dir():
            for folder in self.folder.iterdir():
                if folder.is_dir() and folder != ours:
                    shutil.rmtree(folder, ignore_errors=True)
        self.tidy()

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file whole or not at all, and only where the list has room enough beside it.

        :raises RecordingError: the disk does not take it.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._free(path.parent) - len(data) < RESERVED_BYTES:
                raise RecordingError(f"{path}: the recording is not kept: the disk is nearly full")
            _write(path, data)
        except OSError as error:
            raise RecordingError(f"{path}: the recording is not kept: {error.strerror or error}") from error

    def _picture_file(self, tournament: str, table: int, round: int, key: PictureKey) -> Path:
        of = "mat" if key.mat else "card"
        return self._of(tournament) / f"table-{table}-round-{round}-event-{key.event}-at-{key.at}-{of}.jpg"

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
