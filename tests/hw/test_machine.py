"""The machine's own state and the backlight, from a tree of files like the kernel's."""

import os
from pathlib import Path

import pytest

from hw.backlight import Backlight
from hw.machine import MachineState, look_at_machine

pytestmark = pytest.mark.hardware


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


PI4 = "sys/devices/platform/soc/soc:firmware/get_throttled"
PI5 = "sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"


@pytest.mark.parametrize("file", [PI4, PI5])
@pytest.mark.parametrize(
    ("text", "now", "ever", "slowed"),
    [
        ("0\n", False, False, False),
        ("50005\n", True, True, True),
        ("0x50000\n", False, True, False),
        ("20002\n", False, False, True),
        ("80008\n", False, False, True),
    ],
)
def test_a_pi_tells_of_its_power(tmp_path: Path, file: str, text: str, now: bool, ever: bool, slowed: bool) -> None:
    state = look_at_machine(tmp_path, written(tmp_path, {file: text}))
    assert (state.under_voltage, state.was_under_voltage, state.slowed) == (now, ever, slowed)


@pytest.mark.parametrize(("alarm", "low"), [("0", False), ("1", True)])
def test_the_kernels_own_watch_serves_where_the_firmware_tells_nothing(tmp_path: Path, alarm: str, low: bool) -> None:
    hwmon = "sys/class/hwmon/hwmon3/"
    root = written(tmp_path, {hwmon + "name": "rpi_volt\n", hwmon + "in0_lcrit_alarm": alarm + "\n"})
    state = look_at_machine(tmp_path, root)
    assert (state.under_voltage, state.slowed) == (low, None)


@pytest.mark.parametrize(
    ("zones", "hottest", "hot"), [(["48312", "51000"], 51.0, False), (["80000"], 80.0, True), (["off"], None, False)]
)
def test_the_hottest_zone_counts(tmp_path: Path, zones: list[str], hottest: float | None, hot: bool) -> None:
    files = {f"sys/class/thermal/thermal_zone{n}/temp": text + "\n" for n, text in enumerate(zones)}
    state = look_at_machine(tmp_path, written(tmp_path, files))
    assert (state.temperature_c, state.hot) == (hottest, hot)


def test_a_machine_that_tells_nothing_is_no_trouble(tmp_path: Path) -> None:
    state = look_at_machine(tmp_path / "not there", tmp_path)
    nothing = MachineState(temperature_c=None, under_voltage=None, was_under_voltage=None, slowed=None, free_mb=None)
    assert state == nothing
    assert not (state.hot or state.disk_low)


def test_the_disk_is_the_datas(tmp_path: Path) -> None:
    there = os.statvfs(tmp_path)
    free = look_at_machine(tmp_path, tmp_path).free_mb
    assert free == pytest.approx(there.f_bavail * there.f_frsize / 1e6, rel=0.1)


@pytest.mark.parametrize(("percent", "value"), [(100, "255"), (50, "128"), (1, "13"), (0, "13"), (200, "255")])
def test_a_backlight_is_set_and_never_dark(tmp_path: Path, percent: int, value: str) -> None:
    written(tmp_path, {"10-0045/max_brightness": "255\n", "10-0045/brightness": "255\n"})
    light = Backlight(tmp_path)
    assert light.there and light.set(percent)
    assert (tmp_path / "10-0045/brightness").read_text().strip() == value


@pytest.mark.parametrize(
    "files", [{}, {"a/max_brightness": "0\n", "a/brightness": "0"}, {"a/max_brightness": "31\n"}], ids=str
)
def test_without_a_backlight_it_says_so(tmp_path: Path, files: dict[str, str]) -> None:
    light = Backlight(written(tmp_path, files))
    assert not light.there and not light.set(50)


def test_a_backlight_that_goes_is_none_from_then_on(tmp_path: Path) -> None:
    written(tmp_path, {"a/max_brightness": "31\n", "a/brightness": "31\n"})
    light = Backlight(tmp_path)
    (tmp_path / "a/brightness").unlink()
    (tmp_path / "a/brightness").mkdir()
    assert not light.set(50) and not light.there
