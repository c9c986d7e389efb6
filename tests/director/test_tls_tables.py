"""Tables that know the direction by its authority, and go to no other."""

import asyncio
import queue
import socket
import ssl
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from kiosk.app.config import DeckConfig, DirectorLine, TableConfig
from kiosk.app.doorstep import Doorstep, through_door
from kiosk.director.key import ListKey
from kiosk.director.serve import Service
from kiosk.director.settings import Tls
from kiosk.director.tls import authority as authority_of
from kiosk.director.tls.authority import own_authority
from kiosk.director.tls.certificates import Certificates
from kiosk.sync.address import LineAddress, line_address
from kiosk.sync.door import read_door
from kiosk.sync.enrolling import Enroller, Enrolling
from kiosk.sync.line import Line
from kiosk.sync.takeover import fetch_list
from kiosk.sync.trust import Direction, meet, trust
from kiosk.table.events.log import MemoryLog
from tests.director.encrypted import PIN, ROUND, browser, settings, shakes_hands, stranger, write_chain

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(settings(tmp_path_factory.mktemp("encrypted"))) as running:
        yield running


@pytest.fixture
def director(service):
    with browser(service) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        yield http


@pytest.fixture(autouse=True)
def asks_often(monkeypatch):
    """Let devices that wait ask every fifth of a second, not every other second."""
    monkeypatch.setattr("kiosk.sync.enrolling._ASK_S", 0.2)


def fetched(address: LineAddress) -> list:
    """The list that the director holds of this address."""

    async def fetch() -> list:
        async with httpx.AsyncClient(headers=address.headers, verify=address.trust, trust_env=False) as http:
            return list((await fetch_list(http, address.events)).events)

    return asyncio.run(fetch())


class Asking:
    """A device that asks to be admitted."""

    def __init__(self, url: str, folder: Path) -> None:
        self.said: queue.Queue[Enrolling] = queue.Queue()
        self.enroller = Enroller(url, folder, {"seats": 4}, self.said.put).start()

    def next(self) -> Enrolling:
        return self.said.get(timeout=60)


def admit(director: httpx.Client, code: str, table: int) -> httpx.Response:
    return director.post("/api/devices/admit", json={"code": code, "table": table, "replace": True})


def config(folder: Path, url: str) -> TableConfig:
    return TableConfig(table=1, data=folder, deck=DeckConfig(name="x"), director=DirectorLine(url=url, tournament="t"))


@pytest.mark.parametrize("written", ["https", "http"])
def test_a_table_pins_the_authority_and_speaks_encrypted_from_then_on(
    service, director, tmp_path, written, monkeypatch
):
    monkeypatch.setattr("kiosk.sync.trust._is_loopback", lambda host: False)  # as in a hall
    url, number = service.url.replace("https", written), 31 if written == "https" else 35
    asking = Asking(url, tmp_path)
    code = asking.next()
    assert code.trouble == "" and code.address == service.url
    assert admit(director, code.code, number).json()["encrypted"] is True
    assert asking.next().table == number
    table, _ = through_door(config(tmp_path, url))
    line = table.director
    assert (table.table, line.url, line.authority) == (number, service.url, service.certificates.authority)
    unsaid = replace(config(tmp_path, url), director=DirectorLine(url=url))
    assert through_door(unsaid)[0].director.tournament == "t", "a file need not name what the direction says"
    address = line_address(line.url, line.token, "t", number, 1, line.authority)
    assert fetched(address) == []
    assert address.socket.startswith("wss:")
    log = MemoryLog()
    for event in [ROUND[0] | {"table": number}, *ROUND[1:]]:
        log.append(event)
    speaks = Line(line.url, line.token, "t", number, 1, log, lambda message: None, authority=line.authority)
    speaks.start()
    assert speaks.wait_sent(60)
    speaks.stop()
    assert len(service.app.state.hall.store.read(ListKey("t", 1, number))) == len(ROUND)


@pytest.mark.anyio
async def test_the_secret_of_a_table_that_encrypts_counts_nowhere_else(service, director, tmp_path):
    """Whoever heard it without encryption cannot use it; a device of before goes on until it comes encrypted."""
    shown = {"Authorization": f"Bearer {service.enrol(32)}"}
    async with stranger(service) as http:
        assert (await http.get("/line/t/1/32/events", headers=shown)).status_code == 200
    listed = {one["table"]: one["encrypted"] for one in director.get("/api/devices").json()["devices"]}
    assert listed[32] is False
    with browser(service) as http:
        assert http.get("/line/t/1/32/events", headers=shown).status_code == 200
    async with stranger(service) as http:
        said = await http.get("/line/t/1/32/events", headers=shown)
    assert said.status_code == 401 and "encrypted" in said.json()["message"]
    listed = {one["table"]: one["encrypted"] for one in director.get("/api/devices").json()["devices"]}
    assert listed[32] is True


def test_a_device_that_sees_another_authority_is_told(service, director):
    """Somebody in between has shown it his own."""
    wish = {"id": "d" * 32, "digest": "e" * 64, "told": {}, "check": "f" * 16}
    with browser(service) as http:
        for authority in ({}, {"authority": "0" * 64}, {"authority": "public"}):
            said = http.post("/enrol", json=wish | authority)
            assert said.status_code == 403 and said.json()["code"] == "other_authority"
        right = wish | {"authority": service.certificates.fingerprint}
        assert http.post("/enrol", json=right | {"check": "x"}).status_code == 403
        assert http.post("/enrol", json=right).json() == {"table": None}


