"""Print that a reflex nearly hides is brought out; elsewhere the picture stays as it is."""

import numpy as np
import pytest

from vision.indices.glare import stretched


def paper(level: int, ink: int, ground: int = 60) -> np.ndarray:
    """Paint a sheet with a stroke of ink on a dark ground."""
    picture = np.full((240, 320, 3), ground, np.uint8)
    picture[40:200, 80:240] = level
    picture[100:140, 158:163] = ink
    return picture


@pytest.mark.parametrize(("ink", "at_most"), [(200, 60), (232, 130), (245, 195)])
def test_faint_ink_on_burnt_paper_is_brought_out(ink: int, at_most: int) -> None:
    found = stretched(paper(255, ink))
    assert found is not None
    picture, (rows, columns) = found
    assert picture[120, 160].max() <= at_most and picture[60, 100].min() >= 250
    assert rows.start <= 100 and rows.stop >= 140 and columns.start <= 158 and columns.stop >= 163


@pytest.mark.parametrize("level", [120, 200, 225])
def test_paper_that_is_not_burnt_out_is_left(level: int) -> None:
    assert stretched(paper(level, 40)) is None


def test_what_lies_far_from_it_stays() -> None:
    before = paper(255, 232)
    before[:, 300:] = np.random.default_rng(3).integers(0, 200, (240, 20, 3), np.uint8)
    found = stretched(before)
    assert found is not None
    assert np.abs(found[0][:, 300:].astype(int) - before[:, 300:]).max() <= 1


def test_coloured_ink_keeps_its_colour() -> None:
    picture = paper(255, 0)
    picture[100:140, 158:163] = (215, 215, 255)
    found = stretched(picture)
    assert found is not None
    blue, green, red = found[0][120, 160].tolist()
    assert red >= 250 and blue < 120 and green < 120
