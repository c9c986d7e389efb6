"""A card image in a virtual machine: what is on its screen, what a touch does, what power cuts and a dead card leave.

It is started once for all; most tests go on from there. Which image: ``tests/vm/booted.py``.
"""

import os
import random
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest

from kiosk.bench.vm import flushes
from kiosk.bench.vm.machine import Machine
from kiosk.bench.vm.suites import make_disk, run
from kiosk.bench.vm.webcam import Webcam
from kiosk.table.events.log import LogFile
from tests.vm.booted import IMAGE, START, UP, WHY_NOT, changed, checked, configure, drawn, in_order, warned
from tests.vm.directed import Direction
from tests.vm.directing import ROOT, Page, broken_release, whole_release

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]

#: Power cuts that are made of one run, each at an event that was acknowledged.
CUTS = 60

#: Appends events as the table does, each on the disk before its number is said.
WRITER = f"""
from pathlib import Path
from kiosk.table.events.log import LogFile
with LogFile(Path("/var/lib/stichwart/cuts.sqlite")) as file:
    log = file.log("cup", 7, 1)
    for number in range({CUTS}):
        print("acknowledged", log.append({{"event": "card", "seat": number % 4 + 1, "card": "CA"}}), flush=True)
"""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, started: Path) -> Iterator[Machine]:
    with Machine(IMAGE, tmp_path_factory.mktemp("machine"), like=started) as made:
        made.on()
        made.go_back(UP)
        yield made


def test_starts_into_the_screen_answers_a_finger_and_is_shut_in(machine: Machine) -> None:
    before, shell = machine.wait_for_screen(checked, START), machine.shell
    in_order(machine)
    assert int(shell.run("findmnt -bno SIZE /data")) > 2 << 30, "the data partition takes what the card has left"
    for unit in ("stichwart-table", "stichwart-director"):
        told = shell.run(f"systemd-analyze security --no-pager --threshold=15 {unit}.service", timeout=600)
        assert "Overall exposure level" in told

    machine.touch_until(NEXT, lambda picture: drawn(picture) and changed(before, picture) > 0.03, START)


#: Suites that want a kernel's own drivers, and the modules that answer them.
SUITES = (
    "tests/hw/test_stick.py",
    "tests/hw/test_keyboards.py",
    "tests/hw/test_clock_display.py",
    "tests/vision/camera/test_controls.py",
    "tests/vision/camera/test_real_webcam.py",
)
#: Those of their tests that ask a kernel.
ASK_A_KERNEL = "ext4 or vfat or exfat or kernel or webcam or (real and not program)"
MODULES = "modprobe -a loop vfat exfat uinput i2c-dev && modprobe i2c-stub chip_addr=0x70 && udevadm settle"


def test_suites_pass_on_the_kernel_s_own_drivers(machine: Machine, tmp_path: Path) -> None:
    """Mounts of vfat, exfat and ext4 on loop devices, a keyboard of uinput, a bus of i2c-stub, a webcam of uvcvideo."""
    still = cv2.imencode(".jpg", np.full((720, 1280, 3), 90, np.uint8))[1].tobytes()
    machine.shell.run("systemctl stop stichwart-table")
    webcam = Webcam(machine.plug_in_program("webcam"), lambda: still)
    machine.shell.run("until v4l2-ctl -d /dev/video0 --all | grep -q uvcvideo; do sleep 0.5; done")
    found = run(machine, make_disk(tmp_path), SUITES, ASK_A_KERNEL, MODULES, START)
    set_by_it = dict(webcam.values)
    webcam.close()
    machine.pull_out_program("webcam")
    assert set_by_it["power_line_frequency"] == 1 and set_by_it["exposure_time_absolute"] % 100 == 0
    assert not [one for one in found if one.state == "failed"]
    assert [one.name for one in found if one.state == "skipped"] == []
    assert len(found) >= 30
    # It may have been too slow for its time to end in.
    machine.shell.run("systemctl reset-failed; systemctl start --no-block stichwart-table")


def ended_by_the_watchdog(machine: Machine, service: str) -> None:
    """Stop a service's process, and wait until systemd has ended it, as its unit says, after 10 seconds."""
    shell = machine.shell
    shell.run(f"until [ $(systemctl show -P SubState {service}) = running ]; do sleep 1; done", timeout=START)
    begun = shell.run(f"systemctl show -P MainPID {service}").strip()
    # The patience that this machine has without acceleration, back to what the unit says.
    shell.run(f"python3 -c '{NOTIFY}' {begun} WATCHDOG_USEC=10000000 && kill -STOP {begun}")
    shell.run(f"while kill -0 {begun} 2>/dev/null; do sleep 0.2; done")
    assert "Watchdog timeout (limit 10s)!" in shell.run(f"journalctl -u {service} --no-pager")


