"""What a table tells the direction of its machine."""

import pytest

from hw.machine import MachineState
from kiosk.app import self_report
from kiosk.app.self_report import SelfReport
from kiosk.app.version import version


def machine(**more):
    usual = {
        "temperature_c": 50.0,
        "under_voltage": None,
        "was_under_voltage": None,
        "slowed": None,
        "free_mb": 12_345,
        "up_s": 12_000.0,
    }
    return MachineState(**{**usual, **more})


@pytest.fixture
def told(monkeypatch, tmp_path):
    monkeypatch.setattr(self_report.time, "time", lambda: 1_000_000.0)

    def report(state, theirs=1_000_000.0):
        monkeypatch.setattr(self_report, "look_at_machine", lambda data: state)
        return SelfReport(tmp_path, "v4l2:/dev/video0", lambda: theirs).now()

    return report


def test_a_machine_that_is_well(told):
    assert told(machine()) == {
        "version": version(),
        "source": "v4l2:/dev/video0",
        "under_voltage": False,
        "was_under_voltage": False,
        "hot": False,
        "disk_low": False,
        "free_gb": 12,
        "clock_off_s": 0,
        "temperature_c": 50,
        "up_hours": 3,
        "offset_s": 0,
    }


@pytest.mark.parametrize(
    ("state", "key", "value"),
    [
        pytest.param({"under_voltage": True}, "under_voltage", True, id="power now"),
        pytest.param({"was_under_voltage": True}, "was_under_voltage", True, id="power before"),
        pytest.param({"slowed": True}, "hot", True, id="slowed"),
        pytest.param({"temperature_c": 99.0}, "hot", True, id="hot"),
        pytest.param({"free_mb": 20}, "disk_low", True, id="disk"),
        pytest.param({"free_mb": None}, "free_gb", None, id="a disk that does not tell"),
    ],
)
def test_what_is_wrong_is_told(told, state, key, value):
    assert told(machine(**state))[key] == value


@pytest.mark.parametrize(
    ("theirs", "off"), [(1_000_000.0, 0), (1_000_020.0, 0), (999_930.0, 60), (1_000_300.0, -300), (None, 0)]
)
def test_a_clock_is_off_by_whole_minutes(told, theirs, off):
    """In steps, so that a status message does not change with every second."""
    assert told(machine(), theirs)["clock_off_s"] == off


def test_the_machine_is_not_looked_at_with_every_message(monkeypatch, tmp_path):
    looked = []
    monkeypatch.setattr(self_report, "look_at_machine", lambda data: looked.append(data) or machine())
    report = SelfReport(tmp_path, "sim:", lambda: 0.0)
    assert report.now() == report.now() and looked == [tmp_path]


def test_the_version_is_a_number_and_perhaps_a_build(monkeypatch, tmp_path):
    assert version()[0].isdigit()
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2"\n')
    monkeypatch.setattr("kiosk.app.version._ROOT", tmp_path)
    assert version() == "1.2"
    (tmp_path / "build.txt").write_text("abc123\n")
    assert version() == "1.2+abc123"
    (tmp_path / "pyproject.toml").unlink()
    assert version() == "?"
