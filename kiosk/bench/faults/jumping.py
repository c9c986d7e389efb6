"""Run a module of ours with a date that can jump: ``python -m kiosk.bench.faults.jumping CLOCK MODULE [ARGUMENT …]``.

The file CLOCK holds seconds, eight bytes as ``struct`` writes ``d``, by which ``time.time`` is off; whoever writes
there sets the date of the running process. What only grows (``time.monotonic``) does not jump, as on a machine whose
date is set.
"""

import mmap
import runpy
import struct
import sys
import time
from pathlib import Path

_SIZE = struct.calcsize("d")


def make_clock(path: Path) -> None:
    """Make a clock that is right."""
    path.write_bytes(struct.pack("d", 0.0))


def let_jump(path: Path, seconds: float) -> None:
    """Set a clock forward, or back."""
    with path.open("r+b") as file:
        (off,) = struct.unpack("d", file.read(_SIZE))
        file.seek(0)
        file.write(struct.pack("d", off + seconds))


def follow(path: Path) -> None:
    """Let this process have the date of that clock."""
    with path.open("rb") as file:
        shared = mmap.mmap(file.fileno(), _SIZE, prot=mmap.PROT_READ)
    real, real_ns = time.time, time.time_ns

    def off() -> float:
        return float(struct.unpack("d", shared)[0])

    time.time = lambda: real() + off()
    time.time_ns = lambda: real_ns() + int(off() * 1e9)


if __name__ == "__main__":
    clock, module, *arguments = sys.argv[1:]
    follow(Path(clock))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
