"""Real tables, as processes of their own, on a disk that is mounted read-only or full; unplugged without warning."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.table.events import emergency
from kiosk.table.events.log_file import LogFile
from tests.waiting import until

pytestmark = pytest.mark.slow

KEY = ListKey("t", 1, 7)
SECRET = "t7.geheim"


class Process:
    """``stichwart table --headless`` in a group of its own."""

    def __init__(self, folder: Path, data: Path, url: str) -> None:
        folder.mkdir()
        config = folder / "table.toml"
        config.write_text(
            f'table = 7\ndata = "{data}"\n'
            f'[director]\nurl = "{url}"\ntoken = "{SECRET}"\ntournament = "t"\n'
            f'[camera]\nsource = "v4l2:/dev/none"\n[deck]\nname = "egal"\nfolder = "{folder}"\n'
            '[round]\nplayers = ["Anna", "Bernd", "Cem", "Dora"]\n'
            '[pins]\ndisplay = "none"\nlamps = []\nreferee_lamp = "none"\nbuzzer = "none"\nbutton = "none"\n'
        )
        self.said = folder / "said"
        with self.said.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kiosk.cli", "table", "--config", str(config), "--headless"],
                stdout=said,
                stderr=said,
                start_new_session=True,
                env={**os.environ, "GPIOZERO_PIN_FACTORY": "mock"},
            )

    @property
    def up(self) -> bool:
        return self._process.poll() is None

    def unplug(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    for data in (folder, folder / "data"):  # what an unplugged table had in memory
        shutil.rmtree(emergency.memory_folder(data / "table.sqlite"), ignore_errors=True)


def card(service: Service) -> dict[str, Any]:
    return dict(service.app.state.feed.card(KEY))


@pytest.mark.parametrize("trouble", ["read-only", "full"])
def test_a_dead_card_at_the_start_is_told_and_a_spare_goes_on(tmp_path: Path, disk: Path, trouble: str) -> None:
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="24681357")
    if trouble == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    else:
        with (disk / "rubbish").open("wb") as rubbish:
            subprocess.run(["cat", "/dev/zero"], stdout=rubbish, stderr=subprocess.DEVNULL, check=False)
    with Service(settings) as service:
        service.enrol(7, SECRET)
        store = service.app.state.hall.store
        table = Process(tmp_path / "table", disk / "data" if trouble == "read-only" else disk, service.url)
        try:
            until(lambda: not table.up or card(service)["status"].get("storage") == "sent", 90)
            assert table.up, table.said.read_text()[-2000:]
            until(lambda: store.read(KEY), 60)
            opened = store.read(KEY)
        finally:
            table.unplug()
        spare = Process(tmp_path / "spare", tmp_path / "spare" / "data", service.url)
        try:
            until(lambda: not spare.up or "taken over from the director" in spare.said.read_text(), 90)
            until(lambda: card(service)["connected"] and not card(service)["status"].get("storage"))
            assert spare.up and store.read(KEY)[: len(opened)] == opened and not card(service)["conflict"]
        finally:
            spare.unplug()


def test_a_card_that_was_full_at_the_start_is_written_as_soon_as_there_is_room(tmp_path: Path, disk: Path) -> None:
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, pin="24681357")
    with (disk / "rubbish").open("wb") as rubbish:
        subprocess.run(["cat", "/dev/zero"], stdout=rubbish, stderr=subprocess.DEVNULL, check=False)
    with Service(settings) as service:
        service.enrol(7, SECRET)
        table = Process(tmp_path / "table", disk, service.url)
        try:
            until(lambda: not table.up or card(service)["status"].get("storage") == "sent", 90)
            (disk / "rubbish").unlink()
            until(lambda: not table.up or not card(service)["status"].get("storage"), 90)
            assert table.up, table.said.read_text()[-2000:]
        finally:
            table.unplug()
        noted = service.app.state.hall.store.read(KEY)
    with LogFile(disk / "table.sqlite") as file:
        assert [event for _, event in file.log("t", 7, 1).read()] == noted != []
