"""The first start on the screen: language, and whose the table is."""

from dataclasses import replace
from typing import Any

import pytest

from kiosk.language import LANGUAGES
from kiosk.ui.first_start.direction_step import ON_A_PAGE, whole_address
from kiosk.ui.first_start.network_step import _STATES
from kiosk.ui.first_start.network_view import ForgetWifi, JoinWifi, NetworkView, WifiLine
from kiosk.ui.first_start.start_view import (
    STEPS,
    ChooseDirection,
    DirectionLine,
    KeepLanguage,
    ShowStep,
    StartView,
)
from kiosk.ui.parts.typing import PAGES

pytestmark = pytest.mark.render

NAMES = (
    "Vereinsabend",
    "Vereinsabend",
    "Bezirksmeisterschaft Frankfurt am Main 2026, Vorrunde, Saal 2",
    "Klub [b]",
    "E",
)
FOUND = tuple(DirectionLine(name, f"https://192.168.100.{n}:8377") for n, name in enumerate(NAMES, 101))
BY_CABLE = DirectionLine("Turnier", "https://[fe80::dead:beef:feed:1234%wlan0]:8377")

LONG = b"Vereinsheim Gastzugang 5 GHz Mitte"[:32]
WIFIS = tuple(
    WifiLine(name, name.decode(), 99 - 13 * n, security, known, active)
    for n, (name, security, known, active) in enumerate(
        [
            (b"Halle", "wpa", True, True),
            (b"Heim", "wpa", True, False),
            (b"Gast [b]", "open", False, False),
            (LONG, "sae", False, False),
            (b"Uni", "enterprise", False, False),
            (b"Alt", "wep", False, False),
            (b"Nachbar", "wpa", False, False),
        ]
    )
)
THERE = NetworkView(has_wifi=True, wifi_address="192.168.178.123", wifis=WIFIS, state="there")

VIEWS = {
    "screen": StartView(step="screen", first=False),
    "language": StartView(step="language"),
    "no wifi yet": StartView(step="network"),
    "networks": StartView(step="network", network=THERE),
    "a wrong password": StartView(
        step="network",
        network=replace(THERE, state="password", about=LONG.decode(), cable=True, cable_address="10.0.0.5"),
    ),
    "a code": StartView(step="network", network=NetworkView(has_wifi=True, wifis=WIFIS[1:], state="there", codes=True)),
    "enterprise": StartView(step="network", network=replace(THERE, state="enterprise", about=LONG.decode())),
    "a cable": StartView(step="network", network=NetworkView(cable=True, state="there")),
    "set elsewhere": StartView(step="network", network=NetworkView(state="tools", addresses=("192.168.178.123",) * 3)),
    "looking": StartView(step="direction"),
    "nobody": StartView(step="direction", found=()),
    "by cable": StartView(step="direction", found=(BY_CABLE,)),
    "many": StartView(step="direction", found=FOUND, url=FOUND[1].url),
    "later": StartView(step="direction", found=FOUND, url="https://leitung.example:8377", first=False),
    "alone": StartView(step="direction", found=(), alone=True, first=False),
}


