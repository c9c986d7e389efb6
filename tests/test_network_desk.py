"""The network as people set it up: looked at while the step is up, one wish at a time, no password kept."""

from dataclasses import replace
from typing import Any

import pytest

from hw.network import Network, NetworkError, Wifi
from kiosk.app.network_desk import NetworkDesk, NetworkSeen, NetworkTold
from kiosk.errors import Refused
from kiosk.ui.first_start.network_view import ForgetWifi, JoinWifi, NetworkView

HALL = Wifi(ssid=b"Halle", strength=70, security="wpa")


class Networks:
    """What a desk asks."""

    def __init__(self) -> None:
        self.network: Network | NetworkError = Network(has_wifi=True, wifis=(HALL,))
        self.wrong: NetworkError | None = None
        self.asked: list[Any] = []

    def look(self) -> Network:
        if isinstance(self.network, NetworkError):
            raise self.network
        return self.network

    def search(self) -> None:
        self.asked.append("search")

    def join(self, ssid: bytes, password: str, *, security: str = "wpa", hidden: bool = False) -> str:
        self.asked.append((ssid, password, security, hidden))
        if self.wrong is not None:
            raise self.wrong
        return "192.0.2.7"

    def forget(self, ssid: bytes) -> None:
        self.asked.append(ssid)


class Room:
    """A desk whose jobs run when the test says so."""

    def __init__(self) -> None:
        self.networks, self.jobs, self.shown = Networks(), [], []
        self.desk = NetworkDesk(
            self.networks,
            deliver=lambda message: self.desk.heard(message),
            changed=lambda: self.shown.append(self.desk.view),
            run=self.jobs.append,
        )

    def work(self) -> None:
        jobs, self.jobs[:] = list(self.jobs), []
        for job in jobs:
            job()


@pytest.fixture
def room() -> Room:
    return Room()


def test_a_wish_is_carried_out_and_told(room):
    room.desk.takes(JoinWifi(b"Halle", "geheim12", "sae", hidden=True))
    assert (room.desk.view.state, room.desk.view.about) == ("joining", "Halle")
    room.work()
    assert room.networks.asked == [(b"Halle", "geheim12", "sae", True)]
    assert room.desk.view.state == "joined"
    room.desk.takes(ForgetWifi(b"Halle"))
    room.work()
    assert room.networks.asked[-1] == b"Halle" and room.desk.view.state == "there"


def test_two_wishes_at_once_are_one(room):
    room.desk.takes(JoinWifi(b"Halle", "geheim12"))
    with pytest.raises(Refused):
        room.desk.takes(JoinWifi(b"Gast", ""))
    room.work()
    assert len(room.networks.asked) == 1
    room.desk.takes(JoinWifi(b"Gast", ""))


def test_why_a_network_is_not_to_be_had_stands_until_the_next_wish(room):
    room.networks.wrong = NetworkError("password", "no")
    room.desk.takes(JoinWifi(b"Halle", "falsch12"))
    room.work()
    assert (room.desk.view.state, room.desk.view.about) == ("password", "Halle")
    room.desk.heard(NetworkSeen(Network(has_wifi=True, wifis=(HALL,))))
    assert room.desk.view.state == "password" and room.desk.view.wifis[0].name == "Halle"
    room.networks.wrong = None
    room.desk.takes(JoinWifi(b"Halle", "geheim12"))
    room.work()
    assert room.desk.view.state == "joined"


def test_nobody_reads_a_password_that_is_refused(room):
    wish = JoinWifi(b"Halle", "geheim12")
    assert "geheim12" not in f"{wish} {wish!r}"


def test_looks_until_nobody_looks(room, monkeypatch):
    monkeypatch.setattr("kiosk.app.network_desk.LOOK_S", 0)
    seen = []
    real = room.desk.heard

    def heard(message):
        real(message)
        seen.append(message)
        if len(seen) == 1:
            room.networks.network = NetworkError("tools", "none")
        else:
            room.desk.watch(False)

    room.desk.heard = heard
    room.desk.watch(True)
    room.desk.watch(True)
    assert len(room.jobs) == 1, "one look is enough"
    room.work()
    assert isinstance(seen[0].network, Network) and seen[1].why == "tools" and len(seen) == 2
    assert room.networks.asked[0] == "search"
    assert room.desk.view.state == "tools"


def test_a_look_says_what_there_is(room):
    room.desk.heard(NetworkSeen(Network(cable=True, cable_address="192.0.2.5")))
    assert room.desk.view == NetworkView(cable=True, cable_address="192.0.2.5", state="there")
    room.desk.heard(NetworkTold("joined", "Halle"))
    room.desk.heard(NetworkSeen(Network(has_wifi=True, wifis=(HALL,))))
    assert room.desk.view.state == "joined"


CODE = "WIFI:T:WPA;S:Halle;P:geheim12;;"


def test_a_code_before_the_camera_is_gone_into_once(room):
    room.desk.heard(NetworkSeen(Network(has_wifi=True, wifis=(replace(HALL, security="sae"),))))
    room.desk.seen(())
    assert room.desk.view.codes and room.jobs == []
    room.desk.seen(("https://example.org", CODE))
    room.desk.seen((CODE,))
    assert len(room.jobs) == 1
    room.work()
    assert room.networks.asked == [(b"Halle", "geheim12", "sae", False)], "as the network itself says"
    assert room.desk.view.state == "joined"
    room.desk.heard(NetworkSeen(Network(has_wifi=True)))
    assert room.desk.view.codes


def test_a_code_of_a_network_that_is_not_heard_goes_by_itself(room):
    room.desk.seen(("WIFI:T:SAE;S:Weit;P:x;H:true;;",))
    room.work()
    assert room.networks.asked == [(b"Weit", "x", "sae", True)]
