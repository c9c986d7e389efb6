"""The direction's own Wi-Fi: what NetworkManager is asked, what it becomes, when it is opened without being asked."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw import network_manager
from hw.hotspot import ID, HotspotState, NetworkManagerHotspot, hotspot_settings
from hw.network import NetworkError
from kiosk.director.own_network import ALONE_S, FILE, OwnNetwork
from tests.hw.fake_network_manager import FakeNetworkManager, Heard
from tests.hw.test_network import HALL, bus, fake, needs_bus  # noqa: F401 - fixtures

pytestmark = pytest.mark.hardware


@pytest.fixture
def hotspot(fake: FakeNetworkManager) -> Iterator[NetworkManagerHotspot]:  # noqa: F811
    yield NetworkManagerHotspot(fake.bus)


@needs_bus
def test_opened_twice_and_closed(fake, hotspot):  # noqa: F811
    """It leaves the hall's Wi-Fi, which stays known; a second time there is still one."""
    fake.points.append(Heard(HALL, password="geheim12"))
    hotspot.join(HALL, "geheim12")
    assert hotspot.stand() == HotspotState(possible=True, on=False, joined=True)
    for password in ("erstes-12", "zweites-1"):
        hotspot.open("Stichwart-ABC", password)
        assert hotspot.stand() == HotspotState(possible=True, on=True, joined=False)
        made = [one for one in fake.kept.values() if one.get("connection", {}).get("id") == ("s", ID)]
        assert [one["802-11-wireless-security"]["psk"][1] for one in made] == [password]
    hotspot.close()
    hotspot.close()
    assert not hotspot.stand().on
    assert [one["802-11-wireless"]["ssid"][1] for one in fake.kept.values()] == [HALL]


@needs_bus
def test_a_device_that_is_not_to_be_used_yet_is_waited_for(fake, hotspot):  # noqa: F811
    """Just plugged in, or switched off until now; it was refused, and somebody had to press again."""
    fake.wireless_on, fake.starts = False, 3
    hotspot.open("Stichwart-ABC", "geheim12")
    assert hotspot.stand().on


@needs_bus
def test_a_device_that_never_is_to_be_used_is_refused(fake, hotspot, monkeypatch):  # noqa: F811
    monkeypatch.setattr(network_manager, "USABLE_S", 0.5)
    fake.starts = 1_000_000
    with pytest.raises(NetworkError, match="UnknownConnection"):
        hotspot.open("Stichwart-ABC", "geheim12")
    assert fake.kept == {}


@needs_bus
@pytest.mark.parametrize(
    ("cable", "wlan", "can", "stand"),
    [
        ("", True, True, HotspotState(possible=True, on=False, joined=False)),
        ("192.0.2.5", True, True, HotspotState(possible=True, on=False, joined=True)),
        ("192.0.2.5", False, True, HotspotState(possible=False, on=False, joined=True)),
        ("-", True, False, HotspotState(possible=False, on=False, joined=False)),
    ],
    ids=["alone", "by cable", "no Wi-Fi", "Wi-Fi that only joins"],
)
def test_how_it_stands(fake, hotspot, cable, wlan, can, stand):  # noqa: F811
    fake.cable, fake.wlan, fake.can_ap = cable, wlan, can
    assert hotspot.stand() == stand


@needs_bus
def test_what_fails_leaves_nothing(fake, hotspot):  # noqa: F811
    fake.ap_fails = 18  # NM_DEVICE_STATE_REASON_SHARED_START_FAILED: no dnsmasq
    with pytest.raises(NetworkError):
        hotspot.open("Stichwart-ABC", "geheim12")
    assert fake.kept == {}
    with pytest.raises(NetworkError):
        hotspot.open("Stichwart-ABC", "kurz")


def test_the_settings_are_of_an_access_point_that_shares():
    made = hotspot_settings("Stichwart-ABC", "geheim12")
    assert (made["802-11-wireless"]["mode"], made["ipv4"]["method"]) == (("s", "ap"), ("s", "shared"))


class FakeHotspot:
    """A network that remembers what was asked."""

    def __init__(self, stand: HotspotState, wrong: str = "") -> None:
        self.now, self.wrong, self.asked = stand, wrong, list[tuple[str, ...]]()

    def stand(self) -> HotspotState:
        return self.now

    def open(self, name: str, password: str) -> None:
        self.asked.append((name, password))
        if self.wrong:
            raise NetworkError(self.wrong, "told by the test")
        self.now = HotspotState(possible=True, on=True, joined=False)

    def close(self) -> None:
        self.asked.append(())
        self.now = HotspotState(possible=True, on=False, joined=True)


ALONE = HotspotState(possible=True, on=False, joined=False)


def test_name_and_password_are_made_once(tmp_path: Path) -> None:
    first, second = (OwnNetwork(FakeHotspot(ALONE), tmp_path) for _ in range(2))
    assert (first.name, first.password) == (second.name, second.password)
    assert len(first.password) == 14 and first.name.startswith("Stichwart-")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    (tmp_path / FILE).write_text('{"name": "x", "password": "short"}')
    assert OwnNetwork(FakeHotspot(ALONE), tmp_path).password != "short"


@pytest.mark.parametrize(
    ("password", "stand", "opened"),
    [
        ("geheim12", ALONE, True),
        ("", ALONE, False),
        ("geheim12", HotspotState(possible=True, on=False, joined=True), False),
        ("geheim12", HotspotState(possible=True, on=True, joined=False), False),
        ("geheim12", HotspotState(possible=False, on=False, joined=False), False),
    ],
    ids=["alone", "no password in the file", "in a network", "open", "no Wi-Fi"],
)
def test_opened_without_being_asked(tmp_path: Path, password: str, stand: HotspotState, opened: bool) -> None:
    hotspot = FakeHotspot(stand)
    own = OwnNetwork(hotspot, tmp_path, password)
    for second in (0.0, ALONE_S - 1):
        own.look(second)
    assert hotspot.asked == []
    own.look(ALONE_S)
    assert hotspot.asked == ([(own.name, password)] if opened else [])


def test_a_network_that_comes_back_in_time_counts_anew(tmp_path: Path) -> None:
    hotspot = FakeHotspot(ALONE)
    own = OwnNetwork(hotspot, tmp_path, "geheim12")
    own.look(0.0)
    hotspot.now = HotspotState(possible=True, on=False, joined=True)
    own.look(30.0)
    hotspot.now = ALONE
    own.look(50.0)
    own.look(50.0 + ALONE_S - 1)
    assert hotspot.asked == []


def test_what_fails_is_told_and_tried_again(tmp_path: Path) -> None:
    hotspot = FakeHotspot(ALONE, wrong="slow")
    own = OwnNetwork(hotspot, tmp_path, "geheim12")
    own.turn(True)
    assert (own.state.wrong, own.state.doing, own.state.on) == ("slow", "", False)
    hotspot.wrong = ""
    own.turn(True)
    assert (own.state.wrong, own.state.on) == ("", True)
    own.turn(False)
    assert (own.state.on, own.state.joined) == (False, True)
