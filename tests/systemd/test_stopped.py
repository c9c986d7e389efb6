"""Table and direction as they are, stopped: ended and begun anew as their units say, with the units' own times.

systemd's part is played by a supervisor that reads the unit (``supervisor.py``).
"""

import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.supervisor import UNITS, Supervisor

pytestmark = pytest.mark.slow

#: For a machine that does other things as well, seconds.
LONGEST_S = 180.0


def free_port() -> int:
    with socket.socket() as line:
        line.bind(("127.0.0.1", 0))
        return int(line.getsockname()[1])


@pytest.fixture(params=["table", "director"])
def service(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Supervisor]:
    role = request.param
    config = (UNITS / f"{role}.toml").read_text(encoding="utf-8").replace("/var/lib/stichwart", str(tmp_path / "state"))
    config = config.replace('host = "0.0.0.0"', 'host = "127.0.0.1"').replace("port = 8377", f"port = {free_port()}")
    file, program = tmp_path / f"{role}.toml", tmp_path / "stichwart"
    (tmp_path / "state").mkdir()
    file.write_text(config, encoding="utf-8")
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m kiosk.cli "$@"\n')
    program.chmod(0o755)
    replaced = {
        "/opt/stichwart/launch": "/bin/true",
        "/opt/stichwart/current/stichwart": str(program),
        f"/etc/stichwart/{role}.toml": str(file),
    }
    screen = {"SDL_VIDEODRIVER": "offscreen", "KIVY_NO_CONSOLELOG": "1", "KIVY_NO_FILELOG": "1"}
    folders = {"HOME": tmp_path, "KIVY_HOME": tmp_path / "kivy", "XDG_CACHE_HOME": tmp_path / "cache"}
    path = {"PYTHONPATH": str(UNITS.parent)}
    made = Supervisor(role, tmp_path, replaced, screen | path | {name: str(folder) for name, folder in folders.items()})
    assert made.run(lambda: made.ready, LONGEST_S), (tmp_path / "journal").read_text()
    yield made
    made.stop()


def test_a_service_that_is_stopped_is_begun_anew(service: Supervisor) -> None:
    service.send(signal.SIGSTOP)
    stopped = time.monotonic()
    assert service.run(lambda: service.starts == 2 and service.ready, LONGEST_S)
    print(f"at work {time.monotonic() - stopped:.1f} s after it was stopped")
