"""The suite gives the same answer each time: hypothesis draws the same examples, unless new ones are asked for.

``HYPOTHESIS_PROFILE=explore ./stichwart test`` draws others at every run. ``./stichwart test -m fast`` runs what is
neither slow nor in need of a browser; docs/contributing.md says what each marker means.
"""

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
BROWSER = (
    "director/test_page.py",
    "director/test_setup_page.py",
    "director/test_page_for_all.py",
    "director/test_page_holds.py",
)
#: How a module says that all its tests are slow.
ALL_SLOW = re.compile(r"^pytestmark = (\[|.*, )?pytest\.mark\.slow\b", re.MULTILINE)


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
        if place.as_posix() in BROWSER:
            item.add_marker("browser")
        if not any(item.iter_markers("slow")) and not any(item.iter_markers("browser")):
            item.add_marker("fast")