@pytest.fixture
def start(hand: Any) -> Any:
    """Show a step, as the table would."""

    def show(view: StartView) -> Any:
        hand.app.start(view)
        hand.stage.step(4)
        hand.stage.wait(0.5)
        return hand.app.screen("first_start")

    yield show
    hand.app.sheets.close()
    hand.app.start(None)
    hand.stage.step(3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", VIEWS)
def test_every_step_is_large_and_whole(spoken: Any, start: Any, kind: str, measure: Any) -> None:
    start(VIEWS[kind])
    measure.check(spoken.app.root, measure.CLOSE_MM)


def test_a_broken_storage_is_told_before_anything_is_answered(spoken: Any, start: Any, measure: Any) -> None:
    screen = start(VIEWS["language"])
    usual = screen.heading
    assert spoken.app.words["start_storage"] != usual
    spoken.app.notice("storage", "broken")
    spoken.stage.step(3)
    assert screen.heading == spoken.app.words["start_storage"]
    measure.check(spoken.app.root, measure.CLOSE_MM)
    spoken.app.notice("storage", "")
    spoken.stage.step(3)
    assert screen.heading == usual


def test_every_step_is_shown() -> None:
    assert {view.step for view in VIEWS.values()} == set(STEPS)


def test_a_language_is_spoken_and_kept(hand: Any, start: Any) -> None:
    screen = start(VIEWS["language"])
    assert "Sprache" in screen.heading
    hand.touch("English")
    assert hand.app.language == "en" and KeepLanguage("en") in hand.asked
    screen = start(VIEWS["language"])
    assert "Language" in screen.heading
    assert len(LANGUAGES) == 2
    hand.app.speak("de")


def test_steps_go_on_and_back(hand: Any, start: Any) -> None:
    screen = start(StartView(step="screen"))
    assert screen.first, "there is no table to go back to"
    hand.app.sheets.close()
    screen = start(VIEWS["language"])
    assert not screen.first
    hand.touch("Weiter")
    assert hand.asked[-1] == ShowStep("network")
    screen = start(VIEWS["nobody"])
    assert screen.last, "nobody has said whose the table is"
    hand.touch("Zurück")
    assert hand.asked[-1] == ShowStep("network")
    screen = start(VIEWS["later"])
    hand.touch("Weiter")
    assert hand.asked[-1] == ShowStep("")
    hand.app.start(None)
    hand.stage.step(3)
    assert hand.app.current == "seats"


def test_a_direction_is_touched_at_first_and_held_later(hand: Any, start: Any) -> None:
    start(VIEWS["many"])
    hand.touch("192.168.100.102")
    assert hand.asked[-1] == ChooseDirection(FOUND[1].url)
    hand.asked.clear()
    start(VIEWS["later"])
    hand.touch("192.168.100.102")
    assert hand.asked == []
    hand.stage.wait(2)
    hand.hold("192.168.100.102")
    assert hand.asked == [ChooseDirection(FOUND[1].url)]


def test_without_a_direction_is_held(hand: Any, start: Any) -> None:
    start(VIEWS["nobody"])
    hand.touch("Ohne Turnierleitung")
    assert hand.asked == []
    hand.stage.wait(2)
    hand.hold("Ohne Turnierleitung")
    assert hand.asked == [ChooseDirection("")]


def test_more_directions_than_a_page_has(hand: Any, start: Any) -> None:
    screen = start(VIEWS["many"])
    assert len(FOUND) == ON_A_PAGE + 1
    hand.touch("›")
    hand.stage.wait(1)
    hand.touch("192.168.100.105")
    assert hand.asked[-1] == ChooseDirection(FOUND[4].url)
    screen.ids.step.children[0].draw(VIEWS["nobody"])
    hand.stage.step(2)
    with pytest.raises(LookupError):
        hand.stage.key("›")


def test_an_address_is_typed(hand: Any, start: Any) -> None:
    start(VIEWS["nobody"])
    hand.touch("Adresse eingeben")
    sheet = hand.app.sheets.current
    for sign in "10.0":
        sheet.type(sign)
    hand.touch("Fertig")
    assert hand.asked[-1] == ChooseDirection("https://10.0:8377") and hand.app.sheets.current is None
    hand.asked.clear()
    hand.touch("Adresse eingeben")
    hand.app.sheets.current.type("/")
    hand.touch("Fertig")
    assert "keine Adresse" in hand.app.sheets.current.wrong and hand.asked == []


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("192.168.1.10", "https://192.168.1.10:8377"),
        (" leitung.local ", "https://leitung.local:8377"),
        ("leitung:9000", "https://leitung:9000"),
        ("http://10.0.0.1/", "http://10.0.0.1:8377"),
        ("https://[fe80::1%eth0]:8377", "https://[fe80::1%eth0]:8377"),
        ("https://10.0.0.1:8377/#/access", "https://10.0.0.1:8377"),
        ("", None),
        ("/", None),
        ("a b", None),
        ("ftp://x", None),
        ("x:99999", None),
        ("https://me@x", None),
        ("[fe80", None),
    ],
)
def test_an_address_is_completed(typed: str, url: str | None) -> None:
    assert whole_address(typed) == url


def test_the_keyboard_has_every_sign_of_a_password() -> None:
    """IEEE 802.11: a passphrase is of ASCII 32 to 126."""
    signs = {sign for rows in PAGES.values() for row in rows for sign in row} | {" "}
    assert {chr(code) for code in range(32, 127)} <= signs


def test_the_keyboard_types_what_its_keys_say(hand: Any, start: Any) -> None:
    start(VIEWS["nobody"])
    hand.touch("Adresse eingeben")
    sheet = hand.app.sheets.current
    for key in ("⇧", "A", "b", "#+=", "&amp;", "&bl;"):
        hand.stage.touch(
            next(one for one in sheet.walk() if getattr(one, "text", None) in (key, f"[font=DejaVuSans]{key}[/font]"))
        )
        hand.stage.wait(0.5)
    assert sheet.typed == "Ab&["
    hand.touch("⌫")
    assert sheet.typed == "Ab&"


