"""A card image in a virtual machine: what is on its screen, what a touch does, what stops, what power cuts leave.

It is started once for all; the tests go on from there. Which image: ``tests/vm/booted.py``.
"""

import random
import re
import subprocess
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.bench.vm import flushes
from kiosk.bench.vm.machine import Machine
from kiosk.bench.vm.suites import make_disk, run
from kiosk.bench.vm.webcam import Webcam
from kiosk.table.events.log_file import LogFile
from tests.vm.booted import ARCHITECTURE, PROCESSOR, START, WHY_NOT, changed, checked, configure, drawn, in_order
from tests.vm.directed import Direction
from tests.vm.directing import broken_release
from tests.vm.faults import ended_by_the_watchdog, go_back_logged, mounted

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

#: Power cuts that are made of one run, each at an event that was acknowledged.
CUTS = 60

#: Appends events as the table does, each on the disk before its number is said.
WRITER = f"""
from pathlib import Path
from kiosk.table.events.log_file import LogFile
with LogFile(Path("/var/lib/stichwart/cuts.sqlite")) as file:
    log = file.log("cup", 7, 1)
    for number in range({CUTS}):
        print("acknowledged", log.append({{"event": "card", "seat": number % 4 + 1, "card": "CA"}}), flush=True)
"""


def test_starts_into_the_screen_answers_a_finger_and_is_shut_in(machine: Machine) -> None:
    before, shell = machine.wait_for_screen(checked, START), machine.shell
    in_order(machine)
    assert int(shell.run("findmnt -bno SIZE /data")) > 2 << 30, "the data partition takes what the card has left"
    for unit in ("stichwart-table", "stichwart-director"):
        told = shell.run(f"systemd-analyze security --no-pager --threshold=15 {unit}.service", timeout=START)
        assert "Overall exposure level" in told

    machine.touch_until(NEXT, lambda picture: drawn(picture) and changed(before, picture) > 0.03, START)


#: Suites that want a kernel's own drivers, and the modules that answer them.
SUITES = (
    "tests/hw/test_stick.py",
    "tests/hw/test_keyboards.py",
    "tests/vision/camera/test_controls.py",
    "tests/vision/camera/test_real_webcam.py",
)
MODULES = "modprobe -a loop vfat exfat uinput && udevadm settle"
#: The display's bus is simulated by a module that Debian's kernel has for a PC alone.
ON_A_PC = "tests/hw/test_clock_display.py"
PC_MODULES = f"modprobe i2c-dev && modprobe i2c-stub chip_addr=0x70 && {MODULES}"
#: Those of their tests that ask a kernel, and how many there are at least.
ASK_A_KERNEL = "ext4 or vfat or exfat or kernel or webcam or (real and not program)"
LEAST = {"amd64": 30, "arm64": 20}


def test_suites_pass_on_the_kernel_s_own_drivers(machine: Machine, tmp_path: Path) -> None:
    """Mounts of vfat, exfat and ext4 on loop devices, a keyboard of uinput, a bus of i2c-stub, a webcam of uvcvideo."""
    suites, modules = ((*SUITES, ON_A_PC), PC_MODULES) if ARCHITECTURE == "amd64" else (SUITES, MODULES)
    still = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()
    machine.shell.run("systemctl stop stichwart-table")
    with closing(Webcam(machine.plug_in_program("webcam"), lambda: still)) as webcam:
        machine.shell.run("until v4l2-ctl -d /dev/video0 --all | grep -q uvcvideo; do sleep 0.5; done")
        found = run(machine, make_disk(tmp_path, PROCESSOR), suites, ASK_A_KERNEL, modules, START)
        set_by_it = dict(webcam.values)
    machine.pull_out_program("webcam")
    assert set_by_it["power_line_frequency"] == 1 and set_by_it["exposure_time_absolute"] % 100 == 0
    assert not [one for one in found if one.state == "failed"]
    assert [one.name for one in found if one.state == "skipped"] == []
    assert len(found) >= LEAST[ARCHITECTURE]
    # It may have been too slow for its time to end in.
    machine.shell.run("systemctl reset-failed; systemctl start --no-block stichwart-table")


def test_what_stops_is_begun_anew_and_a_cable_that_was_pulled_is_no_matter(
    machine: Machine, direction: Direction
) -> None:
    configure(machine, direction.table_file())
    machine.shell.run("systemctl restart --no-block stichwart-table")
    direction.until(lambda row: row["connected"], START)

    machine.network(plugged=False)
    direction.until(lambda row: not row["connected"], START)
    machine.network(plugged=True)
    direction.until(lambda row: row["connected"], START)

    ended_by_the_watchdog(machine, "stichwart-table")
    direction.until(lambda row: row["connected"], START)
    machine.wait_for_screen(drawn, START)


