"""What tests in virtual machines share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.bench.vm.machine import Machine
from tests.vm import booted
from tests.vm.directed import Direction


@pytest.fixture(scope="module")
def direction(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Direction]:
    """A direction on this machine, of table 7."""
    made = Direction(tmp_path_factory.mktemp("direction"))
    yield made
    made.close()


@pytest.fixture(scope="session")
def started() -> Path:
    """The folder of a machine that has been started once for an image, and is kept up to its first page."""
    return booted.started()


@pytest.fixture(scope="session")
def maker(started: Path) -> tuple[Path, Path]:
    """Whose releases the machines take: the keys' files, private and public."""
    return started / "maker.key", started / "maker.pub"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory, started: Path) -> Iterator[Machine]:
    """A machine that goes on from its first page."""
    with Machine(booted.IMAGE, tmp_path_factory.mktemp("machine"), like=started) as made:
        made.on()
        made.go_back(booted.UP)
        yield made
