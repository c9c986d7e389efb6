"""Ask the real NetworkManager, in this process's own network and mounts; each line printed is one thing seen."""

import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from hw.hotspot import HotspotState, NetworkManagerHotspot, _kept, hotspot_settings
from hw.network import NetworkError
from hw.network_manager import NetworkManager, _Bus, _opened, settings_of
from tests.hw.fake_network_manager import own_bus

PATIENCE_S = 60.0

CONF = """[main]
plugins=keyfile
auth-polkit=false
dhcp=internal
[keyfile]
path={folder}/connections
unmanaged-devices=interface-name:far*
"""


def run(*words: str) -> None:
    subprocess.run(words, check=True)


def until(wanted, what: str):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            found = wanted()
        except NetworkError:
            found = None
        if found:
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def main(folder: Path) -> None:
    for number in ("0", "1"):
        run("ip", "link", "add", f"c{number}", "type", "veth", "peer", "name", f"far{number}")
    run("ip", "link", "set", "lo", "up")
    run("mount", "-t", "sysfs", "-o", "ro", "none", "/sys")  # by that it knows that there is no udev
    for place in ("/run/NetworkManager", "/var/lib/NetworkManager"):
        Path(place).mkdir(parents=True, exist_ok=True)
        run("mount", "-t", "tmpfs", "none", place)
    (folder / "connections").mkdir()
    (folder / "nm.conf").write_text(CONF.format(folder=folder), encoding="utf-8")
    with own_bus(folder) as bus, (folder / "log").open("wb") as log:
        words = ["NetworkManager", "--no-daemon", "--config", str(folder / "nm.conf")]
        words += [f"--{name}={folder / name}" for name in ("config-dir", "system-config-dir", "intern-config")]
        words += [f"--state-file={folder / 'state'}", f"--pid-file={folder / 'pid'}"]
        with subprocess.Popen(
            words, env={**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": bus}, stderr=log, stdout=log
        ) as manager:
            try:
                look(bus)
            finally:
                manager.terminate()
        until(lambda: gone(bus), "NetworkManager has gone")
        print("gone is said")


def gone(bus: str) -> bool:
    try:
        NetworkManager(bus).look()
    except NetworkError as error:
        return error.code == "tools"
    return False


def look(bus: str) -> None:
    networks = NetworkManager(bus)
    assert not until(networks.look, "an answer").cable
    print("a cable that carries nothing")
    run("ip", "link", "set", "far0", "up")
    with closing(_opened(bus)) as connection:
        asked = _Bus(connection)
        root, nm = "/org/freedesktop/NetworkManager", "org.freedesktop.NetworkManager"
        device = asked.call(root, nm, "GetDeviceByIpIface", "s", "c0")[0]
        until(lambda: networks.look().cable, "a cable that carries")
        cable = {
            "connection": {"id": ("s", "cable"), "type": ("s", "802-3-ethernet"), "interface-name": ("s", "c0")},
            "ipv4": {
                "method": ("s", "manual"),
                "address-data": ("aa{sv}", [{"address": ("s", "10.20.0.7"), "prefix": ("u", 24)}]),
            },
        }
        asked.call(root, nm, "AddAndActivateConnection", "a{sa{sv}}oo", cable, device, "/")
        until(lambda: networks.look().cable_address == "10.20.0.7", "the cable's address")
        print("a cable with its address")
        for asks in (networks.search, lambda: networks.join(b"Halle", "geheim12")):
            try:
                asks()
            except NetworkError as error:
                assert error.code == "wifi", error.code
        print("no Wi-Fi is said")
        add = f"{root}/Settings", f"{nm}.Settings", "AddConnection", "a{sa{sv}}"
        for kind in ("wpa", "sae", "owe", "open"):
            asked.call(*add, settings_of(b"Halle \xff", "geheim12", kind, hidden=kind == "wpa"))
            assert list(networks._known(asked)) == [b"Halle \xff"]
            networks.forget(b"Halle \xff")
            assert networks._known(asked) == {}
            print(f"{kind} is taken, listed and forgotten")
        asked.call(*add, hotspot_settings("Stichwart-ABC", "geheim12"))
        hotspot = NetworkManagerHotspot(bus)
        assert len(_kept(asked)) == 1 and networks._known(asked) == {}
        assert hotspot.stand() == HotspotState(possible=False, on=False, joined=True)
        hotspot.close()
        assert _kept(asked) == []
        print("a network of its own is taken and closed")
        try:
            asked.call(*add, settings_of(b"Halle", "kurz", "wpa", hidden=False))
        except NetworkError as error:
            assert error.code == "password", error
            print("a password that is none is refused")


main(Path(sys.argv[1]))
