"""Ask NetworkManager over D-Bus for this machine's networks.

By jeepney, which speaks the protocol itself (pure Python, no loop of its own). ``nmcli`` would do the same in more
words, but tells why something failed in the user's language, and takes a new network's password on its command line,
where every process of the machine reads it. A password goes to NetworkManager, which keeps it in a file of root's,
and is kept nowhere here.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from jeepney import DBusAddress, DBusErrorResponse, MatchRule, Message, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import Properties

from hw.network import Network, NetworkError, Wifi, check_password, in_order

_NAME: Final = "org.freedesktop.NetworkManager"
_ROOT: Final = "/org/freedesktop/NetworkManager"
_NONE: Final = "/"

#: Seconds for an answer of the bus, for a Wi-Fi device to become usable, and until a network must have let this machine
#: in.
ANSWER_S, USABLE_S, JOIN_S = 10.0, 30.0, 60.0

#: Kinds and states of devices (NMDeviceType, NMDeviceState).
_CABLES, _WIFI = (1, 20), 2  # 20: a virtual cable
_UNAVAILABLE, _ACTIVATED, _FAILED = 20, 100, 120

#: NMDeviceStateReason → code of ``NetworkError``; what is not here failed.
_WHY: Final = {
    **dict.fromkeys((5, 6, 15, 16, 17), "address"),  # no address: DHCP
    **dict.fromkeys((7, 8, 9, 10), "password"),  # no secrets: the one given was refused
    11: "weak",  # the supplicant timed out
    **dict.fromkeys((53, 54), "gone"),
}

#: Parts of an access point's flags (NM80211ApSecurityFlags) → how it is secured, the first that is there.
_KEYS: Final = ((0x100, "wpa"), (0x400, "sae"), (0x200, "enterprise"), (0x2000, "enterprise"), (0x800, "owe"))
_PRIVACY: Final = 0x1


@dataclass(slots=True)
class _Seen:
    """The devices that matter, with their properties."""

    wifi: str = ""  # its path
    network: dict[str, Any] = field(default_factory=dict)  # of ``Network``


class NetworkManager:
    """NetworkManager's networks; each call has a connection of its own, so any thread may make it.

    :param bus: address of the bus; "": the machine's.
    """

    def __init__(self, bus: str = "") -> None:
        self._bus = bus or "SYSTEM"

    @contextmanager
    def _open(self) -> Iterator["_Bus"]:
        with closing(_opened(self._bus)) as connection:
            yield _Bus(connection)

    def look(self) -> Network:
        with self._open() as bus:
            return Network(**self._seen(bus).network)

    def search(self) -> None:
        with self._open() as bus:
            wifi = self._switched_on(bus)
            try:
                bus.call(wifi, f"{_NAME}.Device.Wireless", "RequestScan", "a{sv}", {})
            except NetworkError as error:
                if error.code != "busy":  # it has just looked
                    raise

    def join(self, ssid: bytes, password: str, *, security: str = "wpa", hidden: bool = False) -> str:
        with self._open() as bus:
            device = self._usable_wifi(bus)
            known = self._known(bus).get(ssid, [])
            if not password and known:
                return self._activated(bus, device, known[0])
            check_password(password, security)
            made = self._made(bus, device, settings_of(ssid, password, security, hidden=hidden))
            for older in known:
                bus.call(older, f"{_NAME}.Settings.Connection", "Delete")
            return made

    def forget(self, ssid: bytes) -> None:
        with self._open() as bus:
            for path in self._known(bus).get(ssid, []):
                bus.call(path, f"{_NAME}.Settings.Connection", "Delete")

    # --- devices

    def _seen(self, bus: "_Bus") -> _Seen:
        seen, wifis = _Seen(), []
        for path in bus.call(_ROOT, _NAME, "GetDevices")[0]:
            device = bus.all(path, f"{_NAME}.Device")
            address = self._address(bus, device)
            usable = device.get("State", 0) > _UNAVAILABLE and device.get("Managed", True)
            if device["DeviceType"] in _CABLES and usable:
                seen.network["cable"] = True
                seen.network["cable_address"] = seen.network.get("cable_address") or address
            elif device["DeviceType"] == _WIFI and not seen.wifi:
                seen.wifi = path
                seen.network |= {"has_wifi": True, "wifi_address": address}
                wifis = self._wifis(bus, path)
        seen.network["wifis"] = in_order(wifis)
        return seen

    def _wifi(self, bus: "_Bus") -> str:
        """Path of the device for Wi-Fi.

        :raises NetworkError: there is none.
        """
        for path in bus.call(_ROOT, _NAME, "GetDevices")[0]:
            if bus.get(path, f"{_NAME}.Device", "DeviceType") == _WIFI:
                return str(path)
        raise NetworkError("wifi", "this machine has no Wi-Fi")

    def _switched_on(self, bus: "_Bus") -> str:
        """Path of the device for Wi-Fi, switched on."""
        device = self._wifi(bus)
        if not bus.get(_ROOT, _NAME, "WirelessEnabled"):
            bus.set(_ROOT, _NAME, "WirelessEnabled", "b", True)
        return device

    def _usable_wifi(self, bus: "_Bus") -> str:
        """Path of the device for Wi-Fi, once it may be used: just plugged in or switched on it is not for a while.

        After ``USABLE_S`` it is tried all the same, and NetworkManager says why not.
        """
        device, until = self._switched_on(bus), time.monotonic() + USABLE_S
        while bus.get(device, f"{_NAME}.Device", "State") <= _UNAVAILABLE and time.monotonic() < until:
            time.sleep(0.2)
        return device

    @staticmethod
    def _address(bus: "_Bus", device: Mapping[str, Any]) -> str:
        """The first address of a device that is connected, IPv4 before IPv6; "": none."""
        if device.get("State") != _ACTIVATED:
            return ""
        for version in ("4", "6"):
            path = device.get(f"Ip{version}Config", _NONE)
            found = bus.get(path, f"{_NAME}.IP{version}Config", "AddressData") if path != _NONE else []
            for one in found:
                return str(one["address"][1])
        return ""

    def _wifis(self, bus: "_Bus", device: str) -> list[Wifi]:
        wireless = f"{_NAME}.Device.Wireless"
        active = bus.get(device, wireless, "ActiveAccessPoint")
        known, found = self._known(bus), []
        for path in bus.call(device, wireless, "GetAllAccessPoints")[0]:
            try:
                point = bus.all(path, f"{_NAME}.AccessPoint")
            except NetworkError:
                continue  # out of hearing meanwhile
            ssid = bytes(point["Ssid"])
            found.append(
                Wifi(
                    ssid=ssid,
                    strength=min(100, int(point["Strength"])),
                    security=security_of(point),
                    known=ssid in known,
                    active=path == active,
                )
            )
        return found

    @staticmethod
    def _known(bus: "_Bus") -> dict[bytes, list[str]]:
        """Paths of what is kept of each Wi-Fi network."""
        found: dict[bytes, list[str]] = {}
        for path in bus.call(f"{_ROOT}/Settings", f"{_NAME}.Settings", "ListConnections")[0]:
            settings = bus.call(path, f"{_NAME}.Settings.Connection", "GetSettings")[0]
            wireless = settings.get("802-11-wireless", {})
            if "ssid" in wireless and wireless.get("mode", ("s", "infrastructure"))[1] == "infrastructure":
                found.setdefault(bytes(wireless["ssid"][1]), []).append(path)
        return found

    # --- going in

    def _activated(self, bus: "_Bus", device: str, connection: str) -> str:
        with bus.states_of(device) as states:
            bus.call(_ROOT, _NAME, "ActivateConnection", "ooo", connection, device, _NONE)
            return self._let_in(bus, device, states)

    def _made(self, bus: "_Bus", device: str, settings: Mapping[str, Any]) -> str:
        """Go in by new settings; they are kept only if that works."""
        with bus.states_of(device) as states:
            answer = bus.call(_ROOT, _NAME, "AddAndActivateConnection", "a{sa{sv}}oo", settings, device, _NONE)
            try:
                return self._let_in(bus, device, states)
            except NetworkError:
                bus.call(answer[0], f"{_NAME}.Settings.Connection", "Delete")
                raise

    def _let_in(self, bus: "_Bus", device: str, states: "_States") -> str:
        """Wait until the network has let this machine in, and given it an address.

        :raises NetworkError: it does not.
        """
        until = time.monotonic() + JOIN_S
        while True:
            new, _, reason = states.next(until)
            if new == _ACTIVATED:
                return self._address(bus, bus.all(device, f"{_NAME}.Device"))
            if new == _FAILED:
                raise NetworkError(_WHY.get(reason, "failed"), f"NetworkManager: the device failed, reason {reason}")


def settings_of(ssid: bytes, password: str, security: str, *, hidden: bool) -> dict[str, dict[str, tuple[str, Any]]]:
    """Make NetworkManager's settings of a Wi-Fi network (nm-settings-dbus)."""
    made: dict[str, dict[str, tuple[str, Any]]] = {
        "connection": {"id": ("s", ssid.decode("utf-8", "replace")), "type": ("s", "802-11-wireless")},
        "802-11-wireless": {"ssid": ("ay", ssid), "mode": ("s", "infrastructure"), "hidden": ("b", hidden)},
        "ipv4": {"method": ("s", "auto")},
        "ipv6": {"method": ("s", "auto")},
    }
    if security == "owe":
        made["802-11-wireless-security"] = {"key-mgmt": ("s", "owe")}
    elif security in ("wpa", "sae"):
        kind = "wpa-psk" if security == "wpa" else "sae"
        made["802-11-wireless-security"] = {"key-mgmt": ("s", kind), "psk": ("s", password)}
    return made


