"""Find USB sticks, mount and unmount them, and write files on them whole or not at all.

Nothing mounts a stick by itself on a table without a desktop. ``lsblk`` (util-linux) says which disks hang on USB, from
udev's database and without any right; ``udisksctl`` (udisks2) mounts and unmounts, which ``systemd/polkit.rules``
allows the service's user for removable disks alone.
"""

import errno
import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

from hw.errors import HardwareError

#: File systems that a stick is written with; others are named to people.
KNOWN: Final = ("vfat", "exfat", "ntfs", "ext4", "ext3", "ext2", "btrfs", "xfs", "f2fs", "udf")

#: Where sticks are mounted; a disk with a part mounted elsewhere carries this machine's own system.
MEDIA: Final = ("/media/", "/run/media/", "/mnt/")

#: Seconds after which a command hangs: a slow stick may take long to take in what is buffered for it.
LOOK_TIMEOUT_S, MOUNT_TIMEOUT_S, UNMOUNT_TIMEOUT_S = 5.0, 20.0, 120.0

_COLUMNS = "PATH,TYPE,TRAN,RO,SIZE,FSTYPE,LABEL,UUID,MODEL,MOUNTPOINTS"

#: Part of the name of a file that is not whole yet.
_PART = ".stichwart.part"


class StickError(HardwareError, OSError):
    """A stick that cannot be written.

    ``code``: gone full read_only format denied busy tools failed; the text is for administrators.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Stick:
    """A stick, with its part that files go to."""

    device: str  # /dev/sda1
    name: str  # its label, else its maker's word for it
    size_bytes: int
    filesystem: str  # "": none
    read_only: bool = False
    id: str = ""  # of its file system, by which it is known again; "": it has none


class Sticks(Protocol):
    """The USB sticks of this machine."""

    def look(self) -> tuple[Stick, ...]:
        """List the sticks that are plugged in.

        :raises StickError: nobody can tell.
        """

    def mount(self, stick: Stick, *, to_read: bool = False) -> Path:
        """Mount a stick, unless it is, and return the folder of its files.

        :param to_read: it may be write-protected.
        :raises StickError: it cannot be written; or read, where that is enough.
        """

    def unmount(self, stick: Stick) -> None:
        """Write everything out and unmount the stick: from then on it can be pulled.

        :raises StickError: it must stay in.
        """


class UdisksSticks:
    """The sticks as util-linux and udisks2 see them."""

    def look(self) -> tuple[Stick, ...]:
        answer = _run(("lsblk", "--json", "--bytes", "--output", _COLUMNS), LOOK_TIMEOUT_S)
        return sticks_in(json.loads(answer))

    def mount(self, stick: Stick, *, to_read: bool = False) -> Path:
        if stick.filesystem not in KNOWN:
            raise StickError("format", f"{stick.device}: {stick.filesystem or 'no file system'}; take FAT32 or exFAT")
        if stick.read_only and not to_read:
            raise StickError("read_only", f"{stick.device} is write-protected")
        if (folder := _mounted_at(stick.device)) is None:
            _run(("udisksctl", "mount", "--no-user-interaction", "--block-device", stick.device), MOUNT_TIMEOUT_S)
            folder = _mounted_at(stick.device)
        if folder is None:
            raise StickError("gone", f"{stick.device} was mounted and is not there; was it pulled?")
        return folder

    def unmount(self, stick: Stick) -> None:
        os.sync()
        if _mounted_at(stick.device) is None:
            raise StickError("gone", f"{stick.device} was pulled before it was unmounted")
        _run(("udisksctl", "unmount", "--no-user-interaction", "--block-device", stick.device), UNMOUNT_TIMEOUT_S)


def sticks_in(tree: Mapping[str, Any]) -> tuple[Stick, ...]:
    """Find the sticks in what ``lsblk --json --bytes`` says: disks on USB that this machine does not run from."""
    found = []
    for disk in tree.get("blockdevices", ()):
        parts = [disk, *_below(disk)]
        if disk.get("type") != "disk" or disk.get("tran") != "usb" or not int(disk.get("size") or 0):
            continue
        if any(not _may_go(place) for part in parts for place in part.get("mountpoints") or () if place):
            continue
        part = min(parts, key=_suitable)
        found.append(
            Stick(
                device=str(part["path"]),
                name=" ".join(str(part.get("label") or disk.get("model") or "USB").split()),
                size_bytes=int(disk["size"]),
                filesystem=str(part.get("fstype") or ""),
                read_only=bool(part.get("ro") or disk.get("ro")),
                id=str(part.get("uuid") or ""),
            )
        )
    return tuple(found)


def write_files(folder: Path, files: Iterable[tuple[str, bytes]], told: Callable[[int, str], None]) -> int:
    """Write files into a folder, whole or not at all: what is on the disk under a name is never half of a file.

    :param files: path below the folder, and content.
    :param told: called before each with its number, from 1, and its path.
    :returns: how many were written.
    :raises StickError: one could not be written; those before it are there, an older one of its name is as it was.
    """
    number = 0
    for number, (name, content) in enumerate(files, start=1):
        told(number, name)
        try:
            _write(folder / name, content)
        except OSError as error:
            raise _explained(error, folder / name) from error
    return number


def copy_file(source: Path, target: Path, told: Callable[[float], None]) -> None:
    """Copy a file from a stick.

    :param told: called with the share that is done.
    :raises StickError: the stick cannot be read.
    :raises OSError: the target cannot be written.
    """
    with target.open("wb") as into:
        try:
            size, done = source.stat().st_size, 0
            file = source.open("rb")
        except OSError as error:
            raise _explained(error, source) from error
        with file:
            while part := _read(file, source):
                into.write(part)
                done += len(part)
                told(done / max(1, size))


def _read(file: BinaryIO, source: Path) -> bytes:
    try:
        return file.read(1 << 20)
    except OSError as error:
        raise _explained(error, source) from error


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(_PART)  # one that a pulled stick has kept is written over
    try:
        with beside.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _below(device: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The partitions of a disk, and what lies in them."""
    children = device.get("children") or []
    return [*children, *(inner for child in children for inner in _below(child))]


