"""Notify systemd: ready, alive, stopping, and the status line.

The loop that can hang calls ``beat`` each time round; systemd restarts the service when that stops. Without systemd
every call does nothing. WATCHDOG_PID is not looked at: under the compositor ``cage`` the main process is not this one.
"""

import contextlib
import os
import socket
import time
from collections.abc import Callable, Mapping

#: So long, seconds, after it was ready a program works before it counts as having come up.
UP_S = 20.0


class Watchdog:
    """The line to systemd, from NOTIFY_SOCKET and WATCHDOG_USEC of the environment (sd_notify(3)).

    :param healthy: called once, when the program has been at work for ``UP_S``.
    """

    def __init__(
        self,
        environ: Mapping[str, str] = os.environ,
        *,
        clock: Callable[[], float] = time.monotonic,
        healthy: Callable[[], None] | None = None,
    ) -> None:
        self._clock = clock
        self._healthy = healthy
        self._healthy_at = float("inf")
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self._every = int(environ.get("WATCHDOG_USEC") or 0) / 2e6
        self._next = float("-inf")
        self._status = ""

    @property
    def watched(self) -> bool:
        """Whether systemd waits for beats."""
        return bool(self._address) and self._every > 0

    def ready(self) -> None:
        """Notify that the service works: call it once, when the screen is drawn or the port is open."""
        self._healthy_at = self._clock() + UP_S
        self._tell("READY=1")

    def beat(self) -> None:
        """Notify that the loop is alive. May be called at any rate; passed on every half of the watchdog's time."""
        if self._healthy is not None and self._clock() >= self._healthy_at:
            healthy, self._healthy = self._healthy, None
            healthy()
        if self.watched and (at := self._clock()) >= self._next:
            self._next = at + self._every
            self._tell("WATCHDOG=1")

    def status(self, text: str) -> None:
        """Set the line for ``systemctl status``; the same line again costs nothing."""
        if text != self._status:
            self._status = text
            self._tell("STATUS=" + " ".join(text.split()))

    def stopping(self) -> None:
        """Notify that the service is closing down; the watchdog waits no more than TimeoutStopSec from now on."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if not self._address:
            return
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line, contextlib.suppress(OSError):
            line.sendto(text.encode(), socket.MSG_DONTWAIT, self._address)  # a full socket: the next beat will do
