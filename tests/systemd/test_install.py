"""The installer, laid out below a folder instead of on this machine."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTALL = ROOT / "systemd" / "install.sh"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("tar") is None, reason="tar is missing")]


@pytest.fixture
def machine(tmp_path):
    return tmp_path / "machine"


def run(machine: Path, *words: str, status: int = 0) -> str:
    done = subprocess.run(
        [INSTALL, *words], capture_output=True, text=True, timeout=60, env={**os.environ, "DESTDIR": str(machine)}
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_lays_out_a_table(machine):
    told = run(machine, "table")
    laid = files(machine)
    assert {
        "opt/stichwart/launch",
        "etc/systemd/system/stichwart-table.service",
        "etc/systemd/system/stichwart-update.path",
        "etc/systemd/system/stichwart-update.service",
        "etc/systemd/system/systemd-timesyncd.service.d/stichwart.conf",
        "etc/stichwart/table.toml",
        "etc/sysusers.d/stichwart.conf",
        "etc/tmpfiles.d/stichwart.conf",
        "etc/udev/rules.d/60-stichwart.rules",
        "etc/polkit-1/rules.d/50-stichwart.rules",
        "etc/modules-load.d/stichwart.conf",
    } <= laid
    current = machine / "opt/stichwart/current"
    program = files(current.resolve())
    assert {
        "stichwart",
        "requirements.lock",
        "kiosk/cli.py",
        "vision/__init__.py",
        "hw/panel.py",
        "release.json",
    } <= program
    assert current.readlink().parts[0] == "releases"
    assert not [name for name in laid if "/.git/" in name or "__pycache__" in name or "/tests/" in name]
    developers = ("/kiosk/bench/", "/kiosk/image/", "/systemd/image/", "/vision/training/")
    assert not [name for name in laid if any(folder in name for folder in developers)]
    assert "etc/systemd/system/stichwart-director.service" not in laid
    assert os.access(current / "stichwart", os.X_OK) and os.access(machine / "opt/stichwart/launch", os.X_OK)
    assert str(machine) in told


def test_again_keeps_what_people_wrote_and_the_key(machine, tmp_path):
    key = tmp_path / "club.pub"
    key.write_text("AAAA\n")
    run(machine, "table", "--key", str(key))
    own = machine / "etc/stichwart/table.toml"
    own.write_text("table = 7\n")
    assert "keeping" in run(machine, "table")
    assert own.read_text() == "table = 7\n"
    assert (machine / "opt/stichwart/maker.pub").read_text() == "AAAA\n"
    assert "no such file" in run(machine, "table", "--key", str(tmp_path / "none"), status=1)


def test_uninstall_leaves_lists_and_configuration_unless_purged(machine):
    run(machine, "table")
    run(machine, "director")
    kept = machine / "var/lib/stichwart/director.sqlite"
    kept.parent.mkdir(parents=True)
    kept.touch()
    run(machine, "uninstall")
    assert files(machine) == {
        "etc/stichwart/table.toml",
        "etc/stichwart/director.toml",
        "var/lib/stichwart/director.sqlite",
    }
    run(machine, "uninstall", "--purge")
    assert files(machine) == set()


@pytest.mark.parametrize("words", [["tabel"], [], ["table", "director"]], ids=["misspelled", "none", "two"])
def test_wrong_words_are_told_and_nothing_is_done(machine, words):
    assert "usage" in run(machine, *words, status=1) or len(words) == 2
    assert not machine.exists()
