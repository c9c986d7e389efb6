"""What systemd hears."""

import socket

import pytest

from kiosk.app.watchdog import Watchdog


@pytest.fixture(params=["path", "abstract"])
def systemd(tmp_path, request):
    """The environment of a watched service, and a function for what systemd heard since it was asked last."""
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind("\0" + name if request.param == "abstract" else name)
        line.setblocking(False)

        def heard():
            found = []
            while True:
                try:
                    found.append(line.recv(4096).decode())
                except BlockingIOError:
                    return found

        yield {"NOTIFY_SOCKET": "@" + name if request.param == "abstract" else name, "WATCHDOG_USEC": "20000000"}, heard


def test_says_everything(systemd):
    environ, heard = systemd
    watchdog = Watchdog(environ)
    watchdog.ready()
    watchdog.status("Tisch 7 –\nläuft")
    watchdog.status("Tisch 7 –\nläuft")
    watchdog.stopping()
    assert heard() == ["READY=1", "STATUS=Tisch 7 – läuft", "STOPPING=1"]


def test_beats_every_half_of_its_time(systemd):
    environ, heard = systemd
    at = 100.0
    watchdog = Watchdog(environ, clock=lambda: at)
    told = []
    for step in range(400):  # 40 s, ten times a second
        at = 100.0 + step / 10
        watchdog.beat()
        told += [step / 10] * len(heard())
    assert told == [0, 10, 20, 30]


def test_no_beats_where_nobody_waits(systemd):
    environ, heard = systemd
    watchdog = Watchdog({"NOTIFY_SOCKET": environ["NOTIFY_SOCKET"]})
    assert not watchdog.watched
    watchdog.beat()
    assert heard() == []


def test_without_systemd_every_call_does_nothing():
    watchdog = Watchdog({})
    assert not watchdog.watched
    for call in (watchdog.ready, watchdog.beat, watchdog.stopping):
        call()
    watchdog.status("läuft")


def test_systemd_away_harms_nobody(tmp_path):
    watchdog = Watchdog({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "2000000"})
    watchdog.ready()
    watchdog.beat()
