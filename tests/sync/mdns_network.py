"""Announce and find directions in the network that this process is in; each line printed is one thing seen."""

import queue
import socket
import subprocess
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from zeroconf import InterfaceChoice, ServiceInfo, Zeroconf

from kiosk.director import announcement
from kiosk.director.announcement import Announced, Announcement, reached_at
from kiosk.sync import finding
from kiosk.sync.finding import KIND, Finder

PATIENCE_S = 60.0

announcement.LOOK_S = finding.LOOK_S = 0.3


class Direction:
    """What takes connections, and announces itself."""

    def __init__(self, name: str, host: str = "0.0.0.0") -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.listener = socket.socket(family, socket.SOCK_STREAM)
        self.listener.bind((host, 0))
        self.listener.listen(64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._take, daemon=True).start()

        def now() -> Announced:
            return Announced(name=name, port=self.port, fingerprint="a" * 64, at="", addresses=reached_at(host))

        self.announcement = Announcement(now)
        self.announcement.start()

    def _take(self) -> None:
        with suppress(OSError):
            while True:
                self.listener.accept()[0].close()

    def die(self) -> None:
        """Answer no more, and tell nobody."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


found: queue.Queue[tuple] = queue.Queue()
finder = Finder(found.put).start()


def until(wanted) -> tuple:
    while True:
        now = found.get(timeout=PATIENCE_S)
        if wanted(now):
            return now


def urls(now: tuple) -> set[str]:
    return {one.url for one in now}


one, other = Direction("Klub"), Direction("Klub")
both = {f"https://10.9.0.1:{one.port}", f"https://10.9.0.1:{other.port}"}
seen = until(lambda now: urls(now) == both)
assert {direction.name for direction in seen} == {"Klub"} and seen[0].fingerprint == "a" * 64
print("two of one name stand apart")
other.announcement.stop()
until(lambda now: len(now) == 1 and now[0].url.endswith(str(one.port)))
print("one that says goodbye goes")
third = Direction("Kurz")
until(lambda now: len(now) == 2)
third.die()
until(lambda now: len(now) == 1)
print("one that says nothing more goes")
ip("addr", "add", "10.9.7.1/24", "dev", "d0")
ip("addr", "del", "10.9.0.1/24", "dev", "d0")
until(lambda now: urls(now) == {f"https://10.9.7.1:{one.port}"})
print("one that has another address is found there")
alone = Direction("Kabel", "::")
ip("addr", "flush", "dev", "d0", "scope", "global")
# At either end of the cable: both lie in this network, and the one that is heard first is named.
by_cable = next(line for line in until(lambda now: any("%d" in line.url for line in now)) if "%d" in line.url)
parts = urlsplit(by_cable.url)
assert finding.takes_connections(parts.hostname or "", parts.port or 0)
print("one by its cable alone answers")
stranger = Zeroconf(interfaces=InterfaceChoice.All)
for number in range(40):
    info = ServiceInfo(KIND, f"x{number}.{KIND}", port=1, server=f"x{number}.local.", parsed_addresses=["10.9.0.200"])
    stranger.registry.async_add(info)
    stranger.send(stranger.generate_service_broadcast(info, None))
assert any("%d" in line.url for line in finder._look())
print("a stranger's forty names leave room")
finder.stop()
