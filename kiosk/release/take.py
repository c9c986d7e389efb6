"""Take a bundle: lay its release beside the running one, wholly or not at all, without a network."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from kiosk.release.bundle import LIST, BadBundle, Release, look, unpack
from kiosk.release.layout import READY, Layout, put, this_machine

#: Room that a release needs for its files, as many times, and besides, bytes: the wheels, what they hold, byte code.
_TIMES, _BESIDES = 4, 50_000_000

#: Seconds for one command of the installation; a Pi 4 takes two minutes.
_LONGEST_S = 1800


def take(
    bundle: Path,
    layout: Layout,
    *,
    older: bool = False,
    roles: Sequence[str] = ("table",),
    step: Callable[[str, float], None],
) -> str:
    """Lay a bundle's release beside the others and return its name; what runs is not touched.

    A folder without ``READY`` is what a power loss or a bad bundle has left; it is removed. All but the running release
    and the one before it go.

    :param older: it may be older than what runs.
    :param roles: ``table``, ``director`` or both: what starts is compiled.
    :param step: called with what is being done (``unpack``, ``install``, ``try``) and the share of it.
    :raises BadBundle: the bundle is broken, foreign, for another machine, older, or there is no room.
    """
    release = look(bundle, layout.keys)
    check_fits(release, layout, older=older)

    def fill(folder: Path) -> None:
        if unpack(bundle, layout.keys, folder, step=lambda done: step("unpack", done)) != release:
            raise BadBundle("bundle_changed", f"{bundle}: became another one while it was taken; copy it again")
        (folder / LIST).write_text(json.dumps(asdict(release)), encoding="utf-8")  # it says when it was made

    lay(release.version, layout, roles, fill, release.size, step)
    return release.version


def lay(
    name: str,
    layout: Layout,
    roles: Sequence[str],
    fill: Callable[[Path], None],
    size: int,
    step: Callable[[str, float], None],
) -> None:
    """Lay a release beside the others; the folder that is there already, whole, stays.

    :param fill: writes program and ``wheels`` into a new folder.
    :param size: of both, bytes.
    :raises BadBundle: there is no room, or it cannot be installed.
    """
    if layout.is_ready(name):
        return
    folder = layout.release(name)
    _tidy(layout)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _has_room(name, size, layout.program)
    folder.mkdir()
    try:
        fill(folder)
        step("install", 0.0)
        _install(folder)
        step("try", 0.0)
        for role in roles:
            _try(folder, role)
        os.sync()
        put(folder / READY, name)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def check_fits(release: Release, layout: Layout, *, older: bool = False) -> None:
    """Require of a release that it is for this machine, and not older than what runs.

    :raises BadBundle: it is not, or this machine keeps none.
    """
    check_lasts(layout)
    machine, python = this_machine()
    if (release.machine, release.python) != (machine, python):
        raise BadBundle(
            "bundle_machine",
            f"{release.version} is for {release.machine} with Python {release.python}; this is {machine} with Python"
            f" {python}: take the bundle made for that",
            version=release.version,
            machine=f"{release.machine}, Python {release.python}",
        )
    if not older:
        check_version(release.version, release.made, layout)


def check_lasts(layout: Layout) -> None:
    """Require of a machine that its card takes a release.

    :raises BadBundle: it has room in memory instead, which has none to spare.
    """
    if not layout.lasts:
        told = f"{layout.program} lies in memory, for the card takes nothing: change the card"
        raise BadBundle("bundle_memory", told)


def check_version(version: str, made: int, layout: Layout) -> None:
    """Require of a release that it is not older than what runs.

    :raises BadBundle: it is.
    """
    if made < layout.made(layout.current):
        raise BadBundle(
            "bundle_older",
            f"{version} is older than {layout.current}, which runs; say --older if that is meant",
            version=version,
        )


def _has_room(name: str, size: int, program: Path) -> None:
    needed, free = size * _TIMES + _BESIDES, shutil.disk_usage(program).free
    if free < needed:
        raise BadBundle(
            "bundle_room",
            f"{name} needs {needed / 1e6:.0f} MB and {free / 1e6:.0f} MB are free; make room on the disk",
            needed=round(needed / 1e6),
            free=round(free / 1e6),
        )


def _tidy(layout: Layout) -> None:
    """Remove all releases but the running one and the one it would go back to, and what a power loss has left."""
    before = layout.program / "trial" / "before"
    kept = {layout.current, before.read_text(encoding="utf-8").strip() if before.exists() else ""}
    folder = layout.program / "releases"
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.name not in kept:
            shutil.rmtree(path, ignore_errors=True)


def _install(folder: Path) -> None:
    """Make the release's own environment of its wheels; pip and the wheels go when it stands."""
    venv = folder / ".venv"
    base = getattr(sys, "_base_executable", sys.executable)
    _run([base, "-m", "venv", str(venv)], folder)
    python = str(venv / "bin" / "python")
    wheels = sorted(str(path) for path in (folder / "wheels").glob("*.whl"))
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    if wheels:
        _run([*pip, "install", "--no-index", "--no-deps", "--no-compile", *wheels], folder)
    _run([*pip, "uninstall", "--yes", "pip", "setuptools"], folder)
    shutil.rmtree(folder / "wheels", ignore_errors=True)
    _run([str(folder / "stichwart"), "--link-modules"], folder)  # what Debian builds for every Python it ships
    for cache in [*venv.rglob("__pycache__")]:
        shutil.rmtree(cache, ignore_errors=True)


def _try(folder: Path, role: str) -> None:
    """Import what the role starts with: it is compiled by that, and a release that lacks something is found here."""
    _run([str(folder / ".venv" / "bin" / "python"), "-m", "kiosk.release.warm", role], folder)


def _run(command: list[str], folder: Path) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIP_"))},
        "PYTHONPATH": str(folder),
        "PIP_CONFIG_FILE": os.devnull,
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_LONGEST_S, check=False
    )
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()[-8:]
        raise BadBundle(
            "bundle_install",
            f"{folder.name} cannot be installed: {' '.join(command[:4])} … said: {' / '.join(told)}",
            version=folder.name,
        )
