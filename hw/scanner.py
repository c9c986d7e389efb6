"""Read the serial scanner: a thread that reads lines, outlives being pulled out, and finds the scanner again."""

import errno
import glob
import termios
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeAlias

import serial

from hw.clock import now
from hw.scanned import Lines, Scanned

#: Seconds between two looks for a scanner that is not there.
RETRY_INTERVAL_S = 1.0

#: Seconds that a read waits, and so the longest that closing takes.
READ_TIMEOUT_S = 0.2

BY_ID = "/dev/serial/by-id/*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugged:
    """The scanner is there."""

    at: float
    port: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplugged:
    """The scanner is not there; reported once each time it goes and when it is missing at the start."""

    at: float
    port: str
    why: str  # what is wrong and the way out


ScannerMessage: TypeAlias = Scanned | Plugged | Unplugged


class Scanner:
    """Reader of a serial scanner until it is closed.

    :param port: a device, best ``/dev/serial/by-id/…`` because ttyUSB numbers change; ``*`` and ``?`` as in a shell.
    :param deliver: called from the scanner's own thread with each message.
    """

    def __init__(
        self, port: str, baud: int, deliver: Callable[[ScannerMessage], None], *, clock: Callable[[], float] = now
    ) -> None:
        self.port, self.baud = port, baud
        self._deliver, self._clock = deliver, clock
        self._stop = threading.Event()
        self._told = ""
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the port; may be called twice."""
        self._stop.set()
        self._thread.join(timeout=10 * READ_TIMEOUT_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._open() as line:
                    self._told = ""
                    self._deliver(Plugged(at=self._clock(), port=line.port))
                    self._read(line)
            except (OSError, termios.error) as error:  # SerialException is an OSError, termios.error is not
                self._tell(*_reason(error, self.port))
            self._stop.wait(RETRY_INTERVAL_S)

    def _open(self) -> serial.Serial:
        found = sorted(glob.glob(self.port)) if glob.has_magic(self.port) else [self.port]
        if len(found) > 1:
            raise OSError(f"{len(found)} ports match {self.port}: {', '.join(found)}; name one of them")
        if not found:
            there = ", ".join(sorted(glob.glob(BY_ID))) or "no serial port at all"
            raise FileNotFoundError(
                f"no port matches {self.port} (there is {there}); plug the scanner in or name its port"
            )
        return serial.Serial(found[0], self.baud, timeout=READ_TIMEOUT_S, exclusive=True)

    def _read(self, line: serial.Serial) -> None:
        lines = Lines()
        try:
            while not self._stop.is_set():
                data = line.read(line.in_waiting or 1)
                if data:
                    for scanned in lines.feed(data, self._clock()):
                        self._deliver(scanned)
        finally:
            for scanned in lines.give_up():
                self._deliver(scanned)

    def _tell(self, kind: str, why: str) -> None:
        if kind != self._told and not self._stop.is_set():
            self._told = kind
            self._deliver(Unplugged(at=self._clock(), port=self.port, why=why))


def _reason(error: OSError | termios.error, port: str) -> tuple[str, str]:
    """Return the kind of fault (the same one is reported once) and its text."""
    number = getattr(error, "errno", None)
    if isinstance(error, FileNotFoundError):
        return "away", str(error)
    if number == errno.ENOENT:
        return "away", f"{port} is not there; plug the scanner in, or name another port of /dev/serial/by-id"
    if number == errno.EACCES:
        return "forbidden", f"{port} may not be opened by this user; put him into the group dialout"
    if number in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error):
        return "busy", f"{port} is in use by another program; end that, or name another port"
    if number in (errno.ENOTTY, errno.EINVAL) or isinstance(error.__cause__ or error.__context__, termios.error):
        return "wrong", f"{port} is no serial port ({error}); name one of /dev/serial/by-id"
    if isinstance(error, serial.SerialException) or number in (errno.EIO, errno.ENXIO, errno.ENODEV):
        return "away", f"{port} has gone ({error}); plug the scanner in again"
    return str(error), str(error)
