"""Define what the step of the network shows, and what people ask for there."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class WifiLine:
    """A Wi-Fi network that can be heard."""

    ssid: bytes
    name: str  # the same for people
    strength: int  # percent
    security: str  # open wpa sae owe enterprise wep
    known: bool = False  # its password is kept
    active: bool = False  # this table is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkView:
    """What this table is connected to, and what became of the last wish."""

    cable: bool = False
    cable_address: str = ""
    has_wifi: bool = False
    wifi_address: str = ""
    wifis: tuple[WifiLine, ...] = ()
    state: str = "looking"  # looking, there, joining, joined; or why not, a code of hw.network.NetworkError
    about: str = ""  # the network that state is about
    codes: bool = False  # the camera looks for QR codes
    addresses: tuple[str, ...] = ()  # of a machine whose network is set elsewhere


@dataclass(frozen=True, slots=True)
class JoinWifi:
    """The table goes into this network."""

    ssid: bytes
    password: str  # "": none, or one that is known
    security: str = "wpa"
    hidden: bool = False

    def __repr__(self) -> str:
        """Say it without the password: what is refused goes into the log."""
        return f"JoinWifi({self.ssid!r}, {self.security}, hidden={self.hidden})"


@dataclass(frozen=True, slots=True)
class ForgetWifi:
    """The table forgets this network and its password."""

    ssid: bytes


NetworkRequest: TypeAlias = JoinWifi | ForgetWifi
