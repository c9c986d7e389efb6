"""Announce the service in the network by mDNS (RFC 6762, 6763), so that tables find it by its name.

Nothing that is announced is believed: a table shows it to people, and is admitted by the code on its screen alone.
"""

import hashlib
import ipaddress
import logging
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ifaddr
from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion, ServiceInfo, Zeroconf

log = logging.getLogger(__name__)

#: Kind of the service, as tables look for it (``kiosk.sync.finding``).
KIND = "_stichwart._tcp.local."

#: Seconds between two looks whether addresses or the tournament's name have changed.
LOOK_S = 5.0

#: Signs of a name that are announced; a record of text has 255 bytes.
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """What is announced."""

    name: str  # of the tournament that is held
    port: int
    fingerprint: str  # of the authority by which tables recognise the service: SHA-256, hexadecimal; "": as browsers do
    at: str  # the name for which the certificate of such a service holds; "": any address will do
    addresses: tuple[str, ...]  # under which it is reached; none: nothing is announced

    @property
    def versions(self) -> IPVersion:
        """What is spoken: a kernel without IPv6 would refuse its sockets."""
        return IPVersion.All if any(":" in address for address in self.addresses) else IPVersion.V4Only

    def info(self, id: str) -> ServiceInfo:
        """Make the records."""
        return ServiceInfo(
            KIND,
            f"{id}.{KIND}",
            port=self.port,
            properties={"name": self.name[:_LONGEST_NAME], "id": id, "fp": self.fingerprint, "at": self.at},
            server=f"{id}.local.",  # the host's own name is avahi's, and in a hall of images each is called alike
            parsed_addresses=list(self.addresses),
        )


class Announcement:
    """Announces the service in a thread, as long as it runs; follows addresses and names that change.

    :param now: what is to be announced now; called from the thread.
    """

    def __init__(self, now: Callable[[], Announced]) -> None:
        self._now, self._id = now, ""
        self._zeroconf: Zeroconf | None = None
        self._told: Announced | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="announcement", daemon=True)

    def start(self) -> "Announcement":
        """Begin."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """Say that the service goes away, and end."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._look()
            except (OSError, ZeroconfError, RuntimeError) as error:  # no network, or its last address has just gone
                log.info("the service is not announced: %s", error)
                self._end()
            self._stopping.wait(LOOK_S)
        self._end()

    def _look(self) -> None:
        """Announce what is so now, if it differs."""
        now = self._now()
        if now == self._told:
            return
        if not now.addresses or (self._told is not None and self._told.versions != now.versions):
            self._end()
        if not now.addresses:
            return
        info = now.info(self._id or own_id(now.port))
        if self._zeroconf is None:
            self._zeroconf = Zeroconf(interfaces=InterfaceChoice.All, ip_version=now.versions)
            self._zeroconf.register_service(info, allow_name_change=True)
            self._id = info.name.removesuffix(f".{KIND}")
            log.info("announced as %s at %s", now.name, ", ".join(now.addresses))
        else:
            if self._told is not None and self._told.addresses != now.addresses:
                self._zeroconf.update_interfaces()
            self._zeroconf.update_service(info)
        self._told = now

    def _end(self) -> None:
        zeroconf, self._zeroconf, self._told = self._zeroconf, None, None
        if zeroconf is not None:
            try:
                zeroconf.close()
            except (OSError, ZeroconfError, RuntimeError) as error:
                log.info("the end of the announcement is not told: %s", error)


def reached_at(host: str) -> tuple[str, ...]:
    """List the addresses of this machine under which others reach a service that listens at ``host``, sorted."""
    listens = _plain(host)
    if listens is not None and not listens.is_unspecified:
        return () if listens.is_loopback else (host,)
    kinds = (4, 6) if listens is not None and listens.version == 6 else (4,)
    found = set()
    for adapter in ifaddr.get_adapters():
        for one in adapter.ips:
            address = ipaddress.ip_address(one.ip if isinstance(one.ip, str) else one.ip[0])
            if address.version in kinds and not address.is_loopback:
                found.add(str(address))
    return tuple(sorted(found))


def own_id(port: int) -> str:
    """Name this machine's service at a port: the same after each start, another one on each machine."""
    try:
        machine = Path("/etc/machine-id").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        machine = ""
    known = f"stichwart {machine or socket.gethostname()} {port}"
    return f"stichwart-{hashlib.sha256(known.encode()).hexdigest()[:12]}"


def is_address(host: str) -> bool:
    """Report whether a host is written as an address, not as a name."""
    return _plain(host) is not None


def _plain(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that a host is written as; None: it is a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
