"""The script ``stichwart``: a release is started without a word to the network, a clone by a Python that is fast."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def test_a_release_starts_its_own_program_wherever_it_is_called(tmp_path: Path) -> None:
    """Also by the link that is turned to another release while it runs."""
    release, other = tmp_path / "releases" / "0.2", tmp_path / "elsewhere"
    for folder, says in ((release, "the release"), (other, "what lies around")):
        (folder / "kiosk").mkdir(parents=True)
        (folder / "kiosk" / "__init__.py").touch()
        (folder / "kiosk" / "cli.py").write_text(f"import sys; print({says!r}, *sys.argv[1:], sys.path[0])\n")
    shutil.copy(ROOT / "stichwart", release / "stichwart")
    (release / "requirements.lock").touch()
    (release / ".venv" / "bin").mkdir(parents=True)
    (release / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (release / "ready").touch()
    (tmp_path / "current").symlink_to("releases/0.2")
    done = subprocess.run(
        [tmp_path / "current" / "stichwart", "table", "--config", "x"],
        cwd=other,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[0] == f"the release table --config x {release.resolve()}"
    assert not done.stderr


DEBIANS = "/usr/bin/python3"


@pytest.mark.parametrize(
    "named", [False, True], ids=["Debian's own before another on the path", "the one that is named"]
)
def test_which_python_makes_the_environment(tmp_path: Path, named: bool) -> None:
    """One that was compiled as it comes takes more processor time for the same."""
    able = os.access(DEBIANS, os.X_OK) and subprocess.run([DEBIANS, "-c", "import ensurepip, venv"]).returncode == 0
    if not able and not named:
        pytest.skip("no Python of Debian with python3-venv here")
    path, asked = tmp_path / "bin", tmp_path / "asked"
    path.mkdir()
    for name, does in (("python3", f'echo "$@" >>{asked}; [ "$2" != venv ]'), ("dpkg-query", "echo installed")):
        (path / name).write_text(f"#!/bin/sh\n{does}\n")
        (path / name).chmod(0o755)
    (tmp_path / "file").touch()  # nothing can be made below it
    surroundings = {"PATH": f"{path}:/usr/bin:/bin", "STICHWART_VENV": str(tmp_path / "file" / "venv")}
    if named:
        surroundings["STICHWART_PYTHON"] = str(path / "python3")
    done = subprocess.run([ROOT / "stichwart", "rules"], env=surroundings, capture_output=True, text=True)
    assert done.returncode == 3 and "could not make the virtual environment" in done.stderr
    assert ("-m venv" in (asked.read_text() if asked.exists() else "")) is named
