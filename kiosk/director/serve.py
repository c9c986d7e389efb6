"""Serve the director in this process."""

import asyncio
import contextlib
import errno
import itertools
import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

import uvicorn
import uvloop
from fastapi import FastAPI

from kiosk.director.announcement import Announced, Announcement, is_address, reached_at
from kiosk.director.app import create_app
from kiosk.director.clubs import with_clubs
from kiosk.director.process import FIRST_CODE, READY
from kiosk.director.refusals import BadCertificate, DirectorError, PortInUse
from kiosk.director.settings import Settings, is_exposed
from kiosk.director.tls.authority import spoken
from kiosk.director.tls.certificates import Certificates, lan_addresses
from kiosk.director.tls.plain_door import PAGES
from kiosk.director.tls.reception import Reception
from kiosk.director.web.complaints import OnceAMinute
from kiosk.director.web.patience import PatientProtocol
from kiosk.director.web.shared_frames import SharedFramesProtocol
from kiosk.director.web.usual_port import ShowTheWay

log = logging.getLogger(__name__)

#: Seconds for which the thread that folds lists keeps the interpreter while tables and pages wait for an answer.
_SWITCH_S = 0.0005

#: Seconds between two looks at the certificate.
_LOOK_S = 60


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
    """Uvicorn's server; with certificates it takes its connections by a ``Reception``.

    At ``doors`` it shows the way to its own port.
    """

    certificates: Certificates | None = None
    doors: Sequence[socket.socket] = ()
    shows_way: uvicorn.Config | None = None
    _loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        if self.certificates is None or not sockets:
            await super().startup(sockets)
        else:
            await super().startup([])
            for listener in sockets:
                self.servers.append(Reception(listener, self.certificates, self._protocol(self.config)))  # type: ignore[arg-type]
        if self.shows_way is not None:
            self.shows_way.load()
            for door in self.doors:
                way = self._protocol(self.shows_way)
                self.servers.append(await asyncio.get_running_loop().create_server(way, sock=door))

    def _protocol(self, config: uvicorn.Config) -> Callable[[], asyncio.Protocol]:
        """What makes the protocol of a connection."""

        def protocol() -> asyncio.Protocol:
            made: asyncio.Protocol = config.http_protocol_class(  # type: ignore[call-arg]
                config=config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        return protocol

    async def main_loop(self) -> None:
        """Serve until ``end``. Uvicorn's own way is to look ten times a second whether to end."""
        self._ends, self._loop = asyncio.Event(), asyncio.get_running_loop()
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._ends.wait()

    def end(self) -> None:
        """End soon; from any thread."""
        self.should_exit = True
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has ended
                self._loop.call_soon_threadsafe(self._ends.set)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone: uvicorn would raise them again at its end, and what comes after it would not run."""
        yield


class Service:
    """The service on a socket of its own; ``run`` blocks, ``start`` takes a thread.

    :param ready: called once with the address when tables and pages may come.
    :param beat: called about every second from the event loop, for a watchdog.
    :param clubs: others that are held besides, each under its ``names``; ``settings`` say host, port and encryption.
    :param doors: open sockets at which browsers are shown the way to the service's port.
    :raises PortInUse: see ``listen``.
    :raises StoreFailed: the database cannot be opened.
    :raises BadCertificate: the certificate or its key cannot be read or kept.
    """

    def __init__(
        self,
        settings: Settings,
        ready: Callable[[str], None] | None = None,
        beat: Callable[[], None] | None = None,
        clubs: Sequence[Settings] = (),
        doors: Sequence[socket.socket] = (),
    ) -> None:
        self._ready, self._beat = ready, beat
        self.certificates = Certificates(settings.tls) if settings.tls is not None else None
        self.app = create_app(settings, certificates=self.certificates)
        #: The applications of the clubs, by name.
        self.clubs: dict[str, FastAPI] = {}
        for club in clubs:
            self.clubs |= dict.fromkeys(club.names, create_app(club, certificates=self.certificates))
        self._listener = listen(settings.host, settings.port)
        self.port = int(self._listener.getsockname()[1])
        host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        scheme = "https" if self.certificates is not None else "http"
        self.url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"
        if settings.host in ("0.0.0.0", "::"):
            host = next(iter(lan_addresses()), host)
        for app in (self.app, *self.clubs.values()):
            app.state.address = f"{scheme}://{f'[{host}]' if ':' in host else host}:{self.port}"
        #: Somebody has taken over another machine's tournament: the service has ended to start anew with it.
        self.again = False
        for app in (self.app, *self.clubs.values()):
            app.state.begin_anew = self._begin_anew
        self._server = _Server(
            uvicorn.Config(
                with_clubs(self.app, self.clubs) if self.clubs else self.app,
                http=PatientProtocol,
                ws=SharedFramesProtocol,
                log_config=None,
                log_level="warning",  # who comes and goes is logged by table, not by port
                access_log=False,
                ws_max_size=1024 * 1024,
                ws_per_message_deflate=False,  # a hall's network has room; a thousand compressors have not
                ws_ping_interval=None,  # tables speak every six seconds, and the system looks whether a page is there
                timeout_graceful_shutdown=2,  # open sockets would keep it for ever
                timeout_keep_alive=30,
                server_header=False,
            )
        )
        self._server.certificates = self.certificates
        if doors:
            self._server.doors = doors
            self._server.shows_way = uvicorn.Config(
                ShowTheWay(self.port),
                http=PatientProtocol,
                lifespan="off",
                log_config=None,
                access_log=False,
                timeout_keep_alive=5,
                server_header=False,
            )
        noisy = logging.getLogger("uvicorn.error")
        if not any(isinstance(one, OnceAMinute) for one in noisy.filters):
            noisy.addFilter(OnceAMinute())
        self._thread: threading.Thread | None = None

    def enrol(self, table: int, secret: str = "") -> str:
        """Admit a device as a table, as the direction does on its page, and return the device's secret."""
        access = self.app.state.access
        _, shown = access.devices.issue(table, True, secret)
        access.forget_tables()
        return str(shown)

    def announced(self, host: str) -> Callable[[], Announced] | None:
        """What tables in the network shall hear of this service, asked again and again; None: nothing.

        Without encryption it is not announced: no table shall be led to a door that anybody could stand in.

        :param host: where it listens.
        """
        certificates, app = self.certificates, self.app
        if certificates is None or not is_exposed(host):
            return None

        def now() -> Announced:
            names = () if certificates.own else (one for one in certificates.names if not is_address(one))
            return Announced(
                name=app.state.hall.tournament,
                port=self.port,
                fingerprint=certificates.fingerprint,
                at=next(iter(names), ""),
                addresses=reached_at(host),
            )

        return now

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
        self._server.end()
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
        self._server.end()

    def _begin_anew(self) -> None:
        self.again = True
        self._server.end()

    async def _watch(self) -> None:
        while not self._server.started:
            await asyncio.sleep(0.01)
        if self._ready is not None:
            self._ready(self.url)
        for beat in itertools.count(1):
            if self._beat is not None:
                self._beat()
            if self.certificates is not None and beat % _LOOK_S == 0:
                try:
                    self.certificates.look()
                except BadCertificate as error:  # the one before goes on as long as it lasts
                    log.error("%s", error)
            await asyncio.sleep(1)

    def __enter__(self) -> "Service":
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def serve(
    settings: Settings,
    ready: Callable[[str], None] | None = None,
    beat: Callable[[], None] | None = None,
    clubs: Sequence[Settings] = (),
    doors: Sequence[socket.socket] = (),
    watch: Callable[[FastAPI], Callable[[], None]] | None = None,
) -> bool:
    """Serve until SIGTERM or Ctrl-C; print to standard output when tables and pages may connect.

    :param watch: looks beside it for others in the network, where the service is announced; returns what ends that.
    :returns: whether it has ended to start anew, with what was taken over from another machine.
    :raises PortInUse: see ``listen``.
    :raises StoreFailed: the database cannot be opened.
    :raises BadCertificate: the certificate or its key cannot be read or kept.
    """

    def announce(url: str) -> None:
        print(f"{READY} {url}", flush=True)
        if code := service.app.state.access.first_code:
            print(f"{FIRST_CODE} {code[:4]} {code[4:]} (on the page: makes the director's account, once)", flush=True)
        for club in clubs:
            if code := service.clubs[club.names[0]].state.access.first_code:
                print(f"{FIRST_CODE} {code[:4]} {code[4:]} (at {club.names[0]})", flush=True)
        _tell_addresses(service, settings.host)
        if announcement is not None:
            announcement.start()
        if ready is not None:
            ready(url)

    service = Service(settings, announce, beat, clubs, doors)
    known = service.announced(settings.host)
    announcement = Announcement(known) if known is not None else None
    unwatch = watch(service.app) if watch is not None and announcement is not None else None
    try:
        service.run()
    finally:
        if unwatch is not None:
            unwatch()
        if announcement is not None:
            announcement.stop()
    return service.again


def _tell_addresses(service: Service, host: str) -> None:
    """Print where a service that listens at ``host`` is reached in the network, and by what it is recognised."""
    scheme = "https" if service.certificates is not None else "http"
    heard = {"0.0.0.0": (4,), "::": (4, 6)}.get(host, ())
    for address in (one for one in lan_addresses() if (6 if ":" in one else 4) in heard):
        shown = f"[{address}]" if ":" in address else address
        print(f"in the hall's network: {scheme}://{shown}:{service.port}", flush=True)
        if service.certificates is not None and address not in service.certificates.names:
            print("  this address is not in its certificate: browsers go on warning", flush=True)
        elif service.certificates is not None and service.certificates.own:
            page = f"http://{shown}:{service.port}{PAGES['de']}"
            print(f"  browsers that warn of its certificate: {page}", flush=True)
    if service.certificates is not None and service.certificates.own:
        print(f"its authority's fingerprint (SHA-256): {spoken(service.certificates.fingerprint)}", flush=True)