def security_of(point: Mapping[str, Any]) -> str:
    """How an access point is secured, by its properties."""
    flags = int(point.get("WpaFlags", 0)) | int(point.get("RsnFlags", 0))
    kind = next((kind for bit, kind in _KEYS if flags & bit), "")
    return kind or ("wep" if int(point.get("Flags", 0)) & _PRIVACY else "open")


#: Ends of D-Bus errors' names → code of ``NetworkError``.
_OF_ERROR: Final = (
    (("ServiceUnknown", "NameHasNoOwner", "Disconnected", "NoReply"), "tools"),
    (("PermissionDenied", "AccessDenied", "NotAuthorized", "InteractiveAuthorizationRequired"), "denied"),
    (("Device.NotAllowed", "UnknownObject", "UnknownMethod"), "busy"),
    (("InvalidProperty", "MissingProperty", "InvalidSetting"), "password"),
)


class _Bus:
    """A connection to the bus, as far as NetworkManager wants it."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection

    def call(self, path: str, interface: str, method: str, signature: str | None = None, *body: object) -> Any:
        """Call a method; return what it answers.

        :raises NetworkError: it is refused, or nobody answers.
        """
        address = DBusAddress(path, bus_name=_NAME, interface=interface)
        return self._answer(new_method_call(address, method, signature, body))

    def get(self, path: str, interface: str, name: str) -> Any:
        """Read a property."""
        return self._answer(Properties(DBusAddress(path, bus_name=_NAME, interface=interface)).get(name))[0][1]

    def set(self, path: str, interface: str, name: str, signature: str, value: object) -> None:
        """Write a property."""
        properties = Properties(DBusAddress(path, bus_name=_NAME, interface=interface))
        self._answer(properties.set(name, signature, value))

    def all(self, path: str, interface: str) -> dict[str, Any]:
        """Read all properties of an interface."""
        found = self._answer(Properties(DBusAddress(path, bus_name=_NAME, interface=interface)).get_all())[0]
        return {name: value for name, (_, value) in found.items()}

    def _answer(self, message: Message) -> Any:
        try:
            answer = self._connection.send_and_get_reply(message, timeout=ANSWER_S)
        except (OSError, TimeoutError) as error:
            raise NetworkError("tools", f"NetworkManager does not answer: {error}") from error
        if answer.header.message_type.name == "error":
            refused = DBusErrorResponse(answer)
            code = next((code for ends, code in _OF_ERROR if refused.name.endswith(ends)), "failed")
            raise NetworkError(code, f"NetworkManager: {refused.name} {refused.data}")
        return answer.body

    @contextmanager
    def states_of(self, device: str) -> Iterator["_States"]:
        """Hear each state of a device from now on."""
        rule = MatchRule(type="signal", interface=f"{_NAME}.Device", member="StateChanged", path=device)
        self._connection.send_and_get_reply(message_bus.AddMatch(rule), timeout=ANSWER_S)
        with self._connection.filter(rule, bufsize=100) as queue:
            yield _States(self._connection, queue)


class _States:
    """The states of a device, one after the other."""

    def __init__(self, connection: DBusConnection, queue: Any) -> None:
        self._connection, self._queue = connection, queue

    def next(self, until: float) -> tuple[int, int, int]:
        """Wait for the next: new, old, reason.

        :raises NetworkError: none came.
        """
        try:
            left = max(0.0, until - time.monotonic())
            new, old, reason = self._connection.recv_until_filtered(self._queue, timeout=left).body
        except TimeoutError as error:
            raise NetworkError("slow", f"the network has not let this machine in within {JOIN_S:.0f} s") from error
        except OSError as error:
            raise NetworkError("tools", f"NetworkManager has gone: {error}") from error
        return int(new), int(old), int(reason)


def _opened(bus: str) -> DBusConnection:
    try:
        return open_dbus_connection(bus=bus)
    except (OSError, KeyError, ValueError, RuntimeError) as error:
        raise NetworkError("tools", f"there is no bus to NetworkManager: {error}") from error
