"""Run the programs that images are made with, and say which of them are missing."""

import shutil
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from kiosk.errors import KioskError

#: Program → Debian package that has it.
PROGRAMS = {
    "mmdebstrap": "mmdebstrap",
    "mksquashfs": "squashfs-tools",
    "mkfs.vfat": "dosfstools",
    "mcopy": "mtools",
    "sfdisk": "fdisk",
    "eu-strip": "elfutils",
    "arch-test": "arch-test",
}


class ImageError(KioskError):
    """An image that could not be made; the text says what to do."""


def need_programs(architectures: Iterable[str]) -> None:
    """Check that everything is there before an hour of work begins.

    :param architectures: Debian's names of those whose programs are run here.
    :raises ImageError: with the Debian packages to install.
    """
    missing = sorted(package for name, package in PROGRAMS.items() if shutil.which(name) is None)
    if missing:
        raise ImageError(f"programs are missing: apt install {' '.join(missing)}")
    for name in architectures:
        if subprocess.run(["arch-test", name], capture_output=True).returncode:
            raise ImageError(
                f"this machine runs no programs of {name}: apt install qemu-user-static, and see that binfmt_misc is"
                ' mounted and knows them (docs/image.md, "ARM here")'
            )


def run(*words: str | Path, env: Mapping[str, str] | None = None) -> None:
    """Run a program to its end.

    :raises ImageError: it failed; what it said is on standard error already.
    """
    done = subprocess.run([str(word) for word in words], env=env)
    if done.returncode:
        raise ImageError(f"{words[0]} ended with status {done.returncode}")
