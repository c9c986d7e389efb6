"""What tests in virtual machines share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.bench.vm.machine import Machine
from tests.vm import booted
from tests.vm.directed import Direction

#: Modules in the order in which they begin, so that three processes end together (``-n 3 --dist loadfile
#: --no-loadscope-reorder``); others follow. The longest come first, but for the pins', which have something to build
#: meanwhile where an image is started for the first time. A process is given its next module when two tests are left to
#: it: the games' at once, so a short one.
IN_TURN = (
    "test_games",
    "test_pins",
    "test_direction",
    "test_pin_kit",
    "test_bad_cards",
    "test_image",
    "test_cameras",
    "test_recovery",
)
#: Of those with a machine that is like the others', the one that takes longest.
LONGEST = "test_direction"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let these modules begin in their order."""
    places = [n for n, item in enumerate(items) if item.path.parent == Path(__file__).parent]

    def place(item: pytest.Item) -> int:
        stem = item.path.stem
        return IN_TURN.index(stem) if stem in IN_TURN else len(IN_TURN)

    for n, item in zip(places, sorted((items[n] for n in places), key=place), strict=True):
        items[n] = item


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
def machine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, started: Path
) -> Iterator[Machine]:
    """A machine that goes on from its first page; the module that takes longest makes no way for others."""
    nice = 0 if request.path.stem == LONGEST else 5
    with Machine(booted.IMAGE, tmp_path_factory.mktemp("machine"), like=started, nice=nice) as made:
        made.on()
        made.go_back(booted.UP)
        yield made
