"""Open a Wi-Fi network of this machine's own, for a hall that has none, by NetworkManager over D-Bus.

NetworkManager makes the access point (``802-11-wireless.mode`` "ap"), and shares by it (``ipv4.method`` "shared"): its
dnsmasq gives addresses. Debian package dnsmasq-base. It comes again with the machine until it is closed.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

from hw.network import NetworkError, check_password
from hw.network_manager import NetworkManager, _Bus

#: By which the settings are known among NetworkManager's.
ID: Final = "Stichwart-Hotspot"

#: Address of this machine in its own network, and how many bits of it are the network's.
ADDRESS: Final = "10.42.0.1"
_BITS: Final = 24

_NM: Final = "org.freedesktop.NetworkManager"
_SETTINGS: Final = "/org/freedesktop/NetworkManager/Settings"

#: NM_WIFI_DEVICE_CAP_AP of ``WirelessCapabilities``.
_CAN_AP: Final = 0x40
_ACTIVATED: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HotspotState:
    """How this machine's own network stands."""

    possible: bool  # there is Wi-Fi hardware that can be an access point
    on: bool  # it is open
    joined: bool  # this machine has an address in somebody else's network, by cable or Wi-Fi


class Hotspot(Protocol):
    """This machine's own Wi-Fi network."""

    def stand(self) -> HotspotState:
        """Tell how it stands.

        :raises NetworkError: nobody can tell.
        """

    def open(self, name: str, password: str) -> None:
        """Open it; the Wi-Fi network that this machine is in is left.

        :raises NetworkError: it is not possible; other networks are as they were.
        """

    def close(self) -> None:
        """Close it and go back to a network that is known; one that is not open is nothing.

        :raises NetworkError: it may still be open.
        """


class NetworkManagerHotspot(NetworkManager):
    """The network as NetworkManager opens it."""

    def stand(self) -> HotspotState:
        network = self.look()
        if not network.has_wifi:
            return HotspotState(possible=False, on=False, joined=bool(network.cable_address))
        with self._open() as bus:
            device = self._wifi(bus)
            possible = bool(int(bus.get(device, f"{_NM}.Device.Wireless", "WirelessCapabilities")) & _CAN_AP)
            on = self._is_on(bus, device)
        joined = bool(network.cable_address) or (bool(network.wifi_address) and not on)
        return HotspotState(possible=possible, on=on, joined=joined)

    def open(self, name: str, password: str) -> None:
        check_password(password, "wpa")
        with self._open() as bus:
            device = self._usable_wifi(bus)
            older = _kept(bus)
            self._made(bus, device, hotspot_settings(name, password))
            for path in older:
                bus.call(path, f"{_NM}.Settings.Connection", "Delete")

    def close(self) -> None:
        with self._open() as bus:
            for path in _kept(bus):
                bus.call(path, f"{_NM}.Settings.Connection", "Delete")

    @staticmethod
    def _is_on(bus: _Bus, device: str) -> bool:
        found = bus.all(device, f"{_NM}.Device")
        active = found.get("ActiveConnection", "/")
        if found.get("State") != _ACTIVATED or active == "/":
            return False
        return bus.get(active, f"{_NM}.Connection.Active", "Connection") in _kept(bus)


def hotspot_settings(name: str, password: str) -> dict[str, dict[str, tuple[str, Any]]]:
    """Make NetworkManager's settings of the network (nm-settings-dbus)."""
    return {
        "connection": {
            "id": ("s", ID),
            "type": ("s", "802-11-wireless"),
            "autoconnect": ("b", True),
            "autoconnect-priority": ("i", 100),  # after a power cut the tables look for it again
        },
        "802-11-wireless": {
            "ssid": ("ay", name.encode()),
            "mode": ("s", "ap"),
            "band": ("s", "bg"),  # reaches further, and every device has it
        },
        "802-11-wireless-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            "psk": ("s", password),
        },
        "ipv4": {
            "method": ("s", "shared"),
            "address-data": ("aa{sv}", [{"address": ("s", ADDRESS), "prefix": ("u", _BITS)}]),
        },
        "ipv6": {"method": ("s", "ignore")},
    }


def _kept(bus: _Bus) -> list[str]:
    """Paths of the settings that were made here."""
    found = []
    for path in bus.call(_SETTINGS, f"{_NM}.Settings", "ListConnections")[0]:
        try:
            settings = bus.call(path, f"{_NM}.Settings.Connection", "GetSettings")[0]
        except NetworkError:
            continue  # gone meanwhile
        if settings.get("connection", {}).get("id", ("s", ""))[1] == ID:
            found.append(str(path))
    return found
