"""A direction in a virtual machine: it stops, its machine serves it, its own release is changed, whatever is cut."""

import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from kiosk.bench.vm import flushes
from kiosk.bench.vm.machine import Machine
from tests.vm.booted import START, WHY_NOT
from tests.vm.directing import ROOT, Page, broken_release, whole_release
from tests.vm.faults import ended_by_the_watchdog, go_back_logged, mounted

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]


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
    page.until("/api/saving", lambda saving: [one["id"] for one in saving["places"]] == ["5715-C4A7"], START)
    page.post("/api/saving", {"place": "5715-C4A7"})
    page.until("/api/saving", lambda saving: saving["state"] == "ok" and saving["at"], START)
    machine.pull_out_stick()
    assert b"SQLite format 3" in stick.read_bytes()

    shell = machine.shell
    shell.run("modprobe mac80211_hwsim radios=2")
    page.until("/api/network", lambda network: network["possible"], START)
    page.post("/api/network", {"on": True})
    own = page.until("/api/network", lambda network: network["on"] and not network["doing"], START)
    join = f"nmcli --wait 60 device wifi connect {own['name']} password {own['password']} ifname wlan1"
    look = f"nmcli device wifi rescan ifname wlan1 ssid {own['name']}"
    shell.run(f"until {look} && {join}; do sleep 5; done", timeout=START)
    assert " 10.42.0." in shell.run("ip -4 -br address show wlan1")
    page.post("/api/network", {"on": False})
    page.until("/api/network", lambda network: not network["on"] and not network["doing"], START)
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
    machine.shell.run(f"while [ {link} = releases/{runs} ]; do sleep 0.2; done", timeout=START)
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
