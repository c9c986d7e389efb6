"""The direction's encryption: its authority and certificate, who comes without, tables that pin it."""

import asyncio
import contextlib
import logging
import os
import queue
import socket
import ssl
import threading
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from kiosk.app.config import DeckConfig, DirectorLine, TableConfig
from kiosk.app.doorstep import Doorstep, through_door
from kiosk.demo.play import simulate
from kiosk.director.key import ListKey
from kiosk.director.refusals import BadCertificate
from kiosk.director.serve import Service
from kiosk.director.settings import Settings, Tls
from kiosk.director.tls import authority as authority_of
from kiosk.director.tls import reception
from kiosk.director.tls.authority import fingerprint, own_authority, spoken
from kiosk.director.tls.certificates import Certificates
from kiosk.director.tls.plain_door import is_plain
from kiosk.director.web.complaints import Complaints
from kiosk.sync.address import LineAddress, line_address
from kiosk.sync.door import read_door
from kiosk.sync.enrolling import Enroller, Enrolling
from kiosk.sync.line import Line
from kiosk.sync.takeover import fetch_list
from kiosk.sync.trust import Direction, meet, trust
from kiosk.table.events.log import MemoryLog

pytestmark = pytest.mark.slow

PIN = "24681357"
ROUND = list(simulate("eppstein", 3, games=1, table=7))


def settings(folder: Path, tls: Tls | None = None, **more) -> Settings:
    database = f"sqlite:///{folder / 'd.sqlite'}"
    return Settings(
        tournament="t", database=database, port=0, pin=PIN, guests=False, tls=tls or Tls(folder=folder / "tls"), **more
    )


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(settings(tmp_path_factory.mktemp("encrypted"))) as running:
        yield running


@pytest.fixture
def director(service):
    with browser(service) as http:
        assert http.post("/api/login", json={"pin": PIN}).status_code == 200
        yield http


def fetched(address: LineAddress) -> list:
    """The list that the director holds of this address."""

    async def fetch() -> list:
        async with httpx.AsyncClient(headers=address.headers, verify=address.trust, trust_env=False) as http:
            return list((await fetch_list(http, address.events)).events)

    return asyncio.run(fetch())


def browser(service: Service, **more) -> httpx.Client:
    """A browser in which the certificate was installed: names and dates count."""
    context = ssl.create_default_context(cadata=service.certificates.authority)
    return httpx.Client(base_url=service.url, verify=context, trust_env=False, **more)


def stranger(service: Service) -> httpx.Client:
    """A browser on another machine that comes without encryption, as the application sees it."""
    transport = httpx.ASGITransport(service.app, client=("192.168.1.20", 50000))
    return httpx.AsyncClient(transport=transport, base_url=f"http://192.168.1.10:{service.port}")


# the authority


def test_the_authority_is_made_once_and_is_this_users_alone(tmp_path):
    made = [own_authority(tmp_path / "tls") for _ in range(2)]
    assert made[0].pem == made[1].pem
    assert (tmp_path / "tls" / "authority.pem").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "tls").stat().st_mode & 0o777 == 0o700
    assert os.listdir(tmp_path / "tls") == ["authority.pem"]


def test_two_services_that_begin_at_once_have_the_same_authority(tmp_path, monkeypatch):
    """The other one is always faster."""
    new, first = authority_of._new_authority, []

    def meanwhile():
        if not first:
            first.append(None)
            first.append(own_authority(tmp_path))
        return new()

    monkeypatch.setattr(authority_of, "_new_authority", meanwhile)
    pids = iter(range(9))
    monkeypatch.setattr(authority_of.os, "getpid", lambda: next(pids))
    assert own_authority(tmp_path).pem == first[1].pem
    assert os.listdir(tmp_path) == ["authority.pem"]


@pytest.mark.parametrize(
    "content", [b"", b"nothing", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
def test_a_broken_authority_is_told_and_never_replaced(tmp_path, content):
    path = tmp_path / "authority.pem"
    path.write_bytes(content)
    with pytest.raises(BadCertificate, match="put it back from a copy"):
        Certificates(Tls(folder=tmp_path))
    assert path.read_bytes() == content


def test_a_key_of_another_authority_is_told(tmp_path):
    one, other = own_authority(tmp_path / "a"), own_authority(tmp_path / "b")
    assert one.pem != other.pem
    path = tmp_path / "a" / "authority.pem"
    path.write_bytes(authority_of._key_text(other.key) + one.pem.encode())
    with pytest.raises(BadCertificate, match="do not belong together"):
        own_authority(tmp_path / "a")


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("192.168.1.10", True),
        ("10.0.0.1", True),
        ("fd00::2", True),
        ("leitung.local", True),
        ("leitung.fritz.box", True),
        ("localhost", True),
        (socket.gethostname().lower(), True),
        ("8.8.8.8", False),
        ("2001:4860:4860::8888", False),
        ("www.example.org", False),
        ("evil-local", False),
        ("notfritz.box", False),
    ],
)
def test_what_the_authority_may_name(tmp_path_factory, name, may):
    kept = tmp_path_factory.getbasetemp() / "one-authority"
    assert own_authority(kept).may_name(name) is may