def _suitable(part: Mapping[str, Any]) -> int:
    """The place of a part among those of a stick: what every computer reads goes first, what has no files last."""
    kind = part.get("fstype")
    return KNOWN.index(kind) if kind in KNOWN else len(KNOWN) + (kind is None)


def _may_go(place: str) -> bool:
    return place.startswith(MEDIA)


def _mounted_at(device: str) -> Path | None:
    """The folder at which a device is mounted, as this process sees it."""
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        before, _, after = line.partition(" - ")
        if _unescaped(after.split()[1]) == device:
            return Path(_unescaped(before.split()[4]))
    return None


def _unescaped(text: str) -> str:
    """A field of mountinfo: blanks and the like stand there as octal numbers."""
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), text)


def _run(command: Sequence[str], timeout_s: float) -> str:
    """Run a command and return what it prints."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout_s, env={**os.environ, "LC_ALL": "C"}, check=False
        )
    except FileNotFoundError as error:
        raise StickError("tools", f"{command[0]} is missing: apt install util-linux udisks2") from error
    except subprocess.TimeoutExpired as error:
        raise StickError("busy", f"{' '.join(command)} does not come back within {timeout_s:g} s") from error
    if done.returncode:
        raise StickError(_code_of(done.stderr), f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout


#: Words of udisks2 and mount(8) → what is wrong.
_SAID: Final = (
    ("Could not connect", "tools"),
    ("ServiceUnknown", "tools"),
    ("NotAuthorized", "denied"),
    ("DeviceBusy", "busy"),
    ("target is busy", "busy"),
    ("write-protected", "read_only"),
    ("read-only", "read_only"),
    ("wrong fs type", "format"),
    ("unknown filesystem", "format"),
    ("No such", "gone"),
    ("not found", "gone"),
    ("Error looking up object", "gone"),
)


def _code_of(said: str) -> str:
    return next((code for words, code in _SAID if words in said), "failed")


_ERRNO: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "full"),
    errno.EROFS: "read_only",
    **dict.fromkeys((errno.EACCES, errno.EPERM), "denied"),
    **dict.fromkeys((errno.EIO, errno.ENODEV, errno.ENXIO, errno.ENOENT, errno.ESTALE), "gone"),
}


def _explained(error: OSError, path: Path) -> StickError:
    return StickError(_ERRNO.get(error.errno or 0, "failed"), f"{path}: {error.strerror or error}")
