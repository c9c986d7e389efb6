"""Open a table's file on a disk that takes nothing: a copy in memory, which lasts as long as the program."""

import logging
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from kiosk.table.events.log import LogError, LogFile, LogHeld, digest
from kiosk.table.events.rescue import open_or_rescue

log = logging.getLogger(__name__)

#: Where Linux keeps files in memory; elsewhere the folder for temporary files is tried.
_MEMORY = Path("/dev/shm")
#: A file of this name beside the table's says that the folder itself lies in memory, for its disk could not be mounted
#: (systemd/image/root/usr/lib/stichwart/no-data).
IN_MEMORY = "in-memory"


def open_anyway(path: Path) -> tuple[LogFile, str]:
    """Open the file, or what can be read of it in memory where the disk is full, worn out or mounted read-only.

    :returns: the file with what people have to know: "" nothing, ``rescued`` it was damaged, ``in_memory`` nothing of
        what comes outlives the program here: the direction alone keeps it.
    :raises LogError: another process holds it, a newer Stichwart wrote it, or there is no memory either.
    """
    try:
        file, told = open_or_rescue(path)
    except LogHeld:
        raise
    except LogError as error:
        log.error("%s", error)
    else:
        if told:
            log.error("%s", told)
        if path.with_name(IN_MEMORY).exists():
            log.error("%s: the disk could not be mounted; what is noted from now on lies in memory", path)
            return file, "in_memory"
        _bring_back(path, file)
        return file, "rescued" if told else ""
    file = _in_memory(path)
    log.error("%s: what is noted from now on lies in memory, at %s", path, file.path)
    return file, "in_memory"


def memory_folder(path: Path) -> Path:
    """Where this file's copy lies in memory: one a file and user, so that the program's next start finds it."""
    base = _MEMORY if _MEMORY.is_dir() else Path(tempfile.gettempdir())
    return base / f"stichwart-{os.getuid()}-{digest(str(path.absolute()))}"


def _in_memory(path: Path) -> LogFile:
    folder = memory_folder(path)
    copy = folder / path.name
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise LogError(f"{folder} is somebody else's; remove it")
    except OSError as error:
        raise LogError(f"{path}: nothing can be written, here or in memory: {error.strerror}") from error
    if not copy.exists():  # else the program has ended meanwhile, and the machine has not
        for suffix in ("-wal", ""):
            with suppress(OSError):  # what cannot be read is not there
                shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    try:
        file, told = open_or_rescue(copy)
    except LogError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if told:
        log.error("%s", told)
    return file


def _bring_back(path: Path, file: LogFile) -> None:
    """Write what lies in memory of lists that have grown there behind what the disk, which works again, has of them."""
    folder = memory_folder(path)
    if not folder.exists():
        return
    try:
        with LogFile(folder / path.name) as kept:
            for key in kept.logs():
                here, there = (one.log(*key).read() for one in (file, kept))
                if len(there) > len(here) and there[: len(here)] == here:
                    file.log(*key).add([event for _, event in there[len(here) :]])
                    log.warning("%s: %d events were brought back from memory", key, len(there) - len(here))
    except LogError as error:
        log.error("what lies in memory is not brought back: %s", error)
        return
    shutil.rmtree(folder, ignore_errors=True)
