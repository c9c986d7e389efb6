"""A browser for the pages; a PostgreSQL of one's own, where Debian's is installed: for what several directors share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kiosk.bench.postgresql import PROGRAMS, OwnServer, own_server
from tests.director.full_hall import CHROMIUM, QUIET


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, one for a module: what is tested with it is marked ``browser``."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian package chromium-headless-shell or chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as started:
        made = started.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield made
        made.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[OwnServer]:
    """Start a server for all tests of this process."""
    if not PROGRAMS:
        pytest.skip("PostgreSQL is not installed here (Debian package postgresql)")
    with own_server(durable=False) as server:
        yield server


@pytest.fixture
def new_database(postgresql: OwnServer) -> Callable[[], str]:
    """Make empty databases; each call gives the SQLAlchemy URL of one."""
    return postgresql.new_database
