"""A NetworkManager of the tests' own on a bus of their own: its objects, methods and signals as far as tables use them.

What it answers, and how a device's states follow each other, is NetworkManager's (nm-dbus-interface 1.42);
python-dbusmock has no states that follow a join.
"""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jeepney import DBusAddress, HeaderFields, MessageType, message_bus, new_error, new_method_return, new_signal
from jeepney.io.blocking import open_dbus_connection

NM, ROOT = "org.freedesktop.NetworkManager", "/org/freedesktop/NetworkManager"
WLAN, CABLE = f"{ROOT}/Devices/2", f"{ROOT}/Devices/1"
PROPERTIES = "org.freedesktop.DBus.Properties"

_CONF = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/>
<allow send_type="method_call"/><allow send_type="signal"/></policy></busconfig>
"""


@contextmanager
def own_bus(folder: Path) -> Iterator[str]:
    """Run a bus; the address of it."""
    path = folder / "bus"
    (folder / "bus.conf").write_text(_CONF.format(path=path), encoding="utf-8")
    words = ["dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork", "--nopidfile", "--print-address"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        address = daemon.stdout.readline().strip()
        try:
            yield address
        finally:
            daemon.terminate()


@dataclass
class Heard:
    """An access point."""

    ssid: bytes
    strength: int = 50
    rsn: int = 0x100
    privacy: bool = True
    password: str = ""  # the right one
    reason: int = 0  # why it lets nobody in; 0: it does
    silent: bool = False  # nothing follows


@dataclass
class FakeNetworkManager:
    """Answers on a bus in a thread until it is closed."""

    bus: str
    points: list[Heard] = field(default_factory=list)
    wlan: bool = True
    wireless_on: bool = True
    cable: str = ""  # "": not plugged in, "-": without an address
    starts: int = 0  # so often its Wi-Fi device, asked for its state, is not to be used yet
    can_ap: bool = True  # its Wi-Fi can be an access point
    ap_fails: int = 0  # why it cannot open one; 0: it can
    refuses: str = ""  # the name of an error that every change is refused with

    def __post_init__(self) -> None:
        self.kept: dict[str, dict[str, Any]] = {}  # path → settings
        self.active: Heard | None = None
        self.shares = ""  # path of the settings by which it is an access point
        self.scans = self._made = 0
        self._over = threading.Event()
        self._connection = open_dbus_connection(bus=self.bus)
        self._connection.send_and_get_reply(message_bus.RequestName(NM))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        self._connection.close()

    def keep(self, ssid: bytes, password: str) -> None:
        """Know a network."""
        self._made += 1
        security = {"802-11-wireless-security": {"psk": ("s", password)}}
        self.kept[f"{ROOT}/Settings/{self._made}"] = {"802-11-wireless": {"ssid": ("ay", ssid)}, **security}

    def _serve(self) -> None:
        while not self._over.is_set():
            try:
                message = self._connection.receive(timeout=0.05)
            except TimeoutError:
                continue
            if message.header.message_type is not MessageType.method_call:
                continue
            fields = message.header.fields
            try:
                signature, body, then = self._answer(
                    fields[HeaderFields.path], fields[HeaderFields.member], message.body
                )
            except LookupError as error:
                self._connection.send(new_error(message, f"{NM}.{error.args[0]}", "s", ("no",)))
                continue
            self._connection.send(new_method_return(message, signature, body))
            for state, reason in then:
                device = DBusAddress(WLAN, bus_name=NM, interface=f"{NM}.Device")
                self._connection.send(new_signal(device, "StateChanged", "uuu", (state, 0, reason)))

    def _answer(self, path: str, member: str, body: tuple[Any, ...]) -> tuple[str | None, tuple[Any, ...], list[Any]]:
        if member == "GetDevices":
            return "ao", ([CABLE, *([WLAN] if self.wlan else [])],), []
        if member == "GetAllAccessPoints":
            return "ao", ([f"{ROOT}/AccessPoint/{number}" for number in range(len(self.points))],), []
        if member == "ListConnections":
            return "ao", (list(self.kept),), []
        if member == "GetSettings":
            shown = {k: v for k, v in self.kept[path].items() if k != "802-11-wireless-security"}
            return "a{sa{sv}}", (shown,), []
        if member in ("Get", "GetAll"):
            found = self._properties(path)
            if path == WLAN and member == "Get" and body[1] == "State" and self.starts and self.wireless_on:
                self.starts -= 1
            return ("v", (found[body[1]],), []) if member == "Get" else ("a{sv}", (found,), [])
        if self.refuses:
            raise LookupError(self.refuses)
        return self._change(path, member, body)

    def _change(self, path: str, member: str, body: tuple[Any, ...]) -> tuple[str | None, tuple[Any, ...], list[Any]]:
        if self.starts and member in ("ActivateConnection", "AddAndActivateConnection"):
            raise LookupError("UnknownConnection")
        match member:
            case "Set":
                self.wireless_on = body[2][1]
            case "RequestScan":
                self.scans += 1
            case "Delete":
                gone = self.kept.pop(path)
                if path == self.shares:
                    self.shares = ""
                if self.active is not None and self.active.ssid == gone["802-11-wireless"]["ssid"][1]:
                    self.active = None
            case "ActivateConnection":
                return "o", (f"{ROOT}/ActiveConnection/1",), self._states(self.kept[body[0]])
            case "AddAndActivateConnection":
                self._made += 1
                path = f"{ROOT}/Settings/{self._made}"
                self.kept[path] = body[0]
                if body[0]["802-11-wireless"].get("mode") == ("s", "ap"):
                    return "oo", (path, f"{ROOT}/ActiveConnection/1"), self._shared(path)
                return "oo", (path, f"{ROOT}/ActiveConnection/1"), self._states(body[0])
        return None, (), []

    def _shared(self, path: str) -> list[tuple[int, int]]:
        """What follows the opening of an access point."""
        if self.ap_fails:
            return [(40, 0), (50, 0), (70, 0), (120, self.ap_fails), (30, 0)]
        self.active, self.shares = None, path
        return [(40, 0), (50, 0), (70, 0), (80, 0), (90, 0), (100, 0)]

    def _states(self, settings: dict[str, Any]) -> list[tuple[int, int]]:
        """What follows a join: the states of the device with their reasons."""
        ssid = bytes(settings["802-11-wireless"]["ssid"][1])
        point = next((one for one in self.points if one.ssid == ssid), None)
        before = [(110, 60), (30, 60)] if self.active is not None else []
        self.active = None
        begin = [*before, (40, 0), (50, 0)]
        if point is None:
            return [*begin, (120, 53), (30, 53)]
        if point.silent:
            return begin
        given = settings.get("802-11-wireless-security", {}).get("psk", ("s", ""))[1]
        if point.reason or given != point.password:
            return [*begin, (60, 0), (120, point.reason or 7), (30, 0)]
        self.active = point
        return [*begin, (60, 0), (70, 0), (100, 0)]

    def _properties(self, path: str) -> dict[str, Any]:
        if path == ROOT:
            return {"WirelessEnabled": ("b", self.wireless_on)}
        if path == CABLE:
            state = 20 if not self.cable else 70 if self.cable == "-" else 100
            config = f"{ROOT}/IP4Config/1" if state == 100 else "/"
            return {"DeviceType": ("u", 1), "State": ("u", state), "Managed": ("b", True), "Ip4Config": ("o", config)}
        if "ActiveConnection" in path:
            return {"Connection": ("o", self.shares)}
        if path == WLAN:
            if self.shares:
                return {
                    "DeviceType": ("u", 2),
                    "State": ("u", 100),
                    "ActiveAccessPoint": ("o", "/"),
                    "Ip4Config": ("o", f"{ROOT}/IP4Config/3"),
                    "WirelessCapabilities": ("u", 0x7F),
                    "ActiveConnection": ("o", f"{ROOT}/ActiveConnection/1"),
                }
            number = self.points.index(self.active) if self.active in self.points else -1
            return {
                "DeviceType": ("u", 2),
                "State": ("u", 20 if self.starts else 100 if self.active else 30),
                "Ip4Config": ("o", f"{ROOT}/IP4Config/2" if self.active else "/"),
                "ActiveAccessPoint": ("o", f"{ROOT}/AccessPoint/{number}" if number >= 0 else "/"),
                "WirelessCapabilities": ("u", 0x7F if self.can_ap else 0x3F),
            }
        if "IP4Config" in path:
            address = self.cable if path.endswith("1") else "192.0.2.77"
            return {"AddressData": ("aa{sv}", [{"address": ("s", address), "prefix": ("u", 24)}])}
        point = self.points[int(path.rpartition("/")[2])]
        return {
            "Ssid": ("ay", point.ssid),
            "Strength": ("y", point.strength),
            "Flags": ("u", int(point.privacy)),
            "WpaFlags": ("u", 0),
            "RsnFlags": ("u", point.rsn),
        }