def shakes_hands(content: bytes, folder: Path, authority: str, name: str) -> bool:
    """Whether a browser that trusts the authority takes this certificate for a name, as OpenSSL checks it."""
    path = folder / "shown.pem"
    path.write_bytes(content)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(path)
    client = ssl.create_default_context(cadata=authority)
    ours, theirs = socket.socketpair()

    def serve():
        try:
            server.wrap_socket(theirs, server_side=True).close()
        except OSError:
            theirs.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        client.wrap_socket(ours, server_hostname=name).close()
    except ssl.SSLCertVerificationError:
        ours.close()
        return False
    finally:
        thread.join(10)
    return True


def test_a_stolen_key_impersonates_no_site_of_the_internet(tmp_path):
    stolen = own_authority(tmp_path)
    assert shakes_hands(stolen.sign(frozenset({"leitung.local"})), tmp_path, stolen.pem, "leitung.local")
    assert shakes_hands(stolen.sign(frozenset({"192.168.1.10"})), tmp_path, stolen.pem, "192.168.1.10")
    for name in ("www.example.org", "8.8.8.8"):
        assert not shakes_hands(stolen.sign(frozenset({name})), tmp_path, stolen.pem, name)


# the server's certificate


def test_the_certificate_is_kept_over_a_restart(tmp_path):
    first = Certificates(Tls(folder=tmp_path))
    written = (tmp_path / "server.pem").read_bytes()
    again = Certificates(Tls(folder=tmp_path))
    assert (tmp_path / "server.pem").read_bytes() == written
    assert again.names == first.names and {"127.0.0.1", "localhost"} <= set(again.names)
    assert (tmp_path / "server.pem").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda c, later: setattr(c, "ends", c.ends - timedelta(days=300)), id="it is about to end"),
        pytest.param(lambda c, later: c.came_by("192.168.7.7"), id="another address"),
        pytest.param(lambda c, later: c.came_by("::ffff:192.168.7.7"), id="another address, mapped"),
        pytest.param(lambda c, later: later.setattr(socket, "gethostname", lambda: "neu.local"), id="another name"),
    ],
)
def test_the_certificate_is_renewed_and_the_authority_stays(tmp_path, monkeypatch, change):
    certificates = Certificates(Tls(folder=tmp_path))
    before, written = certificates.authority, (tmp_path / "server.pem").read_bytes()
    certificates.look()
    assert (tmp_path / "server.pem").read_bytes() == written
    change(certificates, monkeypatch)
    certificates.look()
    assert (tmp_path / "server.pem").read_bytes() != written
    assert certificates.authority == before
    shown = x509.load_pem_x509_certificate((tmp_path / "server.pem").read_bytes())
    shown.verify_directly_issued_by(own_authority(tmp_path).certificate)
    assert certificates.ends == shown.not_valid_after_utc


@pytest.mark.parametrize("content", [b"", b"half", None])
def test_a_broken_certificate_is_made_anew(tmp_path, content):
    own_authority(tmp_path)
    path = tmp_path / "server.pem"
    path.write_bytes(own_authority(tmp_path / "other").sign(frozenset({"a.local"})) if content is None else content)
    certificates = Certificates(Tls(folder=tmp_path))
    assert "localhost" in certificates.names
    x509.load_pem_x509_certificate(path.read_bytes()).verify_directly_issued_by(own_authority(tmp_path).certificate)


def test_strangers_names_do_not_fill_the_certificate(tmp_path):
    certificates = Certificates(Tls(folder=tmp_path))
    for number in range(130):
        certificates.came_by(f"10.0.0.{number}")
    certificates.came_by("8.8.8.8")
    assert len(certificates.names) <= 110 and "8.8.8.8" not in certificates.names