def test_the_referees_code_opens_it_where_there_is_one(hand: Any, start: Any) -> None:
    app = hand.app
    app.gate = "code"
    app.open_hardware()
    hand.stage.step(3)
    app.open_start()
    hand.stage.step(3)
    assert ShowStep("language") not in hand.asked
    app.code_checked(True, 0)
    hand.stage.step(3)
    assert hand.asked[-1] == ShowStep("language") and app.sheets.current is None
    app.gate = "hold"
    app.leave_setting_up()


def test_a_code_does_not_push_a_keyboard_aside(hand: Any, start: Any) -> None:
    from kiosk.ui.enrol.enrol_view import EnrolView

    start(VIEWS["nobody"])
    hand.touch("Adresse eingeben")
    sheet = hand.app.sheets.current
    hand.app.enrol(EnrolView("K7QF2MTX", "https://10.0.0.1:8377"))
    hand.stage.step(3)
    assert hand.app.sheets.current is sheet
    sheet.close()
    hand.app.enrol(EnrolView("K7QF2MTX", "https://10.0.0.1:8377", "away"))
    hand.stage.step(3)
    assert hand.app.sheets.current.code == "K7QF 2MTX"
    hand.app.enrol(None)
    hand.stage.step(3)


def test_the_direction_touched_twice_at_the_hardware_opens_it_later(hand: Any, start: Any) -> None:
    from kiosk.ui.hardware.hardware_view import HardwareView, PartView

    hand.app.open_hardware()
    hand.app.hardware(HardwareView(parts=(PartView(name="network", state="works", code="connected"),)))
    hand.stage.step(3)
    hand.touch("Turnierleitung")
    assert ShowStep("language") not in hand.asked and "noch einmal" in hand.app.screen("hardware").told
    hand.stage.wait(1)
    hand.touch("Turnierleitung")
    assert hand.asked[-1] == ShowStep("language")
    hand.app.leave_setting_up()


def test_a_network_is_touched_and_its_password_typed(hand: Any, start: Any) -> None:
    start(VIEWS["networks"])
    hand.touch("Vereinsheim")
    sheet = hand.app.sheets.current
    hand.touch("Fertig")
    assert hand.app.sheets.current is sheet, "without a password nobody is let in"
    for sign in "g eh[1":
        sheet.type(sign)
    hand.touch("Fertig")
    assert hand.asked[-1] == JoinWifi(LONG, "g eh[1", "sae") and hand.app.sheets.current is None


def test_an_open_network_is_touched(hand: Any, start: Any) -> None:
    start(VIEWS["networks"])
    hand.touch("Gast &bl;")
    assert hand.asked[-1] == JoinWifi(b"Gast [b]", "", "open") and hand.app.sheets.current is None


def test_a_known_network_is_joined_changed_or_forgotten(hand: Any, start: Any) -> None:
    start(VIEWS["networks"])
    hand.touch("Heim")
    hand.touch("Verbinden")
    assert hand.asked[-1] == JoinWifi(b"Heim", "", "wpa")
    hand.touch("Heim")
    hand.touch("Anderes Passwort")
    assert "Heim" in hand.app.sheets.current.title
    hand.app.sheets.close()
    hand.asked.clear()
    hand.touch("Heim")
    hand.touch("Vergessen")
    assert hand.asked == []
    hand.stage.wait(2)
    hand.hold("Vergessen")
    assert hand.asked == [ForgetWifi(b"Heim")]


def test_a_hidden_network_by_its_name(hand: Any, start: Any) -> None:
    start(VIEWS["networks"])
    for typed, security in (("geheim12", "wpa"), ("", "open")):
        hand.touch("Anderes WLAN")
        for sign in "Keller":
            hand.app.sheets.current.type(sign)
        hand.touch("Fertig")
        for sign in typed:
            hand.app.sheets.current.type(sign)
        hand.touch("Fertig")
        assert hand.asked[-1] == JoinWifi(b"Keller", typed, security, hidden=True)


def test_networks_beyond_a_page(hand: Any, start: Any) -> None:
    start(VIEWS["networks"])
    hand.touch("›")
    hand.stage.wait(1)
    hand.touch("Nachbar")
    assert "Nachbar" in hand.app.sheets.current.title


@pytest.mark.parametrize("state", _STATES)
def test_each_state_is_said(hand: Any, start: Any, state: str) -> None:
    screen = start(StartView(step="network", network=replace(THERE, state=state, about="Halle")))
    assert screen.ids.step.children[0].told


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wifi", "wifi_name", "wifi_password"])
def test_a_sheet_of_the_network_is_large_and_whole(spoken: Any, start: Any, kind: str, measure: Any) -> None:
    start(VIEWS["networks"])
    spoken.app.sheets.open(kind, by=0, **({} if kind == "wifi_name" else {"line": WIFIS[3]}))
    spoken.stage.step(3)
    measure.check(spoken.app.sheets.current, measure.CLOSE_MM)
