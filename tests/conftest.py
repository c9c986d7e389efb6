"""The suite gives the same answer each time: hypothesis draws the same examples, unless new ones are asked for.

``HYPOTHESIS_PROFILE=explore ./stichwart test`` draws others at every run. ``./stichwart test -m fast`` runs what is
neither slow nor in need of a browser; docs/contributing.md says what each marker means.

Half of the suite's time once went into Python's own search for dead objects, among the million that collected tests
and imported modules are: these are left out of it (``gc.freeze``), and it comes more seldom. What else costs much and
proves nothing is made cheap here, in this process: each client of HTTP would read the world's hundred authorities, and
each service would hash its PIN as thoroughly as a real one.
"""

import gc
import os
import re
from functools import cache
from pathlib import Path
from unittest.mock import patch

import certifi
import pytest
from argon2 import PasswordHasher
from hypothesis import settings

from kiosk.director.access import passwords

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

TESTS = Path(__file__).parent
#: The one authority that tests trust, unless they make their own: nobody has its key, and no test leaves this machine.
AUTHORITIES = str(TESTS / "data" / "nobody.pem")
os.environ["SSL_CERT_FILE"] = AUTHORITIES
#: Workers are as many as processors; threads of OpenCV beside them would only wait for each other.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
#: Folder or module → the marker of all its tests.
MARKERS = {"ui": "render", "hw": "hardware", "test_panel_of_table.py": "hardware"}
#: Objects before dead ones are looked for among the youngest, and how often among them before the older ones.
GC_THRESHOLD = (5_000, 10, 20)
#: Modules with tests of ten seconds to a minute: they begin first, so that no worker is alone with one at the end.
BEGIN = ("test_cli.py", "test_page_holds.py", "test_process.py", "test_newest_card.py", "test_relocation.py")
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


@cache
def markers_of(module: Path) -> tuple[str, ...]:
    """Markers of all tests of a module, by where it stands."""
    return tuple(MARKERS[part] for part in module.relative_to(TESTS).parts if part in MARKERS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by where they stand; what is neither slow nor for a browser is fast."""
    for item in items:
        for marker in markers_of(item.path):
            item.add_marker(marker)
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if not {"slow", "browser"} & {marker.name for marker in item.iter_markers()}:
            item.add_marker("fast")
    items.sort(key=lambda item: item.path.name not in BEGIN)


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes_and_authorities():
    """Hash with the least that Argon2 has, and trust ``AUTHORITIES``; ``test_access.py`` has the real."""
    with (
        patch.object(certifi, "where", lambda: AUTHORITIES),
        patch.object(passwords, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)),
    ):
        yield
