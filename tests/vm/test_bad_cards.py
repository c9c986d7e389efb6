"""A card in a virtual machine that takes nothing, or whose data partition is dead: a screen that says so comes up."""

from pathlib import Path

import pytest

from kiosk.bench.vm.machine import Machine
from tests.vm.booted import START, WHY_NOT, configure, drawn, in_order, warned
from tests.vm.directed import Direction
from tests.vm.directing import broken_release

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


def test_a_card_that_takes_nothing_gives_a_screen_that_says_so(
    machine: Machine, direction: Direction, maker: tuple[Path, Path], tmp_path: Path
) -> None:
    """Switched off in good order, so its data partition can be mounted, read-only; and no release is taken."""
    configure(machine, direction.table_file())
    shell = machine.shell
    shell.run("rm -f /etc/stichwart/director.toml; nmcli connection add con-name halle type wifi ssid Halle")
    machine.off(START)
    machine.on(protected=True)
    direction.until(lambda row: row["status"].get("storage"), START)
    machine.wait_for_screen(drawn, START)
    in_order(machine)
    shell = machine.shell
    assert shell.run("findmnt -no FSTYPE /data").strip() == "tmpfs"
    assert "id=halle" in shell.run("cat /etc/NetworkManager/system-connections/halle.nmconnection")

    direction.bring(broken_release(tmp_path, maker[0], "9.7"), "9.7")
    direction.until(lambda row: row["status"].get("release", {}).get("code") == "bundle_memory", START)
    assert len(shell.run("ls /opt/stichwart/releases").split()) == 1


def test_a_dead_data_partition_gives_a_screen_that_says_so(machine: Machine) -> None:
    machine.cut_power()
    machine.spoil_data()
    machine.on()
    machine.wait_for_screen(warned, START)
    in_order(machine)
    shell = machine.shell
    assert shell.run("findmnt -no FSTYPE /data").strip() == "tmpfs"
    assert "lies in memory" in shell.run("journalctl -u stichwart-table")
