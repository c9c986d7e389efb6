"""A release says once that it has come up, and makes way for another one when the table rests."""

from pathlib import Path

import pytest

from kiosk.app import updating
from kiosk.app.updating import MakingWay, say_healthy
from kiosk.app.watchdog import UP_S, Watchdog
from kiosk.release.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(tmp_path / "opt", tmp_path / "var" / "updates")
    for name in ("0.1", "0.2"):
        made.release(name).mkdir(parents=True)
        (made.release(name) / "ready").write_text(name)
    (made.program / "current").symlink_to("releases/0.1")
    return made


def test_a_program_is_healthy_once_it_has_been_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    now, said = [100.0], []
    watchdog = Watchdog({}, clock=lambda: now[0], healthy=lambda: said.append(now[0]))
    now[0] += 10 * UP_S
    watchdog.beat()
    assert not said, "it is not ready yet"
    watchdog.ready()
    for _ in range(5):
        now[0] += UP_S / 2
        watchdog.beat()
    assert said == [100.0 + 11 * UP_S]


def test_a_release_says_on_disk_that_it_has_come_up(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(updating, "_ROOT", layout.release("0.1"))
    monkeypatch.setenv("STATE_DIRECTORY", str(layout.state.parent))
    say_healthy("table")()
    assert (layout.state / "healthy-table").read_text() == "0.1\n"


def test_a_checkout_says_nothing(layout: Layout, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(updating, "_ROOT", tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(layout.state.parent))
    say_healthy("table")()
    assert not layout.state.exists()


@pytest.mark.parametrize(
    ("wanted", "rests", "ends"),
    [
        pytest.param("0.2", [False, False, True, True], 1, id="once the table rests"),
        pytest.param("0.2", [False] * 4, 0, id="never in a round"),
        pytest.param("", [True] * 4, 0, id="nothing waits"),
        pytest.param("0.1", [True] * 4, 0, id="it runs already"),
        pytest.param("0.3", [True] * 4, 0, id="not there"),
    ],
)
def test_it_makes_way_at_rest_alone(layout: Layout, wanted: str, rests: list[bool], ends: int) -> None:
    if wanted:
        layout.want(wanted)
    now, ended, moments = [0.0], [], iter(rests)
    way = MakingWay(layout, lambda: next(moments), lambda: ended.append(True), now=lambda: now[0])
    for _ in rests:
        way.beat()
        way.beat()
        now[0] += 6
    assert len(ended) == ends