def test_names_from_the_settings_are_in_it(tmp_path, caplog):
    certificates = Certificates(Tls(folder=tmp_path, names=("leitung.lan", "10.1.2.3", "www.example.org")))
    assert {"leitung.lan", "10.1.2.3"} <= set(certificates.names)
    certificates.look()
    assert "www.example.org" not in certificates.names and caplog.text.count("www.example.org") == 1


# from files


def write_chain(folder: Path, name: str, root: bool = False) -> Tls:
    """A certificate as a club might have it, in two files."""
    made = own_authority(folder / f"of {name}")
    content = made.sign(frozenset({name}))
    key, _, rest = content.partition(b"-----BEGIN CERTIFICATE-----")
    leaf = (b"-----BEGIN CERTIFICATE-----" + rest).removesuffix(made.pem.encode())
    (folder / "key.pem").write_bytes(key)
    (folder / "chain.pem").write_bytes(leaf + made.pem.encode() if root else leaf)
    return Tls(folder=folder / "tls", certificate=folder / "chain.pem", key=folder / "key.pem")


def test_a_certificate_from_files_is_shown_and_taken_anew_when_it_was_renewed(tmp_path, caplog):
    files = write_chain(tmp_path, "eins.local")
    certificates = Certificates(files)
    assert certificates.names == ["eins.local"] and not certificates.own and certificates.pinned == "public"
    assert not (tmp_path / "tls").exists()
    key = (tmp_path / "key.pem").read_bytes()
    (tmp_path / "key.pem").write_bytes(authority_of._key_text(ec.generate_private_key(ec.SECP256R1())))
    certificates.look()  # in the middle of the renewal
    assert certificates.names == ["eins.local"] and "the certificate before goes on" in caplog.text
    (tmp_path / "key.pem").write_bytes(key)
    write_chain(tmp_path, "zwei.local")
    certificates.look()
    assert certificates.names == ["zwei.local"]


@pytest.mark.parametrize("broken", ["chain.pem", "key.pem"])
def test_files_that_cannot_be_used_are_told(tmp_path, broken):
    files = write_chain(tmp_path, "eins.local")
    (tmp_path / broken).write_text("nothing")
    with pytest.raises(BadCertificate, match=r"chain\.pem.*key\.pem"):
        Certificates(files)


def test_a_clubs_own_root_in_the_chain_is_handed_out(tmp_path):
    certificates = Certificates(write_chain(tmp_path, "eins.local", root=True))
    assert not certificates.own and certificates.pinned == fingerprint(certificates.authority) != "public"


# who comes how


def test_a_browser_with_the_certificate_is_content(service):
    with browser(service) as http:
        assert http.get("/health").json()["ok"]
        said = http.post("/api/login", json={"pin": PIN})
        assert "secure" in said.headers["set-cookie"].lower()
        assert "strict-transport-security" not in said.headers
    with httpx.Client(base_url=service.url, trust_env=False) as http, pytest.raises(httpx.ConnectError):
        http.get("/health")


def test_this_machine_itself_may_come_without(service):
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", trust_env=False) as http:
        assert http.get("/health").json()["ok"]


@pytest.mark.parametrize(
    ("method", "path", "status", "to"),
    [
        pytest.param("GET", "/", 303, "/zertifikat", id="the page"),
        pytest.param("GET", "/beamer?seconds=12", 307, "https://192.168.1.10:{port}/beamer?seconds=12", id="beamer"),
        pytest.param("GET", "/api/me", 307, "https://192.168.1.10:{port}/api/me", id="what a page asks"),
        pytest.param("POST", "/api/login", 426, None, id="a password is not taken"),
        pytest.param("POST", "/enrol", 426, None, id="nor a device"),
        pytest.param("POST", "/api/t/1/orders", 426, None, id="nor an order"),
        pytest.param("GET", "/zertifikat", 200, None, id="the certificate's page"),
        pytest.param("GET", "/certificate", 200, None, id="in English"),
        pytest.param("GET", "/zertifikat/stichwart.crt", 200, None, id="the certificate"),
        pytest.param("GET", "/line/t/1/7/events", 401, None, id="a table's line looks at the device"),
    ],
)
@pytest.mark.anyio
async def test_who_comes_without_encryption(service, method, path, status, to):
    async with stranger(service) as http:
        said = await http.request(method, path, json={} if method == "POST" else None)
    assert said.status_code == status
    assert said.headers.get("location") == (to.format(port=service.port) if to else None)


