"""Networks: what NetworkManager says, what it is asked, and what that comes to; on its own bus, and the real one."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw import network_manager
from hw.network import NetworkError, Wifi, check_password, in_order, name_of
from hw.network_manager import NetworkManager, security_of
from tests.hw.fake_network_manager import FakeNetworkManager, Heard, own_bus

pytestmark = pytest.mark.hardware

needs_bus = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="dbus-daemon is not installed")


@pytest.fixture(scope="module")
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with own_bus(tmp_path_factory.mktemp("bus")) as address:
        yield address


@pytest.fixture
def fake(bus: str) -> Iterator[FakeNetworkManager]:
    made = FakeNetworkManager(bus)
    yield made
    made.close()


@pytest.fixture
def networks(fake: FakeNetworkManager) -> NetworkManager:
    return NetworkManager(fake.bus)


HALL = b"Halle"


@needs_bus
def test_what_there_is(fake, networks):
    fake.cable = "192.0.2.5"
    fake.points += [
        Heard(b"Gast", 80, 0, privacy=False),
        Heard(HALL, 30),
        Heard(HALL, 60),
        Heard(b"", 99),
        Heard(b"\0\0"),
    ]
    fake.keep(HALL, "geheim12")
    fake.active = fake.points[2]
    seen = networks.look()
    assert (seen.cable, seen.cable_address, seen.has_wifi, seen.wifi_address) == (True, "192.0.2.5", True, "192.0.2.77")
    assert seen.wifis == (
        Wifi(ssid=HALL, strength=60, security="wpa", known=True, active=True),
        Wifi(ssid=b"Gast", strength=80),
    )


@needs_bus
@pytest.mark.parametrize(("cable", "seen"), [("", (False, "")), ("-", (True, "")), ("192.0.2.5", (True, "192.0.2.5"))])
def test_a_cable(fake, networks, cable, seen):
    fake.cable, fake.wlan = cable, False
    now = networks.look()
    assert (now.cable, now.cable_address) == seen and not now.has_wifi


@needs_bus
def test_into_a_network_with_its_password_and_again_without(fake, networks):
    fake.points.append(Heard(HALL, password="geheim12"))
    assert networks.join(HALL, "geheim12") == "192.0.2.77"
    assert [one["connection"]["id"][1] for one in fake.kept.values()] == ["Halle"]
    fake.active = None
    assert networks.join(HALL, "") == "192.0.2.77"
    assert len(fake.kept) == 1


@needs_bus
def test_into_a_network_by_a_device_that_is_not_to_be_used_yet(fake, networks):
    fake.points.append(Heard(HALL, password="geheim12"))
    fake.wireless_on, fake.starts = False, 3
    assert networks.join(HALL, "geheim12") == "192.0.2.77"


@needs_bus
def test_from_one_network_into_another(fake, networks):
    """The device leaves the first, which is no failure."""
    fake.points += [Heard(HALL, password="geheim12"), Heard(b"Gast", 80, 0, privacy=False)]
    fake.active = fake.points[1]
    assert networks.join(HALL, "geheim12") == "192.0.2.77"


@needs_bus
def test_a_wrong_password_leaves_what_was_known(fake, networks):
    fake.points.append(Heard(HALL, password="geheim12"))
    fake.keep(HALL, "geheim12")
    before = dict(fake.kept)
    with pytest.raises(NetworkError) as failed:
        networks.join(HALL, "falsch12")
    assert failed.value.code == "password" and fake.kept == before
    assert "falsch12" not in str(failed.value)


@needs_bus
def test_a_new_password_takes_the_place_of_the_old_one(fake, networks):
    fake.points.append(Heard(HALL, password="neues123"))
    fake.keep(HALL, "geheim12")
    assert networks.join(HALL, "neues123") == "192.0.2.77"
    assert [one["802-11-wireless-security"]["psk"][1] for one in fake.kept.values()] == ["neues123"]


@needs_bus
@pytest.mark.parametrize(
    ("reason", "code"),
    [(5, "address"), (17, "address"), (8, "password"), (11, "weak"), (53, "gone"), (42, "failed")],
)
def test_why_not(fake, networks, reason, code):
    fake.points.append(Heard(HALL, password="geheim12", reason=reason))
    with pytest.raises(NetworkError) as failed:
        networks.join(HALL, "geheim12")
    assert failed.value.code == code and fake.kept == {}


@needs_bus
def test_out_of_hearing_and_without_an_answer(fake, networks, monkeypatch):
    with pytest.raises(NetworkError) as failed:
        networks.join(b"weg", "geheim12")
    assert failed.value.code == "gone"
    fake.points.append(Heard(HALL, password="geheim12", silent=True))
    monkeypatch.setattr(network_manager, "JOIN_S", 0.2)
    with pytest.raises(NetworkError) as failed:
        networks.join(HALL, "geheim12")
    assert failed.value.code == "slow" and fake.kept == {}


@needs_bus
def test_hidden_open_and_forgotten(fake, networks):
    fake.points += [Heard(b"versteckt", password="geheim12"), Heard(b"Gast", 80, 0, privacy=False)]
    networks.join(b"versteckt", "geheim12", hidden=True)
    networks.join(b"Gast", "", security="open")
    settings = {bytes(one["802-11-wireless"]["ssid"][1]): one for one in fake.kept.values()}
    assert settings[b"versteckt"]["802-11-wireless"]["hidden"][1] is True
    assert "802-11-wireless-security" not in settings[b"Gast"]
    networks.forget(b"versteckt")
    networks.forget(b"nie gesehen")
    assert [bytes(one["802-11-wireless"]["ssid"][1]) for one in fake.kept.values()] == [b"Gast"]


@needs_bus
def test_a_search_switches_wifi_on(fake, networks):
    fake.wireless_on = False
    networks.search()
    assert fake.wireless_on and fake.scans == 1


@needs_bus
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Settings.PermissionDenied", "denied"),
        ("Settings.Connection.InvalidProperty", "password"),
        ("Failed", "failed"),
    ],
)
def test_what_is_refused(fake, networks, name, code):
    fake.refuses = name
    fake.points.append(Heard(HALL, password="geheim12"))
    with pytest.raises(NetworkError) as failed:
        networks.join(HALL, "geheim12")
    assert failed.value.code == code


@needs_bus
def test_without_networkmanager(bus, tmp_path):
    for address in (bus, f"unix:path={tmp_path / 'none'}", "tcp:host=localhost", "x"):
        with pytest.raises(NetworkError) as failed:
            NetworkManager(address).look()
        assert failed.value.code == "tools"


@pytest.mark.parametrize(
    ("password", "security", "code"),
    [
        ("1234567", "wpa", "short"),
        ("12345678", "wpa", ""),
        ("x" * 63, "wpa", ""),
        ("x" * 64, "wpa", "short"),
        ("a0" * 32, "wpa", ""),
        ("äöüß", "wpa", ""),
        ("1", "sae", ""),
        ("", "open", ""),
        ("", "owe", ""),
        ("geheim12", "enterprise", "enterprise"),
        ("geheim12", "wep", "wep"),
    ],
)
def test_what_can_be_a_password(password, security, code):
    try:
        check_password(password, security)
    except NetworkError as error:
        assert error.code == code
    else:
        assert code == ""


@pytest.mark.parametrize(
    ("point", "security"),
    [
        ({}, "open"),
        ({"Flags": 1}, "wep"),
        ({"Flags": 1, "WpaFlags": 0x100}, "wpa"),
        ({"Flags": 1, "RsnFlags": 0x188}, "wpa"),
        ({"Flags": 1, "RsnFlags": 0x588}, "wpa"),
        ({"Flags": 1, "RsnFlags": 0x488}, "sae"),
        ({"Flags": 1, "RsnFlags": 0x288}, "enterprise"),
        ({"RsnFlags": 0x800}, "owe"),
    ],
    ids=["open", "WEP", "WPA", "WPA2", "WPA2 and WPA3", "WPA3", "802.1X", "enhanced open"],
)
def test_how_an_access_point_is_secured(point, security):
    assert security_of(point) == security


@pytest.mark.parametrize(
    ("ssid", "name"),
    [(b"Halle", "Halle"), ("Café".encode(), "Café"), (b"\xff\x01A", "\\xff\\x01A"), (b"a\x1bb", "a\\x1bb")],
)
def test_a_name_is_shown(ssid, name):
    assert name_of(ssid) == name


def test_an_order():
    names = [
        Wifi(ssid=b"c", strength=9),
        Wifi(ssid=b"b", strength=5, known=True),
        Wifi(ssid=b"a", strength=1, active=True),
    ]
    assert [one.ssid for one in in_order([*names, Wifi(ssid=b"c", strength=50)])] == [b"a", b"b", b"c"]


REAL = Path(__file__).with_name("real_network_manager.py")


@pytest.mark.slow
def test_the_real_networkmanager_takes_what_is_asked(tmp_path):
    """In a network of its own, where it has no Wi-Fi, but checks settings and sees a cable's address."""
    if not shutil.which("NetworkManager") or not shutil.which("dbus-daemon"):
        pytest.skip("NetworkManager is not installed here (Debian packages network-manager, dbus-daemon)")
    tried = subprocess.run(["unshare", "-nm", "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no network of its own to be had here: {tried.stderr.strip()}")
    done = subprocess.run(
        ["unshare", "-nm", sys.executable, str(REAL), str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "a cable that carries nothing",
        "a cable with its address",
        "no Wi-Fi is said",
        "wpa is taken, listed and forgotten",
        "sae is taken, listed and forgotten",
        "owe is taken, listed and forgotten",
        "open is taken, listed and forgotten",
        "a network of its own is taken and closed",
        "a password that is none is refused",
        "gone is said",
    ]
