"""What systemd hears."""

import socket

import pytest

from kiosk.watchdog import Watchdog


@pytest.fixture
def systemd(tmp_path, monkeypatch):
    """Returns what has come in on systemd's socket since it was asked last."""
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(path))
        line.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(path))
        monkeypatch.setenv("WATCHDOG_USEC", "20000000")

        def heard():
            found = []
            while True:
                try:
                    found.append(line.recv(4096).decode())
                except BlockingIOError:
                    return found

        yield heard


@pytest.fixture
def watchdogs():
    made = []
    yield lambda *arguments, **more: made.append(Watchdog(*arguments, **more)) or made[-1]
    for watchdog in made:
        if watchdog._notifier is not None:
            watchdog._notifier.socket.close()


def test_says_everything(systemd, watchdogs):
    watchdog = watchdogs()
    watchdog.ready()
    watchdog.status("Tisch 7 –\nläuft")
    watchdog.status("Tisch 7 –\nläuft")
    watchdog.stopping()
    assert systemd() == ["READY=1", "STATUS=Tisch 7 – läuft", "STOPPING=1"]


def test_beats_every_half_of_its_time(systemd, watchdogs):
    at = 100.0
    watchdog = watchdogs(clock=lambda: at)
    told = []
    for step in range(400):  # 40 s, ten times a second
        at = 100.0 + step / 10
        watchdog.beat()
        told += [step / 10] * len(systemd())
    assert told == [0, 10, 20, 30]


def test_no_beats_where_nobody_waits(systemd, watchdogs, monkeypatch):
    monkeypatch.delenv("WATCHDOG_USEC")
    watchdog = watchdogs()
    assert not watchdog.watched
    watchdog.beat()
    assert systemd() == []


def test_without_systemd_every_call_does_nothing():
    watchdog = Watchdog({})
    assert not watchdog.watched
    for call in (watchdog.ready, watchdog.beat, watchdog.stopping):
        call()
    watchdog.status("läuft")
