"""The units: no word that systemd does not know, well shut off, and calling commands that there are."""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from kiosk.cli import parser
from kiosk.release.layout import Layout

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
UPDATE = ROOT / "systemd" / "stichwart-update.service"
PATH = UPDATE.with_suffix(".path")
UNITS = sorted({*(ROOT / "systemd").glob("*.service")} - {UPDATE})
SOCKET = ROOT / "systemd" / "stichwart-director.socket"
ids = [unit.stem for unit in UNITS]

ANALYZE = shutil.which("systemd-analyze")
analyzed = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is missing; apt install systemd")

#: Tenths of systemd's exposure level (10 UNSAFE … 0 SAFE) that a unit may reach.
EXPOSURE = 15


def lines(unit: Path) -> list[tuple[str, str]]:
    text = [line for line in unit.read_text(encoding="utf-8").splitlines() if "=" in line and not line.startswith("#")]
    return [(name, value) for name, _, value in (line.partition("=") for line in text)]


@pytest.fixture
def here(tmp_path):
    """The units as they would stand with this checkout as the installed program."""
    for unit in (*UNITS, SOCKET, UPDATE, PATH):
        text = unit.read_text(encoding="utf-8").replace("/opt/stichwart/current", str(ROOT))
        text = text.replace("/opt/stichwart/launch", str(ROOT / "systemd" / "launch"))
        (tmp_path / unit.name).write_text(text, encoding="utf-8")
    return tmp_path


def analyze(*words: str | Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        [ANALYZE, *words], capture_output=True, text=True, timeout=60, env={**os.environ, "LC_ALL": "C", "PAGER": ""}
    )


def test_there_are_two_units():
    assert ids == ["stichwart-director", "stichwart-table"]


@analyzed
@pytest.mark.parametrize("unit", [*UNITS, SOCKET, UPDATE, PATH], ids=[*ids, "socket", "update", "path"])
def test_verify_is_silent(here, unit):
    done = analyze("verify", "--man=no", here / unit.name)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@analyzed
def test_verify_would_tell(here):
    """systemd-analyze returns 0 for a key that it does not know; its output is what counts."""
    unit = here / UNITS[0].name
    unit.write_text(unit.read_text(encoding="utf-8").replace("WatchdogSec=", "WatchdogSecs="), encoding="utf-8")
    assert "WatchdogSecs" in analyze("verify", "--man=no", unit).stderr


@analyzed
@pytest.mark.parametrize("unit", [*UNITS, UPDATE], ids=[*ids, "update"])
def test_exposure(here, unit):
    done = analyze("security", "--offline=true", "--no-pager", f"--threshold={EXPOSURE}", here / unit.name)
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("unit", UNITS, ids=ids)
def test_is_watched_and_comes_back(unit):
    values = dict(lines(unit))
    assert values["Type"] == "notify"
    assert int(values["WatchdogSec"]) > 0
    assert values["Restart"] == "always"
    assert values["StartLimitIntervalSec"] == "0"
    assert values["User"] == "stichwart"


@pytest.mark.parametrize("unit", UNITS, ids=ids)
def test_starts_a_command_that_there_is(unit):
    program, *words = shlex.split(dict(lines(unit))["ExecStart"])
    assert program == "/opt/stichwart/current/stichwart"
    assert parser().parse_args(words).config == Path(f"/etc/stichwart/{words[0]}.toml")


@pytest.mark.parametrize("unit", UNITS, ids=ids)
def test_documentation_is_there(unit):
    page = dict(lines(unit))["Documentation"].removeprefix("file:///opt/stichwart/current/")
    assert (ROOT / page).is_file()


def test_the_usual_port_is_opened_by_systemd_and_the_service_has_no_right_for_it():
    """The service starts without it as well, and whoever stops the service closes it."""
    director = UNITS[0]
    assert ("AmbientCapabilities", "") in lines(director) and ("CapabilityBoundingSet", "") in lines(director)
    assert ("Wants", SOCKET.name) in lines(director) and "Requires" not in dict(lines(director))
    assert {"ListenStream": "80", "Service": director.name, "PartOf": director.name}.items() <= dict(
        lines(SOCKET)
    ).items()


@pytest.mark.parametrize("unit", UNITS, ids=ids)
def test_the_launcher_decides_before_each_start_and_cannot_stop_it(unit):
    role = unit.stem.removeprefix("stichwart-")
    assert dict(lines(unit))["ExecStartPre"] == f"-+/opt/stichwart/launch {role}"
    assert os.access(ROOT / "systemd" / "launch", os.X_OK)


def test_roots_service_takes_what_lies_in_the_folder_and_has_no_capability():
    """Its folder is the one that the table lays bundles into, and it is the user's group that may."""
    program, *words = shlex.split(dict(lines(UPDATE))["ExecStart"])
    args = parser().parse_args(words)
    assert program == "/opt/stichwart/current/stichwart" and args.incoming and args.program == Path("/opt/stichwart")
    assert dict(lines(PATH))["DirectoryNotEmpty"] == str(Layout(args.program, args.state / "updates").incoming)
    assert {("User", "root"), ("Group", "stichwart"), ("CapabilityBoundingSet", "")} <= set(lines(UPDATE))
    tmpfiles = (ROOT / "systemd" / "tmpfiles.conf").read_text(encoding="utf-8")
    assert f"d {args.state}/updates/incoming 0770 stichwart stichwart -" in tmpfiles.splitlines()
