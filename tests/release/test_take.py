"""A bundle is laid beside what runs, wholly or not at all; a process that is killed leaves what runs as it was."""

import os
import signal
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from kiosk.cli import main
from kiosk.release import take as taking
from kiosk.release.bundle import BadBundle
from kiosk.release.layout import Layout
from kiosk.release.take import take
from kiosk.table.events.emergency import IN_MEMORY
from tests.release import tiny

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def quiet(_what: str, _share: float) -> None:
    """Say nothing."""


class Place:
    """An installation in which 0.1 runs, and its maker."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.layout = Layout(folder / "opt", folder / "updates")
        running = self.layout.release("0.1")
        running.mkdir(parents=True)
        (running / "ready").write_text("0.1\n")
        (running / "release.json").write_text('{"made": 1000}')
        (self.layout.program / "current").symlink_to("releases/0.1")
        self.private, public = tiny.maker(folder)
        public.rename(self.layout.keys)

    def bundle(self, works: str = "print('works')", **told: object) -> Path:
        count = len(list(self.folder.glob("program*")))
        program = tiny.program(self.folder / f"program{count}", works)
        return tiny.bundle(program, self.private, self.folder / f"{count}.bundle", **told)  # type: ignore[arg-type]

    def unchanged(self) -> bool:
        return self.layout.current == "0.1" and os.listdir(self.layout.program / "releases") == ["0.1"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_bundle_lies_beside_what_runs_and_works(place: Place) -> None:
    said: list[str] = []
    assert take(place.bundle(), place.layout, step=lambda what, _: said.append(what)) == "0.2"
    assert place.layout.is_ready("0.2") and place.layout.current == "0.1" and place.layout.made("0.2") == 2000
    assert list(dict.fromkeys(said)) == ["unpack", "install", "try"]
    venv = place.layout.release("0.2") / ".venv"
    assert subprocess.run([venv / "bin" / "python", "-c", "import pip"], capture_output=True, check=False).returncode
    again = take(place.bundle(), place.layout, step=quiet)
    assert again == "0.2"


@pytest.mark.parametrize(
    ("told", "code"),
    [
        pytest.param({"machine": "riscv64"}, "bundle_machine", id="another machine"),
        pytest.param({"python": "3.9"}, "bundle_machine", id="another Python"),
        pytest.param({"made": 999}, "bundle_older", id="older"),
        pytest.param({"works": "import nothing_of_this_name"}, "bundle_install", id="does not import"),
        pytest.param({"works": "raise SystemExit(3)"}, "bundle_install", id="ends"),
    ],
)
@pytest.mark.usefixtures("environment")
def test_what_cannot_be_used_is_refused_and_nothing_has_changed(
    place: Place, told: dict[str, object], code: str
) -> None:
    with pytest.raises(BadBundle) as refused:
        take(place.bundle(**told), place.layout, step=quiet)  # type: ignore[arg-type]
    assert refused.value.code == code and place.unchanged()


def test_a_bundle_that_becomes_another_one_while_it_is_taken_is_refused(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever lays bundles down for root may change the file: an older one of the maker's does not come in so."""
    bundle, older = place.bundle(), place.bundle(made=999)
    look = taking.look

    def looked(path: Path, keys: Path) -> object:
        found = look(path, keys)
        older.replace(bundle)
        return found

    monkeypatch.setattr(taking, "look", looked)
    with pytest.raises(BadBundle) as refused:
        take(bundle, place.layout, step=quiet)
    assert refused.value.code == "bundle_changed" and place.unchanged()


def test_a_machine_whose_card_takes_nothing_keeps_no_release(place: Place) -> None:
    (place.layout.state.parent / IN_MEMORY).touch()
    with pytest.raises(BadBundle) as refused:
        take(place.bundle(), place.layout, step=quiet)
    assert refused.value.code == "bundle_memory" and place.unchanged()


def test_a_full_disk_is_told_before_anything_is_written(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(taking.shutil, "disk_usage", lambda _: usage(1, 1, 1_000_000))
    with pytest.raises(BadBundle) as refused:
        take(place.bundle(), place.layout, step=quiet)
    assert refused.value.code == "bundle_room" and place.unchanged()


@pytest.mark.usefixtures("environment")
def test_older_is_taken_where_it_is_meant(place: Place) -> None:
    assert take(place.bundle(made=999), place.layout, older=True, step=quiet) == "0.2"


#: Runs take, and is killed at the n-th change of the disk or start of a process, as by a power loss.
_KILLED = """
import os, signal, sys
left = int(sys.argv[4])
def cut(event, arguments):
    global left
    changes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "subprocess.Popen", "shutil.rmtree")
    if changes or (event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
from pathlib import Path
from kiosk.release.layout import Layout
from kiosk.release.take import take
from kiosk.table.events.emergency import IN_MEMORY
from tests.release.environments import copy_from
import kiosk.release.signing
copy_from(Path(sys.argv[5]))
sys.addaudithook(cut)
take(Path(sys.argv[1]), Layout(Path(sys.argv[2]), Path(sys.argv[3])), step=lambda *_: None)
"""


def test_killed_anywhere_what_runs_is_as_it_was_and_the_next_try_takes_it(place: Place, environment: Path) -> None:
    bundle = place.bundle()
    words = [sys.executable, "-c", _KILLED, str(bundle), str(place.layout.program), str(place.layout.state)]
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = 0
    for left in (1, 2, 4, 7, 11, 16):
        done = subprocess.run(
            [*words, str(left), str(environment)], env=variables, capture_output=True, text=True, check=False
        )
        assert place.layout.current == "0.1"
        if done.returncode == -signal.SIGKILL:
            killed += 1
            assert not place.layout.is_ready("0.2")
    assert killed >= 5
    assert take(bundle, place.layout, step=quiet) == "0.2" and place.layout.is_ready("0.2")


def test_the_command_tells_what_the_disk_refuses(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle = place.bundle()
    (place.layout.program / "releases" / "0.2").write_text("a file where a folder should be")
    words = ["update", str(bundle), "--program", str(place.layout.program), "--state", str(tmp_path / "var")]
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "0.2" in told and "what runs is unchanged" in told and place.layout.current == "0.1"
