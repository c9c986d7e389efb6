"""Open a table's file on a disk that takes nothing: a copy in memory, which lasts as long as the program."""

import logging
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from kiosk.table.events.log import LogError, LogHeld
from kiosk.table.events.log_file import LogFile, digest
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
            _bring(file, kept)
    except LogError as error:
        log.error("what lies in memory is not brought back: %s", error)
        return
    shutil.rmtree(folder, ignore_errors=True)


def go_back(file: LogFile, path: Path) -> None:
    """Have a file that lies in memory lie on its disk again, with all that was noted meanwhile; others may use it.

    :param path: where it lies if the disk is sound.
    :raises LogError: the disk takes nothing, or holds something else; nothing has changed.
    """
    home, told = open_or_rescue(path)
    if told:
        log.error("%s", told)

    def rest() -> None:
        _bring(home, file)
        for key in file.logs():
            if len(home.log(*key).read()) != len(file.log(*key).read()):
                raise LogError(f"{path}: the disk has more of the list {key} than this table; start it anew")

    try:
        _bring(home, file)  # nearly all of it, while people play on
        file.move_to(home, rest)
    except BaseException:
        home.close()
        raise
    log.warning("%s: the disk takes again what is noted", path)
    shutil.rmtree(memory_folder(path), ignore_errors=True)


def _bring(home: LogFile, kept: LogFile) -> None:
    """Write behind each list on the disk what the one in memory has beyond it, with what belongs to it.

    :raises LogError: the disk takes nothing, or the two contradict each other.
    """
    for key in kept.logs():
        here, there = home.log(*key), kept.log(*key)
        events, grown = here.read(), there.read()
        if len(events) > len(grown) and events[: len(grown)] == grown:
            continue  # it was brought before, and played on
        if grown[: len(events)] != events:
            raise LogError(f"{home.path}: the list {key} there is another one than in memory")
        here.add([event for _, event in grown[len(events) :]], there.all_kept())
        for number in set(there.pictures()) - set(here.pictures()):
            if jpeg := there.picture(number):
                here.keep_picture(number, jpeg)
        if len(grown) > len(events):
            log.warning("%s: %d events were brought back from memory", key, len(grown) - len(events))
