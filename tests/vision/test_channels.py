"""What is done to each channel by OpenCV, for speed, is what numpy does."""

import numpy as np
import pytest

from vision.images import strongest_channel
from vision.simulation.paint import each_channel

RNG = np.random.default_rng(1)


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(RNG.integers(0, 256, (40, 60, 3), np.uint8), id="picture"),
        pytest.param(RNG.integers(0, 256, (80, 90, 3), np.uint8)[5:45, 7:67], id="part of one"),
        pytest.param(RNG.random((40, 60, 3), np.float32), id="float"),
    ],
)
def test_the_strongest_channel(picture: np.ndarray) -> None:
    found = strongest_channel(picture)
    assert found.dtype == picture.dtype and np.array_equal(found, picture.max(2))


@pytest.mark.parametrize("tint", [(1, 1, 1), (0.8, 1, 1.1), np.array([0.9, 1.04, 1.2])], ids=["white", "wood", "lamp"])
def test_a_plane_is_weighed_for_each_channel(tint: tuple[float, ...]) -> None:
    plane = RNG.random((40, 60), np.float32)
    expected = plane[..., None] * np.asarray(tint, np.float32)
    found = each_channel(plane, tint)
    assert found.dtype == np.float32 and np.array_equal(found, expected)
