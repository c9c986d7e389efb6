"""Connections that say nothing or half of it are closed; those in use are not."""

import asyncio
import socket
import time

import pytest

from kiosk.director.serve import Service
from kiosk.director.settings import Settings
from kiosk.director.web import patience

pytestmark = pytest.mark.slow


@pytest.fixture
def service(tmp_path, monkeypatch):
    monkeypatch.setattr(patience, "HEAD_S", 0.5)
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0)
    with Service(settings) as running:
        yield running


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"GET / HT", id="half a line"),
        pytest.param(b"GET /health HTTP/1.1\r\nHost: a\r\nX: ", id="half a head"),
    ],
)
def test_half_open_connections_are_closed(service, said):
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as half:
        half.sendall(said)
        answered = b""
        try:
            while part := half.recv(4096):  # until it is closed; a timeout fails the test
                answered += part
        except ConnectionResetError:
            pass
        assert b"200 OK" not in answered


def test_what_is_in_use_stays(service):
    """One connection, kept between its requests for longer than a head may take."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as kept:
        for _ in range(3):
            kept.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
            assert b" 200 OK" in kept.recv(65536)
            time.sleep(1.5 * patience.HEAD_S)  # a kept connection waits without a deadline
            _rest(kept)


def test_the_system_looks_whether_the_other_side_is_there():
    """A page whose machine was switched off says nothing, and nothing is sent that it would answer."""

    class Transport(asyncio.Transport):
        def get_extra_info(self, name, default=None):
            return connection if name == "socket" else default

    with socket.socket() as connection:
        patience.notice_the_dead(Transport())
        assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        longest = patience.GONE_S
        asked = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        again = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
        times = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT)
        assert asked + again * times <= longest
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 1000 * longest


def _rest(kept):
    """Read what is left of an answer; nothing read at the end means that the connection was closed."""
    kept.setblocking(False)
    try:
        while True:
            assert kept.recv(65536), "closed"
    except BlockingIOError:
        kept.settimeout(30)


def test_connections_of_one_address_are_bounded(service, monkeypatch):
    monkeypatch.setattr(patience, "MOST", 2)
    opened = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(3)]
    try:
        with pytest.raises(ConnectionResetError):
            if opened[2].recv(1) == b"":
                raise ConnectionResetError
    finally:
        for one in opened:
            one.close()