def test_who_does_not_know_the_code_admits_nobody(tmp_path, monkeypatch):
    """A false direction has a certificate of its own, takes the wish, and gives a number without having seen a code."""
    folder = tmp_path / "false"
    folder.mkdir()
    with Service(settings(folder)) as false:

        async def admits_all(*_):
            from types import SimpleNamespace

            return SimpleNamespace(table=7, proof="0" * 64)

        asking = Asking(false.url, tmp_path)
        first = asking.next()
        assert first.trouble == "" and len(first.code) == 8
        run = false.app.state.access.run
        monkeypatch.setattr(false.app.state.access, "run", admits_all)
        said = asking.next()
        assert said.trouble == "false" and said.code == "" and said.table is None
        monkeypatch.setattr(false.app.state.access, "run", run)
        again = asking.next()
        assert again.trouble == "" and again.code != first.code  # one guess a code
        asking.enroller.stop()
    assert read_door(tmp_path, false.url) is None


def test_a_changed_authority_is_told_with_the_way_out(service, director, tmp_path, monkeypatch):
    """The direction was set up anew, or somebody else answers: nothing is sent, and a new code is on the screen."""
    asking = Asking(service.url, tmp_path)
    assert admit(director, asking.next().code, 33).status_code == 200
    assert asking.next().table == 33
    other = tmp_path / "other"
    other.mkdir()
    with Service(replace(settings(other), port=0)) as second:
        door = read_door(tmp_path, service.url)
        moved = replace(door, url=second.url, to=second.url)
        monkeypatch.setattr("kiosk.app.doorstep.read_door", lambda folder, url: moved)
        table, _ = through_door(config(tmp_path, second.url))
        line, states, told = table.director, queue.Queue(), queue.Queue()
        log = MemoryLog()
        log.append(ROUND[0] | {"table": 33})
        doorstep = Doorstep(table, told.put)
        speaks = Line(line.url, line.token, "t", 33, 1, log, states.put, authority=line.authority)
        speaks.start()
        state = states.get(timeout=60)
        while state.trouble != "certificate":
            state = states.get(timeout=60)
        assert not state.connected and "nicht kennt" in state.text()
        doorstep.heard(replace(state, waiting=5))
        asks = told.get(timeout=60)
        assert asks.changed and len(asks.code) == 8 and asks.address == second.url
        assert [one["told"]["unsent"] for one in second.app.state.access.devices.waiting()] == [5]
        assert second.app.state.hall.store.keys() == []
        speaks.stop()
        # the right one is back: nobody is asked any more
        doorstep.heard(replace(state, connected=True, trouble=""))
        assert told.get(timeout=60).over
        doorstep.stop()


def test_a_spare_director_with_the_same_authority_is_the_same(service, tmp_path):
    secret = service.enrol(34)
    spare = tmp_path / "tls"
    spare.mkdir()
    kept = Path(service.app.state.settings.tls.folder) / "authority.pem"
    (spare / "authority.pem").write_bytes(kept.read_bytes())
    database = service.app.state.settings.database
    with Service(replace(settings(tmp_path, tls=Tls(folder=spare)), database=database)) as second:
        address = line_address(second.url, secret, "t", 34, 1, service.certificates.authority)
        assert fetched(address) == []


def test_a_pinned_table_minds_neither_names_nor_the_date(tmp_path):
    """A Pi without a battery clock starts in another year, and a spare has another address."""
    made = own_authority(tmp_path)
    begin = authority_of._now
    try:
        authority_of._now = lambda: begin() + timedelta(days=9000)
        content = made.sign(frozenset({"anders.local"}))
    finally:
        authority_of._now = begin
    path = tmp_path / "shown.pem"
    path.write_bytes(content)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    assert not shakes_hands(content, tmp_path, made.pem, "anders.local")  # a browser does mind
    for pinned, fits in ((made.pem, True), (own_authority(tmp_path / "b").pem, False)):
        ours, theirs = socket.socketpair()
        thread = threading.Thread(target=lambda end=theirs: _serve(server, end))
        thread.start()
        if fits:
            trust(pinned).wrap_socket(ours, server_hostname="192.168.1.10").close()
        else:
            with pytest.raises(ssl.SSLCertVerificationError):
                trust(pinned).wrap_socket(ours, server_hostname="192.168.1.10")
            ours.close()
        thread.join(10)


@pytest.mark.parametrize(("name", "fits"), [("eins.local", True), ("anders.local", False)])
def test_with_a_root_that_signs_for_others_too_the_name_counts(tmp_path, monkeypatch, name, fits):
    """A chain from files may end in a root that is known everywhere: each of its sites would pass for the direction."""
    monkeypatch.setattr(authority_of, "ORGANIZATION", "Zertifikate AG")
    certificates = Certificates(write_chain(tmp_path, "eins.local", root=True))
    ours, theirs = socket.socketpair()
    thread = threading.Thread(target=lambda: _serve(certificates.context, theirs))
    thread.start()
    try:
        if fits:
            trust(certificates.authority).wrap_socket(ours, server_hostname=name).close()
        else:
            with pytest.raises(ssl.SSLCertVerificationError, match=r"anders\.local"):
                trust(certificates.authority).wrap_socket(ours, server_hostname=name)
    finally:
        ours.close()
        thread.join(10)


def _serve(server: ssl.SSLContext, end: socket.socket) -> None:
    try:
        server.wrap_socket(end, server_side=True).close()
    except OSError:
        end.close()


@pytest.mark.parametrize("written", ["http", "https"])
def test_only_an_address_that_says_so_is_reached_without_encryption(tmp_path, monkeypatch, written):
    monkeypatch.setattr("kiosk.sync.trust._is_loopback", lambda host: False)
    with Service(replace(settings(tmp_path), tls=None)) as plain:
        direction = Direction(plain.url.replace("http", written))
        if written == "http":
            assert meet(direction) == direction
        else:
            with pytest.raises(httpx.ConnectError):
                meet(direction)
