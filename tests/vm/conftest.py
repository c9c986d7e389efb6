"""What tests in virtual machines share."""

from collections.abc import Iterator

import pytest

from tests.vm.directed import Direction


@pytest.fixture(scope="module")
def direction(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Direction]:
    """A direction on this machine, of table 7."""
    made = Direction(tmp_path_factory.mktemp("direction"))
    yield made
    made.close()
