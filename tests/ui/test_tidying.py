"""Dead objects are looked for between touches, never just after one."""

import gc

import pytest

from kiosk.ui.tidying import AFTER, QUIET_S, Tidying


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Full collections that were made, while it has long been time for one."""
    made: list[str] = []
    monkeypatch.setattr(gc, "collect", lambda: made.append("full"))
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER))
    return made


def test_nothing_is_collected_while_somebody_touches(full: list[str]) -> None:
    made, tidying = full, Tidying()
    tidying.touched(10.0)
    assert not tidying.tidy(10.0 + 0.9 * QUIET_S)
    assert not made
    assert tidying.tidy(10.0 + QUIET_S)
    assert made == ["full"]


def test_nothing_is_collected_before_its_time(full: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made = full
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, AFTER - 1))
    assert not Tidying().tidy(100.0)
    assert not made


def test_what_stands_is_left_out() -> None:
    before, thresholds = gc.get_freeze_count(), gc.get_threshold()
    try:
        Tidying().begin()
        assert gc.get_freeze_count() > before
        assert gc.get_threshold()[2] > AFTER
    finally:
        gc.unfreeze()
        gc.set_threshold(*thresholds)
