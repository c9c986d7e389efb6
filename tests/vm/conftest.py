"""What tests in virtual machines share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.release import tiny
from tests.vm import booted
from tests.vm.directed import Direction


@pytest.fixture(scope="module")
def direction(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Direction]:
    """A direction on this machine, of table 7."""
    made = Direction(tmp_path_factory.mktemp("direction"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def maker(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Whose releases the machines take: the keys' files, private and public."""
    return tiny.maker(tmp_path_factory.mktemp("maker"))


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory, maker: tuple[Path, Path]) -> Path:
    """The folder of a machine that has been started once for all tests, and is kept up to its first page."""
    return booted.start(tmp_path_factory.mktemp("started"), maker[1])
