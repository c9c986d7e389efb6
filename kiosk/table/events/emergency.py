"""Open a table's file on a disk that takes nothing: a copy in memory, which lasts as long as the program."""

import logging
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from kiosk.table.events.log import LogError, LogFile, LogHeld
from kiosk.table.events.rescue import open_or_rescue

log = logging.getLogger(__name__)

#: Where Linux keeps files in memory; elsewhere the folder for temporary files is tried.
_MEMORY = Path("/dev/shm")


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
        return file, "rescued" if told else ""
    file = _in_memory(path)
    log.error("%s: what is noted from now on lies in memory, at %s", path, file.path)
    return file, "in_memory"


def _in_memory(path: Path) -> LogFile:
    try:
        folder = Path(tempfile.mkdtemp(prefix="stichwart-", dir=_MEMORY if _MEMORY.is_dir() else None))
    except OSError as error:
        raise LogError(f"{path}: nothing can be written, here or in memory: {error.strerror}") from error
    copy = folder / path.name
    for suffix in ("", "-wal"):
        with suppress(OSError):  # what cannot be read is not there
            shutil.copyfile(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    try:
        file, told = open_or_rescue(copy)
    except LogError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    if told:
        log.error("%s", told)
    file.on_close(lambda: shutil.rmtree(folder, ignore_errors=True))
    return file
