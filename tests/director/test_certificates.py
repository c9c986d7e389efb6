"""The direction's authority and its certificate, made by itself or from files."""

import os
import socket
from datetime import timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from kiosk.director.refusals import BadCertificate
from kiosk.director.settings import Tls
from kiosk.director.tls import authority as authority_of
from kiosk.director.tls.authority import fingerprint, own_authority
from kiosk.director.tls.certificates import Certificates
from tests.director.encrypted import shakes_hands, write_chain

pytestmark = pytest.mark.slow


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
