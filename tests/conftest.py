"""The suite gives the same answer each time: hypothesis draws the same examples, unless new ones are asked for.

``HYPOTHESIS_PROFILE=explore ./stichwart test`` draws others at every run. ``./stichwart test -m fast`` runs what is
neither slow nor in need of a browser; docs/contributing.md says what each marker means.

Half of the suite's time once went into Python's own search for dead objects, among the million that collected tests
and imported modules are: these are left out of it (``gc.freeze``), and it comes more seldom.
"""

import gc
import os
import re
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

TESTS = Path(__file__).parent
#: Folder or module → the marker of all its tests.
MARKERS = {"ui": "render", "hw": "hardware", "test_panel_of_table.py": "hardware"}
#: Objects before dead ones are looked for among the youngest, and how often among them before the older ones.
GC_THRESHOLD = (5_000, 10, 20)
#: How a module says that all its tests are slow.
ALL_SLOW = re.compile(r"^pytestmark = (\[|.*, )?pytest\.mark\.slow\b", re.MULTILINE)


def pytest_sessionstart() -> None:
    """Look for no dead objects while tests are collected: what comes then, stays."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Leave out what stands from now on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLD)
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave modules out that hold nothing fast: importing them would take longer than the tests."""
    if config.getoption("markexpr") != "fast" or collection_path.suffix != ".py":
        return None
    return True if ALL_SLOW.search(collection_path.read_text(encoding="utf-8")) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by where they stand; what is neither slow nor for a browser is fast."""
    for item in items:
        place = item.path.relative_to(TESTS)
        for part in place.parts:
            if part in MARKERS:
                item.add_marker(MARKERS[part])
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if not any(item.iter_markers("slow")) and not any(item.iter_markers("browser")):
            item.add_marker("fast")
