"""Look at the network while people set it up, and carry out what they ask for, beside the table's loop."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import ifaddr

from hw.network import Network, NetworkError, Networks, name_of
from hw.wifi_code import read_wifi_code
from kiosk.app.jobs import StartJob, in_thread
from kiosk.errors import Refused
from kiosk.ui.first_start.network_view import ForgetWifi, JoinWifi, NetworkRequest, NetworkView, WifiLine

log = logging.getLogger(__name__)

#: Seconds between two looks, and of looks until Wi-Fi networks are searched for again.
LOOK_S, SEARCH_EVERY = 2.0, 5


@dataclass(frozen=True, slots=True)
class NetworkSeen:
    """What this machine is connected to; None: nobody can tell, with the reason's code."""

    network: Network | None
    why: str = ""
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkTold:
    """A network has let this machine in, or why it has not."""

    code: str  # joined, or of NetworkError
    about: str


NetworkMessage = NetworkSeen | NetworkTold


class NetworkDesk:
    """Answers the requests about the network; told of its messages in the loop that owns the table.

    :param changed: called when there is something new to show.
    :param run: starts a job beside the loop.
    """

    def __init__(
        self,
        networks: Networks,
        deliver: Callable[[NetworkMessage], None],
        changed: Callable[[], None],
        run: StartJob = in_thread,
    ) -> None:
        self._networks, self._deliver, self._changed, self._run = networks, deliver, changed, run
        self._watching: threading.Event | None = None  # set: nobody looks any more
        self._busy = False  # a wish is carried out
        self.view = NetworkView()

    def watch(self, wanted: bool) -> None:
        """Look at the network from now on, or no longer."""
        if wanted and self._watching is None:
            self.view = NetworkView()
            self._watching = over = threading.Event()
            self._run(lambda: self._watch(over))
        elif not wanted and self._watching is not None:
            self._watching.set()
            self._watching = None

    def takes(self, request: NetworkRequest) -> None:
        """Carry out a request.

        :raises Refused: another one is being carried out.
        """
        if self._busy:
            raise Refused("not_now", "", "the network is being changed")
        self._busy = True
        about = name_of(request.ssid)
        self.view = replace(self.view, state="joining" if isinstance(request, JoinWifi) else "looking", about=about)
        self._run(lambda: self._carry_out(request))
        self._changed()

    def seen(self, texts: tuple[str, ...]) -> None:
        """Take the codes that are held before the camera: the first of a network is gone into, if nothing else is."""
        code = next((code for text in texts if (code := read_wifi_code(text)) is not None), None)
        if code is not None and not self._busy:
            heard = next((one for one in self.view.wifis if one.ssid == code.ssid), None)
            security = heard.security if heard is not None and code.security == "wpa" else code.security
            self.takes(JoinWifi(code.ssid, code.password, security, code.hidden))
        if not self.view.codes:
            self.view = replace(self.view, codes=True)
            self._changed()

    def heard(self, message: NetworkMessage) -> None:
        """Take what there is now, or what became of a request."""
        match message:
            case NetworkTold(code, about):
                self._busy = False
                self.view = replace(self.view, state=code, about=about)
            case NetworkSeen(None, why, addresses):
                self.view = NetworkView(state=why, addresses=addresses, codes=self.view.codes)
            case NetworkSeen(network) if network is not None:
                state = "there" if self.view.state in ("looking", "tools", "denied") else self.view.state
                self.view = replace(_shown(network), state=state, about=self.view.about, codes=self.view.codes)
        self._changed()

    def _watch(self, over: threading.Event) -> None:
        told, looks = None, 0
        while not over.is_set():
            seen = self._seen(search=looks % SEARCH_EVERY == 0)
            looks += 1
            if seen != told and not over.is_set():
                told = seen
                self._deliver(seen)
            over.wait(LOOK_S)

    def _seen(self, search: bool) -> NetworkSeen:
        try:
            network = self._networks.look()
            if search and network.has_wifi:
                self._networks.search()
        except NetworkError as error:
            log.warning("%s", error)
            return NetworkSeen(None, error.code, own_addresses())
        return NetworkSeen(network)

    def _carry_out(self, request: NetworkRequest) -> None:
        about, code = name_of(request.ssid), "joined"
        try:
            if isinstance(request, ForgetWifi):
                self._networks.forget(request.ssid)
                code = "there"
            else:
                ssid, password = request.ssid, request.password
                self._networks.join(ssid, password, security=request.security, hidden=request.hidden)
        except NetworkError as error:
            log.warning("%s: %s", about, error)
            code = error.code
        self._deliver(NetworkTold(code, about))


def _shown(network: Network) -> NetworkView:
    return NetworkView(
        cable=network.cable,
        cable_address=network.cable_address,
        has_wifi=network.has_wifi,
        wifi_address=network.wifi_address,
        wifis=tuple(
            WifiLine(one.ssid, one.name, one.strength, one.security, one.known, one.active) for one in network.wifis
        ),
    )


def own_addresses() -> tuple[str, ...]:
    """List the IPv4 addresses of this machine under which others may reach it."""
    found = {str(one.ip) for adapter in ifaddr.get_adapters() for one in adapter.ips if one.is_IPv4}
    return tuple(sorted(one for one in found if not one.startswith("127.")))
