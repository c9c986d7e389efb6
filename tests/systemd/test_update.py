"""Updates of a service that runs: real processes, the real launcher, a program that is as small as can be.

systemd's part is played by a supervisor that reads the unit (``supervisor.py``).
"""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.supervisor import UNITS, Supervisor

pytestmark = pytest.mark.slow

#: A service: what it does as the release it is, given the folder of its state.
_SERVICE = """
import os, socket, sys, time
name, state = os.path.basename(os.path.dirname(os.path.realpath(__file__))), sys.argv[1]
def tell(text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(text.encode(), os.environ["NOTIFY_SOCKET"])
open(state + "/ran", "a").write(name + "\\n")
WORKS = {works!r}
if WORKS == "ends":
    sys.exit(1)
def hang():
    tell("HANGS=1")  # nothing more comes: its supervisor need not wait for that
    time.sleep(3600)
if WORKS == "never ready":
    hang()
tell("READY=1")
if WORKS == "hangs":
    hang()
time.sleep(0.1)
os.makedirs(state + "/updates", exist_ok=True)
open(state + "/updates/healthy-table", "w").write(name + "\\n")
while not os.path.exists(state + "/updates/switch"):  # at rest
    tell("WATCHDOG=1")
    time.sleep(0.1)
"""


class Installed:
    """A machine whose table runs 0.1."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.opt, self.state = folder, folder / "opt", folder / "var"
        (self.state / "updates").mkdir(parents=True)
        self.release("0.1", "works")
        (self.opt / "current").symlink_to("releases/0.1")
        replaced = {
            "/opt/stichwart/launch": str(UNITS / "launch"),
            "/opt/stichwart": str(self.opt),
            "RestartSec=3": "RestartSec=0.1",
        }
        environment = {"STICHWART_OPT": str(self.opt), "STICHWART_STATE": str(self.state)}
        self.service = Supervisor("table", folder, replaced, environment)

    def release(self, name: str, works: str) -> None:
        folder = self.opt / "releases" / name
        folder.mkdir(parents=True)
        (folder / "service.py").write_text(_SERVICE.replace("{works!r}", repr(works)))
        start = folder / "stichwart"
        start.write_text(f'#!/bin/sh\nexec {sys.executable} "$(dirname "$0")/service.py" {self.state}\n')
        start.chmod(0o755)
        (folder / "ready").write_text(name + "\n")

    def want(self, name: str) -> None:
        (self.state / "updates" / "switch").write_text(name + "\n")

    def healthy(self) -> str:
        path = self.state / "updates" / "healthy-table"
        return path.read_text().strip() if path.exists() else ""

    def ran(self) -> list[str]:
        return (self.state / "ran").read_text().split()


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Installed]:
    machine = Installed(tmp_path)
    assert machine.service.run(lambda: machine.healthy() == "0.1", 60)
    yield machine
    machine.service.stop()


def test_a_good_release_is_switched_to_and_stays(installed: Installed) -> None:
    installed.release("0.2", "works")
    installed.want("0.2")
    assert installed.service.run(lambda: installed.healthy() == "0.2", 60)
    assert installed.ran() == ["0.1", "0.2"]


@pytest.mark.parametrize("works", ["ends", "never ready", "hangs"])
def test_a_release_that_does_not_come_up_is_left_by_itself(installed: Installed, works: str) -> None:
    installed.release("0.2", works)
    (installed.state / "updates" / "healthy-table").unlink()
    installed.want("0.2")
    assert installed.service.run(lambda: installed.healthy() == "0.1", 120)
    ran = installed.ran()  # a start that the machine was too slow for has not even written that
    assert [one for one, _ in itertools.groupby(ran)] == ["0.1", "0.2", "0.1"] and ran.count("0.2") <= 3
    assert (installed.opt / "failed").read_text().strip() == "0.2"