@pytest.mark.parametrize(
    ("client", "scheme", "plain"),
    [
        (("127.0.0.1", 1), "http", False),
        (("::1", 1), "http", False),
        (("::ffff:127.0.0.1", 1), "ws", False),
        (("192.168.1.7", 1), "http", True),
        (("fe80::1%eth0", 1), "ws", True),
        (("192.168.1.7", 1), "https", False),
        (("192.168.1.7", 1), "wss", False),
        (None, "http", False),
    ],
)
def test_what_counts_as_without_encryption(client, scheme, plain):
    assert is_plain({"type": "http", "scheme": scheme, "client": client}) is plain


@pytest.mark.anyio
async def test_where_the_way_leads_is_no_text_of_the_strangers(service):
    async with stranger(service) as http:
        said = await http.get("/beamer", headers={"Host": "evil.example/#"})
    assert said.headers["location"] == f"https://192.168.1.10:{service.port}/beamer"


def test_a_page_that_came_without_encryption_is_another_sites(service):
    with browser(service) as http:
        host = http.base_url.netloc.decode()
        assert http.post("/api/login", json={"pin": PIN}, headers={"Origin": f"https://{host}"}).status_code == 200
        said = http.post("/api/login", json={"pin": PIN}, headers={"Origin": f"http://{host}"})
        assert said.status_code == 403 and said.json()["error"] == "origin"


@pytest.mark.parametrize(("path", "words"), [("/zertifikat", "Zertifikat laden"), ("/certificate", "Download")])
def test_the_page_that_explains_the_certificate(service, path, words):
    with browser(service) as http:
        page = http.get(path).text
        assert words in page and spoken(service.certificates.fingerprint) in page.replace("<wbr>", "")
        assert "{" not in page
        assert f'href="{service.url}/"' in page
        pem, der = (http.get(f"/zertifikat/stichwart.{kind}") for kind in ("pem", "crt"))
    assert pem.text == service.certificates.authority
    assert der.headers["content-type"] == "application/x-x509-ca-cert"
    assert x509.load_der_x509_certificate(der.content) == x509.load_pem_x509_certificate(pem.content)


def test_a_service_without_encryption_has_no_such_page(tmp_path):
    with Service(replace(settings(tmp_path), tls=None)) as plain, httpx.Client(base_url=plain.url) as http:
        assert http.get("/zertifikat").status_code == 404
        assert plain.url.startswith("http:")


# slow and hostile clients


@pytest.mark.parametrize(
    "said", [b"", b"\x16", b"\x16\x03\x01\x02\x00\x01", b"\x16\x03\x01" + b"\xff" * 300, b"GET / HT"]
)
def test_half_a_handshake_is_closed(service, monkeypatch, said):
    monkeypatch.setattr(reception, "HANDSHAKE_S", 0.3)
    monkeypatch.setattr("kiosk.director.web.patience.HEAD_S", 0.3)
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as half:
        half.sendall(said)
        try:
            while half.recv(4096):  # until it is closed; a timeout fails the test
                pass
        except ConnectionResetError:
            pass
    with browser(service) as http:
        assert http.get("/health").json()["ok"]


def test_connections_that_say_nothing_are_bounded(service, monkeypatch):
    monkeypatch.setattr(reception, "MOST", 2)
    opened = [socket.create_connection(("127.0.0.1", service.port), timeout=30) for _ in range(3)]
    try:
        assert opened[2].recv(1) == b""
    finally:
        for one in opened:
            one.close()


def test_failures_do_not_fill_the_log(caplog):
    now = [0.0]
    complaints = Complaints(logging.getLogger("t"), lambda: now[0])
    for second in range(61):
        now[0] = float(second)
        for address in ("10.0.0.1", "10.0.0.2"):
            complaints.say(address, "no connection with %s", address)
    assert [one.getMessage() for one in caplog.records] == [
        *("no connection with 10.0.0.1", "no connection with 10.0.0.2"),
        *(f"no connection with 10.0.0.{n} (and 59 times more since the last line about it)" for n in (1, 2)),
    ]


def test_a_thousand_failed_handshakes_are_one_line(service, caplog):
    caplog.set_level(logging.WARNING)
    for _ in range(50):
        with socket.create_connection(("127.0.0.1", service.port), timeout=30) as one:
            one.sendall(b"\x16\x03\x01\x00\x05hello")
            with contextlib.suppress(ConnectionResetError):
                one.recv(100)
    assert len([one for one in caplog.records if "127.0.0.1" in one.getMessage()]) <= 1


# tables


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
