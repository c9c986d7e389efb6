"""What every way to a camera's controls keeps to: the stand-in, a program that answers as v4l2-ctl, and real drivers.

The last need a V4L2 device with controls: a webcam, or the kernel's ``vivid`` (``modprobe vivid``); without one they
are skipped. Nothing of a real camera stays changed.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.camera.webcam import MENUS, FakeControls, fake_v4l2_ctl, webcam
from vision.camera.controls import (
    Control,
    ControlError,
    ControlId,
    Controls,
    ProgramControls,
    controls_of,
    parse_controls,
)

DATA = Path(__file__).parents[2] / "data"
#: Menus that a webcam or vivid (its control "menu") has.
REFUSING = {*MENUS, 0x0098F904}


def real_devices() -> list[str]:
    """Capture devices of real drivers that have controls."""
    program = shutil.which("v4l2-ctl")
    found = []
    for node in sorted(Path("/dev").glob("video*")) if program else []:
        try:
            if ProgramControls(str(node), program or "").read():
                found.append(str(node))
        except ControlError:
            continue
    return found


@pytest.fixture(params=["stand-in", "program", "program that ends well after a refusal", "real"])
def controls(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Controls]:
    if request.param == "stand-in":
        yield FakeControls()
        return
    if request.param != "real":
        yield ProgramControls("/dev/video7", fake_v4l2_ctl(tmp_path, 255 if request.param == "program" else 0))
        return
    devices = real_devices()
    if not devices:
        pytest.skip("no /dev/video* with controls, or no v4l2-ctl: modprobe vivid; apt install v4l-utils")
    real = ProgramControls(devices[0], shutil.which("v4l2-ctl") or "")
    before = real.read()
    if ControlId.FOCUS_AUTO in before:  # meanwhile uvcvideo refuses to move the lens
        real.set(ControlId.FOCUS_AUTO, 0)
    changed = {a_range(real)[0], *REFUSING} & before.keys()
    yield real
    for number in changed:
        real.set(number, before[number].value)
    if ControlId.FOCUS_AUTO in before:
        real.set(ControlId.FOCUS_AUTO, before[ControlId.FOCUS_AUTO].value)


def a_range(controls: Controls) -> tuple[int, int, int]:
    """A control with a range of numbers, and its ends: the focus, or the first that a real driver has."""
    for number, one in controls.read().items():
        wide = one.low is not None and one.high is not None and one.high - one.low > 20
        if wide and (number == ControlId.FOCUS or ControlId.FOCUS not in controls.read()):
            assert one.low is not None and one.high is not None
            return number, one.low, one.high
    raise AssertionError("no control with a range")


def test_a_value_that_is_set_is_read_back(controls: Controls) -> None:
    number, low, high = a_range(controls)
    for value in (low, (low + high) // 2, high):
        controls.set(number, value)
        assert controls.read()[number].value == value


def test_values_are_within_their_ranges_and_defaults_too(controls: Controls) -> None:
    for control in controls.read().values():
        assert control.name
        if control.low is not None and control.high is not None:
            assert control.low <= control.value <= control.high
            assert control.default is None or control.low <= control.default <= control.high


def test_a_number_beyond_the_range_becomes_the_nearest(controls: Controls) -> None:
    number, low, high = a_range(controls)
    controls.set(number, high + 1000)
    assert controls.read()[number].value == high
    controls.set(number, low - 1000)
    assert controls.read()[number].value == low


def test_what_is_not_there_cannot_be_set(controls: Controls) -> None:
    with pytest.raises(ControlError):
        controls.set(0x009A0FFF, 1)


def test_a_choice_that_there_is_not_is_refused(controls: Controls) -> None:
    there = [number for number in controls.read() if number in REFUSING]
    if not there:
        pytest.skip("this driver has no menu that is known here")
    before = controls.read()[there[0]].value
    with pytest.raises(ControlError):
        controls.set(there[0], 77)
    assert controls.read()[there[0]].value == before


def test_what_the_program_lists_is_what_there_is(tmp_path: Path) -> None:
    """Buttons, texts and bit masks are left out; a boolean tells no range."""
    found = dict(ProgramControls("/dev/video7", fake_v4l2_ctl(tmp_path)).read())
    assert found.pop(0x00980900).name == "brightness"
    assert {number: (one.name, one.value, one.default) for number, one in found.items()} == {
        number: (one.name, one.value, one.default) for number, one in webcam().items()
    }


def test_what_a_real_driver_lists() -> None:
    """As ``v4l2-ctl`` 1.22 printed it of ``vivid``, Linux 6.1 (Debian 12), booted in QEMU."""
    found = parse_controls((DATA / "vivid-controls.txt").read_text(encoding="utf-8"))
    assert len(found) == 52
    assert found[0x00980903] == Control(name="hue", value=0, low=-128, high=128, default=0)
    assert found[0x0098F904] == Control(name="menu", value=3, low=1, high=4, default=3)
    assert found[0x0098F907] == Control(name="integer_menu", value=4, low=1, high=8, default=4)
    assert found[0x00980909] == Control(name="mute", value=0, default=0)
    assert not {"button", "string", "bitmask", "area", "u8_pixel_array"} & {one.name for one in found.values()}


def test_names_of_older_kernels_mean_the_same() -> None:
    line = "                     focus_auto 0x009a090c (bool)   : default=1 value=0"
    (number,) = parse_controls(line)
    assert number == ControlId.FOCUS_AUTO


@pytest.mark.parametrize("device", ["/dev/video8", "/dev/video7"], ids=["a camera that is gone", "a missing program"])
def test_no_answer_is_an_error_that_names_the_camera(tmp_path: Path, device: str) -> None:
    program = fake_v4l2_ctl(tmp_path) if device == "/dev/video8" else str(tmp_path / "nowhere")
    with pytest.raises(ControlError, match=device):
        ProgramControls(device, program).read()


class Capture:
    """Like ``cv2.VideoCapture`` of a camera without a lens that moves."""

    def __init__(self) -> None:
        from vision.camera.controls import CaptureControls

        names = CaptureControls.KNOWN
        self.values = {names[ControlId.EXPOSURE]: 157.0, names[ControlId.EXPOSURE_AUTO]: 3.0}

    def get(self, prop: int) -> float:
        return self.values.get(prop, -1.0)

    def set(self, prop: int, value: float) -> bool:
        if prop in self.values:
            self.values[prop] = value
        return prop in self.values


def test_without_the_program_opencv_sets_what_it_can(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    controls = controls_of("/dev/video7", Capture())
    assert {number: one.value for number, one in controls.read().items()} == {
        ControlId.EXPOSURE: 157,
        ControlId.EXPOSURE_AUTO: 3,
    }
    controls.set(ControlId.EXPOSURE, 200)
    assert controls.read()[ControlId.EXPOSURE].value == 200
    for unknown in (ControlId.FOCUS, ControlId.MAINS, 0x009A0FFF):
        with pytest.raises(ControlError):
            controls.set(unknown, 1)
    monkeypatch.setenv("PATH", str(Path(fake_v4l2_ctl(tmp_path)).parent))
    assert isinstance(controls_of("/dev/video7", Capture()), ProgramControls)
