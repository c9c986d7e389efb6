"""The hardware page's other side: how each part is, trying one out, what is kept."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hw.device import Condition, Health
from hw.loudspeaker import LoudspeakerState
from hw.machine import MachineState
from hw.panel import Panel
from hw.pinmap import NO_PINS, PinMap
from hw.scanned import Badge, RefereeBadge
from hw.scanner import Plugged, Unplugged
from kiosk.app import hardware_page, machine_parts
from kiosk.app.config import LightConfig, SoundConfig
from kiosk.app.hardware_page import CAMERA_SILENT_S, LOOK_INTERVAL_S, TRY_S, Configured, HardwarePage
from kiosk.app.herald import Herald
from kiosk.app.inbox import PinsMissing, Pressed
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.outputs import Outputs
from kiosk.language import say
from kiosk.release.layout import Layout
from kiosk.sync.state import LineState
from kiosk.ui.camera.set_up_requests import ShowCamera
from kiosk.ui.hardware.hardware_view import (
    STATES,
    ChooseLight,
    ChooseSound,
    HardwareView,
    LightChoice,
    ShowHardware,
    SoundChoice,
    TestPart,
)
from vision.messages import Tick


class FakeScreen:
    def __init__(self) -> None:
        self.views: list[HardwareView] = []
        self.lights: list[LightChoice] = []

    def hardware(self, view: HardwareView) -> None:
        self.views.append(view)

    def light(self, choice: LightChoice) -> None:
        self.lights.append(choice)


class WiredPanel:
    """A panel whose pins are no mock."""

    mock = False

    def __init__(self, **parts: Health) -> None:
        self.pins, self._parts, self.tested = PinMap(), parts, []

    def parts(self) -> dict[str, Health]:
        return dict(self._parts)

    def test(self, part: str) -> None:
        self.tested.append(part)


class Room:
    """A page on the workbench, its time turned by hand."""

    def __init__(self, folder: Path, panel: Any = None, **configured: Any) -> None:
        self.at, self.blind = 0.0, ""
        self.screen = FakeScreen()
        self.outputs = Outputs(None, panel, "de")
        self.kept = KeptSettings(folder)
        self.configured = Configured(data=folder, **configured)
        self.page = self.opened()

    def opened(self) -> HardwarePage:
        return HardwarePage(
            self.outputs,
            self.configured,
            KeptSettings(self.configured.data),
            blind=lambda: self.blind,
            screen=lambda: self.screen,
            now=lambda: self.at,
        )

    def part(self, name: str) -> tuple[str, str, str]:
        part = next(part for part in self.page.view().parts if part.name == name)
        return part.state, part.code, part.detail


@pytest.fixture
def mock_panel() -> Iterator[Panel]:
    with Panel(PinMap()) as panel:
        yield panel


HEALTHY = {
    "display": Health(condition=Condition.WORKS),
    "lamp 1": Health(condition=Condition.SILENT),
    "button": Health(condition=Condition.SILENT),
}


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("display", ("works", "try_it", "")),
        ("lamp 1", ("silent", "try_it", "")),
        ("button", ("silent", "try_button", "")),
        ("lamp 2", ("absent", "not_wired", "")),
        ("buzzer", ("absent", "not_wired", "")),
    ],
)
def test_a_wired_panel_tells_part_by_part(tmp_path: Path, name: str, told: tuple[str, str, str]) -> None:
    assert Room(tmp_path, WiredPanel(**HEALTHY)).part(name) == told


def test_a_display_that_is_gone_says_why_in_the_devices_words(tmp_path: Path) -> None:
    gone = Health(condition=Condition.GONE, code="display_silent", detail="0x70")
    assert Room(tmp_path, WiredPanel(display=gone)).part("display") == ("gone", "display_silent", "0x70")


def test_without_pins_every_part_says_why(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.part("lamp 4") == ("absent", "not_wired", "")
    room.page.heard(PinsMissing("lgpio is missing"))
    assert room.part("lamp 4") == room.part("buzzer") == ("gone", "pins", "lgpio is missing")


def test_a_mocks_parts_are_not_connected(tmp_path: Path, mock_panel: Panel) -> None:
    assert Room(tmp_path, mock_panel).part("buzzer") == ("absent", "mock", "")


def test_a_touch_lights_a_lamp_of_the_panel(tmp_path: Path, mock_panel: Panel) -> None:
    room = Room(tmp_path, mock_panel)
    assert not mock_panel.tick(0.0).lamps[2]
    assert room.page.takes(TestPart("lamp 3"))
    assert mock_panel.tick(0.1).lamps == (False, False, True, False, False)
    assert room.page.takes(TestPart("buzzer"))
    assert mock_panel.tick(0.2).buzzer


def test_other_requests_are_others(tmp_path: Path) -> None:
    assert not Room(tmp_path).page.takes(ShowCamera(True))


@pytest.mark.parametrize(
    ("device", "state", "told"),
    [
        ("", None, ("absent", "no_loudspeaker", "")),
        ("default", None, ("silent", "looking", "")),
        ("default", LoudspeakerState(works=True), ("works", "try_it", "")),
        ("default", LoudspeakerState(works=True, why="espeak-ng is missing"), ("works", "wordless", "")),
        ("default", LoudspeakerState(works=False, why="unplugged"), ("gone", "mute", "unplugged")),
    ],
    ids=str,
)
def test_the_loudspeaker(tmp_path: Path, device: str, state: LoudspeakerState | None, told: tuple[str, ...]) -> None:
    room = Room(tmp_path)
    room.outputs.herald = Herald(lambda: None, lambda: None, SoundConfig(device=device))
    room.outputs.herald.state = state
    assert room.part("loudspeaker") == told


def test_the_scanner_is_tried_out_only_while_somebody_does(tmp_path: Path) -> None:
    room = Room(tmp_path, scanner=True)
    badge = Badge(at=0.0, number=12, name="Anna")
    assert room.part("scanner") == ("silent", "looking", "")
    room.page.heard(Unplugged(at=0.0, port="p", why="plug it in"))
    assert room.part("scanner") == ("gone", "no_scanner", "plug it in")
    room.page.heard(Plugged(at=0.0, port="p"))
    assert room.part("scanner") == ("works", "try_scanner", "")
    assert not room.page.keeps(badge), "the page is not open: the badge is a player's"
    room.page.takes(ShowHardware(True))
    assert room.page.keeps(badge)
    assert room.part("scanner") == ("works", "scanned", "12 Anna")
    assert room.page.keeps(RefereeBadge(at=0.0, code="2468"))
    assert "2468" not in room.part("scanner")[2], "nobody is to read the code on the screen"
    room.page.takes(ShowHardware(False))
    assert not room.page.keeps(badge)


@pytest.mark.parametrize(
    ("keyboards", "scanner", "pads"),
    [
        ({}, ("absent", "scanner_unset", ""), ("absent", "no_pads", "")),
        ({"scanner": "works", "pad 2": "works"}, ("works", "try_scanner", ""), ("works", "pads_there", "2")),
        ({"scanner": "silent", "pad 1": "silent"}, ("silent", "looking", ""), ("works", "pads_there", "1")),
        (
            {"scanner": "gone", "pad 1": "works", "pad 4": "gone"},
            ("gone", "no_scanner", ""),
            ("gone", "pads_gone", "4"),
        ),
    ],
    ids=str,
)
def test_scanners_and_pads_that_are_keyboards(
    tmp_path: Path, keyboards: dict[str, str], scanner: tuple[str, ...], pads: tuple[str, ...]
) -> None:
    room = Room(tmp_path)
    room.page.keyboards = lambda: {name: Health(condition=Condition(state)) for name, state in keyboards.items()}
    assert (room.part("scanner"), room.part("pads")) == (scanner, pads)


def test_the_button_calls_nobody_while_it_is_tried_out(tmp_path: Path) -> None:
    room = Room(tmp_path, WiredPanel(**HEALTHY))
    assert not room.page.keeps(Pressed())
    room.page.takes(ShowHardware(True))
    assert room.page.keeps(Pressed())
    assert room.part("button") == ("works", "pressed", "")
    room.at += TRY_S
    assert not room.page.keeps(Pressed()), "somebody has left the page open: the button is the referee's again"
    room.page.takes(TestPart("button"))
    assert room.page.keeps(Pressed())


def test_the_camera(tmp_path: Path) -> None:
    room = Room(tmp_path)
    assert room.part("camera") == ("silent", "looking", "")
    room.page.heard(Tick(at=0.0))
    assert room.part("camera") == ("works", "to_camera", "")
    room.blind = "dark"
    assert room.part("camera") == ("gone", "camera_dark", "")
    room.blind, room.at = "", CAMERA_SILENT_S + 1
    assert room.part("camera") == ("gone", "camera_camera", "")


@pytest.mark.parametrize(
    ("director", "line", "told"),
    [
        (False, None, ("absent", "alone", "")),
        (True, None, ("silent", "looking", "")),
        (True, (True, ""), ("works", "connected", "")),
        (True, (False, "away"), ("gone", "line", say("line", "away"))),
        (True, (True, "twice"), ("gone", "line", say("line", "twice"))),
    ],
    ids=str,
)
def test_the_line(tmp_path: Path, director: bool, line: tuple[bool, str] | None, told: tuple[str, ...]) -> None:
    room = Room(tmp_path, director=director)
    if line is not None:
        connected, trouble = line
        room.page.heard(
            LineState(connected=connected, since=0.0, acknowledged=0, waiting=0, trouble=trouble, detail="")
        )
    assert room.part("network") == told


FINE = {"temperature_c": 48.4, "under_voltage": False, "was_under_voltage": False, "slowed": False, "free_mb": 12_345}


@pytest.mark.parametrize(
    ("changed", "name", "told"),
    [
        ({}, "power", ("works", "", "")),
        ({"under_voltage": True}, "power", ("bad", "under_voltage", "")),
        ({"was_under_voltage": True}, "power", ("works", "was_under_voltage", "")),
        ({"under_voltage": None}, "power", ("unknown", "not_told", "")),
        ({}, "temperature", ("works", "degrees", "48")),
        ({"temperature_c": 83.0}, "temperature", ("bad", "hot", "83")),
        ({"slowed": True}, "temperature", ("bad", "hot", "48")),
        ({"temperature_c": None}, "temperature", ("unknown", "not_told", "")),
        ({}, "disk", ("works", "free", "12.3")),
        ({"free_mb": 300}, "disk", ("bad", "disk_low", "0.3")),
        ({"free_mb": None}, "disk", ("unknown", "not_told", "")),
    ],
    ids=str,
)
def test_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: dict[str, Any], name: str, told: tuple[str, ...]
) -> None:
    state = MachineState(**{**FINE, **changed})
    monkeypatch.setattr(machine_parts, "look_at_machine", lambda data: state)
    assert Room(tmp_path).part(name) == told


@pytest.mark.parametrize(("code", "state"), [("", "none"), ("hash", "works"), ("plain", "bad")])
def test_the_referees_code(tmp_path: Path, code: str, state: str) -> None:
    assert Room(tmp_path, code=code).part("code")[0] == state


def test_every_state_and_code_has_words_in_both_languages(tmp_path: Path) -> None:
    source = Path(hardware_page.__file__).read_text() + Path(machine_parts.__file__).read_text()
    parts = Room(tmp_path, seats=5).page.view().parts
    for language in ("de", "en"):
        for state in STATES:
            assert say("technik", state, language)
        for part in parts:
            assert say("technik", "part_" + part.name.split()[0], language, seat=1)
        for why in ("camera", "dark", "mat", "covered"):
            assert say("technik", f"camera_{why}", language)
    assert 'code=f"camera_{blind}"' in source


def test_the_page_looks_while_it_is_open_and_no_longer(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.page.beat()
    assert room.screen.views == []
    room.page.takes(ShowHardware(True))
    for _ in range(3):
        room.page.beat()
    assert len(room.screen.views) == 1
    room.at += LOOK_INTERVAL_S
    room.page.beat()
    assert len(room.screen.views) == 2
    room.page.takes(ShowHardware(False))
    room.at += LOOK_INTERVAL_S
    room.page.beat()
    assert len(room.screen.views) == 2


def test_what_is_chosen_counts_at_once_and_after_a_restart(tmp_path: Path) -> None:
    room = Room(tmp_path, sound=SoundConfig(volume=70), light=LightConfig(rest=30))
    room.page.takes(ChooseSound(SoundChoice(volume=40, quiet="22:00-06:30", speak=True)))
    room.page.takes(ChooseLight(LightChoice(brightness=80, rest=20, rest_after=5)))
    assert room.outputs.herald.settings == SoundConfig(volume=40, quiet="22:00-06:30", speak=True)
    assert room.screen.lights == [LightChoice(brightness=80, rest=20, rest_after=5)]
    again = room.opened()
    again.begin()
    assert room.screen.lights[-1] == LightChoice(brightness=80, rest=20, rest_after=5)
    assert KeptSettings(tmp_path).over("sound", room.configured.sound).volume == 40
    assert again.view().light == LightChoice(brightness=80, rest=20, rest_after=5)


def test_a_device_that_is_chosen_but_gone_can_still_be_seen(tmp_path: Path) -> None:
    room = Room(tmp_path)
    room.page.takes(ChooseSound(SoundChoice(device="plughw:CARD=Gone")))
    assert "plughw:CARD=Gone" in room.page.view().devices


def test_the_line_about_the_machine_names_program_and_system(tmp_path: Path) -> None:
    about = Room(tmp_path).page.view().about
    assert about.startswith("Stichwart 0.") and "Python 3." in about and "Linux" in about


def test_no_pins_at_all_is_a_panel_too(tmp_path: Path) -> None:
    with Panel(NO_PINS) as panel:
        assert Room(tmp_path, panel).part("buzzer") == ("absent", "not_wired", "")


@pytest.mark.parametrize(
    ("wanted", "failed", "state", "code", "detail"),
    [
        pytest.param("", "", "works", "release_runs", "0.1", id="runs"),
        pytest.param("0.2", "", "works", "release_waits", "0.2", id="another waits"),
        pytest.param("0.1", "", "works", "release_runs", "0.1", id="the same is wanted"),
        pytest.param("0.9", "", "works", "release_runs", "0.1", id="one that is not there is wanted"),
        pytest.param("", "0.2", "bad", "release_failed", "0.2", id="another did not come up"),
    ],
)
def test_which_release_runs_and_what_became_of_another(tmp_path, wanted, failed, state, code, detail):
    layout = Layout(tmp_path / "opt", tmp_path / "updates")
    for name in ("0.1", "0.2"):
        layout.release(name).mkdir(parents=True)
        (layout.release(name) / "ready").write_text(name)
    (layout.program / "current").symlink_to("releases/0.1")
    if wanted:
        layout.want(wanted)
    if failed:
        (layout.program / "failed").write_text(failed + "\n")
    (part,) = machine_parts.release_parts(layout)
    assert (part.name, part.state, part.code, part.detail) == ("release", state, code, detail)
    assert say("technik", code, "de", detail=detail).count(detail) == 1


def test_a_checkout_is_no_release():
    assert machine_parts.release_parts(None) == ()
