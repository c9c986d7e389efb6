"""Releases whose environments are copied from one that was made once: to make one takes five seconds.

As a module it is the program's command with that: ``python -m tests.release.environments FOLDER update …``. Really
made is one in ``test_take.py``, and one on the whole way of a release (``tests/director/test_release_to_switch.py``).
"""

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.release import take

Run = Callable[[list[str], Path], None]

#: Root without capabilities gives nothing to anybody; byte code is known by the time of its source.
COPY = ("cp", "--no-dereference", "--recursive", "--preserve=mode,timestamps")


def one_for_all(factory: pytest.TempPathFactory) -> Path:
    """The folder of an environment that all processes of this run of the suite share, made by the first one."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    environment = folder / "environment"
    with (folder / "environment.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not environment.exists():
            subprocess.run([sys.executable, "-m", "venv", f"{environment}.new"], check=True)
            os.rename(f"{environment}.new", environment)
    return environment


def copying(run: Run, environment: Path) -> Run:
    """Make of what runs a release's installation what copies that environment instead of making one."""

    def runs(command: list[str], folder: Path) -> None:
        makes = command[1:3] == ["-m", "venv"]
        run([*COPY, str(environment), command[3]] if makes else command, folder)

    return runs


def copy_from(environment: Path) -> None:
    """Copy environments as long as this process runs."""
    take._run = copying(take._run, environment)


if __name__ == "__main__":
    copy_from(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
