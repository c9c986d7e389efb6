"""Be a disk that fills up or takes nothing: a small file system in memory, and a limit that the kernel keeps.

A write beyond the limit of a file's size (``RLIMIT_FSIZE`` of zero, which another process may set) fails in the kernel
with EFBIG, which SQLite takes as it takes EIO: a disk I/O error. ENOSPC comes of a file system that is really full.
"""

import contextlib
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

_RUBBISH = "rubbish"


class Disk:
    """A folder on a file system of its own; where this user may mount none, an ordinary folder that never is full."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)],
            capture_output=True,
            check=False,
        )
        self.mounted = mounted.returncode == 0

    def fill(self) -> None:
        """Leave no room."""
        if not self.mounted:
            return
        with (self.folder / _RUBBISH).open("ab", buffering=0) as rubbish:
            for size in (1 << 20, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while rubbish.write(bytes(size)):
                        pass

    def clear(self) -> None:
        """Let there be room again."""
        (self.folder / _RUBBISH).unlink(missing_ok=True)

    def close(self) -> None:
        """Take it away."""
        if self.mounted:
            subprocess.run(["umount", "--lazy", str(self.folder)], check=False, capture_output=True)


def take_nothing(pid: int) -> Callable[[], None]:
    """Let each write of a process to a file fail; return what ends that."""
    limits = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, limits[1]))

    def mend() -> None:
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)

    return mend
