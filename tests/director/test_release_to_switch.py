"""The whole way of a release: uploaded to a direction, over a table's line, through root's service, to the launcher."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kiosk.app.kiosk import Kiosk
from kiosk.app.release_desk import ReleaseDesk
from kiosk.release.layout import Layout
from kiosk.sync.line import Line
from tests.director.test_releases import KIND, Events, Hall, Makes
from tests.hw.test_stick import FakeSticks
from tests.systemd.supervisor import UNITS, Watched

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


class Table:
    """A machine that runs 0.1: its program's loop, its line, root's path unit, and the launcher at a start."""

    def __init__(self, hall: Hall, folder: Path) -> None:
        self.hall, self.layout = hall, Layout(folder / "opt", folder / "var" / "updates")
        self.layout.incoming.mkdir(parents=True)
        running = self.layout.release("0.1")
        running.mkdir(parents=True)
        (running / "ready").write_text("0.1\n")
        (running / "release.json").write_text('{"made": 1000}')
        (self.layout.program / "current").symlink_to("releases/0.1")
        self.layout.keys.write_bytes((hall.makes.layout.keys).read_bytes())
        replaced = {
            "/opt/stichwart/current/stichwart update": f"{sys.executable} -m kiosk.cli update"
            f" --program {self.layout.program} --state {self.layout.state.parent}",
            "/var/lib/stichwart/updates": str(self.layout.state),
        }
        self.root = Watched(replaced)
        self.secret = hall.service.enrol(7)
        self.rests = False
        self.begin()

    def begin(self) -> None:
        """The program starts; before that the launcher decides which."""
        environment = {**os.environ, "STICHWART_OPT": str(self.layout.program), "PYTHONPATH": str(ROOT)}
        environment["STICHWART_STATE"] = str(self.layout.state.parent)
        subprocess.run([UNITS / "launch", "table"], env=environment, check=True, capture_output=True)
        self.kiosk = Kiosk(None, now=time.monotonic)
        self.releases = ReleaseDesk(
            self.layout,
            FakeSticks(self.layout.state),
            deliver=self.kiosk.deliver,
            screen=lambda: None,
            at_rest=lambda: self.rests,
        )
        self.kiosk.add(self.releases)
        self.line = Line(self.hall.service.url, self.secret, "t", 7, 1, Events(False), self.kiosk.deliver,
                         ask_plan=True, releases=KIND, slowest=0.1)  # fmt: skip
        self.line.start()

    def end(self) -> None:
        self.line.stop()

    def run(self, until: Any, seconds: float = 90.0) -> None:
        """Work, and let root work, until the direction sees something."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, self.hall.row(7)["status"]
            self.kiosk.beat()
            self.line.tell({"version": self.layout.current, **self.kiosk.report})
            self.root.run({"PYTHONPATH": str(ROOT)})
            time.sleep(0.02)

    def state(self) -> str:
        return str(self.hall.row(7)["status"].get("release", {}).get("state", ""))


def test_one_press_brings_a_release_to_a_table_that_comes_up_with_it(tmp_path: Path) -> None:
    makes = tmp_path / "makes"
    makes.mkdir()
    hall = Hall(Makes(makes))
    table = Table(hall, tmp_path)
    try:
        hall.upload()
        assert hall.wish().json() == {"tables": None}
        table.run(lambda: table.state() == "waits")
        assert table.layout.is_ready("0.2") and table.layout.current == "0.1" and table.layout.wanted == "0.2"
        table.end()
        table.begin()
        assert table.layout.current == "0.2"
        table.run(lambda: table.state() == "runs")
        assert hall.row(7)["status"]["version"] == "0.2"
    finally:
        table.end()
        hall.end()
