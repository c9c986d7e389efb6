"""A browser for the pages; a PostgreSQL of one's own, where Debian's is installed: for what several directors share.

One Chromium serves all tests of a process: to start it and its driver takes a second of processor time. The driver's
loop counts as the thread's running one as long as it is there, and no other could run then; so it counts only while
a test with a window is at work.
"""

import asyncio
from collections.abc import Callable, Generator, Iterator
from functools import partial
from typing import Any

import pytest

from kiosk.bench.postgresql import PROGRAMS, OwnServer, own_server
from tests.director.full_hall import CHROMIUM, QUIET
from tests.waiting import LONGEST_S

_driving: list[asyncio.AbstractEventLoop] = []  # the driver's loop, once it was started


def _while_driving(turned: bool) -> Generator[None, Any, Any]:
    asyncio._set_running_loop(_driving[0] if turned and _driving else None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: Any) -> Generator[None, Any, Any]:
    """Let the driver's loop count where windows are opened."""
    return (yield from _while_driving("browser" in item.fixturenames))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Generator[None, Any, Any]:
    """Let it count where they are used."""
    return (yield from _while_driving("browser" in item.fixturenames))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, Any, Any]:
    """Let it count where they are closed: those of a module after its last test, whichever that is."""
    return (yield from _while_driving(True))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start Chromium for all tests of this process."""
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed (Debian package chromium-headless-shell or chromium)")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    playwright.expect.set_options(timeout=LONGEST_S * 1000)
    driver = playwright.sync_playwright().start()
    _driving.append(asyncio.get_running_loop())
    made = driver.chromium.launch(executable_path=CHROMIUM, args=QUIET)
    made.new_context = partial(_patient, made.new_context)
    yield made
    asyncio._set_running_loop(_driving[0])
    made.close()
    driver.stop()
    _driving.clear()


def _patient(new_context: Callable[..., Any], **wanted: Any) -> Any:
    context = new_context(**wanted)
    context.set_default_timeout(LONGEST_S * 1000)
    return context


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Iterator[Any]:
    """Chromium, without windows of another module: what is tested with it is marked ``browser``."""
    yield chromium
    for context in chromium.contexts:
        context.close()


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
