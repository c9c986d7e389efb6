"""Who types a name without a port: shown the way, by a port that systemd has opened."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from kiosk.director.serve import READY, Service, listen
from kiosk.director.settings import Settings, Tls
from kiosk.director.web.usual_port import ShowTheWay, handed_over


@pytest.fixture(params=[False, True], ids=["plain", "encrypted"])
def opened(request, tmp_path) -> Iterator[tuple[Service, int]]:
    door = listen("127.0.0.1", 0)
    tls = Tls(folder=tmp_path / "tls") if request.param else None
    settings = Settings(tournament="t", database=f"sqlite:///{tmp_path / 'd.sqlite'}", port=0, tls=tls)
    with Service(settings, doors=[door]) as service:
        yield service, int(door.getsockname()[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("stichwart.local", "stichwart.local"),
        ("stichwart.local:80", "stichwart.local"),
        ("192.168.1.10", "192.168.1.10"),
        ("[fe80::1]", "[fe80::1]"),
        ("[fe80::1]:80", "[fe80::1]"),
        ('x"><script>', "127.0.0.1"),
        ("a b@evil.test/", "127.0.0.1"),
        ("", "127.0.0.1"),
    ],
)
def test_a_browser_is_sent_to_the_same_name_at_the_services_port(opened, host, name):
    service, port = opened
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        said = http.get("/beamer?seconds=5", headers={"host": host})
        assert (said.status_code, said.headers["cache-control"]) == (307, "no-store")
        assert said.headers["location"] == f"http://{name}:{service.port}/beamer?seconds=5"
        assert http.get("//evil.test/x", headers={"host": host}).headers["location"].startswith(f"http://{name}:")


def test_a_browser_arrives(opened):
    """At the page, or where that is encrypted at its own port's door (test_plain_door)."""
    service, port = opened
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, follow_redirects=True) as http:
        said = http.get("/", headers={"host": f"127.0.0.1:{port}"})
        assert said.status_code == 200 and "Stichwart" in said.text
        assert said.url.port == service.port


@pytest.mark.parametrize("path", ["/api/login", "/enrol", "/line/t/1/7/events"])
def test_nothing_else_is_behind_that_port(opened, path):
    service, port = opened
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        said = http.post(path, json={"pin": "2468"})
        assert said.status_code == 421 and str(service.port) in said.json()["message"]


def test_a_socket_is_turned_away():
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    with contextlib.suppress(StopIteration):
        ShowTheWay(8377)({"type": "websocket"}, receive, send).send(None)
    assert sent[0]["type"] == "websocket.close" and "8377" in sent[0]["reason"]


@pytest.mark.slow
def test_the_process_takes_what_systemd_hands_over(tmp_path):
    """As systemd starts it: the open socket is file 3, and named in the environment."""
    start = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1');"
        "os.execv(sys.executable, [sys.executable, '-m', 'kiosk.cli', 'director', *sys.argv[2:]])"
    )
    with listen("127.0.0.1", 0) as door:
        command = [sys.executable, "-c", start, str(door.fileno()), "--data", str(tmp_path), "--port", "0"]
        with subprocess.Popen(command, pass_fds=[door.fileno()], stdout=subprocess.PIPE, text=True) as one:
            assert one.stdout is not None
            ready = next(line for line in one.stdout if line.startswith(READY))
            port = ready.strip().rpartition(":")[2]
            address = f"http://127.0.0.1:{door.getsockname()[1]}/"
            assert httpx.get(address, trust_env=False).headers["location"] == f"http://127.0.0.1:{port}/"
            one.terminate()
        assert one.returncode == 0


def test_without_systemd_there_is_no_door(monkeypatch):
    monkeypatch.delenv("LISTEN_PID", raising=False)
    assert handed_over() == []
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + 1))  # meant for another process
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert handed_over() == []
