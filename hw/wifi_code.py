"""Read the QR code of a Wi-Fi network, as routers and telephones show it.

The format is ZXing's, which Android and iOS write and read (github.com/zxing/zxing/wiki/Barcode-Contents), with the
words of WPA3 (Wi-Fi Alliance, WPA3 Specification 3.1, section 7): ``WIFI:T:WPA;S:Halle;P:geheim12;H:true;;``.
"""

import re
from dataclasses import dataclass

_BEGINS = "WIFI:"

#: A field: its letter, and a value in which \\ stands before ; , : " and itself.
_FIELD = re.compile(r"([A-Za-z0-9]+):((?:\\.|[^;\\])*);")
_ESCAPED = re.compile(r"\\(.)")

#: What the code says of security → as ``hw.network`` has it.
_KINDS = {"": "open", "NOPASS": "open", "WPA": "wpa", "WPA2": "wpa", "WPA3": "sae", "SAE": "sae", "WEP": "wep"}


@dataclass(frozen=True, slots=True)
class WifiCode:
    """A network, with what lets this machine in."""

    ssid: bytes
    password: str
    security: str  # of hw.network.SECURITY
    hidden: bool = False

    def __repr__(self) -> str:
        """Say it without the password."""
        return f"WifiCode({self.ssid!r}, {self.security}, hidden={self.hidden})"


def read_wifi_code(text: str) -> WifiCode | None:
    """Read what a code says; None: it is none of a Wi-Fi network, or names none."""
    if text[: len(_BEGINS)].upper() != _BEGINS:
        return None
    fields = {letter.upper(): value for letter, value in reversed(_FIELD.findall(f"{text[len(_BEGINS) :]};"))}
    ssid = _plain(fields.get("S", "")).encode("utf-8", "surrogateescape")
    kind = fields.get("T", "").upper()
    if not ssid or len(ssid) > 32:
        return None
    password = _plain(fields.get("P", ""))
    security = _KINDS.get(kind, "enterprise")
    if kind == "" and password:
        security = "wpa"
    if security == "wpa" and "1" in fields.get("R", "") and fields["R"].isdigit() and int(fields["R"]) & 1:
        security = "sae"  # this network has switched WPA2 off
    return WifiCode(ssid, "" if security == "open" else password, security, fields.get("H", "").lower() == "true")


def _plain(value: str) -> str:
    """A value without what guards its signs; in quotes where it could be taken for hexadecimal."""
    if len(value) >= 2 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return _ESCAPED.sub(r"\1", value)
