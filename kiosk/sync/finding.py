"""Find directions in the network by mDNS (RFC 6762, 6763): their names and where each answers.

What is found is shown to people and never believed: anybody may announce anything under any name. A table takes for the
direction who knows the code of its screen (:mod:`kiosk.sync.enrolling`), and later who shows the authority that was
pinned then (:mod:`kiosk.sync.trust`).
"""

import ipaddress
import logging
import socket
import threading
import unicodedata
from collections.abc import Callable, Iterable, Mapping

import ifaddr
from zeroconf import Error as ZeroconfError
from zeroconf import InterfaceChoice, IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf

from kiosk.sync.state import FoundDirection

log = logging.getLogger(__name__)

#: Kind of the service, as directions announce it (``kiosk.director.announcement``).
KIND = "_stichwart._tcp.local."

#: Seconds between two looks, also at directions that said no goodbye; and until nobody answers at an address.
LOOK_S, ANSWER_S = 3.0, 1.0

#: Seconds in which a direction is asked for what it has not told yet.
_ASK_MS = 1000

#: Announcements and addresses of one that are looked at, at most: a stranger may make any number.
MOST, _MOST_ADDRESSES = 24, 8

_LONGEST_NAME = 60


class Finder:
    """Looks for directions in a thread until it is stopped.

    :param deliver: called from the thread with all that answer, sorted, whenever that has changed, and once at first.
    :param answers: whether somebody takes connections at an address and port.
    """

    def __init__(
        self,
        deliver: Callable[[tuple[FoundDirection, ...]], None],
        answers: Callable[[str, int], bool] | None = None,
    ) -> None:
        self._deliver, self._answers = deliver, answers or takes_connections
        self._names: dict[str, None] = {}  # of announcements, in the order in which they came
        self._news = threading.Event()
        self._stopping = threading.Event()
        self._zeroconf: Zeroconf | None = None
        self._adapters: frozenset[str] = frozenset()
        self._thread = threading.Thread(target=self._run, name="finder", daemon=True)

    def start(self) -> "Finder":
        """Begin to look."""
        self._thread.start()
        return self

    def stop(self) -> None:
        """End; nothing is delivered afterwards."""
        self._stopping.set()
        self._news.set()
        if self._thread is not threading.current_thread() and self._thread.is_alive():
            self._thread.join(5)

    def _run(self) -> None:
        told: tuple[FoundDirection, ...] | None = None
        while not self._stopping.is_set():
            self._news.clear()
            try:
                found = self._look()
            except (OSError, ZeroconfError, RuntimeError) as error:  # no network, or it has just gone
                log.info("nobody can be looked for: %s", error)
                self._close()
                found = ()
            if found != told and not self._stopping.is_set():
                told = found
                self._deliver(found)
            self._news.wait(LOOK_S)
        self._close()

    def _look(self) -> tuple[FoundDirection, ...]:
        """Ask each that has announced itself where it is, and whether it answers there."""
        zeroconf = self._open()
        found: dict[str, FoundDirection] = {}
        for name in list(self._names)[:MOST]:
            if self._stopping.is_set():
                break
            info = ServiceInfo(KIND, name)
            if not info.load_from_cache(zeroconf) and not info.request(zeroconf, _ASK_MS):
                continue  # it has gone without a goodbye
            direction = self._answering(info)
            if direction is not None:
                found[direction.url] = direction
        return tuple(sorted(found.values()))

    def _open(self) -> Zeroconf:
        """Listen at all interfaces that there are now."""
        adapters = frozenset(str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips)
        if self._zeroconf is None:
            self._names.clear()
            self._zeroconf = Zeroconf(interfaces=InterfaceChoice.All, ip_version=_versions())
            ServiceBrowser(self._zeroconf, KIND, handlers=[self._heard])
        elif adapters != self._adapters:
            self._zeroconf.update_interfaces()
        self._adapters = adapters
        return self._zeroconf

    def _heard(self, *, name: str, state_change: ServiceStateChange, **_: object) -> None:
        if state_change is ServiceStateChange.Removed:
            self._names.pop(name, None)
        else:
            self._names[name] = None
        self._news.set()

    def _close(self) -> None:
        zeroconf, self._zeroconf = self._zeroconf, None
        if zeroconf is not None:
            try:
                zeroconf.close()
            except (OSError, ZeroconfError, RuntimeError) as error:
                log.info("the search is not ended: %s", error)

    def _answering(self, info: ServiceInfo) -> FoundDirection | None:
        """The direction of an announcement at the first of its addresses that answers; None: at none."""
        said, port = texts_of(info.properties), info.port
        if not port:
            return None
        for address in reachable_first(info.parsed_scoped_addresses())[:_MOST_ADDRESSES]:
            if self._answers(address, port):
                host = said.get("at") or (f"[{address}]" if ":" in address else address)
                return FoundDirection(said.get("name") or host, f"https://{host}:{port}", said.get("fp", ""))
        return None


def texts_of(properties: Mapping[bytes, bytes | None]) -> dict[str, str]:
    """Read what an announcement says, without signs that nobody sees, each at most 60 signs, a fingerprint whole."""
    found = {}
    for key, value in properties.items():
        text = (value or b"").decode("utf-8", "replace")
        seen = "".join(sign for sign in text if unicodedata.category(sign)[0] != "C")
        found[key.decode("ascii", "replace")] = " ".join(seen.split())[: 64 if key == b"fp" else _LONGEST_NAME]
    if not all(sign.isalnum() or sign in "-." for sign in found.get("at", "")):
        del found["at"]
    return found


def reachable_first(addresses: Iterable[str]) -> list[str]:
    """Order addresses: IPv4, then IPv6 of the whole network, then of this cable alone; none of this machine itself.

    An address of a cable alone is of use with the name of its interface only (``fe80::1%eth0``).
    """
    found = []
    for text in addresses:
        plain, _, scope = text.partition("%")
        address = ipaddress.ip_address(plain)
        alone = address.version == 6 and address.is_link_local
        if address.is_loopback or address.is_unspecified or address.is_multicast or (alone and not scope):
            continue
        found.append((address.version == 6, address.is_link_local, f"{plain}%{_interface(scope)}" if alone else plain))
    return [text for _, _, text in sorted(found)]


def _interface(scope: str) -> str:
    """Name the interface of a number: numbers change with the next start."""
    try:
        return socket.if_indextoname(int(scope))
    except (OSError, ValueError):
        return scope


def takes_connections(address: str, port: int) -> bool:
    """Report whether somebody takes connections there."""
    try:
        with socket.create_connection((address, port), ANSWER_S):
            return True
    except OSError:
        return False


def _versions() -> IPVersion:
    """What this machine speaks: a kernel without IPv6 refuses its sockets."""
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).close()
    except OSError:
        return IPVersion.V4Only
    return IPVersion.All
