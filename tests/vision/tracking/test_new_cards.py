"""Which of the cards that are read where the mat has changed are new."""

import numpy as np
import pytest

from vision.recognition.card_reading import CardReading
from vision.recognition.single_card import CLEAR_MARGIN
from vision.simulation.art import load_art
from vision.simulation.film import SimCamera
from vision.tracking.association import MatChange, find_new
from vision.tracking.cell_grid import CellGrid, MatRegions

SIZE_MM = (59.0, 91.0)
DOUBTFUL = CLEAR_MARGIN - 0.1


def reading(label: str, margin: float, x_mm: float) -> CardReading:
    choices = ((label, 2.0), ("C9", 1.0))
    return CardReading(label if margin >= CLEAR_MARGIN else None, margin, choices, np.zeros((4, 2)), (x_mm, 0.0, 0.1))


@pytest.fixture(scope="module")
def mat() -> MatRegions:
    camera = SimCamera(load_art("stichwart"), seed=1, size=(640, 480))
    grid = CellGrid(camera.view, SIZE_MM)
    whole = np.ones(grid.shape, bool)
    return MatRegions(grid, camera.layout.middle, camera.layout.middle, whole, ~whole, ())


@pytest.mark.parametrize(
    ("label", "margin", "beside_mm", "known", "new"),
    [
        pytest.param("DA", 1.0, 40.0, (), {"SJ", "DA"}, id="side by side"),
        pytest.param("DA", 1.0, 18.0, (), {"SJ", "DA"}, id="mostly upon it"),
        pytest.param("DA", 1.0, 5.0, (), {"SJ"}, id="in its place"),
        pytest.param("DA", DOUBTFUL, 18.0, (), {"SJ"}, id="mostly upon it, in doubt"),
        pytest.param("SJ", 0.9, 18.0, (), {"SJ"}, id="mostly upon an equal one"),
        pytest.param("DA", 1.0, 18.0, ("DA",), {"SJ"}, id="mostly upon it, equal to one that lies there"),
    ],
)
def test_two_that_came_at_once(
    mat: MatRegions, label: str, margin: float, beside_mm: float, known: tuple[str, ...], new: set[str]
) -> None:
    first, second = reading("SJ", 0.99, 0.0), reading(label, margin, beside_mm)
    assert first.pose is not None and second.pose is not None
    changed = mat.grid.card(first.pose) | mat.grid.card(second.pose)
    nowhere = np.zeros_like(changed)
    where = MatChange(mat, changed, nowhere, nowhere)
    found = find_new([first, second], where, changed, nowhere, np.ones(changed.shape), 1.0, known)
    assert {one.label for _, one in found} == new and len(found) == len(new)


@pytest.mark.parametrize(("share", "new"), [(0.2, 0), (0.4, 1)], ids=["a card that slid a little", "a card"])
def test_one_that_came_alone_has_changed_enough(mat: MatRegions, share: float, new: int) -> None:
    """What a trick that is taken in leaves uncovered of a card is none that was laid."""
    alone = reading("DA", 1.0, 0.0)
    assert alone.pose is not None
    changed = np.zeros(mat.grid.shape, bool)
    rows, columns = np.nonzero(mat.grid.card(alone.pose))
    count = round(share * len(rows))
    changed[rows[:count], columns[:count]] = True
    nowhere = np.zeros_like(changed)
    where = MatChange(mat, changed, nowhere, nowhere)
    assert len(find_new([alone], where, changed, nowhere, np.ones(changed.shape), 1.0)) == new
