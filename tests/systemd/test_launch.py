"""What decides which release a service starts: switching, going back, and power loss between any two steps."""

import os
import subprocess
from pathlib import Path

import pytest

LAUNCH = Path(__file__).parents[2] / "systemd" / "launch"

#: Commands of the launcher that change something.
CHANGING = ("mv", "ln", "rm", "mkdir")


class Machine:
    """An installation with releases that are whole and hold nothing."""

    def __init__(self, folder: Path) -> None:
        self.opt, self.state = folder / "opt", folder / "var"
        self.updates = self.state / "updates"
        self.updates.mkdir(parents=True)
        for name in ("0.1", "0.2"):
            (self.opt / "releases" / name).mkdir(parents=True)
            (self.opt / "releases" / name / "ready").write_text(name + "\n")
        (self.opt / "current").symlink_to("releases/0.1")
        self.shims = folder / "shims"
        self.shims.mkdir()

    def start(self, role: str = "table", cut_at: int = 0) -> int:
        """A start of the service; the power is lost before the given change. Returns how many changes there were."""
        count = self.shims / "count"
        count.write_text("0")
        for name in CHANGING:
            shim = self.shims / name
            shim.write_text(
                f"#!/bin/sh\nn=$(($(cat {count}) + 1)); echo $n >{count}\n"
                f'[ "$n" != {cut_at} ] || kill -9 $PPID\n[ "$n" != {cut_at} ] || exit 1\nexec /bin/{name} "$@"\n'
            )
            shim.chmod(0o755)
        environment = {
            "PATH": f"{self.shims}:{os.environ['PATH']}",
            "STICHWART_OPT": str(self.opt),
            "STICHWART_STATE": str(self.state),
        }
        # With the unit's UMask, which holds for what it runs as root, too.
        done = subprocess.run([LAUNCH, role], env=environment, capture_output=True, text=True, check=False, umask=0o077)
        assert done.returncode == (-9 if cut_at else 0) or int(count.read_text()) < cut_at, done.stderr
        return int(count.read_text())

    def want(self, name: str) -> None:
        (self.updates / "switch").write_text(name + "\n")

    def came_up(self, role: str = "table") -> None:
        (self.updates / f"healthy-{role}").write_text(self.current + "\n")

    @property
    def current(self) -> str:
        return Path(os.readlink(self.opt / "current")).name

    @property
    def failed(self) -> str:
        path = self.opt / "failed"
        return path.read_text().strip() if path.exists() else ""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_start_like_any_other_changes_nothing(machine: Machine) -> None:
    machine.start()
    assert machine.current == "0.1" and not (machine.opt / "trial").exists()


def test_a_release_that_comes_up_stays(machine: Machine) -> None:
    machine.want("0.2")
    machine.start()
    assert machine.current == "0.2"
    machine.came_up()
    for _ in range(9):
        machine.start()
    assert (machine.current, machine.failed) == ("0.2", "")


def test_a_release_that_does_not_come_up_is_left_after_three_starts(machine: Machine) -> None:
    machine.want("0.2")
    assert [(machine.start(), machine.current)[1] for _ in range(4)] == ["0.2", "0.2", "0.2", "0.1"]
    assert machine.failed == "0.2"
    assert (machine.opt / "failed").stat().st_mode & 0o004, "the table reads it, or it would ask for it again for ever"
    machine.start()
    assert machine.current == "0.1"
    machine.want("0.2")  # somebody tries it again
    machine.start()
    assert (machine.current, machine.failed) == ("0.2", "")


def test_both_services_of_a_machine_must_come_up(machine: Machine) -> None:
    machine.want("0.2")
    machine.start("director")
    machine.came_up("director")
    for _ in range(4):
        machine.start("director")
        machine.start("table")
    assert (machine.current, machine.failed) == ("0.1", "0.2")


@pytest.mark.parametrize(
    "wanted",
    ["0.3", "../../etc", "", ".", "0.2/../../x", "a b"],
    ids=["not there", "outside", "empty", "dot", "path", "odd"],
)
def test_what_is_no_release_is_not_switched_to(machine: Machine, wanted: str) -> None:
    machine.want(wanted)
    machine.start()
    assert machine.current == "0.1" and not (machine.updates / "switch").exists()


def test_a_release_that_is_not_whole_is_not_switched_to(machine: Machine) -> None:
    (machine.opt / "releases" / "0.2" / "ready").unlink()
    machine.want("0.2")
    machine.start()
    assert machine.current == "0.1"


@pytest.mark.parametrize("broken", ["gone", "not whole"])
def test_without_a_release_to_start_another_is_taken(machine: Machine, broken: str) -> None:
    if broken == "gone":
        (machine.opt / "current").unlink()
    (machine.opt / "releases" / "0.1" / "ready").unlink()
    machine.start()
    assert machine.current == "0.2"


@pytest.mark.slow
def test_power_is_lost_before_any_change_of_a_switch(tmp_path: Path) -> None:
    """Whatever is cut, there is a release to start, and the one asked for runs in the end."""
    machine = Machine(tmp_path / "whole")
    machine.want("0.2")
    changes = machine.start()
    assert changes > 8
    for cut_at in range(1, changes + 1):
        machine = Machine(tmp_path / str(cut_at))
        machine.want("0.2")
        machine.start(cut_at=cut_at)
        assert machine.current in ("0.1", "0.2")
        machine.start()
        assert machine.current == "0.2", f"cut before change {cut_at}"
        machine.came_up()
        for _ in range(5):
            machine.start()
        assert (machine.current, machine.failed) == ("0.2", "")


@pytest.mark.slow
def test_power_is_lost_before_any_change_of_going_back(tmp_path: Path) -> None:
    def tried(folder: Path) -> Machine:
        machine = Machine(folder)
        machine.want("0.2")
        for _ in range(3):
            machine.start()
        assert machine.current == "0.2"
        return machine

    changes = tried(tmp_path / "whole").start()
    assert changes >= 3
    for cut_at in range(1, changes + 1):
        machine = tried(tmp_path / str(cut_at))
        machine.start(cut_at=cut_at)
        machine.start()
        assert (machine.current, machine.failed) == ("0.1", "0.2"), f"cut before change {cut_at}"


def test_where_the_disk_takes_nothing_the_wish_is_given_up_and_what_runs_goes_on(machine: Machine) -> None:
    """A wish that stayed would have the table make way again and again."""
    machine.want("0.2")
    shim = machine.shims / "sync"
    shim.write_text("#!/bin/sh\necho 'No space left on device' >&2\nexit 1\n")
    shim.chmod(0o755)
    environment = {
        "PATH": f"{machine.shims}:{os.environ['PATH']}",
        "STICHWART_OPT": str(machine.opt),
        "STICHWART_STATE": str(machine.state),
    }
    done = subprocess.run([LAUNCH, "table"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode and machine.current == "0.1" and not (machine.updates / "switch").exists()
    shim.unlink()
    machine.start()
    assert machine.current == "0.1"
