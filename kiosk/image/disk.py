"""Put a disk image together out of files, without a right, a mount or a loop device."""

import os
import shutil
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path

from kiosk.image.tools import ImageError, run

#: Partitions begin at whole mebibytes, as flash memory likes it.
MIB = 1 << 20
#: The first mebibyte holds the partition table, the last its copy.
FIRST = MIB
#: Types of partitions, https://uapi-group.org/specifications/specs/discoverable_partitions_specification/
_EFI_SYSTEM = "C12A7328-F81F-11D2-BA4B-00A0C93EC93B"
#: Of a root, by Debian's name of the processor. systemd-repart knows partitions by their types: the data partition's
#: "linux-generic" must not be that of the root, or it would take the root for it.
ROOT = {"amd64": "4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709", "arm64": "B921B045-1DF0-41C3-AF44-4C6F280D3FAE"}


def whole_mebibytes(size: int) -> int:
    """Round a size in bytes up."""
    return -(-size // MIB) * MIB


def fat(image: Path, files: Mapping[str, bytes], size: int, moment: int) -> None:
    """Write a FAT32 filesystem with these files.

    :param size: in bytes. :param moment: seconds since 1970, the time of all files.
    :raises ImageError: it is too small for them.
    """
    image.unlink(missing_ok=True)
    run("mkfs.vfat", "-C", "--invariant", "-F", "32", "-n", "STICHWART", image, str(size // 1024))
    tree = image.with_suffix(".files")
    shutil.rmtree(tree, ignore_errors=True)
    for name, content in files.items():
        file = tree / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    for path in (*tree.rglob("*"), tree):
        os.utime(path, (moment, moment))
    # FAT keeps local time: UTC, and sorted, so that two builds give the same bytes.
    environment = {**os.environ, "TZ": "UTC", "SOURCE_DATE_EPOCH": str(moment), "MTOOLS_SKIP_CHECK": "1"}
    run("mcopy", "-s", "-m", "-Q", "-i", image, *sorted(tree.iterdir()), "::", env=environment)
    shutil.rmtree(tree)


def identity(seed: str, part: str) -> uuid.UUID:
    """Return a partition's id: the same for the same build, another for another."""
    return uuid.uuid5(uuid.NAMESPACE_URL, f"https://stichwart.invalid/image/{seed}/{part}")


def assemble(out: Path, boot: Path, root: Path, architecture: str, seed: str) -> None:
    """Write a disk with a firmware partition and a root, and room for nothing else: the first start makes the rest.

    :param boot: a FAT filesystem. :param root: a squashfs. :param architecture: Debian's name.
    :param seed: names the build, for the partitions' ids.
    """
    sizes = [whole_mebibytes(part.stat().st_size) for part in (boot, root)]
    total = FIRST + sum(sizes) + MIB
    starts = (FIRST, FIRST + sizes[0])
    lines = ["label: gpt", f"label-id: {identity(seed, 'disk')}", "first-lba: 2048"]
    for name, kind, start, size in zip(("boot", "root"), (_EFI_SYSTEM, ROOT[architecture]), starts, sizes, strict=True):
        place = f"start={start // 512}, size={size // 512}"
        lines.append(f"{place}, type={kind}, uuid={identity(seed, name)}, name=stichwart-{name}")
    new = out.with_name(out.name + ".new")
    with open(new, "wb") as disk:
        disk.truncate(total)
    try:
        done = subprocess.run(["sfdisk", "--quiet", "--no-reread", new], input="\n".join(lines), text=True)
        if done.returncode:
            raise ImageError(f"sfdisk ended with status {done.returncode}")
        with open(new, "r+b") as disk:
            for part, start in zip((boot, root), starts, strict=True):
                disk.seek(start)
                with open(part, "rb") as content:
                    shutil.copyfileobj(content, disk, MIB)
        new.rename(out)
    finally:
        new.unlink(missing_ok=True)
