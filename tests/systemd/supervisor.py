"""Follow a unit file's rules as systemd does, as far as updates need it: launcher, readiness, watchdog, restart."""

import os
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

UNITS = Path(__file__).parents[2] / "systemd"


class Supervisor:
    """One service, started again whenever it ends, does not become ready, or stops reporting.

    ``starts``: how often it was started. ``ready``: whether the one that runs has said that it is.

    A service that hangs on purpose says so by ``HANGS=1``: the time for which it would be waited for is over then.

    :param replaced: texts of the unit → what stands for them here: folders, times.
    """

    def __init__(self, role: str, folder: Path, replaced: Mapping[str, str], environment: Mapping[str, str]) -> None:
        text = (UNITS / f"stichwart-{role}.service").read_text(encoding="utf-8")
        for before, after in replaced.items():
            text = text.replace(before, after)
        pairs = [line.partition("=") for line in text.splitlines() if "=" in line and not line.startswith("#")]
        unit = {name: value for name, _, value in pairs}
        assert unit["Restart"] == "always" and unit["Type"] == "notify"
        assert unit["ExecStartPre"].startswith("-+")
        self._before, self._start = shlex.split(unit["ExecStartPre"][2:]), shlex.split(unit["ExecStart"])
        self._again_s, self._watchdog_s = float(unit["RestartSec"]), float(unit["WatchdogSec"])
        self._ready_s = float(unit["TimeoutStartSec"])
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._environment = {
            **os.environ,
            **environment,
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(int(self._watchdog_s * 1e6)),
        }
        self._log = (folder / "journal").open("ab")
        self.starts, self.ready = 0, False
        self._process: subprocess.Popen[bytes] | None = None

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the service, which runs."""
        assert self._process is not None
        self._process.send_signal(number)

    def run(self, until: Callable[[], bool], longest_s: float) -> bool:
        """Serve until something has come about; False: it did not in that time."""
        end = time.monotonic() + longest_s
        while time.monotonic() < end:
            if self._process is None:
                self._begin()
            if self._serve(until, end):
                return True
            self._kill()
            time.sleep(self._again_s)
        return False

    def _begin(self) -> None:
        self.starts, self.ready = self.starts + 1, False
        subprocess.run(self._before, env=self._environment, stdout=self._log, stderr=self._log, check=False)
        self._process = subprocess.Popen(self._start, env=self._environment, stdout=self._log, stderr=self._log)
        self._deadline = time.monotonic() + self._ready_s

    def _serve(self, until: Callable[[], bool], end: float) -> bool:
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < min(self._deadline, end):
            self._socket.settimeout(0.2)
            try:
                said = self._socket.recv(4096)
                self.ready |= said.startswith(b"READY=1")
                if said.startswith((b"READY=1", b"WATCHDOG=1")):
                    self._deadline = time.monotonic() + self._watchdog_s
                elif said.startswith(b"HANGS=1"):
                    self._deadline = time.monotonic()
            except TimeoutError:
                pass
            if until():
                return True
        return until()

    def _kill(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """End the service."""
        self._kill()
        self._socket.close()
        self._log.close()


class Watched:
    """A path unit and its service: runs the service's command for as long as the folder is not empty.

    :param before: words before the command: with which rights it runs.
    """

    def __init__(self, replaced: Mapping[str, str], before: Sequence[str] = ()) -> None:
        def unit(name: str) -> dict[str, str]:
            text = (UNITS / name).read_text(encoding="utf-8")
            for before, after in replaced.items():
                text = text.replace(before, after)
            return {key: value for key, _, value in (line.partition("=") for line in text.splitlines()) if value}

        self._command = [*before, *shlex.split(unit("stichwart-update.service")["ExecStart"])]
        self._folder = Path(unit("stichwart-update.path")["DirectoryNotEmpty"])

    def begin(self, environment: Mapping[str, str]) -> subprocess.Popen[bytes] | None:
        """Start the service if there is something; None: there is nothing."""
        if not any(self._folder.iterdir()):
            return None
        return subprocess.Popen(self._command, env={**os.environ, **environment})

    def run(self, environment: Mapping[str, str], most: int = 10) -> int:
        """Serve until the folder is empty; return how often the service was started."""
        for starts in range(most):
            if (process := self.begin(environment)) is None:
                return starts
            process.wait()
        raise AssertionError(f"the folder is not empty after {most} starts of its service")
