"""Serve the director in this process, or as another one."""

import asyncio
import errno
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import uvicorn
import uvloop

from kiosk.director.app import create_app
from kiosk.director.refusals import DirectorError, PortInUse
from kiosk.director.settings import Settings
from kiosk.director.web.patience import PatientProtocol

log = logging.getLogger(__name__)

#: Seconds for which the thread that folds lists keeps the interpreter while tables and pages wait for an answer.
_SWITCH_S = 0.0005

#: The line on standard output that says that tables and pages may come; the address follows.
READY = "director ready:"

#: The line on standard output that holds the code for the first account.
FIRST_CODE = "code for the first account:"


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens there; port 0 takes a free one.

    :raises PortInUse: something listens there already, or this machine does not have that address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(256)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(
                f"port {port} of {host} is in use: another director may be running here. End it, or give another port "
                "with --port (and the same port in the tables' configuration)"
            ) from error
        if error.errno in (errno.EACCES, errno.EPERM):
            raise PortInUse(f"port {port} is reserved for the system; give one above 1023 with --port") from error
        raise PortInUse(
            f"host {host!r} port {port}: {error.strerror or error}; give an address of this machine with --host, "
            "or 0.0.0.0 for all of them"
        ) from error
    except OverflowError as error:
        listener.close()
        raise PortInUse(f"port {port}: a number from 0 to 65535 is wanted") from error
    return listener


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone: uvicorn would raise them again at its end, and what comes after it would not run."""
        yield


class Service:
    """The service on a socket of its own; ``run`` blocks, ``start`` takes a thread.

    :param ready: called once with the address when tables and pages may come.
    :param beat: called about every second from the event loop, for a watchdog.
    :raises PortInUse: see ``listen``.
    :raises StoreFailed: the database cannot be opened.
    """

    def __init__(
        self,
        settings: Settings,
        ready: Callable[[str], None] | None = None,
        beat: Callable[[], None] | None = None,
    ) -> None:
        self._ready, self._beat = ready, beat
        self.app = create_app(settings)
        self._listener = listen(settings.host, settings.port)
        self.port = int(self._listener.getsockname()[1])
        host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{self.port}"
        self.app.state.address = self.url
        self._server = _Server(
            uvicorn.Config(
                self.app,
                http=PatientProtocol,
                log_config=None,
                log_level="warning",  # who comes and goes is logged by table, not by port
                access_log=False,
                ws_max_size=1024 * 1024,
                ws_per_message_deflate=False,  # a hall's network has room; a thousand compressors have not
                ws_ping_interval=10,
                ws_ping_timeout=10,
                timeout_graceful_shutdown=2,  # open sockets would keep it for ever
                timeout_keep_alive=30,
                server_header=False,
            )
        )
        self._thread: threading.Thread | None = None

    def enrol(self, table: int, secret: str = "") -> str:
        """Admit a device as a table, as the direction does on its page, and return the device's secret."""
        access = self.app.state.access
        _, shown = access.devices.issue(table, True, secret)
        access.forget_tables()
        return str(shown)

    def run(self) -> None:
        """Serve until SIGTERM or Ctrl-C."""
        sys.setswitchinterval(_SWITCH_S)
        uvloop.run(self._serve())

    def start(self) -> "Service":
        """Serve in a thread; return when tables and pages may connect."""
        self._thread = threading.Thread(target=self.run, name="director", daemon=True)
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise DirectorError("the director's service did not start; its log says why")
            time.sleep(0.005)
        return self

    def stop(self) -> None:
        """End the thread."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join(10)

    async def _serve(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, self._end)
        watching = asyncio.create_task(self._watch())
        try:
            await self._server.serve(sockets=[self._listener])
        finally:
            watching.cancel()
            self._listener.close()

    def _end(self) -> None:
        self._server.force_exit = self._server.should_exit  # whoever asks twice does not want to wait
        self._server.should_exit = True

    async def _watch(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        if self._ready is not None:
            self._ready(self.url)
        while True:
            if self._beat is not None:
                self._beat()
            await asyncio.sleep(1)

    def __enter__(self) -> "Service":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def serve(
    settings: Settings, ready: Callable[[str], None] | None = None, beat: Callable[[], None] | None = None
) -> None:
    """Serve until SIGTERM or Ctrl-C; print to standard output when tables and pages may connect.

    :raises PortInUse: see ``listen``.
    :raises StoreFailed: the database cannot be opened.
    """

    def announce(url: str) -> None:
        print(f"{READY} {url}", flush=True)
        if code := service.app.state.access.first_code:
            print(f"{FIRST_CODE} {code[:4]} {code[4:]} (on the page: makes the director's account, once)", flush=True)
        if settings.host in ("0.0.0.0", "::"):
            for address in lan_addresses():
                print(f"in the hall's network: http://{address}:{service.port}", flush=True)
        if ready is not None:
            ready(url)

    service = Service(settings, announce, beat)
    service.run()


def lan_addresses() -> list[str]:
    """List addresses under which other machines may reach this one; empty without a network."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1 (RFC 5737): nothing is sent, only the way out is chosen
            found.append(str(probe.getsockname()[0]))
        except OSError:
            pass
    return [address for address in found if not address.startswith("127.")]


class DirectorProcess:
    """The director as a process of its own, ``stichwart director …``, ready when this returns.

    :param arguments: as on the command line after ``director``; a port of 0 takes a free one.
    :raises DirectorError: it ended at once, or was not ready within ``patience`` seconds.
    """

    def __init__(self, arguments: Sequence[str | Path], patience: float = 30.0, log_file: Path | None = None) -> None:
        errors = open(log_file, "ab") if log_file is not None else None  # noqa: SIM115 - the process keeps it
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "kiosk.cli", "director", *map(str, arguments)],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        finally:
            if errors is not None:
                errors.close()
        self.url = ""
        self._said = threading.Event()
        self._listening = threading.Thread(target=self._listen, name="director-said", daemon=True)
        self._listening.start()
        if not self._said.wait(patience) or not self.url:
            self.stop()
            where = f"; see {log_file}" if log_file is not None else ""
            raise DirectorError(f"the director did not start (exit status {self._process.returncode}){where}")

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as said:
            for line in said:
                if line.startswith(READY):
                    self.url = line.removeprefix(READY).strip()
                    self._said.set()
        self._said.set()

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    @property
    def exit_status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll()

    def stop(self, patience: float = 10.0) -> None:
        """Stop it as systemd would, and by force if it does not end."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(patience)
            except subprocess.TimeoutExpired:
                log.error("the director did not end within %s seconds and is killed", patience)
                self._process.kill()
                self._process.wait()
        self._listening.join(patience)  # its output ends with it

    def __enter__(self) -> "DirectorProcess":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