def go_back_logged(machine: Machine) -> tuple[int, Path, Path]:
    """Have it go on from its first page with a log of what is written onto its card.

    :return: where its data partition begins, bytes; a copy of that as it was; the log.
    """
    machine.cut_power()
    machine.put_back(UP)
    start, data = machine.data_partition()
    log = machine.folder / "log"
    machine.on()
    machine.go_back(UP, log)
    return start, data, log


@pytest.fixture(scope="module")
def card(machine: Machine) -> tuple[int, Path, Path]:
    """What is written onto the card while the machine is a direction, as :func:`go_back_logged` gives it."""
    return go_back_logged(machine)


@pytest.fixture(scope="module")
def page(machine: Machine, card: tuple[int, Path, Path]) -> Iterator[Page]:
    """Make the machine a direction, and no table meanwhile."""
    machine.shell.run("systemctl stop stichwart-table; rm /etc/stichwart/table.toml", timeout=START)
    made = Page(machine, START)
    yield made
    made.close()


def test_what_stops_is_begun_anew_and_a_cable_that_was_pulled_is_no_matter(
    machine: Machine, direction: Direction
) -> None:
    configure(machine, direction.table_file())
    machine.shell.run("systemctl restart --no-block stichwart-table")
    direction.until(lambda row: row["connected"], START)

    machine.network(plugged=False)
    direction.until(lambda row: not row["connected"], 120)
    machine.network(plugged=True)
    direction.until(lambda row: row["connected"], 120)

    ended_by_the_watchdog(machine, "stichwart-table")
    direction.until(lambda row: row["connected"], START)
    machine.wait_for_screen(drawn, START)


def test_vision_that_stops_is_begun_anew(machine: Machine, direction: Direction) -> None:
    shell = machine.shell
    # It has said that there is no camera, so it is up.
    direction.until(lambda row: row["status"].get("no_camera"), START)
    begun = shell.run(VISION).strip()
    shell.run(f"kill -STOP {begun}")
    shell.run(f"while kill -0 {begun} 2>/dev/null; do sleep 0.2; done")
    assert "vision was silent for 10 s; starting it again" in shell.run("journalctl -u stichwart-table --no-pager")
    shell.run(f'until [ -n "$({VISION})" ]; do sleep 0.2; done')
    assert shell.run(VISION).strip() != begun


#: Prints the process that watches the mat, a child of the table's.
VISION = (
    "for one in $(cat /proc/$(systemctl show -P MainPID stichwart-table)/task/*/children);"
    " do grep -q spawn_main /proc/$one/cmdline && echo $one; done"
)

