"""A card image in a virtual machine: what is on its screen, what a power cut leaves.

``./stichwart image --for amd64 --out build/stichwart-amd64.img`` makes the image that this looks for.
"""

import os
from pathlib import Path

import numpy as np
import pytest

from kiosk.bench.vm.machine import Machine, Picture, missing

IMAGE = Path(os.environ.get("STICHWART_IMAGE", Path(__file__).parents[2] / "build" / "stichwart-amd64.img"))
WHY_NOT = missing("amd64") or ("" if IMAGE.exists() else f"there is no image {IMAGE}; ./stichwart image makes it")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

#: For a start without acceleration on a machine that does other things as well, seconds.
START = 600


def drawn(picture: Picture) -> bool:
    """Report whether the table's screen is there: letters have many shades, a console and a loader few."""
    return len(np.unique(picture.reshape(-1, 3), axis=0)) > 60


@pytest.fixture
def machine(tmp_path):
    with Machine(IMAGE, tmp_path / "machine") as made:
        yield made


def test_starts_into_the_screen_and_a_power_cut_leaves_what_the_data_partition_holds(machine):
    machine.on()
    before = machine.wait_for_screen(drawn, START)
    shell = machine.shell
    assert shell.run("findmnt -no FSTYPE /").strip() == "overlay"
    assert int(shell.run("findmnt -bno SIZE /data")) > 2 << 30, "the data partition takes what the card has left"
    assert shell.run("systemctl is-active stichwart-table").strip() == "active"
    assert shell.run("systemctl --failed --no-legend").strip() == ""
    first = shell.run("cat /etc/machine-id").strip()
    shell.run("echo kept >/var/lib/stichwart/kept && sync /var/lib/stichwart/kept && echo gone >/usr/gone")

    machine.touch(*MORE)
    machine.wait_for_screen(lambda picture: drawn(picture) and changed(before, picture) > 0.05, 120)

    machine.cut_power()
    machine.on()
    machine.wait_for_screen(drawn, START)
    shell = machine.shell
    assert shell.run("cat /var/lib/stichwart/kept").strip() == "kept"
    assert "No such file" in shell.run("ls /usr/gone", check=False)
    assert shell.run("cat /etc/machine-id").strip() == first
    assert shell.run("systemctl --failed --no-legend").strip() == ""


#: Where a key lies that opens a sheet, in pixels of 800 × 480.
MORE = (760, 440)


def changed(one: Picture, other: Picture) -> float:
    """Return the share of pixels that differ."""
    return float(np.mean(np.any(one != other, axis=2)))
