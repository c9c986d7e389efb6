"""Scanner and number pads: what the file says, what was taught on the screen, and what people are told."""

from pathlib import Path

import pytest

from hw.device import Condition, Health
from hw.keyboard_reader import Bindings, KeyboardsSeen, PadKey, Taught
from hw.keyboards import Keyboard
from kiosk.app.config import PadsConfig, ScannerConfig
from kiosk.app.kept_settings import KeptSettings
from kiosk.app.keyboards import LESSON_S, KeyboardDesk
from kiosk.table.events.values import FinishGame
from kiosk.ui.devices.device_requests import Forget, Teach
from kiosk.ui.devices.devices_view import DevicesView

PAD = Keyboard(path="/dev/input/event4", name="USB Keypad", vendor=0x062A, product=0x4101, socket="usb-1.2.1")
SCANNER = Keyboard(path="/dev/input/event3", name="Bar Code", vendor=0x05E0, product=0x1200, socket="usb-1.1")
WORKS, GONE = Health(condition=Condition.WORKS), Health(condition=Condition.GONE, code="pad_gone")


class FakeScreen:
    def __init__(self) -> None:
        self.views: list[DevicesView] = []
        self.keys: list[tuple[int, str, bool]] = []
        self.notices: dict[str, str] = {}

    def devices(self, view: DevicesView) -> None:
        self.views.append(view)

    def pad_key(self, seat: int, sign: str, down: bool) -> None:
        self.keys.append((seat, sign, down))

    def notice(self, kind: str, text: str) -> None:
        self.notices[kind] = text


class FakeReader:
    def __init__(self) -> None:
        self.bound: list[Bindings] = []
        self.lessons: list[object] = []

    def bind(self, bindings: Bindings) -> None:
        self.bound.append(bindings)

    def teach(self, lesson: object) -> None:
        self.lessons.append(lesson)


class Bench:
    def __init__(self, folder: Path, scanner: ScannerConfig | None = None, pads: PadsConfig | None = None) -> None:
        self.now = 0.0
        self.screen, self.reader = FakeScreen(), FakeReader()
        self.desk = KeyboardDesk(
            scanner or ScannerConfig(),
            pads or PadsConfig(),
            KeptSettings(folder),
            lambda: self.screen,
            lambda: "de",
            now=lambda: self.now,
        )
        self.desk.reader = self.reader

    @property
    def shown(self) -> DevicesView:
        return self.screen.views[-1]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_a_pad_is_taught_kept_and_known_after_a_restart(bench: Bench, tmp_path: Path) -> None:
    assert bench.desk.takes(Teach(2))
    assert (bench.reader.lessons, bench.shown.lesson) == ([2], 2)
    bench.desk.heard(Taught(at=1.0, lesson=2, keyboard=PAD))
    assert (bench.shown.lesson, bench.shown.learned) == (None, "Platz 2 hat jetzt diesen Ziffernblock")
    assert bench.reader.bound[-1].pads == ("", "usb-1.2.1", "", "", "")
    bench.desk.heard(KeyboardsSeen(at=1.1, pads={2: WORKS}))
    assert bench.shown.pads == {2: True}
    assert Bench(tmp_path).desk.bindings.pads == ("", "usb-1.2.1", "", "", "")


def test_a_pad_that_is_taught_elsewhere_has_moved(bench: Bench) -> None:
    for seat in (2, 3):
        bench.desk.takes(Teach(seat))
        bench.desk.heard(Taught(at=1.0, lesson=seat, keyboard=PAD))
    assert bench.desk.bindings.pads == ("", "", "usb-1.2.1", "", "")


def test_a_scanner_is_taught_with_its_layout(bench: Bench, tmp_path: Path) -> None:
    bench.desk.takes(Teach("scanner"))
    bench.desk.heard(Taught(at=1.0, lesson="scanner", keyboard=SCANNER, text="P:12 Zoe", layout="de"))
    assert bench.desk.bindings == Bindings(scanner="05e0:1200 Bar Code", layout="de", pads=())
    assert bench.shown.learned == "Scanner gelernt, er liest: P:12 Zoe"
    again = Bench(tmp_path, ScannerConfig(keyboard="Other", layout="us"))
    assert (again.desk.bindings.scanner, again.desk.bindings.layout) == ("05e0:1200 Bar Code", "de")


def test_forgetting(bench: Bench) -> None:
    bench.desk.takes(Teach(1))
    bench.desk.heard(Taught(at=1.0, lesson=1, keyboard=PAD))
    bench.desk.takes(Forget(1))
    assert not any(bench.desk.bindings.pads)
    bench.desk.takes(Teach("scanner"))
    bench.desk.heard(Taught(at=1.0, lesson="scanner", keyboard=SCANNER, text="x", layout="us"))
    bench.desk.takes(Forget("scanner"))
    assert bench.desk.bindings.scanner == ""
    assert bench.screen.notices == {"scanner_keyboard": "", "pads": ""}


def test_a_lesson_to_which_nobody_comes_ends(bench: Bench) -> None:
    bench.desk.takes(Teach(4))
    bench.now = LESSON_S - 0.1
    bench.desk.beat()
    assert bench.shown.lesson == 4
    bench.now = LESSON_S
    bench.desk.beat()
    assert (bench.reader.lessons, bench.shown.lesson) == ([4, None], None)
    bench.desk.heard(Taught(at=31.0, lesson=4, keyboard=PAD))  # it was on its way
    assert not any(bench.desk.bindings.pads)


def test_what_is_missing_is_told_with_its_seats(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ScannerConfig(keyboard="Bar Code"), PadsConfig(sockets=("a", "b", "", "d")))
    gone = Health(condition=Condition.GONE, code="scanner_gone")
    bench.desk.heard(KeyboardsSeen(at=0.0, scanner=gone, pads={1: GONE, 2: WORKS, 4: GONE}))
    assert bench.screen.notices["pads"].startswith("Ziffernblock fehlt an Platz 1, 4")
    assert bench.screen.notices["scanner_keyboard"] == "Scanner fehlt – bitte einstecken"
    assert bench.shown.pads == {1: False, 2: True, 4: False}
    bench.desk.heard(KeyboardsSeen(at=1.0, scanner=WORKS, pads={1: WORKS, 2: WORKS, 4: WORKS}))
    assert bench.screen.notices == {"scanner_keyboard": "", "pads": ""}
    assert bench.shown.scanner_works


def test_keys_go_to_the_screen_and_other_requests_elsewhere(bench: Bench) -> None:
    bench.desk.heard(PadKey(at=0.0, seat=3, sign="7", down=True))
    assert bench.screen.keys == [(3, "7", True)]
    assert not bench.desk.takes(FinishGame())


def test_other_settings_of_the_screen_stay(bench: Bench, tmp_path: Path) -> None:
    kept = KeptSettings(tmp_path)
    kept.keep("scanner", ScannerConfig(), ScannerConfig(baud=1200))
    assert Bench(tmp_path).desk.bindings.scanner == ""
