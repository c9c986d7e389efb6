"""The machine's date and time: what timedated is asked, in which order, and when a clock follows another one."""

import stat
import time
from pathlib import Path

import pytest

from hw.wall_clock import EARLIEST, LATEST, FollowedClock, TimedateClock, WallClockError
from kiosk.app.wall_time import look

pytestmark = pytest.mark.hardware

NOW = 1_800_000_000.0


@pytest.fixture
def busctl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ``busctl`` that writes down what it is asked; ``ntp`` and ``refuses`` are files that a test makes."""
    script = tmp_path / "busctl"
    script.write_text(
        f"""#!/bin/sh
cd {tmp_path}
shift 2
case "$1 $5" in
"get-property NTP") echo "b $(test -e ntp && echo true || echo false)" ;;
"get-property NTPSynchronized") echo "b $(test -e right && echo true || echo false)" ;;
"call SetTime")
    if test -e ntp || test -e refuses; then echo "Call failed: Automatic time … is enabled" >&2; exit 1; fi
    echo "$5 $6 $7 $8 $9" >>asked ;;
"call SetNTP") echo "$5 $7" >>asked; if test "$7" = true; then : >ntp; else rm -f ntp; fi
    if test "$7" = false && test -e silent; then echo "Call failed: Connection timed out" >&2; exit 1; fi ;;
*) echo "unknown: $*" >&2; exit 2 ;;
esac
"""
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path


def asked(busctl: Path) -> list[str]:
    return (busctl / "asked").read_text().splitlines() if (busctl / "asked").exists() else []


def test_the_time_is_set_and_the_network_goes_on_to_keep_it(busctl: Path) -> None:
    (busctl / "ntp").touch()
    TimedateClock().set(lambda: NOW)
    assert asked(busctl) == ["SetNTP false", "SetTime xbb 1800000000000000 false false", "SetNTP true"]
    assert (busctl / "ntp").exists()


def test_a_clock_that_nobody_keeps_is_left_so(busctl: Path) -> None:
    TimedateClock().set(lambda: NOW)
    assert asked(busctl) == ["SetTime xbb 1800000000000000 false false"]


def test_refused_it_is_kept_by_the_network_as_before(busctl: Path) -> None:
    (busctl / "ntp").touch()
    (busctl / "refuses").touch()
    with pytest.raises(WallClockError, match="Automatic"):
        TimedateClock().set(lambda: NOW)
    assert asked(busctl) == ["SetNTP false", "SetNTP true"]


def test_switched_off_too_late_to_be_answered_the_network_goes_on_to_keep_it(busctl: Path) -> None:
    (busctl / "ntp").touch()
    (busctl / "silent").touch()
    with pytest.raises(WallClockError, match="Connection timed out"):
        TimedateClock().set(lambda: NOW)
    assert asked(busctl) == ["SetNTP false", "SetNTP true"] and (busctl / "ntp").exists()


@pytest.mark.parametrize("time", [0.0, EARLIEST - 1, LATEST + 1, float("inf")])
def test_no_time_is_not_set(busctl: Path, time: float) -> None:
    with pytest.raises(WallClockError):
        TimedateClock().set(lambda: time)
    assert asked(busctl) == []


def test_a_machine_without_systemd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WallClockError, match="busctl"):
        TimedateClock().synchronised()


class Fake:
    """A clock that remembers what it was set to."""

    def __init__(self, synchronised: bool = False, refuses: bool = False) -> None:
        self.kept, self.refuses, self.was_set = synchronised, refuses, list[float]()

    def synchronised(self) -> bool:
        return self.kept

    def set(self, now: object) -> None:
        if self.refuses:
            raise WallClockError("no")
        self.was_set.append(now())  # type: ignore[operator]


@pytest.mark.parametrize(
    ("ours", "theirs", "kept", "ahead"),
    [
        (NOW - 3600, NOW, False, -3600.0),
        (NOW + 86400, NOW, False, 86400.0),
        (0.0, NOW, False, -NOW),
        (NOW + 1.9, NOW, False, None),
        (NOW - 3600, NOW, True, None),
        (NOW, None, False, None),
        (NOW, 100.0, False, None),
        (NOW, LATEST + 1e6, False, None),
    ],
    ids=[
        "behind",
        "ahead",
        "no battery",
        "as good as right",
        "kept by the network",
        "no line",
        "theirs is in 1970",
        "far",
    ],
)
def test_when_a_clock_follows(ours: float, theirs: float | None, kept: bool, ahead: float | None) -> None:
    clock = Fake(kept)
    assert FollowedClock(clock, lambda: theirs, lambda: ours).follow() == ahead
    assert clock.was_set == ([] if ahead is None else [theirs])


def test_what_is_wrong_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    followed = FollowedClock(Fake(refuses=True), lambda: NOW, lambda: NOW - 60)
    told = look(followed)
    assert (look(followed, told), len(caplog.records)) == ("no", 1)
    assert look(FollowedClock(Fake(), lambda: NOW, lambda: NOW - 60), told) == ""
    assert time.time() < LATEST
