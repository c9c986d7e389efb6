"""Values of this machine's network: what it is connected to, which Wi-Fi networks there are, and what can be asked."""

import re
from dataclasses import dataclass
from typing import Final, Protocol

from hw.errors import HardwareError

#: How a Wi-Fi network is secured: not at all, by a password (WPA2, WPA3), encrypted without one (OWE); and by what
#: cannot be entered here: user names and certificates, or the broken encryption of before 2003.
SECURITY: Final = ("open", "wpa", "sae", "owe", "enterprise", "wep")

#: Signs of a WPA2 passphrase (IEEE 802.11-2020, J.4.1); 64 hexadecimal signs are a key.
SHORTEST, LONGEST = 8, 63

_KEY = re.compile(r"[0-9A-Fa-f]{64}")


class NetworkError(HardwareError, OSError):
    """A network that cannot be had.

    ``code``: password short address gone weak slow busy enterprise wep wifi denied tools failed; the text is for
    administrators.
    """

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class Wifi:
    """A Wi-Fi network that can be heard; several access points of one name are one."""

    ssid: bytes  # as it is sent: any 32 bytes
    strength: int  # percent, of its best access point
    security: str = "open"  # of SECURITY
    known: bool = False  # this machine has its password, or needs none
    active: bool = False  # this machine is in it

    @property
    def name(self) -> str:
        """Its name as people read it."""
        return name_of(self.ssid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What this machine is connected to."""

    cable: bool = False  # one is plugged in and carries
    cable_address: str = ""  # "": it has none yet
    has_wifi: bool = False  # there is hardware for it
    wifi_address: str = ""
    wifis: tuple[Wifi, ...] = ()  # the one it is in first, known ones next, then by strength


class Networks(Protocol):
    """The networks of this machine."""

    def look(self) -> Network:
        """Tell what there is now.

        :raises NetworkError: nobody can tell.
        """

    def search(self) -> None:
        """Have Wi-Fi networks looked for; what is found comes by ``look``, seconds later.

        :raises NetworkError: nobody can look.
        """

    def join(self, ssid: bytes, password: str, *, security: str = "wpa", hidden: bool = False) -> str:
        """Go into a Wi-Fi network; return the address that this machine has there.

        :param password: "" for one that is open, or whose password is known.
        :raises NetworkError: it is not possible; what was known of it before is as it was.
        """

    def forget(self, ssid: bytes) -> None:
        """Forget a Wi-Fi network with its password, and leave it; one that is not known is nothing.

        :raises NetworkError: it is still known.
        """


def name_of(ssid: bytes) -> str:
    """Write a network's name as people read it; what is no UTF-8, or not to be seen, as \\x…"""
    text = ssid.decode("utf-8", "backslashreplace")
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)


def check_password(password: str, security: str) -> None:
    """Require that a password can be one.

    :raises NetworkError: it cannot, or the network wants something else than a password.
    """
    if security in ("enterprise", "wep"):
        raise NetworkError(security, f"networks secured by {security} cannot be entered here")
    if security != "wpa":
        return
    if not (SHORTEST <= len(password.encode()) <= LONGEST or _KEY.fullmatch(password)):
        raise NetworkError("short", f"{len(password)} signs; a password has {SHORTEST} to {LONGEST}")


def in_order(wifis: list[Wifi]) -> tuple[Wifi, ...]:
    """Order networks: the one this machine is in, those it knows, then by strength; of one name the best."""
    best: dict[bytes, Wifi] = {}
    for one in wifis:
        other = best.get(one.ssid)
        if one.ssid.strip(b"\0") and (other is None or (one.active, one.strength) > (other.active, other.strength)):
            best[one.ssid] = one
    return tuple(sorted(best.values(), key=lambda one: (not one.active, not one.known, -one.strength, one.ssid)))
