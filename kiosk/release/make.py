"""Make a bundle of this checkout: the program, and for one platform the wheels of the lock, made thin."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from kiosk.errors import KioskError
from kiosk.release.bundle import Listed, Release, listed, write
from kiosk.release.wheels import thin

#: What of the checkout is for developers alone.
_LEFT_OUT = ("tests", "kiosk/bench", "kiosk/image", "systemd/image", "vision/training", "build")

#: Versions of glibc that wheels name: from those of Debian 12, 2.36, to the oldest in use. Pip takes the first that
#: there is: as on the machine itself, the newest.
_GLIBC = ("36", "35", "34", "31", "28", "27", "26", "24", "17", "12", "5")


class NoBundle(KioskError, RuntimeError):
    """A bundle that cannot be made here."""


def make(source: Path, out: Path, key: Path, *, machine: str, python: str, version: str, wheels: bool = True) -> Path:
    """Make a bundle in a folder and return its path.

    :param machine: ``x86_64`` or ``aarch64``.
    :param python: like ``3.11``.
    :param wheels: the packages, too; without, only for tests.
    :raises NoBundle: a package cannot be fetched.
    :raises NoStrip: eu-strip is missing.
    :raises BadKey: it cannot be signed.
    """
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="stichwart-bundle-", dir=out) as place:
        folder = Path(place)
        copy_program(source, folder, version.partition("+")[2])
        if wheels:
            fetch_wheels_for(source / "requirements.lock", folder / "wheels", machine, python)
        release = Release(version=version, made=int(time.time()), machine=machine, python=python, files=_files(folder))
        made = out / f"stichwart-{version}-{machine}-python{python}.bundle"
        write(release, folder, made, key)
    return made


def _program(source: Path, folder: Path) -> None:
    def ignored(where: str, names: list[str]) -> set[str]:
        inside = Path(where).relative_to(source)
        return {
            name
            for name in names
            if name.startswith(".") or name == "__pycache__" or (inside / name).as_posix() in _LEFT_OUT
        }

    shutil.copytree(source, folder, ignore=ignored, dirs_exist_ok=True)


def copy_program(source: Path, folder: Path, build: str) -> None:
    """Copy the program of a checkout, and note which build it is; a copy without git has only its number."""
    _program(source, folder)
    if build:
        (folder / "build.txt").write_text(build + "\n", encoding="utf-8")


def _files(folder: Path) -> dict[str, Listed]:
    return {path.relative_to(folder).as_posix(): listed(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def fetch_wheels_for(lock: Path, into: Path, machine: str, python: str) -> None:
    """Fetch the wheels of a lock for a platform, whichever this is; see ``fetch_wheels``."""
    wanted = into.with_name("wanted.txt")
    wanted.write_text(for_platform(lock.read_text(encoding="utf-8"), machine, python), encoding="utf-8")
    platforms = [f"manylinux_2_{one}_{machine}" for one in _GLIBC] + [f"manylinux2014_{machine}"]
    command = ["--implementation", "cp", "--python-version", python]
    command += [part for one in platforms for part in ("--platform", one)]
    command += [part for one in (f"cp{python.replace('.', '')}", "abi3", "none") for part in ("--abi", one)]
    fetch_wheels(wanted, into, command)
    wanted.unlink()


def fetch_wheels(lock: Path, into: Path, further: Sequence[str] = ()) -> None:
    """Fetch the wheels of a lock and make them thin.

    :param further: words for pip: another platform than this one.
    :raises NoBundle: one cannot be fetched.
    :raises NoStrip: eu-strip is missing.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--require-hashes", "--only-binary", ":all:", *further, "-r", str(lock)]
    into.mkdir()
    with tempfile.TemporaryDirectory(prefix="stichwart-wheels-") as whole:
        done = subprocess.run([*command, "-d", whole], capture_output=True, text=True, check=False)
        if done.returncode:
            said = [one for one in done.stderr.strip().splitlines() if not one.startswith("WARNING")]
            raise NoBundle(f"pip cannot fetch the packages ({' / '.join(said[-3:])}); is there a network?")
        for wheel in sorted(Path(whole).glob("*.whl")):
            thin(wheel, into)


def for_platform(lock: str, machine: str, python: str) -> str:
    """Keep of a lock what is for a platform; pip itself would ask the machine that it runs on."""
    from packaging.requirements import Requirement

    given = {"platform_machine": machine, "python_version": python, "python_full_version": f"{python}.9"}
    given |= {"sys_platform": "linux", "implementation_name": "cpython", "platform_python_implementation": "CPython"}
    kept, keep = [], True
    for line in lock.splitlines():
        if line and not line[0].isspace() and not line.startswith("#"):
            marker = Requirement(line.rstrip(" \\")).marker
            keep = marker is None or marker.evaluate(given)
            line = line if marker is None else line.partition(" ;")[0] + " \\"
        if keep:
            kept.append(line)
    return "\n".join(kept) + "\n"
