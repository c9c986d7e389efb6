"""An environment that all releases taken here are given a copy of, where a test does not make its own."""

from pathlib import Path

import pytest

from kiosk.release import take
from tests.release.environments import copying, one_for_all


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give each release of this test a copy of one environment."""
    made = one_for_all(tmp_path_factory)
    monkeypatch.setattr(take, "_run", copying(take._run, made))
    return made
