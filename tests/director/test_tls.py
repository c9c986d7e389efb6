"""Who comes to an encrypted direction how: browsers, strangers without encryption, slow and hostile ones."""

import contextlib
import logging
import socket
from dataclasses import replace

import httpx
import pytest
from cryptography import x509

from kiosk.director.serve import Service
from kiosk.director.tls import reception
from kiosk.director.tls.authority import spoken
from kiosk.director.tls.plain_door import is_plain
from kiosk.director.web.complaints import Complaints
from tests.director.encrypted import PIN, browser, settings, stranger

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    with Service(settings(tmp_path_factory.mktemp("encrypted"))) as running:
        yield running


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