#: Tells systemd something in the name of another process, which root may.
NOTIFY = (
    "import socket, struct, sys; line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM);"
    'whose = (socket.SOL_SOCKET, socket.SCM_CREDENTIALS, struct.pack("3i", int(sys.argv[1]), 0, 0));'
    'line.sendmsg([sys.argv[2].encode()], [whose], 0, "/run/systemd/notify")'
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


@contextmanager
def mounted(data: Path) -> Iterator[Path]:
    """Mount a copy of a data partition as a start would, its journal played back."""
    copy, place = data.with_name("cut.img"), data.with_name("mounted")
    subprocess.run(["cp", "--sparse=always", data, copy], check=True)
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-o", "loop", copy, place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


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
    machine.on()
    machine.go_back(UP)


def test_a_direction_that_stops_is_begun_anew(machine: Machine, page: Page) -> None:
    runs = page.get("/api/fleet")["own"]["runs"]
    ended_by_the_watchdog(machine, "stichwart-director")
    page.until("/api/fleet", lambda fleet: fleet["own"]["runs"] == runs, START)


def test_a_direction_reaches_what_its_machine_does_for_it(machine: Machine, page: Page, tmp_path: Path) -> None:
    """From within its unit's sandbox: the clock by timedated, a stick by udisks, a Wi-Fi network by NetworkManager."""
    page.post("/api/time", {"time": (time.time() + 3600) * 1000})
    assert int(machine.shell.run("date +%s")) > time.time() + 3500
    page.post("/api/time", {"time": time.time() * 1000})
    machine.shell.run("until [ $(systemctl is-active systemd-timesyncd) = active ]; do sleep 1; done")
    assert int(machine.shell.run("date +%s")) < time.time() + 600, "set back it stays so"

    stick = tmp_path / "stick.img"
    subprocess.run(["truncate", "-s", "64M", stick], check=True)
    subprocess.run(["mkfs.vfat", "-n", "STICK", "-i", "5715c4a7", stick], check=True, capture_output=True)
    machine.plug_in_stick(stick)
    page.until("/api/saving", lambda saving: [one["id"] for one in saving["places"]] == ["5715-C4A7"], 120)
    page.post("/api/saving", {"place": "5715-C4A7"})
    page.until("/api/saving", lambda saving: saving["state"] == "ok" and saving["at"], 120)
    machine.pull_out_stick()
    assert b"SQLite format 3" in stick.read_bytes()

    shell = machine.shell
    shell.run("modprobe mac80211_hwsim radios=2")
    page.until("/api/network", lambda network: network["possible"], 60)
    page.post("/api/network", {"on": True})
    own = page.until("/api/network", lambda network: network["on"] and not network["doing"], 120)
    join = f"nmcli --wait 60 device wifi connect {own['name']} password {own['password']} ifname wlan1"
    look = f"nmcli device wifi rescan ifname wlan1 ssid {own['name']}"
    shell.run(f"until {look} && {join}; do sleep 5; done", timeout=300)
    assert " 10.42.0." in shell.run("ip -4 -br address show wlan1")
    page.post("/api/network", {"on": False})
    page.until("/api/network", lambda network: not network["on"] and not network["doing"], 60)
    shell.run("rmmod mac80211_hwsim")


def test_a_direction_leaves_a_release_that_does_not_start(
    machine: Machine, page: Page, maker: tuple[Path, Path], tmp_path: Path
) -> None:
    runs = page.get("/api/fleet")["own"]["runs"]
    page.take(broken_release(tmp_path, maker[0], "9.8"), "9.8", START)
    page.post("/api/fleet/restart", {})
    page.until("/api/fleet", lambda fleet: fleet["own"]["failed"] == "9.8", START)
    assert page.get("/api/fleet")["own"]["runs"] == runs
    said = machine.shell.run("journalctl -u stichwart-director --no-pager")
    assert f"launch: 9.8 has not come up in 3 starts; going back to {runs}" in said


def next_start(data: Path, runs: str, folder: Path) -> str:
    """Return which release the direction's next start takes on a mounted data partition.

    :param runs: the release of the image itself, over whose root the partition's own lie.
    """
    root, seen = folder / "root", folder / "seen"
    if not root.exists():
        (root / "releases" / runs).mkdir(parents=True)
        (root / "releases" / runs / "ready").touch()
        (root / "current").symlink_to(f"releases/{runs}")
        seen.mkdir()
    upper, work = data / "program/upper", data / "program/work"
    layers = f"lowerdir={root},upperdir={upper},workdir={work}"
    subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, seen], check=True)
    try:
        places = {"STICHWART_OPT": str(seen), "STICHWART_STATE": str(data / "lists")}
        subprocess.run(["sh", ROOT / "systemd/launch", "director"], env={**os.environ, **places}, check=True)
        taken = (seen / "current").readlink().name
        assert (seen / "releases" / taken / "ready").exists(), "it is not whole"
        return taken
    finally:
        subprocess.run(["umount", seen], check=True)


def test_a_direction_s_switch_goes_on_from_a_power_cut_at_any_flush(
    machine: Machine, page: Page, card: tuple[int, Path, Path], maker: tuple[Path, Path], tmp_path: Path
) -> None:
    """Until the wish for it lies on the card the old release starts, and from then on the new one; no note is lost."""
    start, data, log = card
    runs = page.get("/api/fleet")["own"]["runs"]
    page.post("/api/turnier/notes", {"note": "enter", "names": ["Anna Ott"]})
    page.take(whole_release(tmp_path, maker[0], "9.9", runs), "9.9", START)
    begun = flushes.count(log)
    page.post("/api/fleet/restart", {})
    link = "$(readlink /opt/stichwart/current)"
    machine.shell.run(f"while [ {link} = releases/{runs} ]; do sleep 0.05; done", timeout=START)
    machine.cut_power()

    writes, done, starts = list(flushes.read(log, flushes.count(log))), 0, []
    for number in range(flushes.last_flush(writes, begun), len(writes) + 1):
        if not writes[number - 1].flush:
            continue
        flushes.apply(log, writes[done:number], data, start)
        done = number
        with mounted(data) as place:
            starts.append(next_start(place, runs, tmp_path))
            with closing(sqlite3.connect(place / "lists/director.sqlite")) as database:
                assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
                assert "Anna Ott" in str(database.execute("SELECT body FROM notes").fetchall())
    old = starts.count(runs)
    print(f"{len(starts)} power cuts, the old release after {old} of them")
    assert old and starts == [runs] * old + ["9.9"] * (len(starts) - old) != [runs] * old

    machine.on()
    page.reach(machine)
    page.until("/api/fleet", lambda fleet: fleet["own"]["runs"] == "9.9", START)
    assert "Anna Ott" in str(page.get("/api/turnier/setup"))
    machine.shell.run("until grep -qx 9.9 /var/lib/stichwart/updates/healthy-director; do sleep 1; done", timeout=START)


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
    direction.until(lambda row: row["status"].get("release", {}).get("code") == "bundle_memory", 120)
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


#: Where each step of a first start leads on, in pixels of 800 × 480.
NEXT = (596, 440)
