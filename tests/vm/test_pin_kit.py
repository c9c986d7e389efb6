"""Which kernel the simulated pins are built for."""

from pathlib import Path

import pytest

from kiosk.bench.vm.errors import MachineError
from kiosk.bench.vm.pin_kit import Kernel, kernel_of

LISTED = """\
linux-base 4.12.1 all
linux-image-6.12.118+deb13-amd64 6.12.118-1 amd64
linux-image-amd64 6.12.118-1 amd64
"""


def test_the_kernel_is_that_of_the_image(tmp_path: Path) -> None:
    (tmp_path / "card.img.packages").write_text(LISTED)
    assert kernel_of(tmp_path / "card.img") == Kernel("6.12.118+deb13-amd64", "6.12.118-1")


@pytest.mark.parametrize(
    ("listed", "told"),
    [
        (None, "./stichwart image writes it"),
        ("", "names no kernel"),
        ("linux-image-amd64 6.12.118-1 amd64\n", "names no kernel"),
    ],
    ids=["no list", "empty", "only the package that follows the newest"],
)
def test_without_one_it_is_said(tmp_path: Path, listed: str | None, told: str) -> None:
    if listed is not None:
        (tmp_path / "card.img.packages").write_text(listed)
    with pytest.raises(MachineError, match=told):
        kernel_of(tmp_path / "card.img")
