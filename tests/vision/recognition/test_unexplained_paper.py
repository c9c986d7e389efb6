"""What paper no card explains: where another card may lie."""

from typing import NamedTuple

import numpy as np
import pytest

from vision.geometry.projection import PlaneProjection
from vision.geometry.rectification import RectifiedPlane
from vision.recognition.unexplained_paper import unexplained_paper_mask

#: BGR of felt and of paper on it.
FELT, PAPER = (70, 120, 40), (230, 235, 235)


class Box(NamedTuple):
    """A place on the mat, mm from the picture's upper left corner."""

    x: int
    y: int
    width: int
    height: int


#: Beside the card, for the light is that of cards near by.
CARD, OTHER = Box(20, 40, 59, 91), Box(86, 50, 38, 70)
SCRAPS = Box(90, 50, 24, 10), Box(90, 90, 24, 10)


@pytest.mark.parametrize(
    ("paper", "explained", "left"),
    [
        pytest.param([CARD, OTHER], [CARD], OTHER, id="a card"),
        pytest.param([CARD, OTHER], [CARD, OTHER], None, id="all is explained, nothing at all is left"),
        pytest.param([CARD], [CARD], None, id="there is nothing else"),
        pytest.param([CARD, SCRAPS[0]], [CARD], None, id="a scrap hides no card"),
        pytest.param([CARD, *SCRAPS], [CARD], None, id="nor do two that are as large together"),
        pytest.param([CARD, OTHER, Box(20, 145, 24, 10)], [CARD], OTHER, id="a card, and a scrap elsewhere"),
    ],
)
def test_paper_that_no_card_explains(paper: list[Box], explained: list[Box], left: Box | None) -> None:
    picture = np.full((480, 640, 3), FELT, np.uint8)
    for x, y, width, height in paper:
        picture[2 * y : 2 * (y + height), 2 * x : 2 * (x + width)] = PAPER
    plane = RectifiedPlane.of(picture, PlaneProjection(np.diag([2.0, 2.0, 1.0]), (640, 480)))
    owned = np.zeros((242, 322), np.uint8)
    for number, (x, y, width, height) in enumerate(explained, 1):
        owned[y : y + height, x : x + width] = number
    found = unexplained_paper_mask(plane, owned, np.floor(plane.origin))
    if left is None:
        assert found is None
        return
    assert found is not None
    rows, columns = np.nonzero(found)
    edges = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
    wanted = left.x, left.y, left.x + left.width, left.y + left.height
    assert np.allclose(edges, wanted, atol=4)