def test_vision_that_stops_is_begun_anew(machine: Machine, direction: Direction) -> None:
    shell = machine.shell
    # It has said that there is no camera, so it is up.
    direction.until(lambda row: row["status"].get("no_camera"), START)
    begun = shell.run(VISION).strip()
    stopped = float(shell.run(f"kill -STOP {begun}; date +%s.%N"))
    shell.run(f"while kill -0 {begun} 2>/dev/null; do sleep 0.2; done")
    shell.run(f'until [ -n "$({VISION})" ]; do sleep 0.2; done')
    begun_after = float(shell.run("date +%s.%N")) - stopped
    assert shell.run(VISION).strip() != begun
    said = "journalctl -u stichwart-table --no-pager -o short-unix -g 'trouble_desk: camera'"
    shell.run(f"until {said} | grep -A 1 'vision was silent' | grep -q 'there is no'; do sleep 1; done")
    *_, missed, back = shell.run(said).splitlines()
    assert re.search(r"vision was silent for 1[0-4] s", missed), missed  # looked at now and then
    print(f"begun after {begun_after:.1f} s, at work after {float(back.split()[0]) - stopped:.1f} s")


#: Prints the process that watches the mat, a child of the table's.
VISION = (
    "for one in $(cat /proc/$(systemctl show -P MainPID stichwart-table)/task/*/children 2>/dev/null);"  # threads end
    " do grep -q spawn_main /proc/$one/cmdline && echo $one; done"
)


def test_a_release_that_does_not_come_up_is_left_by_itself(
    machine: Machine, direction: Direction, maker: tuple[Path, Path], tmp_path: Path
) -> None:
    shell = machine.shell
    bundle = broken_release(tmp_path, maker[0], "9.9")
    runs = shell.run("readlink /opt/stichwart/current").strip()

    direction.bring(bundle, "9.9")
    direction.until(lambda row: row["status"].get("release", {}).get("code") == "bundle_failed", START)
    assert shell.run("readlink /opt/stichwart/current").strip() == runs
    assert shell.run("cat /opt/stichwart/failed").strip() == "9.9"
    said = shell.run("journalctl -u stichwart-table --no-pager")
    assert "launch: 9.9 has not come up in 3 starts; going back to" in said
    machine.wait_for_screen(drawn, START)


def listed(data: Path) -> int:
    """Count the events that a data partition has after a power cut."""
    with mounted(data) as place, LogFile(place / "lists/cuts.sqlite") as file:
        return len(file.log("cup", 7, 1).read())


def test_power_cuts_leave_what_was_acknowledged(machine: Machine) -> None:
    start, data, log = go_back_logged(machine)
    torn, shell = machine.folder / "torn.img", machine.shell
    in_order(machine)
    shell.run(f"cat >/tmp/writer.py <<'END'\n{WRITER}\nEND")
    run = "cd /opt/stichwart/current && PYTHONPATH=. .venv/bin/python /tmp/writer.py"
    acknowledged = {}
    for line in shell.follow(run, timeout=START):
        assert line.startswith("acknowledged "), line
        acknowledged[int(line.split()[1])] = flushes.count(log)
    machine.cut_power()
    assert list(acknowledged) == list(range(CUTS))

    writes = list(flushes.read(log, flushes.count(log)))
    chance, done, seen = random.Random(1), 0, []
    for number, position in acknowledged.items():
        kept = flushes.last_flush(writes, position)
        flushes.apply(log, writes[done:kept], data, start)
        done = kept
        seen.append(listed(data))
        assert seen[-1] > number, "an event that was acknowledged is gone"
        # The same with some of what was on its way: a card may keep any of it.
        end = next((at for at in range(kept, len(writes)) if writes[at].flush), len(writes))
        subprocess.run(["cp", "--sparse=always", data, torn], check=True)
        flushes.apply(log, [write for write in writes[kept:end] if chance.random() < 0.5], torn, start)
        assert listed(torn) > number
    assert seen == sorted(seen) and seen[-1] == CUTS
    for file in (log, torn, data, data.with_name("cut.img")):
        file.unlink()


#: Where each step of a first start leads on, in pixels of 800 × 480.
NEXT = (596, 440)
