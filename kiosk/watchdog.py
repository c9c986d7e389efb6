"""What systemd is told: ready, alive, stopping, and how things stand.

The loop that can hang calls ``beat`` each time round; systemd restarts the service when that stops. Without systemd
every call does nothing. WATCHDOG_PID is not looked at: under the compositor ``cage`` the main process is not this one.
"""

import os
import time
from collections.abc import Callable, Mapping

from sdnotify import SystemdNotifier


class Watchdog:
    """The line to systemd, from NOTIFY_SOCKET and WATCHDOG_USEC of the environment."""

    def __init__(
        self, environ: Mapping[str, str] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        environ = os.environ if environ is None else environ
        self._clock = clock
        # SystemdNotifier reads os.environ itself, and leaves a socket open where there is nothing to connect to.
        self._notifier = SystemdNotifier() if environ.get("NOTIFY_SOCKET") else None
        self._every = int(environ.get("WATCHDOG_USEC") or 0) / 2e6
        self._next = float("-inf")
        self._status = ""

    @property
    def watched(self) -> bool:
        """Whether systemd waits for beats."""
        return self._notifier is not None and self._every > 0

    def ready(self) -> None:
        """The service works from now on: call it once, when the screen is drawn or the port is open."""
        self._tell("READY=1")

    def beat(self) -> None:
        """The loop is alive. May be called as often as one likes; every half of the watchdog's time it is passed on."""
        if self.watched and (at := self._clock()) >= self._next:
            self._next = at + self._every
            self._tell("WATCHDOG=1")

    def status(self, text: str) -> None:
        """One line for ``systemctl status``; the same line again costs nothing."""
        if text != self._status:
            self._status = text
            self._tell("STATUS=" + " ".join(text.split()))

    def stopping(self) -> None:
        """The service is closing down; the watchdog waits no more than TimeoutStopSec from now on."""
        self._tell("STOPPING=1")

    def _tell(self, text: str) -> None:
        if self._notifier is not None:
            # sdnotify sends Latin 1, systemd reads UTF-8 and drops what is not: so that the bytes come out right
            self._notifier.notify(text.encode().decode("latin-1"))
