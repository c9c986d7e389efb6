"""However a demo ends, it leaves no process and no folder."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FOLDER = (
    "import sys, time\nfrom kiosk.demo.passing_folder import passing_folder\n"
    "with passing_folder('stichwart-demo-') as folder:\n"
    "    (folder / 'deep').mkdir()\n    (folder / 'deep' / 'file').touch()\n"
    "    print(folder, flush=True)\n    sys.stdin.read(1)\n"
)
DIRECTOR = (
    "import sys, time\nfrom pathlib import Path\nfrom kiosk.director.process import DirectorProcess\n"
    "with DirectorProcess(['--port', '0', '--data', sys.argv[1]], patience=300) as director:\n"
    "    print(director.pid, flush=True)\n    sys.stdin.read(1)\n"
)


def until(what: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def of_mark(mark: str) -> list[int]:
    """Processes that were started with this word in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and f"MARK={mark}\0".encode() in (entry / "environ").read_bytes() + b"\0":
                found.append(int(entry.name))
        except OSError:
            continue
    return [pid for pid in found if Path(f"/proc/{pid}/stat").exists() and " Z " not in _stat(pid)]


def _stat(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return " Z "


def hears_hang_up() -> None:
    """Undo what nohup does to the tests: a program that is to go on without its terminal does so."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Started:
    """A program with folders of its own, whose processes are found again."""

    def __init__(self, folder: Path, *command: str) -> None:
        self.mark, self.files = str(folder), folder / "tmp"
        self.files.mkdir()
        self.process = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env={**os.environ, "MARK": self.mark, "TMPDIR": str(self.files), "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            preexec_fn=hears_hang_up,
        )

    def says(self, beginning: str = "") -> str:
        assert self.process.stdout is not None
        return next(line.strip() for line in self.process.stdout if line.startswith(beginning))

    def nothing_is_left(self) -> bool:
        return not of_mark(self.mark) and not list(self.files.iterdir())


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    made: list[Started] = []

    def start(*command: str) -> Started:
        made.append(Started(tmp_path, *command))
        return made[-1]

    yield start
    for one in made:
        for pid in of_mark(one.mark):
            os.kill(pid, signal.SIGKILL)
        with one.process:  # its pipes are closed
            pass


def test_a_folder_goes_with_its_process(start: Callable[..., Started]) -> None:
    one = start("-c", FOLDER)
    folder = Path(one.says())
    assert (folder / "deep" / "file").exists()
    assert one.process.stdin is not None
    one.process.stdin.close()
    assert one.process.wait(60) == 0 and not folder.exists()
    until(one.nothing_is_left)


def test_a_folder_goes_with_its_process_that_is_killed(start: Callable[..., Started]) -> None:
    one = start("-c", FOLDER)
    folder = Path(one.says())
    os.killpg(one.process.pid, signal.SIGKILL)  # all of a terminal's processes
    until(one.nothing_is_left)
    assert not folder.exists()


def test_a_director_ends_with_the_process_that_started_it(start: Callable[..., Started], tmp_path: Path) -> None:
    one = start("-c", DIRECTOR, str(tmp_path / "data"))
    director = int(one.says())
    assert director in of_mark(one.mark)
    one.process.kill()
    until(lambda: not of_mark(one.mark))


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGKILL], ids=["terminal closed", "killed"])
def test_a_demo_that_is_ended_leaves_nothing(start: Callable[..., Started], number: signal.Signals) -> None:
    one = start("-m", "kiosk.cli", "demo", "--headless", "--games", "2")
    one.says("director:")
    assert len(of_mark(one.mark)) >= 3 and list(one.files.iterdir())  # head, director, camera
    one.process.send_signal(number)
    assert one.process.wait(60) == (-number if number == signal.SIGKILL else 128 + number)
    until(one.nothing_is_left)


def test_a_demo_whose_camera_is_killed_leaves_nothing(start: Callable[..., Started]) -> None:
    one = start("-m", "kiosk.cli", "demo", "--headless", "--games", "2")
    one.says("director:")
    camera = [pid for pid in of_mark(one.mark) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(camera[0], signal.SIGKILL)
    assert one.process.wait(60) == 2
    until(one.nothing_is_left)
