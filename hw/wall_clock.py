"""Set the machine's date and time, by systemd-timedated.

``busctl`` (systemd) speaks to it; ``systemd/polkit.rules`` allows the services' user that. timedated refuses while the
time is kept over the network, so that is stopped for the moment and goes on afterwards: where a time server answers, it
has the last word.
"""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from hw.errors import HardwareError

#: Seconds since the epoch before which no clock is right: nothing of this program was there.
EARLIEST: Final = 1_767_225_600.0  # 2026-01-01

#: And after which none is set: 2100-01-01.
LATEST: Final = 4_102_444_800.0

#: To switch the network's time off systemd reads its units anew: longer than it looks on a small machine that is busy.
_TIMEOUT_S = 60
_ADDRESS = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")


class WallClockError(HardwareError, OSError):
    """The machine's time cannot be set; the text is for administrators."""


class WallClock(Protocol):
    """The machine's date and time."""

    def synchronised(self) -> bool:
        """Whether the time is kept over the network and known to be right.

        :raises WallClockError: nobody can tell.
        """

    def set(self, now: Callable[[], float]) -> None:
        """Set the time.

        :param now: the time by then, seconds since the epoch.
        :raises WallClockError: it is as it was, or that is no time.
        """


class TimedateClock:
    """The clock as systemd-timedated has it."""

    def synchronised(self) -> bool:
        return _property("NTPSynchronized")

    def set(self, now: Callable[[], float]) -> None:
        if not EARLIEST <= (wanted := now()) <= LATEST:
            raise WallClockError(f"{wanted:.0f} s since the epoch is no time of this program; look at the other clock")
        kept = _property("NTP")
        try:
            if kept:
                _call("SetNTP", "bb", "false", "false")
            _call("SetTime", "xbb", str(round(now() * 1e6)), "false", "false")
        finally:
            if kept:
                _call("SetNTP", "bb", "true", "false")


class FollowedClock:
    """Lets a machine's clock follow another one, where no time server does better.

    :param theirs: the other clock's time, seconds since the epoch; None: not known.
    :param ours: this machine's.
    """

    #: Seconds by which the clocks may differ: more than what is measured wrong, less than what people notice.
    OFF_S: Final = 2.0

    def __init__(
        self, clock: WallClock, theirs: Callable[[], float | None], ours: Callable[[], float] = time.time
    ) -> None:
        self._clock, self._theirs, self._ours = clock, theirs, ours

    def follow(self) -> float | None:
        """Set the clock if it is off; return by how many seconds it was ahead, None if it stays as it is.

        :raises WallClockError: it could not be set.
        """
        theirs = self._theirs()
        if theirs is None or not EARLIEST <= theirs <= LATEST:
            return None
        off = self._ours() - theirs
        if abs(off) <= self.OFF_S or self._clock.synchronised():
            return None
        self._clock.set(lambda: self._theirs() or theirs)
        return off


def _property(name: str) -> bool:
    return _run("get-property", *_ADDRESS, name).split() == ["b", "true"]


def _call(method: str, *arguments: str) -> None:
    _run("call", *_ADDRESS, method, *arguments)


def _run(*words: str) -> str:
    command: Sequence[str] = ("busctl", "--system", f"--timeout={_TIMEOUT_S}", *words)
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S + 5,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise WallClockError(f"{' '.join(command)}: {error}") from error
    if done.returncode:
        raise WallClockError(f"{' '.join(command)}: {done.stderr.strip() or done.returncode}")
    return done.stdout
